import { detectLanguages } from "../entities/detect-locale.ts";
import { groupLines } from "./to-page.ts";
import type { RecognisedWord } from "../images/recogniser.ts";

/** The letters that distinguish each Cyrillic language from the others. */
const ownLetters: Record<string, RegExp> = { bg: /ъ/giu, ru: /[ыэё]/giu, uk: /[іїєґ]/giu };
/** Minimum number of such letters for a language to be detected. */
const telling = 3;
/**
 * Only words with a higher confidence are counted. Latin letters that are misread as Cyrillic letters rarely have it.
 */
const surely = 0.6;

/** Whether the language is written in Cyrillic letters. */
export const isCyrillic = (language: string): boolean => language in ownLetters;

const [long, within] = [/\p{L}{4}/u, /\p{Ll}\p{Lu}/u];
const [fewestWithin, partWithin] = [3, 0.08];

/**
 * Whether many words have a capital letter after a small letter. This indicates a script that the OCR model does not
 * know.
 */
export function isMisread(words: readonly RecognisedWord[]): boolean {
  const longWords = words.filter(({ text }) => long.test(text));
  const misread = longWords.filter(({ text }) => within.test(text)).length;
  return misread >= Math.max(fewestWithin, partWithin * longWords.length);
}

/**
 * Detects the language in which a page is to be recognised. Forms are often bilingual with English, so another Latin
 * language is preferred to English: its model also recognises English, but the English model lacks the diacritics of
 * names and places.
 */
export function languageOf(words: readonly RecognisedWord[]): string | undefined {
  const [first, second] = detectLanguages(groupLines(words));
  const likeliest = first === "en" && second && !isCyrillic(second) ? second : first;
  return likeliest && isCyrillic(likeliest) ? (byLetters(words) ?? likeliest) : likeliest;
}

/** Distinguishes the Cyrillic languages by their letters, because they have similar words. */
function byLetters(words: readonly RecognisedWord[]): string | undefined {
  const text = words.flatMap(({ text, confidence }) => (confidence > surely ? text : [])).join(" ");
  const counts = Object.entries(ownLetters).map(([language, letters]) => ({
    language,
    count: text.match(letters)?.length ?? 0,
  }));
  const [most] = counts.toSorted((one, other) => other.count - one.count);
  return most && most.count >= telling ? most.language : undefined;
}
