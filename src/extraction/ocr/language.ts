import { detectLanguages } from "../entities/detect-locale.ts";
import { groupLines } from "./to-page.ts";
import type { RecognisedWord } from "../images/recogniser.ts";

/** Letters that only this Cyrillic language has. */
const ownLetters: Record<string, RegExp> = { bg: /ъ/giu, ru: /[ыэё]/giu, sr: /[ђјљњћџ]/giu, uk: /[іїєґ]/giu };
const minOwnLetters = 3;
/** Latin letters that are misread as Cyrillic letters rarely reach this confidence. */
const surely = 0.6;

/** Languages without Latin letters. Serbian is written in both scripts. */
const otherScripts: ReadonlySet<string> = new Set(["bg", "el", "ru", "uk"]);
/** Whether a language is written in other than Latin letters. */
export const isOtherScript = (language: string): boolean => otherScripts.has(language);

const [long, within] = [/\p{L}{4}/u, /\p{Ll}\p{Lu}/u];
const [minMisread, minMisreadShare] = [3, 0.08];

/** Whether many words have a capital letter after a small letter, which indicates a script that the OCR model lacks. */
export function isMisread(words: readonly RecognisedWord[]): boolean {
  const longWords = words.filter(({ text }) => long.test(text));
  const misread = longWords.filter(({ text }) => within.test(text)).length;
  return misread >= Math.max(minMisread, minMisreadShare * longWords.length);
}

/**
 * Detects the language in which to recognise a page. Another Latin language is preferred to English, because forms are
 * often bilingual and the English model lacks the diacritics of names and places.
 */
export function languageOf(words: readonly RecognisedWord[]): string | undefined {
  const [first, second] = detectLanguages(groupLines(words));
  const likeliest = first === "en" && second && !isOtherScript(second) ? second : first;
  return likeliest && likeliest in ownLetters ? (byLetters(words) ?? likeliest) : likeliest;
}

/** Cyrillic languages have similar words, but distinctive letters. */
function byLetters(words: readonly RecognisedWord[]): string | undefined {
  const text = words.flatMap(({ text, confidence }) => (confidence > surely ? text : [])).join(" ");
  const counts = Object.entries(ownLetters).map(([language, letters]) => ({
    language,
    count: text.match(letters)?.length ?? 0,
  }));
  const [most] = counts.toSorted((one, other) => other.count - one.count);
  return most && most.count >= minOwnLetters ? most.language : undefined;
}
