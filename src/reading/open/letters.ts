const ligatures = /[\uFB00-\uFB06]/g;
const hyphens = /[\u2010\u2011]/g;
/** Soft hyphens, zero-width and direction marks, private-use glyphs, the replacement character, control characters. */
const unprinted = /[\p{Cf}\p{Co}\uFFFD]|(?!\s)\p{Cc}/gu;
const plain = /^[\t\n\r\x20-\x7E]*$/;

/**
 * Text as a reader would copy it by hand: composed letters, ligatures spelled out, invisible marks gone. Letters with
 * diacritics and figures stay what they are.
 */
export function clean(text: string): string {
  if (plain.test(text)) return text;
  return text
    .replace(ligatures, (ligature) => ligature.normalize("NFKC"))
    .replace(unprinted, "")
    .replace(hyphens, "-")
    .normalize("NFC");
}

/** The words of a text and the character each begins at. */
export function wordsOf(text: string): { text: string; at: number }[] {
  return [...text.matchAll(/\S+/gu)].map((match) => ({ text: match[0], at: match.index }));
}

/** How many characters of a text a person could read. */
export function readable(text: string): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
}
