import clerks from "../../lexicon/clerk-words.json" with { type: "json" };
import { foldText } from "../../lexicon/fold.ts";
import type { Label, Annotations } from "../labels/annotations.ts";
import { indexAt } from "../../layout/page-index.ts";
import type { Segment } from "../../layout/layout.ts";

const clerkWords: ReadonlySet<string> = new Set(clerks.map(foldText));

/** "Handled by": who wrote the order, also beside the lines of its reader. */
export function isClerkContact({ layout, labelsIn }: Annotations, segment: Segment, at: number): boolean {
  const row = indexAt(layout, segment).rowOf(segment);
  const left = row[row.indexOf(segment) - 1];
  const own = (labelsIn[segment.index] ?? []).some((label) => label.start <= at && namesClerk(label));
  return own || (left !== undefined && (labelsIn[left.index] ?? []).some(headsAlone));
}

const headsAlone = (label: Label): boolean =>
  namesClerk(label) && label.standing === "Head" && !/[\p{L}\p{N}]/u.test(label.segment.text.slice(label.end));

const namesClerk = ({ segment, start, end, standing }: Label): boolean =>
  standing !== "Loose" && clerkWords.has(foldText(segment.text.slice(start, end)));
