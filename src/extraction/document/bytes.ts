/** Concatenates byte arrays. */
export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** Returns the index of the next ASCII `word` at or after `from`, at most `within` bytes later; -1 if there is none. */
export function indexOfWord(bytes: Uint8Array, word: string, from: number, within = Infinity): number {
  const last = Math.min(bytes.length - word.length, from + within);
  const first = word.charCodeAt(0);
  for (let at = bytes.indexOf(first, from); at >= 0 && at <= last; at = bytes.indexOf(first, at + 1))
    if (hasWordAt(bytes, word, at)) return at;
  return -1;
}

/**
 * Returns the index of the last ASCII `word` at or before `from`, at most `within` bytes earlier; -1 if there is none.
 */
export function lastIndexOfWord(bytes: Uint8Array, word: string, from: number, within: number): number {
  for (let at = from; at >= Math.max(0, from - within); at--) if (hasWordAt(bytes, word, at)) return at;
  return -1;
}

/** Whether the ASCII `word` begins at the given index. */
export function hasWordAt(bytes: Uint8Array, word: string, at: number): boolean {
  for (let index = 0; index < word.length; index++) if (bytes[at + index] !== word.charCodeAt(index)) return false;
  return true;
}

/** Decodes bytes as Latin-1. The array must be short (up to a few thousand bytes). */
export const decodeLatin1 = (bytes: Uint8Array): string => String.fromCharCode(...bytes);
