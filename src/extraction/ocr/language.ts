import { detectLanguages } from "../entities/detect-locale.ts";
import { groupLines } from "./to-page.ts";
import type { RecognisedWord } from "../images/recogniser.ts";

/** Letters that distinguish each Cyrillic language from the others. */
const ownLetters: Record<string, RegExp> = { bg: /ъ/giu, ru: /[ыэё]/giu, uk: /[іїєґ]/giu };
/** Minimum number of distinguishing letters. */
const telling = 3;
/** Minimum confidence of words that count; Latin letters recognised as Cyrillic ones rarely reach it. */
const surely = 0.6;

/** Whether the language is written in Cyrillic letters. */
export const isCyrillic = (language: string): boolean => language in ownLetters;

const [long, within] = [/\p{L}{4}/u, /\p{Ll}\p{Lu}/u];
const [fewestWithin, partWithin] = [3, 0.08];

/** Whether many words have capitals inside: a sign of a script that the model does not know. */
export function isMisread(words: readonly RecognisedWord[]): boolean {
  const longWords = words.filter(({ text }) => long.test(text));
  const misread = longWords.filter(({ text }) => within.test(text)).length;
  return misread >= Math.max(fewestWithin, partWithin * longWords.length);
}

/**
 * The language to recognise a page in. Forms are often bilingual with English, which any model for Latin letters
 * recognises; the English model, however, lacks the diacritics of names and places.
 */
export function languageOf(words: readonly RecognisedWord[]): string | undefined {
  const [first, second] = detectLanguages(groupLines(words));
  const likeliest = first === "en" && second && !isCyrillic(second) ? second : first;
  return likeliest && isCyrillic(likeliest) ? (byLetters(words) ?? likeliest) : likeliest;
}

/** Distinguishes Cyrillic languages by letters, as their words are similar. */
function byLetters(words: readonly RecognisedWord[]): string | undefined {
  const text = words.flatMap(({ text, confidence }) => (confidence > surely ? text : [])).join(" ");
  const counts = Object.entries(ownLetters).map(([language, letters]) => ({
    language,
    count: text.match(letters)?.length ?? 0,
  }));
  const [most] = counts.toSorted((one, other) => other.count - one.count);
  return most && most.count >= telling ? most.language : undefined;
}
