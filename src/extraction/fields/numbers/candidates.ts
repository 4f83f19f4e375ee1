import type { Segment } from "../../layout/layout.ts";
import type { TextSpan } from "../../layout/text-span.ts";

/** Text in the shape of a number that names an order or a load: "ZL/118/26", "4500 118 720", "RI-KT 0419/2026". */
export interface NumberCandidate extends TextSpan {
  /** Offset of the word that contains the first digit. */
  core: number;
  /** Letters in front of the first word with a digit are part of the candidate: "PO 4711". */
  prefixed: boolean;
  /** Groups of digits behind the first word are part of the candidate: "4711 220". */
  grouped: boolean;
}

const word = /(?<![\p{L}\p{N}])(?=[\p{L}/._-]{0,12}\d)[\p{L}\p{N}](?:[\p{L}\p{N}]|[/._#-](?=[\p{L}\p{N}]))*/gu;
const prefix = /(?:^|[^\p{L}\p{N}])((?:\p{Lu}[\p{Lu}\p{N}-]{0,5}[ :]\s?){0,1}\p{Lu}[\p{L}\p{N}/-]{0,9}[ /]\s?)$/u;
const groups = /^(?: ?[-–/] ?\d{1,7}| \d{2,5}(?![.,:]?\d)){1,4}(?![\p{L}\p{N}])/u;
const longest = 30;
const mostInSegment = 60;

/** Finds all candidates of a segment. One number may yield several, with and without the words before and behind it. */
export function candidatesIn(segment: Segment): NumberCandidate[] {
  const { text } = segment;
  return [...text.matchAll(word)].slice(0, mostInSegment).flatMap(({ 0: found, index }) => {
    const end = index + found.length;
    const before = text.slice(Math.max(0, index - 2 * longest), index);
    const lead = prefix.exec(before)?.[1] ?? "";
    const short = lead.replace(/^[^ :]*[ :]\s?(?=\p{L})/u, "");
    const more = groups.exec(text.slice(end))?.[0] ?? "";
    const starts = [...new Set([index, index - short.length, index - lead.length])];
    const ends = [...new Set([end, end + more.length])];
    return starts.flatMap((start) =>
      ends.flatMap((to) =>
        to - start < 2 || to - start > longest
          ? []
          : [
              {
                segment,
                start,
                end: to,
                text: text.slice(start, to),
                core: index,
                prefixed: start < index,
                grouped: to > end,
              },
            ],
      ),
    );
  });
}
