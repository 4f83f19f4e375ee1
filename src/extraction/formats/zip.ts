import { Inflate } from "fflate";
import { ExtractionProblem } from "../problem.ts";
import type { OpenLimits } from "./limits.ts";
import type { ReaderContext } from "./reader.ts";

export interface ZipEntry {
  name: string;
  encrypted: boolean;
  method: number;
  packed: number;
  unpacked: number;
  /** Offset of the entry's local header. */
  offset: number;
}

const corrupted = (what: string) => new ExtractionProblem("file_unreadable", `The file is damaged: ${what}.`);

/**
 * Reads the central directory of a zip file. Nothing is unpacked.
 * @throws ExtractionProblem `file_unreadable` if the directory is missing or inconsistent, or lists too many entries
 */
export function listZip(bytes: Uint8Array, limit = 1000): ZipEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = endOfDirectory(view);
  const count = view.getUint16(end + 10, true);
  if (count > limit)
    throw new ExtractionProblem(
      "file_unreadable",
      `The file has ${count} entries, and at most ${limit} are read. Send fewer files.`,
    );
  const entries: ZipEntry[] = [];
  let at = view.getUint32(end + 16, true);
  for (let index = 0; index < count; index++) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== 0x02014b50)
      throw corrupted("the directory is truncated");
    const nameLength = view.getUint16(at + 28, true);
    entries.push({
      name: new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength)),
      encrypted: (view.getUint16(at + 8, true) & 1) === 1,
      method: view.getUint16(at + 10, true),
      packed: view.getUint32(at + 20, true),
      unpacked: view.getUint32(at + 24, true),
      offset: view.getUint32(at + 42, true),
    });
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
}

function endOfDirectory(view: DataView): number {
  const earliest = Math.max(0, view.byteLength - 65_557);
  for (let at = view.byteLength - 22; at >= earliest; at--) {
    if (view.getUint32(at, true) === 0x06054b50) return at;
  }
  throw corrupted("it is truncated");
}

/**
 * Reads and validates the directory of a zip file. All entries must be inside the file, and within the limits of size
 * and number.
 * @throws ExtractionProblem `file_unreadable`, `file_encrypted`
 */
export function checkZip(bytes: Uint8Array, limits: OpenLimits): ZipEntry[] {
  const entries = listZip(bytes, limits.zipEntries);
  let total = 0;
  let markup = 0;
  for (const entry of entries) {
    total += entry.unpacked;
    if (/\.(?:xml|rels|vml)$/i.test(entry.name)) markup += entry.unpacked;
    if (entry.encrypted) throw new ExtractionProblem("file_encrypted", "The file is protected by a password.");
    if (/(?:^|[/\\])\.\.(?:[/\\]|$)|^[/\\]|^[A-Za-z]:/.test(entry.name))
      throw corrupted("the path of an entry points outside the archive");
    if (entry.unpacked > 1024 * 1024 && entry.unpacked > entry.packed * limits.zipRatio) throw tooLarge();
    if (entry.offset + 30 + entry.packed > bytes.length) throw corrupted("it is truncated");
  }
  if (total > limits.unpackedBytes || markup > limits.markupBytes) throw tooLarge();
  return entries;
}

const tooLarge = () =>
  new ExtractionProblem(
    "file_unreadable",
    "The file decompresses to more data than can be processed. Send it in parts.",
  );

/**
 * Unpacks selected entries.
 * @throws ExtractionProblem if an entry is damaged or longer than declared
 */
export function unzip(
  bytes: Uint8Array,
  entries: ZipEntry[],
  wanted: (name: string) => boolean,
  context: ReaderContext,
): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  for (const entry of entries) if (wanted(entry.name)) files.set(entry.name, unpack(bytes, entry, context));
  return files;
}

/** Unpacks every entry once to verify the declared sizes, because libraries rely on them. */
export function testZip(bytes: Uint8Array, entries: ZipEntry[], context: ReaderContext): void {
  for (const entry of entries) unpack(bytes, entry, context);
}

function unpack(bytes: Uint8Array, entry: ZipEntry, context: ReaderContext): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(entry.offset, true) !== 0x04034b50) throw corrupted("the offset of an entry is wrong");
  const start = entry.offset + 30 + view.getUint16(entry.offset + 26, true) + view.getUint16(entry.offset + 28, true);
  const packed = bytes.subarray(start, start + entry.packed);
  if (entry.method === 0) return packed;
  if (entry.method !== 8)
    throw new ExtractionProblem(
      "file_unreadable",
      "The file uses an unsupported compression. Pack it again as an ordinary zip.",
    );
  return inflate(packed, entry.unpacked, context);
}

const step = 64 * 1024;

function inflate(packed: Uint8Array, declared: number, context: ReaderContext): Uint8Array {
  const out = new Uint8Array(declared);
  let length = 0;
  const inflater = new Inflate((chunk) => {
    if (length + chunk.length > declared) throw tooLarge();
    out.set(chunk, length);
    length += chunk.length;
  });
  try {
    for (let at = 0; at < packed.length; at += step) {
      context.budget.check();
      inflater.push(packed.subarray(at, at + step), at + step >= packed.length);
    }
  } catch (cause) {
    throw cause instanceof ExtractionProblem ? cause : corrupted("an entry cannot be decompressed");
  }
  return out.subarray(0, length);
}
