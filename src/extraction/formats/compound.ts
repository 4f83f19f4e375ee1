import { ExtractionProblem } from "../problem.ts";

/** Content of an OLE compound file: an Outlook mail, an Office document from before 2007, or an encrypted newer one. */
export type CompoundKind = "Msg" | "Xls" | "Doc" | "Encrypted" | "Other";

/**
 * Detects the kind of a compound file, after validating its structure. A circular file is refused, because libraries
 * would hang on it.
 * @throws ExtractionProblem `file_unreadable`
 */
export function compoundKind(bytes: Uint8Array): CompoundKind {
  const file = new CompoundFile(bytes);
  const entries = file.validatedEntries();
  const names = new Set(entries.map((entry) => entry.name));
  if (names.has("EncryptedPackage") || names.has("EncryptionInfo")) return "Encrypted";
  if (names.has("__properties_version1.0")) return "Msg";
  if (names.has("WordDocument")) return "Doc";
  const workbook = entries.find((entry) => entry.name === "Workbook" || entry.name === "Book");
  if (!workbook) return "Other";
  return isLocked(file.beginning(workbook)) ? "Encrypted" : "Xls";
}

/** Whether a workbook is protected by a password. It then has the record FILEPASS (0x2F) among its first records. */
function isLocked(workbook: Uint8Array): boolean {
  const view = new DataView(workbook.buffer, workbook.byteOffset, workbook.byteLength);
  for (let at = 0; at + 4 <= view.byteLength; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) === 0x2f) return true;
  }
  return false;
}

interface Entry {
  name: string;
  type: number;
  left: number;
  right: number;
  child: number;
  start: number;
  size: number;
}

const storage = 1;
const stream = 2;
const root = 5;
const none = 0xffffffff;
/** Sector numbers from this one on are not sectors. They mark the end of a chain, or a free sector. */
const lastSector = 0xfffffffa;
/** Streams shorter than this are stored in the small sectors of the root stream. */
const smallStream = 4096;
const sectorsNamedInHeader = 109;

const damaged = (what: string) => new ExtractionProblem("file_unreadable", `The file is damaged: ${what}.`);

class CompoundFile {
  private readonly bytes: Uint8Array;
  private readonly view: DataView;
  private readonly sectorSize: number;
  private readonly sectors: Chains;

  constructor(bytes: Uint8Array) {
    if (bytes.length < 1536) throw damaged("it is truncated");
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const shift = this.view.getUint16(30, true);
    if (shift !== 9 && shift !== 12) throw damaged("the sector size is invalid");
    this.sectorSize = 1 << shift;
    this.sectors = new Chains(this.numbersIn(this.tableSectors()));
  }

  validatedEntries(): Entry[] {
    const entries = this.directory();
    const small = new Chains(this.numbersIn(this.sectors.follow(this.view.getUint32(60, true))));
    for (const { type, start, size } of entries) {
      if (type === stream && size > this.bytes.length) throw damaged("a stream is longer than the file");
      if ((type === stream && size >= smallStream) || (type === root && start < lastSector)) this.sectors.follow(start);
      else if (type === stream && size > 0) small.follow(start);
    }
    requireTree(entries);
    return entries;
  }

  /** Returns the first sector of a stream. It is empty if the stream is in small sectors. */
  beginning({ start, size }: Entry): Uint8Array {
    return size >= smallStream ? this.sector(start) : new Uint8Array();
  }

  private directory(): Entry[] {
    const entries: Entry[] = [];
    for (const sector of this.sectors.follow(this.view.getUint32(48, true))) {
      const offset = this.offsetOf(sector);
      for (let at = offset; at < offset + this.sectorSize; at += 128) entries.push(this.entryAt(at));
    }
    if (entries[0]?.type !== root) throw damaged("the directory is missing");
    return entries;
  }

  private entryAt(at: number): Entry {
    if (at + 128 > this.bytes.length) throw damaged("the directory is truncated");
    const nameLength = Math.min(Math.max(this.view.getUint16(at + 64, true) - 2, 0), 62);
    return {
      name: new TextDecoder("utf-16le").decode(this.bytes.subarray(at, at + nameLength)),
      type: this.view.getUint8(at + 66),
      left: this.view.getUint32(at + 68, true),
      right: this.view.getUint32(at + 72, true),
      child: this.view.getUint32(at + 76, true),
      start: this.view.getUint32(at + 116, true),
      size: this.view.getUint32(at + 120, true),
    };
  }

  /**
   * Lists the sectors of the allocation table. The header names the first of them, and a chain of further sectors names
   * the rest.
   */
  private tableSectors(): number[] {
    const count = this.view.getUint32(44, true);
    if (count > this.bytes.length / this.sectorSize) throw damaged("the sector table is longer than the file");
    const named = Math.min(count, sectorsNamedInHeader);
    const numbers = Array.from({ length: named }, (_, index) => this.view.getUint32(76 + index * 4, true));
    let next = this.view.getUint32(68, true);
    while (numbers.length < count && next < lastSector) {
      const more = [...this.numbersIn([next])];
      next = more.pop() ?? none;
      numbers.push(...more.slice(0, count - numbers.length));
    }
    return numbers.filter((number) => number < lastSector);
  }

  private numbersIn(sectors: number[]): Uint32Array {
    const each = this.sectorSize / 4;
    const numbers = new Uint32Array(sectors.length * each);
    sectors.forEach((sector, index) => {
      const content = this.sector(sector);
      const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
      for (let at = 0; at < each; at++) numbers[index * each + at] = view.getUint32(at * 4, true);
    });
    return numbers;
  }

  private sector(number: number): Uint8Array {
    const offset = this.offsetOf(number);
    if (offset + this.sectorSize > this.bytes.length) throw damaged("it is truncated");
    return this.bytes.subarray(offset, offset + this.sectorSize);
  }

  private offsetOf(sector: number): number {
    return (sector + 1) * this.sectorSize;
  }
}

/** The chains of a sector table, which names for each sector the sector that follows it. */
class Chains {
  private readonly next: Uint32Array;
  private readonly visited: Uint8Array;

  constructor(next: Uint32Array) {
    this.next = next;
    this.visited = new Uint8Array(next.length);
  }

  /**
   * @throws ExtractionProblem if the chain is circular, or crosses a chain that was followed before
   */
  follow(start: number): number[] {
    const chain: number[] = [];
    for (let sector = start; sector < this.next.length; sector = this.next[sector] ?? none) {
      if (this.visited[sector]) throw damaged("a chain of sectors is circular");
      this.visited[sector] = 1;
      chain.push(sector);
    }
    return chain;
  }
}

function requireTree(entries: Entry[]): void {
  const visited = new Set<number>();
  const waiting = [0];
  for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
    if (index === none) continue;
    const entry = entries[index];
    if (!entry || visited.has(index)) throw damaged("the directory is circular");
    visited.add(index);
    waiting.push(entry.left, entry.right);
    if (entry.type === storage || entry.type === root) waiting.push(entry.child);
  }
}
