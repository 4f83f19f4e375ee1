import { decodeLatin1, indexOfWord, hasWordAt } from "../../document/bytes.ts";
import { endsToken, maxDictionaryLength } from "./syntax.ts";

const named: Record<string, number> = { DeviceGray: 1, CalGray: 1, DeviceRGB: 3, CalRGB: 3 };
/**
 * Matches a colour space. It is a name, an array (of which the first name and the first reference are matched), or a
 * reference.
 */
const colourSpace = /\/ColorSpace\s*(?:\/(\w+)|\[\s*\/(\w+)(?:\s+(\d+)\s+\d+\s+R)?|(\d+)\s+\d+\s+R)/;

const parameters = /\/DecodeParms\s*\[?\s*(\d+)\s+\d+\s+R/;

/** Finds uncompressed objects of a PDF by their number. If a number occurs several times, the last object is used. */
export class References {
  private readonly bytes: Uint8Array;
  /** The offset of each object, behind its keyword "obj". */
  private readonly starts = new Map<number, number>();

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    for (let at = indexOfWord(bytes, "obj", 0); at >= 0; at = indexOfWord(bytes, "obj", at + 3)) {
      if (hasWordAt(bytes, "end", at - 3) || !endsToken(bytes[at + 3])) continue;
      const [, number] =
        /(?:^|[\s>\])])(\d+)\s+\d+\s*$/.exec(decodeLatin1(bytes.subarray(Math.max(0, at - 24), at))) ?? [];
      if (number !== undefined) this.starts.set(Number(number), at + 3);
    }
  }

  /** Returns the offset of an object, or undefined if it is not found. */
  placeOf(object: number): number | undefined {
    return this.starts.get(object);
  }

  /**
   * Returns the number of samples per pixel of a greyscale or RGB picture. Returns undefined for palettes, CMYK and
   * undeclared colour spaces.
   */
  channelsOf(dictionary: string): number | undefined {
    const [, single, first, profile, object] = colourSpace.exec(dictionary) ?? [];
    if (object) return this.channelsOf(`/ColorSpace ${withoutReference(this.textOf(object))}`);
    if (profile && first === "ICCBased") return profiled(this.textOf(profile));
    return named[single ?? first ?? ""];
  }

  /** Appends the decode parameters that a dictionary refers to. Returns undefined if they are not found. */
  withParameters(dictionary: string): string | undefined {
    const [, object] = parameters.exec(dictionary) ?? [];
    if (!object) return dictionary;
    const entry = this.textOf(object);
    return entry.includes("<<") ? `${dictionary} ${entry}` : undefined;
  }

  private textOf(object: string): string {
    const from = this.placeOf(Number(object));
    if (from === undefined) return "";
    return decodeLatin1(this.bytes.subarray(from, from + maxDictionaryLength)).split(/endobj|stream/, 1)[0]!;
  }
}

/** Replaces a reference by "", so that a reference to another reference is not followed. */
const withoutReference = (text: string): string => (/^\s*\d/.test(text) ? "" : text);

function profiled(dictionary: string): number | undefined {
  const channels = Number(/\/N\s+(\d+)/.exec(dictionary)?.[1]);
  return channels === 1 || channels === 3 ? channels : undefined;
}
