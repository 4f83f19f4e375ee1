import { ReadingProblem } from "../problem.ts";

/** What an OLE compound file holds: Outlook mails, Office documents of before 2007, and encrypted newer ones. */
export type CompoundKind = "Msg" | "Xls" | "Doc" | "Encrypted" | "Other";

const endOfChain = 0xfffffffe;
const lastSector = 0xfffffffa;

const damaged = (what: string) => new ReadingProblem("file_unreadable", `The file is damaged: ${what}.`);

/**
 * Tells the kind from the names in the directory. Chains of sectors are followed to their ends on the way, so that a file
 * whose chains run in circles is refused here and does not hang a library later.
 * @throws ReadingProblem `file_unreadable`
 */
export function compoundKind(bytes: Uint8Array): CompoundKind {
  const entries = new CompoundFile(bytes).entries();
  const names = new Set(entries.map((entry) => entry.name));
  if (names.has("EncryptedPackage") || names.has("EncryptionInfo")) return "Encrypted";
  if (names.has("__properties_version1.0")) return "Msg";
  if (names.has("WordDocument")) return "Doc";
  const workbook = entries.find((entry) => entry.name === "Workbook" || entry.name === "Book");
  if (!workbook) return "Other";
  return isLocked(workbook.content) ? "Encrypted" : "Xls";
}

/** A workbook with a password has a FILEPASS record (0x2F) among its first. */
function isLocked(workbook: Uint8Array): boolean {
  const view = new DataView(workbook.buffer, workbook.byteOffset, workbook.byteLength);
  let at = 0;
  for (let record = 0; record < 20 && at + 4 <= view.byteLength; record++) {
    if (view.getUint16(at, true) === 0x2f) return true;
    at += 4 + view.getUint16(at + 2, true);
  }
  return false;
}

interface Entry {
  name: string;
  /** The first sector of the content; whole only where the content lies in ordinary sectors. */
  content: Uint8Array;
}

class CompoundFile {
  private readonly bytes: Uint8Array;
  private readonly view: DataView;
  private readonly sectorSize: number;
  private readonly table: Uint32Array;
  private visited = 0;

  constructor(bytes: Uint8Array) {
    if (bytes.length < 1536) throw damaged("it is cut off");
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const shift = this.view.getUint16(30, true);
    if (shift !== 9 && shift !== 12) throw damaged("its sectors have no valid size");
    this.sectorSize = 1 << shift;
    this.table = this.allocationTable();
  }

  entries(): Entry[] {
    const sectors = this.chain(this.view.getUint32(48, true));
    if (sectors.length === 0) throw damaged("it has no directory");
    const cutoff = this.view.getUint32(56, true);
    const found: Entry[] = [];
    for (const sector of sectors) {
      for (let at = this.offsetOf(sector); at < this.offsetOf(sector) + this.sectorSize; at += 128) {
        const entry = this.entryAt(at, cutoff);
        if (entry) found.push(entry);
      }
    }
    return found;
  }

  private entryAt(at: number, cutoff: number): Entry | undefined {
    if (at + 128 > this.bytes.length) throw damaged("its directory is cut off");
    const nameLength = this.view.getUint16(at + 64, true);
    const type = this.bytes[at + 66];
    if (type === 0 || nameLength < 2 || nameLength > 64) return undefined;
    const name = new TextDecoder("utf-16le").decode(this.bytes.subarray(at, at + nameLength - 2));
    const start = this.view.getUint32(at + 116, true);
    const size = this.view.getUint32(at + 120, true);
    const ordinary = type === 5 || (type === 2 && size >= cutoff);
    const first = ordinary && size > 0 ? this.chain(start)[0] : undefined;
    const offset = first === undefined ? 0 : this.offsetOf(first);
    return { name, content: this.bytes.subarray(offset, first === undefined ? 0 : offset + this.sectorSize) };
  }

  /** @throws ReadingProblem when the chain leaves the file or comes back to itself */
  private chain(start: number): number[] {
    const sectors: number[] = [];
    for (let sector = start; sector < lastSector; sector = this.table[sector] ?? endOfChain) {
      if (this.offsetOf(sector) >= this.bytes.length) throw damaged("it is cut off");
      // No sector belongs to two chains, so all chains together cannot be longer than the table.
      if (++this.visited > this.table.length * 2) throw damaged("its sectors run in a circle");
      sectors.push(sector);
    }
    return sectors;
  }

  private allocationTable(): Uint32Array {
    const perSector = this.sectorSize / 4;
    const sectors = this.tableSectors(perSector);
    const table = new Uint32Array(sectors.length * perSector).fill(endOfChain);
    sectors.forEach((sector, index) => {
      const offset = this.offsetOf(sector);
      if (offset + this.sectorSize > this.bytes.length) throw damaged("it is cut off");
      for (let at = 0; at < perSector; at++) table[index * perSector + at] = this.view.getUint32(offset + at * 4, true);
    });
    return table;
  }

  /** Where the allocation table lies: 109 sectors are named in the header, the rest in sectors chained to it. */
  private tableSectors(perSector: number): number[] {
    const sectors: number[] = [];
    for (let at = 76; at < 512; at += 4) sectors.push(this.view.getUint32(at, true));
    let more = this.view.getUint32(68, true);
    for (let hops = 0; more < lastSector; hops++) {
      const offset = this.offsetOf(more);
      if (offset + this.sectorSize > this.bytes.length || hops > 10_000) throw damaged("its sector table is cut off");
      for (let at = 0; at < perSector - 1; at++) sectors.push(this.view.getUint32(offset + at * 4, true));
      more = this.view.getUint32(offset + this.sectorSize - 4, true);
    }
    return sectors.filter((sector) => sector < lastSector);
  }

  private offsetOf(sector: number): number {
    return (sector + 1) * this.sectorSize;
  }
}
