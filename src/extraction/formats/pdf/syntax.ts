import { decodeLatin1, indexOfWord, hasWordAt } from "../../document/bytes.ts";

/** The syntax of streams in a PDF: a dictionary, the word "stream", the content, and the word "endstream". */

/**
 * Maximum distance, in bytes, from the start of an object to its content. Pictures with a larger distance are not
 * removed.
 */
export const maxDictionaryLength = 3000;

interface Written {
  value: number;
  /** Offset of the first digit. */
  at: number;
  digits: number;
}

/** Finds a number in a dictionary. A reference to a number does not count. */
export function numberAt(dictionary: string, name: string): Written | undefined {
  const match = new RegExp(`/${name}\\s+(\\d+)(?!\\d|\\s+\\d+\\s+R)`).exec(dictionary);
  if (!match) return undefined;
  const digits = match[1]!.length;
  return { value: Number(match[1]), at: match.index + match[0].length - digits, digits };
}

/** Returns the offset of a stream's content, which begins on the line after the keyword. */
export function contentAt(bytes: Uint8Array, keyword: number): number {
  for (let at = keyword + "stream".length; at < bytes.length; at++) {
    if (bytes[at] === 0x0a) return at + 1;
    if (bytes[at] === 0x0d) return bytes[at + 1] === 0x0a ? at + 2 : at + 1;
  }
  return bytes.length;
}

/**
 * Returns the end of the content that begins at `from`. It is given by the declared length if "endstream" follows
 * there; otherwise, it is the next "endstream". Returns -1 if there is none.
 */
export function endOf(bytes: Uint8Array, from: number, length = Infinity): number {
  const declared = from + length;
  const isValid = declared >= from && declared < bytes.length;
  if (isValid && hasWordAt(bytes, "endstream", skipSpace(bytes, declared))) return declared;
  return nextEnd(bytes, from);
}

/** Finds the next "endstream", including the misspellings that pdf.js accepts. */
function nextEnd(bytes: Uint8Array, from: number): number {
  for (let at = indexOfWord(bytes, "endst", from); at >= 0; at = indexOfWord(bytes, "endst", at + 1)) {
    const isSpelled = hasWordAt(bytes, "endstream", at) || hasWordAt(bytes, "endsteam", at);
    if (isSpelled || (hasWordAt(bytes, "endstrea", at) && isSpace(bytes[at + 8]))) return at;
  }
  return -1;
}

function skipSpace(bytes: Uint8Array, from: number): number {
  let at = from;
  for (let isComment = false; at < bytes.length; at++) {
    if (isComment) isComment = bytes[at] !== 0x0a && bytes[at] !== 0x0d;
    else if (bytes[at] === 0x25) isComment = true;
    else if (!isSpace(bytes[at])) break;
  }
  return at;
}

/** Lists the filters of a stream, the outermost first. */
export function filtersOf(dictionary: string): string[] {
  const [, several, single] = /\/Filter\s*(?:\[([^\]]*)\]|(\/\w+))/.exec(dictionary) ?? [];
  return (several ?? single ?? "").match(/(?<=\/)\w+/g) ?? [];
}

const maxNameBytes = 128;
const [slash, hash] = [0x2f, 0x23];

/** Whether a name occurs anywhere in the file. Its characters may be escaped. */
function hasName(bytes: Uint8Array, name: string): boolean {
  for (let at = bytes.indexOf(slash); at >= 0; at = bytes.indexOf(slash, at + 1)) {
    const isLikely = bytes[at + 1] === hash || bytes[at + 1] === name.charCodeAt(0);
    if (isLikely && nameAt(bytes, at) === name) return true;
  }
  return false;
}

function nameAt(bytes: Uint8Array, at: number): string {
  let to = at + 1;
  while (to - at <= maxNameBytes && !endsToken(bytes[to])) to++;
  return decodeLatin1(bytes.subarray(at + 1, to)).replace(/#([\da-f]{2})/giu, (_, digits: string) =>
    String.fromCharCode(parseInt(digits, 16)),
  );
}

export const isEncrypted = (bytes: Uint8Array): boolean => hasName(bytes, "Encrypt");

const delimiters = new Set([..."%()/<>[]{}"].map((sign) => sign.charCodeAt(0)));

const isSpace = (byte: number | undefined): boolean => byte !== undefined && [0, 9, 10, 12, 13, 32].includes(byte);

/** Whether this byte ends a keyword, number or name. */
export const endsToken = (byte: number | undefined): boolean =>
  byte === undefined || isSpace(byte) || delimiters.has(byte);
