import { type Block, BlockBuilder } from "./blocks.ts";
import type { ReaderContext, Reader } from "./reader.ts";
import { latinText, rtfEvents, type RtfEvent } from "./rtf-events.ts";
import { layOutBlocks } from "./table-layout.ts";

export const readRtf: Reader = (file, context) => ({ pages: layOutBlocks(rtfBlocks(file.bytes, context), context) });

export function rtfBlocks(bytes: Uint8Array, context: ReaderContext): Block[] {
  const writer = new RtfWriter();
  for (const event of rtfEvents(latinText(bytes), context)) writer.take(event);
  return writer.finish();
}

/** Groups that contain no text of the document: font and colour tables, pictures, field codes, properties. */
const unread = new Set(
  "fonttbl colortbl stylesheet listtable listoverridetable info pict object objdata fldinst sp shprslt filetbl revtbl rsidtbl generator xmlnstbl themedata datastore latentstyles bkmkstart bkmkend nonesttables annotation atnid atnauthor comment pntext pntxta pntxtb".split(
    " ",
  ),
);
/** Starred groups that contain text of the document. All other starred groups are skipped. */
const shownThoughStarred = new Set(["shpinst", "shptxt", "nesttableprops", "cs", "ts"]);

interface Appearance {
  bold: boolean;
  hidden: boolean;
  struck: boolean;
  deleted: boolean;
  unread: boolean;
}

/**
 * The edges of cells, in twips, are rounded to a tenth of an inch, so that slightly misaligned rows have the same
 * columns.
 */
const twipsPerStep = 144;

class RtfWriter {
  private readonly builder = new BlockBuilder();
  private readonly stack: Appearance[] = [];
  private appearance: Appearance = { bold: false, hidden: false, struck: false, deleted: false, unread: false };
  private inTableText = false;
  private tableOpen = false;
  private cellOpen = false;
  private edges: number[] = [];
  private cellIndex = 0;

  take(event: RtfEvent): void {
    if (event.kind === "Open") this.stack.push({ ...this.appearance });
    else if (event.kind === "Close") this.appearance = this.stack.pop() ?? this.appearance;
    else if (event.kind === "Text") this.text(event.text);
    else if (unread.has(event.name) || (event.starred && !shownThoughStarred.has(event.name)))
      this.appearance.unread = true;
    else if (!this.appearance.unread) this.words[event.name]?.(event.value);
  }

  finish(): Block[] {
    return this.builder.finish();
  }

  private readonly words: Record<string, (value: number | undefined) => void> = {
    b: (value) => (this.appearance.bold = value !== 0),
    v: (value) => (this.appearance.hidden = value !== 0),
    strike: (value) => (this.appearance.struck = value !== 0),
    striked: (value) => (this.appearance.struck = value !== 0),
    deleted: (value) => (this.appearance.deleted = value !== 0),
    plain: () => (this.appearance = { ...this.appearance, bold: false, hidden: false, struck: false, deleted: false }),
    pard: () => (this.inTableText = false),
    intbl: () => (this.inTableText = true),
    par: () => this.endParagraph(),
    sect: () => this.endParagraph(),
    line: () => this.text("\n"),
    tab: () => this.text("\t"),
    nestcell: () => this.text("\t"),
    nestrow: () => this.text("\n"),
    page: () => {
      this.leaveTable();
      this.builder.pageBreak();
    },
    trowd: () => (this.edges = []),
    cellx: (value) => this.edges.push(Math.round((value ?? 0) / twipsPerStep)),
    cell: () => this.endCell(),
    row: () => this.endRow(),
  };

  private text(text: string): void {
    const { unread: skipped, hidden, struck, deleted, bold } = this.appearance;
    if (skipped || hidden || struck || deleted) return;
    this.enter();
    this.builder.text(text, bold);
  }

  private endParagraph(): void {
    this.enter();
    this.builder.endParagraph(true);
  }

  private enter(): void {
    if (!this.inTableText) this.leaveTable();
    else if (!this.cellOpen) this.openCell();
  }

  private openCell(): void {
    if (!this.tableOpen) this.builder.openTable();
    if (!this.tableOpen || this.cellIndex === 0) this.builder.openRow();
    this.tableOpen = true;
    const left = this.edges[this.cellIndex - 1] ?? this.cellIndex;
    const right = this.edges[this.cellIndex] ?? left + 1;
    this.builder.openCell(Math.max(1, right - left), 1, Math.max(0, left));
    this.cellOpen = true;
  }

  private endCell(): void {
    this.inTableText = true;
    if (!this.cellOpen) this.openCell();
    this.builder.closeCell();
    this.cellOpen = false;
    this.cellIndex++;
  }

  private endRow(): void {
    if (this.tableOpen) this.builder.closeRow();
    this.cellOpen = false;
    this.cellIndex = 0;
  }

  private leaveTable(): void {
    if (!this.tableOpen) return;
    this.builder.closeTable();
    this.tableOpen = false;
    this.endRow();
  }
}
