import { Inflate, inflateSync } from "fflate";

/** Takes bytes as they come; what it is given may change afterwards. */
type Sink = (bytes: Uint8Array) => void;

/** More came out than may. */
class TooLong extends Error {}

/** Nothing comes behind. */
class Ended extends Error {}

const piece = 16 * 1024;
/** What is no longer is unpacked at once, as it becomes 25 MB at most, which is sooner done. */
const longestAtOnce = 24 * 1024;
/** Nothing that is packed is so long and says nothing. */
const longestSilence = 256 * 1024;

/** How the streams of a PDF are unpacked, by the name of the filter; pdf.js takes any step for LZW, writers two. */
const unpackers: Record<string, (next: Sink) => Sink> = {
  FlateDecode: inflating,
  LZWDecode: (next) => lzw(next, 1),
  "LZWDecode, late": (next) => lzw(next, 0),
  RunLengthDecode: runs,
  ASCII85Decode: ascii85,
  ASCIIHexDecode: ascii16,
};

/** What a byte can become at most, where it can become more than one; pdf.js lets what LZW repeats grow to 65535 letters. */
const steepness: Record<string, number> = {
  FlateDecode: 1032,
  LZWDecode: 60_000,
  RunLengthDecode: 64,
  ASCII85Decode: 4,
};

/** No stream of so many bytes becomes longer than this, whatever it holds. */
export const mostUnpacked = (packed: number, filters: readonly string[]): number =>
  filters.reduce((length, filter) => length * (steepness[filter] ?? 1), packed);

/** Whether what they make of a stream is not the stream itself. */
export const areUnpacking = (filters: readonly string[]): boolean => filters.some((filter) => filter in unpackers);

/** Where only the reader knows how one of them is meant, all it may mean. */
export const meaningsOf = (filters: readonly string[]): (readonly string[])[] =>
  filters.includes("LZWDecode")
    ? [filters, filters.map((filter) => (filter === "LZWDecode" ? "LZWDecode, late" : filter))]
    : [filters];

const nothing = new Uint8Array();

/** What is packed, in whatever way. */
export interface Packed {
  content: Uint8Array;
  /** What follows the content, which may be the rest of it. */
  beyond: Uint8Array;
  filters: readonly string[];
}

/**
 * What comes out of a stream, of a damaged one what comes before that.
 * @param most bytes that may come out
 * @param kept of so many, the first are kept
 * @returns undefined where more comes out
 */
export function unpacked({ content, beyond, filters }: Packed, most: number, kept = most): Uint8Array | undefined {
  if (filters.join() !== "FlateDecode") return piecewise([content, beyond], filters, new Kept(most, kept));
  const whole = content.length <= longestAtOnce ? inflated(content) : undefined;
  if (whole) return whole.length <= most ? whole : undefined;
  return inflatedPiecewise([content, beyond], most, kept);
}

/** Undefined where it is damaged, or goes on beyond its end. */
function inflated(packed: Uint8Array): Uint8Array | undefined {
  if (!isHead(packed[0] ?? 0, packed[1] ?? 0)) return nothing;
  try {
    return inflateSync(packed.subarray(headLength));
  } catch {
    return undefined;
  }
}

/** What came out, or so much of it as is kept. */
class Kept {
  private readonly most: number;
  private readonly mostKept: number;
  private held: Uint8Array = new Uint8Array(piece);
  private length = 0;
  /** So much went in since something came out. */
  silence = 0;

  constructor(most: number, mostKept: number) {
    this.most = most;
    this.mostKept = mostKept;
  }

  get bytes(): Uint8Array {
    return this.held.subarray(0, Math.min(this.length, this.mostKept));
  }

  /** @throws TooLong */
  readonly add: Sink = (bytes) => {
    if (bytes.length === 0) return;
    const from = this.length;
    this.length += bytes.length;
    this.silence = 0;
    if (this.length > this.most) throw new TooLong();
    const end = Math.min(this.length, this.mostKept);
    if (end > this.held.length) {
      const wider = new Uint8Array(Math.min(this.mostKept, Math.max(end, this.held.length * 2)));
      wider.set(this.held);
      this.held = wider;
    }
    if (from < end) this.held.set(bytes.subarray(0, end - from), from);
  };
}

/** Undefined where too much comes out, or where too much goes in and nothing comes out. */
function piecewise(parts: readonly Uint8Array[], filters: readonly string[], kept: Kept): Uint8Array | undefined {
  const unpack = filters.reduceRight((next, filter) => unpackers[filter]?.(next) ?? next, kept.add);
  try {
    for (const bytes of piecesOf(parts)) {
      kept.silence += bytes.length;
      if (kept.silence > longestSilence) return undefined;
      unpack(bytes);
    }
  } catch (cause) {
    if (cause instanceof TooLong) return undefined;
  }
  return kept.bytes;
}

/** The same, where what is packed ends by itself: what follows is not looked at, unless it does not end before. */
function inflatedPiecewise(parts: readonly Uint8Array[], most: number, mostKept: number): Uint8Array | undefined {
  const kept = new Kept(most, mostKept);
  const [content = nothing, beyond = nothing] = parts;
  if (!isHead(content[0] ?? 0, content[1] ?? 0)) return nothing;
  const inflate = new Inflate(kept.add);
  try {
    for (const bytes of piecesOf([content.subarray(headLength)])) {
      kept.silence += bytes.length;
      if (kept.silence > longestSilence) break;
      inflate.push(bytes);
    }
  } catch (cause) {
    return cause instanceof TooLong ? undefined : kept.bytes;
  }
  if (hasEnded(inflate)) return kept.bytes;
  if (kept.silence > longestSilence) return undefined;
  return beyond.length > 0 ? inflatedPiecewise([joined(content, beyond)], most, mostKept) : kept.bytes;
}

/** A reader that is told that nothing comes any more minds it where something is missing. */
function hasEnded(inflate: Inflate): boolean {
  try {
    inflate.push(nothing, true);
    return true;
  } catch {
    return false;
  }
}

function* piecesOf(parts: readonly Uint8Array[]): Generator<Uint8Array> {
  for (const part of parts)
    for (let from = 0; from < part.length; from += piece) yield part.subarray(from, from + piece);
}

/** One stands behind the other. */
const joined = (content: Uint8Array, beyond: Uint8Array): Uint8Array =>
  new Uint8Array(content.buffer, content.byteOffset, content.length + beyond.length);

const headLength = 2;

/** Without its head nothing comes out. */
const isHead = (first: number, second: number): boolean =>
  (first & 0x0f) === 8 && ((first << 8) + second) % 31 === 0 && (second & 0x20) === 0;

function inflating(next: Sink): Sink {
  const inflate = new Inflate(next);
  const head: number[] = [];
  return (bytes) => {
    const skipped = Math.min(headLength - head.length, bytes.length);
    head.push(...bytes.subarray(0, skipped));
    if (head.length < headLength) return;
    if (!isHead(head[0]!, head[1]!)) throw new Ended();
    if (bytes.length > skipped) inflate.push(bytes.slice(skipped));
  };
}

const [clear, end, firstFree, mostCodes] = [256, 257, 258, 4096];

/** As pdf.js reads it, also what no writer writes: what a table held before it was cleared is not forgotten. */
function lzw(next: Sink, early: number): Sink {
  const [letters, lengths, befores] = [
    new Uint8Array(mostCodes),
    new Uint16Array(mostCodes),
    new Uint16Array(mostCodes),
  ];
  for (let code = 0; code < clear; code++) [letters[code], lengths[code]] = [code, 1];
  const sequence = new Uint8Array(2 ** 17);
  let [free, width, before, length, bits, held] = [firstFree, 9, 0, 0, 0, 0];
  const spell = (code: number) => {
    length = lengths[code]!;
    sequence.fill(0, mostCodes, Math.max(mostCodes, length));
    for (let at = length - 1, from = code; at >= 0; at--, from = befores[from]!)
      if (at < mostCodes) sequence[at] = letters[from]!;
  };
  const take = (code: number) => {
    if (code === end) throw new Ended();
    if (code === clear) {
      [free, width, length] = [firstFree, 9, 0];
      return;
    }
    const follows = length > 0;
    if (code < clear) [sequence[0], length] = [code, 1];
    else if (code < free) spell(code);
    else sequence[length] = length++ < mostCodes ? sequence[0]! : 0;
    if (follows) {
      [befores[free], lengths[free], letters[free]] = [before, lengths[before]! + 1, sequence[0]!];
      free++;
      const codes = free + early;
      if ((codes & (codes - 1)) === 0) width = Math.min(Math.log2(codes) + 1, 12);
    }
    before = code;
    next(sequence.subarray(0, length));
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
      else if (byte === 128) throw new Ended();
      else if (byte < 128) copied = byte + 1;
      repeated = repeated === 0 && byte > 128 ? 257 - byte : 0;
    }
  };
}

const [tilde, fourZeros] = [0x7e, 0x7a];

/** Five letters make four bytes; "z" is four of nothing. */
function ascii85(next: Sink): Sink {
  let [sum, count] = [0, 0];
  return (bytes) => {
    const out: number[] = [];
    for (const byte of bytes) {
      if (byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d) continue;
      if (byte === tilde) {
        const left = count - 1;
        while (count > 0 && count++ < 5) sum = sum * 85 + 84;
        next(Uint8Array.from([...out, ...fourOf(sum).slice(0, Math.max(0, left))]));
        throw new Ended();
      }
      if (byte === fourZeros && count === 0) out.push(0, 0, 0, 0);
      else [sum, count] = [sum * 85 + byte - 0x21, count + 1];
      if (count < 5) continue;
      out.push(...fourOf(sum));
      [sum, count] = [0, 0];
    }
    next(Uint8Array.from(out));
  };
}

const fourOf = (sum: number): number[] => [(sum / 2 ** 24) & 255, (sum >> 16) & 255, (sum >> 8) & 255, sum & 255];

function ascii16(next: Sink): Sink {
  let odd = "";
  return (bytes) => {
    const [written = "", behind] = String.fromCharCode(...bytes).split(">", 2);
    const digits = odd + written.replace(/[^\da-f]/giu, "");
    const isLast = behind !== undefined;
    const pairs = (isLast && digits.length % 2 === 1 ? `${digits}0` : digits).match(/../g) ?? [];
    odd = digits.slice(pairs.length * 2);
    next(Uint8Array.from(pairs, (pair) => parseInt(pair, 16)));
    if (isLast) throw new Ended();
  };
}
