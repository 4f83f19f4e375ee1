const ligatures = /[\uFB00-\uFB06]/g;
const hyphens = /[\u2010\u2011]/g;
/**
 * Characters that are removed: soft hyphens, zero-width and direction marks, private-use characters, the replacement
 * character, and control characters.
 */
const unprinted = /[\p{Cf}\p{Co}\uFFFD]|(?!\s)\p{Cc}/gu;
const plain = /^[\t\n\r\x20-\x7E]*$/;

/**
 * Normalises text: combines letters with their diacritics, spells out ligatures and removes invisible characters.
 * Digits and superscripts are kept.
 */
export function cleanText(text: string): string {
  if (plain.test(text)) return text;
  return text
    .replace(ligatures, (ligature) => ligature.normalize("NFKC"))
    .replace(unprinted, "")
    .replace(hyphens, "-")
    .normalize("NFC");
}

const spaced = /(?<!\S)\p{Lu}(?: \p{Lu})+(?!\S)/gu;
const spacedOrNot = new RegExp(`${spaced.source}|\\S+`, "gu");
/** Fewer single letters in a row may be columns of single letters. */
const minSpacedLetters = 5;

/** Splits a text into words, with their positions and widths. A letter-spaced "F A K T U R A" is one word. */
export function splitWords(text: string): { text: string; at: number; width: number }[] {
  const hasSpaced = [...text.matchAll(spaced)].some(([run]) => run.length >= 2 * minSpacedLetters - 1);
  return [...text.matchAll(hasSpaced ? spacedOrNot : /\S+/gu)].map(({ 0: word, index }) => ({
    text: word.replaceAll(" ", ""),
    at: index,
    width: word.length,
  }));
}

/** Counts the letters and digits of a text. */
export function countReadable(text: string): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
}
