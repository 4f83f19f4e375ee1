/** Looks for words of ASCII in files that are no text. */

/** Where a word stands next, from a place on and beginning at most so far behind it; -1 where it does not. */
export function placeOf(bytes: Uint8Array, word: string, from: number, within = Infinity): number {
  const last = Math.min(bytes.length - word.length, from + within);
  const first = word.charCodeAt(0);
  for (let at = bytes.indexOf(first, from); at >= 0 && at <= last; at = bytes.indexOf(first, at + 1))
    if (standsAt(bytes, word, at)) return at;
  return -1;
}

/** Where a word stands last before a place, at most so far from it; -1 where it does not. */
export function placeBefore(bytes: Uint8Array, word: string, from: number, within: number): number {
  for (let at = from; at >= Math.max(0, from - within); at--) if (standsAt(bytes, word, at)) return at;
  return -1;
}

export function standsAt(bytes: Uint8Array, word: string, at: number): boolean {
  for (let index = 0; index < word.length; index++) if (bytes[at + index] !== word.charCodeAt(index)) return false;
  return true;
}

/** Bytes as letters of Latin-1; for pieces of some thousand. */
export const latin = (bytes: Uint8Array): string => String.fromCharCode(...bytes);
