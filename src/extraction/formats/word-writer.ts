import { type Block, BlockBuilder } from "./blocks.ts";

type Attributes = Record<string, string>;

/** Elements that are not part of the text: deletions, field codes, and copies of text boxes for old programs. */
const unread = new Set([
  "del",
  "moveFrom",
  "instrText",
  "delText",
  "Fallback",
  "pPrChange",
  "rPrChange",
  "tblPrChange",
  "tcPrChange",
]);
const marks: Record<string, string> = { br: "\n", cr: "\n", tab: "\t", noBreakHyphen: "-", ptab: "\t" };

interface RunState {
  bold?: boolean;
  hidden: boolean;
  white: boolean;
  shaded: boolean;
}

const plainRun: RunState = { hidden: false, white: false, shaded: false };

/** Converts the elements of a WordprocessingML part to blocks. */
export class WordWriter {
  private readonly builder = new BlockBuilder();
  private readonly boldStyles: Set<string>;
  private unreadDepth = 0;
  private inText = false;
  private inRun = false;
  private run: RunState = plainRun;
  private readonly outerRuns: { run: RunState; inRun: boolean; paragraphBold: boolean }[] = [];
  private paragraphBold = false;
  private paragraphShaded = false;
  private cellShaded = false;
  private placeholder = false;
  /**
   * Whether the parser is inside a check box in the old format. Check boxes in the new format contain their tick as
   * text.
   */
  private inCheckBox = false;
  private cell = { columns: 1, opened: true };

  constructor(boldStyles: Set<string>) {
    this.boldStyles = boldStyles;
  }

  open(name: string, attributes: Attributes): void {
    if (this.unreadDepth > 0 || unread.has(name)) {
      this.unreadDepth++;
      return;
    }
    const mark = marks[name];
    if (mark !== undefined && this.inRun) this.mark(name, mark, attributes);
    else this.openers[name]?.(attributes);
  }

  close(name: string): void {
    if (this.unreadDepth > 0) {
      this.unreadDepth--;
      return;
    }
    this.closers[name]?.();
  }

  text(text: string): void {
    if (!this.inText || this.unreadDepth > 0 || this.placeholder) return;
    const { hidden, white, shaded, bold } = this.run;
    if (hidden || (white && !shaded && !this.paragraphShaded && !this.cellShaded)) return;
    this.ensureCell();
    this.builder.text(text, bold ?? this.paragraphBold);
  }

  finish(): Block[] {
    return this.builder.finish();
  }

  private readonly openers: Record<string, (attributes: Attributes) => void> = {
    p: () => {
      this.ensureCell();
      this.paragraphBold = false;
      this.paragraphShaded = false;
    },
    pStyle: (attributes) => (this.paragraphBold = this.isBoldStyle(attributes)),
    r: () => {
      this.run = { ...plainRun };
      this.inRun = true;
    },
    rStyle: (attributes) => {
      if (this.inRun && this.isBoldStyle(attributes)) this.run.bold = true;
    },
    b: (attributes) => this.inRun && (this.run.bold = isOn(attributes)),
    vanish: (attributes) => this.inRun && (this.run.hidden ||= isOn(attributes)),
    strike: (attributes) => this.inRun && (this.run.hidden ||= isOn(attributes)),
    dstrike: (attributes) => this.inRun && (this.run.hidden ||= isOn(attributes)),
    color: (attributes) => this.inRun && (this.run.white = attributes["w:val"]?.toUpperCase() === "FFFFFF"),
    highlight: () => (this.run.shaded = true),
    shd: (attributes) => this.shade(attributes),
    t: () => (this.inText = true),
    checkBox: () => (this.inCheckBox = true),
    checked: (attributes) => {
      if (this.inCheckBox && isOn(attributes)) this.builder.text("X ", false);
    },
    lastRenderedPageBreak: () => this.builder.pageBreak(),
    showingPlcHdr: () => (this.placeholder = true),
    tbl: () => {
      this.ensureCell();
      this.builder.openTable();
    },
    tr: () => this.builder.openRow(),
    tc: () => {
      this.cell = { columns: 1, opened: false };
      this.cellShaded = false;
    },
    gridSpan: (attributes) => (this.cell.columns = Number(attributes["w:val"] ?? 1)),
    txbxContent: () => {
      this.outerRuns.push({ run: this.run, inRun: this.inRun, paragraphBold: this.paragraphBold });
      this.builder.openAside();
    },
  };

  private readonly closers: Record<string, () => void> = {
    p: () => this.builder.endParagraph(true),
    r: () => (this.inRun = false),
    t: () => (this.inText = false),
    checkBox: () => (this.inCheckBox = false),
    sdt: () => (this.placeholder = false),
    tc: () => {
      this.ensureCell();
      this.builder.closeCell();
    },
    tr: () => this.builder.closeRow(),
    tbl: () => {
      this.builder.closeTable();
      this.cell = { columns: 1, opened: true };
    },
    txbxContent: () => {
      this.builder.closeAside();
      const outer = this.outerRuns.pop();
      this.run = outer?.run ?? plainRun;
      this.inRun = outer?.inRun ?? false;
      this.paragraphBold = outer?.paragraphBold ?? false;
    },
  };

  private mark(name: string, mark: string, attributes: Attributes): void {
    if (name === "br" && attributes["w:type"] === "page") this.builder.pageBreak();
    else if (!this.run.hidden) this.builder.text(mark, false);
  }

  private shade(attributes: Attributes): void {
    const fill = attributes["w:fill"] ?? "auto";
    const shaded = !/^(?:auto|FFFFFF)$/i.test(fill);
    if (this.inRun) this.run.shaded = shaded;
    else if (this.cell.opened) this.paragraphShaded = shaded;
    else this.cellShaded = shaded;
  }

  /** The cell is opened only when its properties are known. */
  private ensureCell(): void {
    if (this.cell.opened) return;
    this.cell.opened = true;
    this.builder.openCell(this.cell.columns);
  }

  private isBoldStyle(attributes: Attributes): boolean {
    return this.boldStyles.has(attributes["w:val"] ?? "");
  }
}

/** Whether a toggle property such as `<w:b/>` is on. */
export function isOn(attributes: Record<string, string>): boolean {
  return !/^(?:0|false|off|none)$/.test(attributes["w:val"] ?? "true");
}
