import { ReadingProblem, type Budget } from "../../problem.ts";
import { latin, placeBefore, placeOf } from "../bytes.ts";
import { contentAt, endOf, filtersOf, longestDictionary, numberAt } from "./stream-bytes.ts";
import { isLonger, mostUnpacked } from "./unpacking.ts";

const mebibyte = 1024 * 1024;
/** So much may come out of what a page is painted with, and out of anything else, such as fonts and files. */
const [mostPainting, mostOther] = [16 * mebibyte, 50 * mebibyte];
/** Four samples of 16 bits; a picture may be a little longer than its pixels. */
const [bytesAPixel, beyondPixels] = [8, mebibyte];

/**
 * Refuses a PDF of which a stream unpacks to more than an isolate holds: pdf.js unpacks whole whatever it comes upon, and of
 * pictures those that have no more pixels than `largestPicture`. Streams too short for that are passed over; what is
 * enciphered cannot be looked into.
 * @throws ReadingProblem `file_corrupted`, `engine_timeout`
 */
export function requireModest(bytes: Uint8Array, largestPicture: number, budget: Budget): void {
  for (let at = placeOf(bytes, "stream", 0), behind = 0; at >= 0; at = placeOf(bytes, "stream", behind)) {
    const start = placeBefore(bytes, "obj", at, Math.min(longestDictionary, at - behind));
    const dictionary = start < 0 ? "" : latin(bytes.subarray(start, at));
    const from = contentAt(bytes, at);
    behind = from;
    if (!dictionary.includes("<<")) continue;
    const end = endOf(bytes, from, dictionary);
    const content = bytes.subarray(from, end < 0 ? bytes.length : end);
    behind += content.length;
    const filters = filtersOf(dictionary);
    const most = mostOf(dictionary, largestPicture);
    if (mostUnpacked(content.length, filters) <= most) continue;
    budget.check();
    if (isLonger(content, filters, most)) throw tooLarge();
  }
}

const tooLarge = () => new ReadingProblem("file_corrupted", "The PDF unpacks to more than can be read.");

/** Bytes that may come out of a stream. */
function mostOf(dictionary: string, largestPicture: number): number {
  const [width, height] = [numberAt(dictionary, "Width"), numberAt(dictionary, "Height")];
  if (/\/Subtype\s*\/Image/.test(dictionary) && width && height) {
    const pixels = width.value * height.value;
    return pixels > largestPicture ? Infinity : pixels * bytesAPixel + beyondPixels;
  }
  const isPainting = !/\/(?:Length1|N|First)\s+\d|\/Type\s*\/(?!XObject)|\/Subtype\s*\/(?!Form)/.test(dictionary);
  return isPainting ? mostPainting : mostOther;
}
