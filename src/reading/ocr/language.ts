import { languagesOf } from "../see/context.ts";
import { linesOf } from "./page-of.ts";
import type { RecognisedWord } from "./recogniser.ts";

/** Letters no model for Latin ones can make out. */
const otherwiseWritten: ReadonlySet<string> = new Set(["bg", "ru", "uk"]);

/**
 * The language to read a page in. Forms say everything in English too, which any model for Latin letters can read; the
 * English one knows none of the letters with marks that names and places are written in.
 */
export function languageOf(words: readonly RecognisedWord[]): string | undefined {
  const [first, second] = languagesOf(linesOf(words));
  return first === "en" && second && !otherwiseWritten.has(second) ? second : first;
}
