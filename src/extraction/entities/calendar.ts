import { wordsByLanguage } from "../lexicon/languages.ts";
import otherMonths from "../lexicon/other-months.json" with { type: "json" };
import { foldText } from "../lexicon/fold.ts";
import type { DocumentLocale } from "./entity.ts";

export interface PartialDay {
  year?: number;
  month: number;
  day: number;
}

/** Names of the months by language, also of languages that are not read otherwise. */
export const monthsByLanguage: Record<string, readonly (readonly string[])[]> = {
  ...wordsByLanguage("months"),
  ...otherMonths,
};

/** Month words (folded) and the month each language means by them; "listopad" is not the same month everywhere. */
const byWord = new Map<string, { language: string; month: number }[]>();
for (const [language, rows] of Object.entries(monthsByLanguage)) {
  rows.forEach((words, index) => {
    for (const word of words) {
      const key = foldText(word).replace(/[^\p{L}]/gu, "");
      const meanings = byWord.get(key) ?? [];
      if (!meanings.some((meaning) => meaning.language === language)) meanings.push({ language, month: index + 1 });
      byWord.set(key, meanings);
    }
  });
}

/** The month a folded word names, by the document's languages where they disagree. */
export function monthOf(word: string, context: DocumentLocale): number | undefined {
  const meanings = byWord.get(word);
  if (!meanings) return undefined;
  for (const language of context.languages) {
    const meant = meanings.find((meaning) => meaning.language === language);
    if (meant) return meant.month;
  }
  return meanings[0]!.month;
}

export function dayExists({ year, month, day }: PartialDay): boolean {
  if (month < 1 || month > 12 || day < 1) return false;
  // A leap year stands in for a year not given.
  return day <= new Date(Date.UTC(year ?? 2024, month, 0)).getUTCDate();
}

/** "26" as a year: within ten years ahead of today it is of this century, else of the last. */
export function fullYear(digits: string, context: DocumentLocale): number | undefined {
  const number = Number(digits);
  if (digits.length === 4) return number >= 1900 && number <= 2100 ? number : undefined;
  if (digits.length !== 2) return undefined;
  const century = context.today.year - (context.today.year % 100);
  return century + number <= context.today.year + 10 ? century + number : century - 100 + number;
}
