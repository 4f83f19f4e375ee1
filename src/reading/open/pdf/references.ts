import type { Budget } from "../../problem.ts";
import { latin, placeOf } from "../bytes.ts";
import { longestDictionary } from "./stream-bytes.ts";

const named: Record<string, number> = { DeviceGray: 1, CalGray: 1, DeviceRGB: 3, CalRGB: 3 };
/** A name alone, or the first of a list and what it refers to. */
const colourSpace = /\/ColorSpace\s*(?:\/(\w+)|\[\s*\/(\w+)(?:\s+(\d+)\s+(\d+)\s+R)?|(\d+)\s+(\d+)\s+R)/;

const parameters = /\/DecodeParms\s*\[?\s*(\d+)\s+(\d+)\s+R/;

/** What the pictures of a PDF say of themselves by reference, where the objects stand in the file unpacked. */
export class References {
  private readonly bytes: Uint8Array;
  private readonly budget: Budget;
  private readonly seen = new Map<string, string>();

  constructor(bytes: Uint8Array, budget: Budget) {
    this.bytes = bytes;
    this.budget = budget;
  }

  /**
   * How many samples make a pixel of a picture in greys or in red, green and blue; undefined for palettes, the colours of
   * printers, and what is not said.
   */
  channelsOf(dictionary: string): number | undefined {
    const [, single, first, profile, profileVersion, object, version] = colourSpace.exec(dictionary) ?? [];
    if (object) return this.channelsOf(`/ColorSpace ${withoutReference(this.object(`${object} ${version}`))}`);
    if (profile && first === "ICCBased") return profiled(this.object(`${profile} ${profileVersion}`));
    return named[single ?? first ?? ""];
  }

  /** The dictionary with what it says of its packing elsewhere; undefined where that is not found. */
  withParameters(dictionary: string): string | undefined {
    const [, object, version] = parameters.exec(dictionary) ?? [];
    if (!object) return dictionary;
    const said = this.object(`${object} ${version}`);
    return said.includes("<<") ? `${dictionary} ${said}` : undefined;
  }

  /** How the object of this number begins, "" where it is not found. */
  private object(head: string): string {
    const known = this.seen.get(head);
    if (known !== undefined) return known;
    this.budget.check();
    const at = placeOf(this.bytes, `\n${head} obj`, 0);
    const from = at + head.length + 5;
    const text = at < 0 ? "" : latin(this.bytes.subarray(from, from + longestDictionary)).split(/endobj|stream/, 1)[0]!;
    this.seen.set(head, text);
    return text;
  }
}

/** One that only refers to a further one is followed no more. */
const withoutReference = (text: string): string => (/^\s*\d/.test(text) ? "" : text);

function profiled(dictionary: string): number | undefined {
  const channels = Number(/\/N\s+(\d+)/.exec(dictionary)?.[1]);
  return channels === 1 || channels === 3 ? channels : undefined;
}
