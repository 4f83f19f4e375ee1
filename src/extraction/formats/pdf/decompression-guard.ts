import { jpegHead } from "../../images/jpeg.ts";
import { defaultPixelLimits } from "../../images/limits.ts";
import { ReadingProblem, type Budget } from "../../problem.ts";
import { placeOf, standsAt } from "../bytes.ts";
import { codestreamOf } from "./codestream.ts";
import { isBlank, isReference, type Dictionary, type StreamHead } from "./dictionary.ts";
import { rowLength, unpredicted, type Prediction } from "./prediction.ts";
import { References } from "./references.ts";
import {
  codecs,
  disarm,
  filtersSaid,
  hasObjects,
  isOtherSaid,
  isPictureSaid,
  isTableSaid,
  lengthSaid,
  pixelsSaid,
  predictionsSaid,
  type Resolve,
} from "./said.ts";
import { Ends, namesAnywhere, picturesIn, streamsIn } from "./stream-bytes.ts";
import { areUnpacking, meaningsOf, mostUnpacked, unpacked, type Packed } from "./unpacking.ts";

const mebibyte = 1024 * 1024;
/** So much may come out of what a page is painted with, out of anything else, such as fonts and files, and out of all. */
const [mostPainting, mostOther, mostTogether] = [16 * mebibyte, 50 * mebibyte, 400 * mebibyte];
/** Four samples of 16 bits; a picture may be a little longer than its pixels. */
const [bytesAPixel, beyondPixels] = [8, mebibyte];
/** In a file within the file, as a reader of that would unpack them. */
const largestInside = defaultPixelLimits.memory / 4;
/** What is kept of a picture to see what it says of itself. */
const headKept = 256 * 1024;
/** No row is longer. */
const longestRow = mebibyte;
/** After so much, others have a turn. */
const turn = 8 * mebibyte;

/**
 * Refuses a PDF of which a stream unpacks to more than an isolate holds: pdf.js unpacks whole whatever it comes upon, and of
 * pictures those that have no more pixels than `largestPicture`. Those that have more are made such that nobody unpacks them,
 * as what they are or as anything else. Of what is enciphered only the ways in which it is packed can be looked at.
 * @param bytes a copy for pdf.js, which is changed
 * @throws ReadingProblem `file_corrupted`, `engine_timeout`
 */
export async function requireModest(bytes: Uint8Array, largestPicture: number, budget: Budget): Promise<void> {
  try {
    await new Judge(bytes, largestPicture, budget).judge();
  } catch (cause) {
    throw cause instanceof RangeError ? tooLarge() : cause;
  }
}

/** Whether a PDF says that it is enciphered. */
export const isEnciphered = (bytes: Uint8Array): boolean => namesAnywhere(bytes, "Encrypt");

/**
 * A copy of a PDF in which nothing is packed but the tables of where its objects stand, and nothing can be unpacked.
 * @throws ReadingProblem `file_corrupted`
 */
export function withoutPacked(bytes: Uint8Array): Uint8Array {
  const copy = new Uint8Array(bytes);
  try {
    for (const head of streamsIn(bytes)) if (!isTableSaid(head.dictionary)) disarm(copy, head);
  } catch (cause) {
    throw cause instanceof RangeError ? tooLarge() : cause;
  }
  return copy;
}

/** A stream, as it stands in the file. */
interface Stream extends StreamHead, Omit<Packed, "filters"> {
  /** It stands in the content of another, such as a file in this one, which stays as it is. */
  isInside: boolean;
}

const tooLarge = () => new ReadingProblem("file_corrupted", "The PDF unpacks to more than can be read.");

class Judge {
  private readonly bytes: Uint8Array;
  private readonly largestPicture: number;
  private readonly budget: Budget;
  private readonly isEnciphered: boolean;
  private readonly heads: readonly StreamHead[];
  /** Some of its objects are packed. */
  private readonly hasPacked: boolean;
  private known: References | undefined;
  private together = 0;
  private sinceTurn = 0;

  constructor(bytes: Uint8Array, largestPicture: number, budget: Budget) {
    this.bytes = bytes;
    this.largestPicture = largestPicture;
    this.budget = budget;
    this.isEnciphered = isEnciphered(bytes);
    this.heads = [...streamsIn(bytes)];
    this.hasPacked = this.heads.some(({ dictionary }) => hasObjects(dictionary));
  }

  async judge(): Promise<void> {
    await this.picturesWithin(this.bytes);
    const ends = new Ends(this.bytes);
    let behind = 0;
    for (const head of this.heads) {
      if (head.isWithin) throw tooLarge();
      const length = lengthSaid(head.dictionary, this.resolve);
      const end = ends.of(head.from, length);
      // One without an end is none.
      if (end < 0) continue;
      const isInside = head.from < behind;
      behind = Math.max(behind, end);
      const content = this.bytes.subarray(head.from, end);
      const beyond = length === undefined ? this.bytes.subarray(head.from + content.length) : nothing;
      await this.stream({ ...head, content, beyond, isInside });
    }
  }

  private async stream(stream: Stream): Promise<void> {
    const { dictionary } = stream;
    if (!isPacked(dictionary)) return;
    const pixels = isPictureSaid(dictionary) ? (pixelsSaid(dictionary, this.resolve) ?? Infinity) : undefined;
    if (pixels !== undefined && pixels > this.largestPicture && !stream.isInside) return disarm(this.bytes, stream);
    const filters = this.filtersOf(dictionary);
    const predictions = this.predictionsOf(dictionary);
    if (this.isEnciphered && !isTableSaid(dictionary)) requireFewLayers(filters, pixels);
    else if (pixels === undefined) await this.data({ ...stream, filters }, predictions);
    else if (await this.isTooLarge({ ...stream, filters }, pixels)) disarm(this.bytes, stream);
  }

  private async data(stream: Stream & Packed, predictions: readonly Prediction[] | undefined): Promise<void> {
    const { dictionary, filters } = stream;
    if (!predictions || filters.some((filter) => codecs.includes(filter))) throw tooLarge();
    const isPlain =
      predictions.length === 0 || (predictions.length === 1 && steepOf(filters) === 1 && isSteep(filters.at(-1)!));
    if (!isPlain) throw tooLarge();
    if (!areUnpacking(filters)) return;
    const most = isOtherSaid(dictionary) ? mostOther : mostPainting;
    for (const meant of meaningsOf(filters)) {
      const bytes = await this.unpacked({ ...stream, filters: meant }, most);
      this.together += bytes.length;
      if (this.together > mostTogether) throw tooLarge();
      for (const plain of [bytes, ...predictions.map((prediction) => unpredicted(bytes, prediction))]) {
        if (hasObjects(dictionary) && hasStream(plain)) throw tooLarge();
        await this.picturesWithin(plain);
      }
    }
  }

  /**
   * Whether a picture says where it is packed that it is larger than may be.
   * @throws ReadingProblem where it unpacks to more than its pixels
   */
  private async isTooLarge(stream: Packed & { isInside?: boolean }, pixels: number): Promise<boolean> {
    const { filters, content, beyond, isInside = false } = stream;
    const last = filters.findIndex((filter) => codecs.includes(filter));
    const [outer, codec] = last < 0 ? [filters, undefined] : [filters.slice(0, last), filters[last]];
    const own = Math.max(0, pixels) * bytesAPixel + beyondPixels;
    const most = isInside || beyond.length > 0 ? Math.min(own, mostOther) : own;
    const largest = isInside ? largestInside : this.largestPicture;
    if (!codec && mostUnpacked(content.length + beyond.length, outer) <= most) return false;
    for (const meant of meaningsOf(outer)) {
      const bytes = areUnpacking(outer) ? await this.unpacked({ ...stream, filters: meant }, most, headKept) : content;
      const isLarger = codec !== undefined && (last < filters.length - 1 || pixelsCoded(bytes, codec) > largest);
      if (isLarger && isInside) throw tooLarge();
      if (isLarger) return true;
    }
    return false;
  }

  /** Pictures that stand in what paints a page. */
  private async picturesWithin(painting: Uint8Array): Promise<void> {
    for (const { dictionary, from } of picturesIn(painting)) {
      const pixels = pixelsSaid(dictionary, this.resolve) ?? 0;
      if (!isPacked(dictionary) || pixels > this.largestPicture) continue;
      this.predictionsOf(dictionary);
      const packed = { content: painting.subarray(from), beyond: nothing, filters: this.filtersOf(dictionary) };
      if (await this.isTooLarge(packed, pixels)) throw tooLarge();
    }
  }

  private async unpacked(packed: Packed, most: number, kept?: number): Promise<Uint8Array> {
    const bytes = unpacked(packed, most, kept);
    if (!bytes) throw tooLarge();
    this.sinceTurn += bytes.length + Math.min(bytes.length, packed.content.length);
    if (this.sinceTurn > turn) {
      this.sinceTurn = 0;
      await this.budget.pause();
    }
    return bytes;
  }

  private filtersOf(dictionary: Dictionary): string[] {
    const filters = filtersSaid(dictionary, this.resolve);
    if (!filters || filters.includes("BrotliDecode")) throw tooLarge();
    return filters;
  }

  private predictionsOf(dictionary: Dictionary): Prediction[] | undefined {
    const predictions = predictionsSaid(dictionary, this.resolve);
    if (predictions?.some((each) => rowLength(each) > longestRow)) throw tooLarge();
    return predictions;
  }

  /** A file may say several things of one number, in several places and in what is packed: which of them counts is not known. */
  private readonly resolve: Resolve = (value) => {
    if (!isReference(value)) return value;
    this.known ??= new References(this.bytes);
    if (this.hasPacked || !this.known.isClear(value.object)) return "Uncertain";
    const found = this.known.valueOf(value.object);
    return isReference(found) ? "Uncertain" : found;
  };
}

const nothing = new Uint8Array();

const isPacked = (dictionary: Dictionary): boolean => dictionary.has("F") || dictionary.has("Filter");

const isSteep = (filter: string): boolean => mostUnpacked(1, [filter]) > 4;
const steepOf = (filters: readonly string[]): number => filters.filter(isSteep).length;

/** What is enciphered cannot be looked into; packed twice, nothing could be told of how much becomes of it. */
function requireFewLayers(filters: readonly string[], pixels: number | undefined): void {
  const isCoded = pixels === undefined && filters.some((filter) => codecs.includes(filter));
  if (isCoded || steepOf(filters) > 1) throw tooLarge();
}

/** Whether something in it is a stream where objects are packed, in which none may be. */
function hasStream(objects: Uint8Array): boolean {
  let [from, isRemark] = [0, false];
  for (let at = placeOf(objects, "stream", 0); at >= 0; at = placeOf(objects, "stream", at + 1)) {
    let before = at - 1;
    while (before > 0 && isBlank(objects[before])) before--;
    for (; from <= before; from++) {
      if (objects[from] === 0x25) isRemark = true;
      else if (objects[from] === 0x0a || objects[from] === 0x0d) isRemark = false;
    }
    const isOnNextLine = objects.subarray(before, at).some((byte) => byte === 0x0a || byte === 0x0d);
    if (standsAt(objects, ">>", before - 1) || (isRemark && isOnNextLine)) return true;
  }
  return false;
}

/** How many pixels a picture says it has where it is packed; the codecs of fax and of scanners keep to what its dictionary says. */
function pixelsCoded(content: Uint8Array, codec: string): number {
  if (codec === "DCTDecode") {
    const start = startOfJpeg(content);
    if (start < 0) return 0;
    const head = jpegHead(content.subarray(start));
    return head ? head.width * head.height : Infinity;
  }
  if (codec !== "JPXDecode" || content.every((byte) => byte === 0)) return 0;
  const head = codestreamOf(content);
  return head ? head.width * head.height : Infinity;
}

function startOfJpeg(content: Uint8Array): number {
  for (let at = content.indexOf(0xff); at >= 0; at = content.indexOf(0xff, at + 1))
    if (content[at + 1] === 0xd8) return at;
  return -1;
}
