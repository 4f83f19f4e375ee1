import { placeOf } from "../bytes.ts";

/** Streams as they stand in a PDF: a dictionary, the word "stream", the content, the word "endstream". */

/** Letters between the beginning of an object and its content. */
export const longestDictionary = 3000;

interface Written {
  value: number;
  /** Where its digits stand. */
  at: number;
  digits: number;
}

/** A number that a dictionary names itself, not by reference. */
export function numberAt(dictionary: string, name: string): Written | undefined {
  const found = new RegExp(`/${name}\\s+(\\d+)(?!\\d|\\s+\\d+\\s+R)`).exec(dictionary);
  if (!found) return undefined;
  const digits = found[1]!.length;
  return { value: Number(found[1]), at: found.index + found[0].length - digits, digits };
}

/** Where the content of a stream begins whose name stands there. */
export function contentAt(bytes: Uint8Array, stream: number): number {
  const behind = stream + "stream".length;
  return behind + (bytes[behind] === 0x0d ? 2 : 1);
}

/** Where the content ends that begins there; -1 where it does not. */
export function endOf(bytes: Uint8Array, from: number, dictionary: string): number {
  const said = from + (numberAt(dictionary, "Length")?.value ?? Infinity);
  if (said < bytes.length && placeOf(bytes, "endstream", said, 20) >= 0) return said;
  return placeOf(bytes, "endstream", from);
}

/** By which a stream is packed, the outermost first. */
export function filtersOf(dictionary: string): string[] {
  const [, several, single] = /\/Filter\s*(?:\[([^\]]*)\]|(\/\w+))/.exec(dictionary) ?? [];
  return (several ?? single ?? "").match(/(?<=\/)\w+/g) ?? [];
}
