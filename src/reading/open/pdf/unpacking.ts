import { Inflate } from "fflate";

/** Takes bytes as they come. */
type Sink = (bytes: Uint8Array) => void;

/** Nothing more needs to be unpacked. */
class Enough extends Error {}

const piece = 16 * 1024;

/** How the streams of a PDF are unpacked, by the name of the filter. */
const unpackers: Record<string, (next: Sink) => Sink> = {
  FlateDecode: inflating,
  LZWDecode: lzw,
  RunLengthDecode: runs,
  ASCII85Decode: ascii85,
  ASCIIHexDecode: ascii16,
};

/** What a byte can become at most, where it can become more than one. */
const steepness: Record<string, number> = { FlateDecode: 1032, LZWDecode: 1300, RunLengthDecode: 64, ASCII85Decode: 4 };

/** No stream of so many bytes becomes longer than this, whatever it holds. */
export const mostUnpacked = (packed: number, filters: readonly string[]): number =>
  filters.reduce((length, filter) => length * (steepness[filter] ?? 1), packed);

/** Whether more bytes than `most` come out of a stream, of which none are kept; one that is damaged ends where it is. */
export function isLonger(packed: Uint8Array, filters: readonly string[], most: number): boolean {
  if (filters.slice(0, -1).includes("LZWDecode")) return true;
  let length = 0;
  const count: Sink = (bytes) => {
    length += bytes.length;
    if (length > most) throw new Enough();
  };
  const unpack = filters.reduceRight((next, filter) => unpackers[filter]?.(next) ?? next, count);
  try {
    for (let from = 0; from < packed.length; from += piece) unpack(packed.subarray(from, from + piece));
  } catch (cause) {
    return cause instanceof Enough;
  }
  return false;
}

/** Whatever the head of two bytes says: readers differ in what they take. */
function inflating(next: Sink): Sink {
  const inflate = new Inflate(next);
  let head = 2;
  return (bytes) => {
    const skipped = Math.min(head, bytes.length);
    head -= skipped;
    inflate.push(bytes.subarray(skipped));
  };
}

const [clear, end, firstFree, mostCodes] = [256, 257, 258, 4096];

/** Only as long as what comes out, not the same: nothing that is packed again comes behind. */
function lzw(next: Sink): Sink {
  const blank = new Uint8Array(mostCodes);
  const lengths = new Uint16Array(mostCodes).fill(1);
  let [free, width, before, bits, held] = [firstFree, 9, 0, 0, 0];
  const take = (code: number) => {
    if (code === end) throw new Error("The stream has ended.");
    if (code === clear) [free, width, before] = [firstFree, 9, 0];
    if (code === clear) return;
    if (before > 0 && free < mostCodes) lengths[free++] = before + 1;
    before = lengths[code]!;
    next(blank.subarray(0, before));
    if (free >= (1 << width) - 1 && width < 12) width++;
  };
  return (bytes) => {
    for (const byte of bytes) {
      bits = ((bits << 8) | byte) & 0xff_ff_ff;
      held += 8;
      if (held < width) continue;
      held -= width;
      take((bits >> held) & ((1 << width) - 1));
    }
  };
}

function runs(next: Sink): Sink {
  let [copied, repeated] = [0, 0];
  return (bytes) => {
    for (let at = 0; at < bytes.length;) {
      if (copied > 0) {
        const literal = bytes.subarray(at, at + copied);
        next(literal);
        copied -= literal.length;
        at += literal.length;
        continue;
      }
      const byte = bytes[at++]!;
      if (repeated > 0) next(new Uint8Array(repeated).fill(byte));
      else if (byte === 128) throw new Error("The stream has ended.");
      else if (byte < 128) copied = byte + 1;
      repeated = repeated === 0 && byte > 128 ? 257 - byte : 0;
    }
  };
}

/** Five letters make four bytes; "z" is four of nothing. */
function ascii85(next: Sink): Sink {
  let [sum, count] = [0, 0];
  return (bytes) => {
    const out: number[] = [];
    for (const byte of bytes) {
      if (byte === 0x7a) out.push(0, 0, 0, 0);
      if (byte < 0x21 || byte > 0x75) continue;
      sum = sum * 85 + byte - 0x21;
      count++;
      if (count < 5) continue;
      out.push((sum / 2 ** 24) & 255, (sum >> 16) & 255, (sum >> 8) & 255, sum & 255);
      [sum, count] = [0, 0];
    }
    next(Uint8Array.from(out));
  };
}

function ascii16(next: Sink): Sink {
  let odd = "";
  return (bytes) => {
    const digits = odd + String.fromCharCode(...bytes).replace(/[^\da-f]/giu, "");
    const pairs = digits.match(/../g) ?? [];
    odd = digits.slice(pairs.length * 2);
    next(Uint8Array.from(pairs, (pair) => parseInt(pair, 16)));
  };
}
