import type { Segment } from "../../layout/layout.ts";
import { trimmedSpan, type TextSpan } from "../../layout/text-span.ts";
import type { DocumentContext } from "./values.ts";

/** Punctuation, words for "number" and short words between a label and its number. */
const lead = /^(?:[^\p{L}\p{N}]+|(?:n[ro]?|nº|num|č|št|nummer|numer)\b[.:°º]*\s*)*/iu;
const smallWords = /^(?:\p{Ll}{1,12}[:,]?\s+){0,4}[«»"'„“”(:\s]*/u;
/** A group of a number, and what may stand behind the last group. */
const group = /^[\p{Lu}\p{N}][\p{Lu}\p{N}./_\\-]*/u;
const minFigures = 4;
const maxGroups = 12;

/**
 * Returns the number that begins a range of text: groups of capitals and digits up to the next sentence, sum, date or
 * account, such as "PV 71TT00634", "SI11 77118-20426-04" or "UA / 418 / 00329114".
 */
export function groupedNumberAt(
  document: DocumentContext,
  segment: Segment,
  from: number,
  to: number,
  inSentence: boolean,
): TextSpan | undefined {
  const text = segment.text.slice(0, to);
  let start = from + (lead.exec(text.slice(from))?.[0].length ?? 0);
  if (inSentence) start += smallWords.exec(text.slice(start))?.[0].length ?? 0;
  let [at, end] = [start, start];
  for (let groups = 0; groups < maxGroups; groups += 1) {
    const found = group.exec(text.slice(at))?.[0];
    if (!found || beginsOther(document, segment, at, start)) break;
    const behind = text.slice(at + found.length);
    if (/^(?:\p{L}|[.,]\d)/u.test(behind)) break;
    const closes = found.length === 1 && /^(?:$|[,;)]|\s\p{Ll})/u.test(behind);
    if (/\d/u.test(found) || closes) end = at + found.replace(/[./-]+$/u, "").length;
    const gap = /^(?: [/–-])? (?=[\p{Lu}\p{N}])/u.exec(behind)?.[0].length;
    if (gap === undefined || /[.]$/u.test(found)) break;
    at += found.length + gap;
  }
  const span = trimmedSpan(segment, start, end);
  return span.text.replace(/\D/gu, "").length >= minFigures ? span : undefined;
}

/** Whether an account, date or sum begins here, and does not begin the number itself. */
function beginsOther({ annotations }: DocumentContext, segment: Segment, at: number, first: number): boolean {
  return (annotations.entitiesIn[segment.index] ?? []).some(
    ({ type, start, end, score }) =>
      start <= at &&
      end > at &&
      (type === "Iban" || (at > first ? type === "Date" && score >= 0.5 : type === "Date" && score >= 0.9)),
  );
}
