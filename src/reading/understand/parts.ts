import { conceptOf, type ConceptId } from "../know/concepts.ts";
import type { Segment } from "./layout.ts";
import type { Label } from "./marks.ts";
import { ruledBy, type Head } from "./sections.ts";
import type { Surroundings } from "./values.ts";

/** A form taken apart by the labels that head its parts. */
export interface Parts<Role extends string> {
  heads: Head<Role>[];
  /** The part in which a word stands. */
  at(segment: Segment, at: number): Role | undefined;
  /** The head of that part. */
  headAt(segment: Segment, at: number): Head<Role> | undefined;
}

const surest = { Head: 1, Lead: 0.85, Inline: 0.7, Tail: 0.5, Loose: 0 };
const least = 0.35;

/** The parts headed by these labels; `taken` says which labels count, by default all that stand as labels. */
export function partsOf<Role extends string>(
  around: Surroundings,
  roles: Partial<Record<ConceptId, Role>>,
  taken: (label: Label) => boolean = () => true,
): Parts<Role> {
  const heads = around.marks.labels.flatMap((label): Head<Role>[] => {
    if (around.prose.has(label.segment) || !taken(label)) return [];
    const [best] = label.meanings
      .filter(({ concept }) => roles[concept] !== undefined)
      .sort((a, b) => b.weight - a.weight);
    const role = best && roles[best.concept];
    const weight = (best?.weight ?? 0) * surest[label.standing];
    if (!best || !role || weight < least) return [];
    return [{ role, label, weight: Math.min(1, weight), narrow: conceptOf(best.concept).stands === "Field" }];
  });
  return partsUnder(heads);
}

/** The parts under heads found otherwise. */
export function partsUnder<Role extends string>(heads: Head<Role>[]): Parts<Role> {
  const headAt = ruledBy(heads);
  return { heads, headAt, at: (segment, at) => headAt(segment, at)?.role };
}
