import { latin, placeOf, standsAt } from "../bytes.ts";
import { Broken, endsWord, ObjectReader, type Value } from "./dictionary.ts";
import { longestDictionary } from "./stream-bytes.ts";

const named: Record<string, number> = { DeviceGray: 1, CalGray: 1, DeviceRGB: 3, CalRGB: 3 };
/** A name alone, or the first of a list and what it refers to. */
const colourSpace = /\/ColorSpace\s*(?:\/(\w+)|\[\s*\/(\w+)(?:\s+(\d+)\s+\d+\s+R)?|(\d+)\s+\d+\s+R)/;

const parameters = /\/DecodeParms\s*\[?\s*(\d+)\s+\d+\s+R/;

/** Where an object begins, behind the word, and how often one of its number does. */
interface Defined {
  at: number;
  times: number;
}

/** What the objects of a PDF say of themselves by reference, where those stand in the file unpacked; the last of a number counts. */
export class References {
  private readonly bytes: Uint8Array;
  private readonly defined = new Map<number, Defined>();
  /** Some objects are numbered in a way that no writer has. */
  private isOdd = false;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    for (let at = placeOf(bytes, "obj", 0); at >= 0; at = placeOf(bytes, "obj", at + 3)) {
      if (standsAt(bytes, "end", at - 3) || !endsWord(bytes[at + 3])) continue;
      const [, number] = /(?:^|[\s>\])])(\d+)\s+\d+\s*$/.exec(latin(bytes.subarray(Math.max(0, at - 24), at))) ?? [];
      this.isOdd ||= number === undefined;
      if (number === undefined) continue;
      const { times } = this.defined.get(Number(number)) ?? { times: 0 };
      this.defined.set(Number(number), { at: at + 3, times: times + 1 });
    }
  }

  /** Whether there is no doubt which object has this number, as far as nothing is packed. */
  isClear(object: number): boolean {
    return !this.isOdd && this.defined.get(object)?.times === 1;
  }

  /** Where the object of this number begins, undefined where it is not found. */
  placeOf(object: number): number | undefined {
    return this.defined.get(object)?.at;
  }

  /** What the object of this number is. */
  valueOf(object: number): Value {
    const at = this.placeOf(object);
    if (at === undefined) return undefined;
    try {
      return new ObjectReader(this.bytes, at).read();
    } catch (cause) {
      if (cause instanceof Broken) return undefined;
      throw cause;
    }
  }

  /**
   * How many samples make a pixel of a picture in greys or in red, green and blue; undefined for palettes, the colours of
   * printers, and what is not said.
   */
  channelsOf(dictionary: string): number | undefined {
    const [, single, first, profile, object] = colourSpace.exec(dictionary) ?? [];
    if (object) return this.channelsOf(`/ColorSpace ${withoutReference(this.textOf(object))}`);
    if (profile && first === "ICCBased") return profiled(this.textOf(profile));
    return named[single ?? first ?? ""];
  }

  /** The dictionary with what it says of its packing elsewhere; undefined where that is not found. */
  withParameters(dictionary: string): string | undefined {
    const [, object] = parameters.exec(dictionary) ?? [];
    if (!object) return dictionary;
    const said = this.textOf(object);
    return said.includes("<<") ? `${dictionary} ${said}` : undefined;
  }

  /** How the object of this number begins, "" where it is not found. */
  private textOf(object: string): string {
    const from = this.placeOf(Number(object));
    if (from === undefined) return "";
    return latin(this.bytes.subarray(from, from + longestDictionary)).split(/endobj|stream/, 1)[0]!;
  }
}

/** One that only refers to a further one is followed no more. */
const withoutReference = (text: string): string => (/^\s*\d/.test(text) ? "" : text);

function profiled(dictionary: string): number | undefined {
  const channels = Number(/\/N\s+(\d+)/.exec(dictionary)?.[1]);
  return channels === 1 || channels === 3 ? channels : undefined;
}
