import { placeOf, standsAt } from "../bytes.ts";
import { Broken, endsWord, isBlank, nameAt, nextLine, ObjectReader, type StreamHead } from "./dictionary.ts";

/** Streams as they stand in a PDF: a dictionary, the word "stream", the content, the word "endstream". */

/** Letters between the beginning of an object and its content, of a picture that is taken. */
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

/** Where the content of a stream begins whose name stands there: on the next line. */
export const contentAt = (bytes: Uint8Array, stream: number): number => nextLine(bytes, stream + "stream".length);

/** Where the content ends that begins there, by the length that is said of it where that is so; -1 where it does not. */
export const endOf = (bytes: Uint8Array, from: number, length?: number): number => new Ends(bytes).of(from, length);

/** Where contents end, looked for once where many begin. */
export class Ends {
  private readonly bytes: Uint8Array;
  /** From there on none is before the next, nor any where that is -1. */
  private from = Infinity;
  private next = -1;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** The same as {@link endOf}. */
  of(from: number, length = Infinity): number {
    const said = from + length;
    const isSo = said >= from && said < this.bytes.length;
    if (isSo && standsAt(this.bytes, "endstream", passed(this.bytes, said))) return said;
    const isKnown = from >= this.from && (this.next < 0 || from <= this.next);
    if (!isKnown) [this.from, this.next] = [from, nextEnd(this.bytes, from)];
    return this.next;
  }
}

/** Also where the word is not spelled as it should be. */
function nextEnd(bytes: Uint8Array, from: number): number {
  for (let at = placeOf(bytes, "endst", from); at >= 0; at = placeOf(bytes, "endst", at + 1)) {
    const isSpelled = standsAt(bytes, "endstream", at) || standsAt(bytes, "endsteam", at);
    if (isSpelled || (standsAt(bytes, "endstrea", at) && isBlank(bytes[at + 8]))) return at;
  }
  return -1;
}

/** Behind blanks and remarks. */
function passed(bytes: Uint8Array, from: number): number {
  let at = from;
  for (let isRemark = false; at < bytes.length; at++) {
    if (isRemark) isRemark = bytes[at] !== 0x0a && bytes[at] !== 0x0d;
    else if (bytes[at] === 0x25) isRemark = true;
    else if (!isBlank(bytes[at])) break;
  }
  return at;
}

/** By which a stream is packed, the outermost first. */
export function filtersOf(dictionary: string): string[] {
  const [, several, single] = /\/Filter\s*(?:\[([^\]]*)\]|(\/\w+))/.exec(dictionary) ?? [];
  return (several ?? single ?? "").match(/(?<=\/)\w+/g) ?? [];
}

/** A file in which each letter is read more often, as part of so many objects one within the other, is none. */
const mostReadings = 2;

/**
 * Whatever pdf.js could take for a stream of a file, wherever a table of the file may say that it stands: in a remark, a
 * text, or the content of another.
 * @throws RangeError where too much would have to be read
 */
export function* streamsIn(bytes: Uint8Array): Generator<StreamHead> {
  yield* headsBehind(bytes, "obj", (at) => {
    const isWord = !standsAt(bytes, "end", at - 6) && endsWord(bytes[at]);
    const reader = isWord ? new ObjectReader(bytes, at) : undefined;
    return [reader?.stream(), reader?.place ?? at];
  });
}

/**
 * The pictures that stand in what paints a page.
 * @throws RangeError where too much would have to be read
 */
export function* picturesIn(painting: Uint8Array): Generator<StreamHead> {
  yield* headsBehind(painting, "BI", (at) => {
    const reader = new ObjectReader(painting, at, true);
    return [reader.inlinePicture(), reader.place];
  });
}

function* headsBehind(
  bytes: Uint8Array,
  word: string,
  read: (at: number) => [head: StreamHead | undefined, place: number],
): Generator<StreamHead> {
  let left = bytes.length * mostReadings;
  for (let at = placeOf(bytes, word, 0); at >= 0; at = placeOf(bytes, word, at + word.length)) {
    const behind = at + word.length;
    const [head, place] = unlessBroken(behind, read);
    left -= place - behind;
    if (left < 0) throw new RangeError("The objects of the file stand one within the other.");
    if (head) yield head;
  }
}

function unlessBroken<Read>(at: number, read: (at: number) => [Read | undefined, number]): [Read | undefined, number] {
  try {
    return read(at);
  } catch (cause) {
    if (cause instanceof Broken) return [undefined, cause.place];
    throw cause;
  }
}

const [stroke, sign] = [0x2f, 0x23];

/** Whether a name stands anywhere in a file, with some of its letters in figures or not. */
export function namesAnywhere(bytes: Uint8Array, name: string): boolean {
  for (let at = bytes.indexOf(stroke); at >= 0; at = bytes.indexOf(stroke, at + 1)) {
    const isLikely = bytes[at + 1] === sign || bytes[at + 1] === name.charCodeAt(0);
    if (isLikely && nameAt(bytes, at) === name) return true;
  }
  return false;
}
