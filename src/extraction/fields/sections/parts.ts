import { conceptOf, type ConceptId } from "../../lexicon/concepts.ts";
import type { Segment } from "../../layout/layout.ts";
import type { Label, Annotations } from "../labels/annotations.ts";
import { indexAt, lineAbove, lineBelow } from "../../layout/page-index.ts";
import { ruledBy, type Head } from "./sections.ts";
import type { DocumentContext } from "../labels/values.ts";

/** A form divided into parts by the labels that begin them. */
export interface Parts<Role extends string> {
  heads: Head<Role>[];
  /** Returns the role of the part that contains a position. */
  at(segment: Segment, at: number): Role | undefined;
  /** Returns the label that begins the part at a position. */
  headAt(segment: Segment, at: number): Head<Role> | undefined;
}

const surest = { Head: 1, Lead: 0.85, Inline: 0.7, Tail: 0.5, Loose: 0 };
const least = 0.35;

/**
 * Divides the form into the parts that labels with these roles begin. `taken` selects the labels that count; labels in
 * running text never count.
 */
export function partsOf<Role extends string>(
  document: DocumentContext,
  roles: Partial<Record<ConceptId, Role>>,
  taken: (label: Label) => boolean = () => true,
): Parts<Role> {
  const heads = document.annotations.labels.flatMap((label): Head<Role>[] => {
    if (document.prose.has(label.segment) || !taken(label)) return [];
    const [best] = label.meanings
      .filter(({ concept }) => roles[concept] !== undefined)
      .sort((a, b) => b.weight - a.weight);
    const role = best && roles[best.concept];
    const weight = (best?.weight ?? 0) * surest[label.standing];
    if (!best || !role || weight < least) return [];
    return [{ role, label, weight: Math.min(1, weight), narrow: conceptOf(best.concept).stands === "Field" }];
  });
  return partsUnder(document.annotations, heads);
}

/**
 * Divides the form into the parts that the given labels begin. Text to the right of a caption that ends with a colon is
 * the caption's value. A line that has no caption of its own, directly below a value, continues that value. `numbers`:
 * segments that belong to the captions next to them.
 */
export function partsUnder<Role extends string>(
  annotations: Annotations,
  heads: Head<Role>[],
  numbers: readonly Segment[] = [],
): Parts<Role> {
  const ruling = ruledBy(heads);
  const captions = new Set([...heads.map(({ label }) => label.segment), ...numbers]);
  const known = new Map<Segment, Head<Role> | undefined>();
  const headOf = (segment: Segment): Head<Role> | undefined => {
    if (!known.has(segment)) {
      const above = captions.has(segment) ? undefined : valueAbove(annotations, segment, captions);
      known.set(segment, above ? headOf(above) : (beside(annotations, segment, heads, captions) ?? ruling(segment, 0)));
    }
    return known.get(segment);
  };
  const headAt: Parts<Role>["headAt"] = (segment, at) =>
    captions.has(segment) ? ruling(segment, at) : headOf(segment);
  return { heads, headAt, at: (segment, at) => headAt(segment, at)?.role };
}

/** Returns the line directly above, if it is also a value and no caption is to the left of the segment. */
function valueAbove(annotations: Annotations, segment: Segment, captions: ReadonlySet<Segment>): Segment | undefined {
  const above = lineAbove(annotations, segment);
  if (!above || captions.has(above) || above.index >= segment.index) return undefined;
  const close = segment.box.y0 - above.box.y1 < 0.9 * segment.size;
  if (!close || Math.abs(above.box.x0 - segment.box.x0) > 0.5 * segment.size) return undefined;
  const labelled = indexAt(annotations.layout, segment)
    .rowOf(segment)
    .some((other) => other.box.x1 <= segment.box.x0 && captions.has(other));
  return labelled ? undefined : above;
}

/** Returns the caption directly to the left, if it ends with a colon or if the line below it is another caption. */
function beside<Role extends string>(
  annotations: Annotations,
  segment: Segment,
  heads: readonly Head<Role>[],
  captions: ReadonlySet<Segment>,
): Head<Role> | undefined {
  const left = indexAt(annotations.layout, segment)
    .rowOf(segment)
    .findLast((other) => other.box.x1 <= segment.box.x0);
  if (!left || left.cell?.table !== segment.cell?.table) return undefined;
  const own = heads.filter(({ label }) => label.segment === left);
  if (own.length !== 1) return undefined;
  const below = lineBelow(annotations, left);
  const isAlone = below !== undefined && captions.has(below) && !/\d/u.test(left.text.slice(own[0]?.label.end));
  return isAlone || /[:：]$/u.test(left.text) ? own[0] : undefined;
}
