const ligatures = /[\uFB00-\uFB06]/g;
const hyphens = /[\u2010\u2011]/g;
/** Soft hyphens, zero-width marks, control characters, private-use glyphs and the replacement character. */
// oxlint-disable-next-line no-control-regex
const unprinted = /[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2064\uFEFF\uFFFD\uE000-\uF8FF\u0000-\u0008\u000E-\u001F\u007F-\u009F]/g;
// oxlint-disable-next-line no-control-regex
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
