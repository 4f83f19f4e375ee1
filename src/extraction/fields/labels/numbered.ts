import { languages } from "../../lexicon/languages.ts";
import type { EntityType } from "../../entities/entity.ts";
import type { TextSpan } from "../../layout/text-span.ts";
import type { DocumentContext } from "./values.ts";

const words = [...new Set(languages.flatMap(({ number }) => number))]
  .filter((word) => word.length > 1 || ["n", "č", "№", "#"].includes(word))
  .sort((a, b) => b.length - a.length)
  .map((word) => word.replace(/[.$*+?^|()[\]{}\\]/gu, "\\$&"));
const WORD = `(?:${words.join("|")})(?!\\p{L})[.:°º]{0,3}`;
const NUMBER = "(?:\\p{Lu}{1,4} (?=\\d))?(?=[\\p{Lu}\\d./-]{0,24}\\d)[\\p{Lu}\\d][\\p{Lu}\\d./-]{2,24}";

/** Matches a word for "number" in any language, or several of them, as in "Nr. / No. 2026-0038817". */
const numberWords = new RegExp(`(?<![\\p{L}\\d])${WORD}(?:\\s?/\\s?${WORD}){0,3}\\s?[:：]?\\s?`, "giu");
const number = new RegExp(`${NUMBER}(?![\\p{L}\\d])`, "iuy");

/** Finds numbers after a word for "number", with their offsets. */
export function numbersIn(text: string): { text: string; start: number; end: number }[] {
  return [...text.matchAll(numberWords)].flatMap((match) => {
    const start = match.index + match[0].length;
    number.lastIndex = start;
    const found = number.exec(text)?.[0].replace(/[./-]+$/u, "");
    return !found || /\p{Ll}/u.test(found) ? [] : [{ text: found, start, end: start + found.length }];
  });
}

/** Matches a further group of a number, as in "12 3456 7890", "VH 70-4418 220", "26/118244 F". */
const group = /^ (?:(?=[\p{Lu}\d./-]*\d)[\p{Lu}\d./-]{1,14}|\p{Lu}{1,2})(?=\s|$|[,;)])/u;
const others: ReadonlySet<EntityType> = new Set(["Date", "Time", "Phone", "Amount", "Place", "Iban", "Vat", "Street"]);

/** Extends a number to all its groups, at most up to the next entity. */
export function wholeNumber(
  { annotations }: DocumentContext,
  span: Pick<TextSpan, "segment" | "start" | "end">,
): TextSpan {
  const { segment, start } = span;
  const next = (annotations.entitiesIn[segment.index] ?? [])
    .filter(({ type, score, start: at }) => others.has(type) && score >= 0.5 && at >= span.end)
    .map((entity) => entity.start);
  const stop = Math.min(segment.text.length, ...next);
  let { end } = span;
  for (let more = group.exec(segment.text.slice(end)); more; more = group.exec(segment.text.slice(end))) {
    const to = end + more[0].replace(/[./-]+$/u, "").length;
    if (to > stop) break;
    end = to;
  }
  return { segment, start, end, text: segment.text.slice(start, end) };
}
