import { labelFiles } from "../know/labels/labels.ts";

const words = [...new Set(labelFiles.flatMap(({ number }) => number))]
  .filter((word) => word.length > 1 || ["n", "č", "№", "#"].includes(word))
  .sort((a, b) => b.length - a.length)
  .map((word) => word.replace(/[.$*+?^|()[\]{}\\]/gu, "\\$&"));
const WORD = `(?:${words.join("|")})[.:°º]*`;
const NUMBER = "(?=[\\p{Lu}\\d./-]*\\d)[\\p{Lu}\\d][\\p{Lu}\\d./-]{2,24}";

/** A number word of any language, perhaps of two, and the number behind it: "Nr. / No. 2026-0038817". */
const numbered = new RegExp(
  `(?<![\\p{L}\\d])${WORD}(?:\\s*/\\s*${WORD})*\\s*[:：]?\\s*(${NUMBER})(?![\\p{L}\\d])`,
  "giu",
);

/** The numbers that stand behind a bare word for "number", and where. */
export function numbersIn(text: string): { text: string; start: number; end: number }[] {
  return [...text.matchAll(numbered)].flatMap((match) => {
    const number = (match[1] ?? "").replace(/[./-]+$/u, "");
    const start = match.index + match[0].length - (match[1]?.length ?? 0);
    return /\p{Ll}/u.test(number) ? [] : [{ text: number, start, end: start + number.length }];
  });
}
