import { detectLanguages } from "../entities/detect-locale.ts";
import { groupLines } from "./to-page.ts";
import type { RecognisedWord } from "../images/recogniser.ts";

/** Letters that of those written in Cyrillic ones it alone has, or has often. */
const ownLetters: Record<string, RegExp> = { bg: /ъ/giu, ru: /[ыэё]/giu, uk: /[іїєґ]/giu };
/** So many say which one it is. */
const telling = 3;
/** Nobody is surer of Latin letters that were taken for Cyrillic ones. */
const surely = 0.6;

/** Whether no model for Latin letters can make it out. */
export const isCyrillic = (language: string): boolean => language in ownLetters;

const [long, within] = [/\p{L}{4}/u, /\p{Ll}\p{Lu}/u];
const [fewestWithin, partWithin] = [3, 0.08];

/** Whether many words have capitals in their middle: so other letters are read by a model that does not know them. */
export function isMisread(words: readonly RecognisedWord[]): boolean {
  const longWords = words.filter(({ text }) => long.test(text));
  const misread = longWords.filter(({ text }) => within.test(text)).length;
  return misread >= Math.max(fewestWithin, partWithin * longWords.length);
}

/**
 * The language to read a page in. Forms say everything in English too, which any model for Latin letters can read; the
 * English one knows none of the letters with marks that names and places are written in.
 */
export function languageOf(words: readonly RecognisedWord[]): string | undefined {
  const [first, second] = detectLanguages(groupLines(words));
  const likeliest = first === "en" && second && !isCyrillic(second) ? second : first;
  return likeliest && isCyrillic(likeliest) ? (byLetters(words) ?? likeliest) : likeliest;
}

/** Which language in Cyrillic letters it is; their words are much the same. */
function byLetters(words: readonly RecognisedWord[]): string | undefined {
  const text = words.flatMap(({ text, confidence }) => (confidence > surely ? text : [])).join(" ");
  const counts = Object.entries(ownLetters).map(([language, letters]) => ({
    language,
    count: text.match(letters)?.length ?? 0,
  }));
  const [most] = counts.toSorted((one, other) => other.count - one.count);
  return most && most.count >= telling ? most.language : undefined;
}
