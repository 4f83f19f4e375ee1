import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import Pdf from "pdfkit";
import type { Chance } from "../chance.ts";

const FONTS = join(dirname(createRequire(import.meta.url).resolve("dejavu-fonts-ttf/package.json")), "ttf");
const EMBEDDED: [regular: string, bold: string][] = [
  ["DejaVuSans.ttf", "DejaVuSans-Bold.ttf"],
  ["DejaVuSansCondensed.ttf", "DejaVuSansCondensed-Bold.ttf"],
  ["DejaVuSerifCondensed.ttf", "DejaVuSerifCondensed-Bold.ttf"],
];
/** Fonts that are not embedded and contain only Western European letters. */
const BUILT_IN: [regular: string, bold: string][] = [
  ["Helvetica", "Helvetica-Bold"],
  ["Times-Roman", "Times-Bold"],
];
const MONO = ["DejaVuSansMono.ttf", "DejaVuSansMono-Bold.ttf"];
const COURIER = ["Courier", "Courier-Bold"];
const WESTERN = /^[\u0020-\u007e\u00a0-\u00ff\u2013\u2014\u2018-\u201e\u2026\u20ac\s]*$/;
const EPOCH = new Date("2026-11-20T08:00:00Z");

export interface Ink {
  size?: number;
  bold?: boolean;
  colour?: string;
  align?: "left" | "center" | "right";
}

export interface Paper {
  size: "A4" | "LETTER";
  landscape: boolean;
  margin: number;
  /** Characters on a line of a printout in a fixed width font. */
  columns?: number;
}

/** Pages for text, rules and frames. Coordinates are points from the top left; `y` is the current position. */
export class Canvas {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly size: number;
  y: number;
  #page = 0;
  readonly #document: PDFKit.PDFDocument;
  readonly #fonts: [regular: string, bold: string];
  readonly #bytes: Promise<Uint8Array>;

  /** `text` is everything that will be printed. It determines which fonts can be used. */
  constructor(chance: Chance, text: string, { size, landscape, margin, columns }: Paper) {
    const western = WESTERN.test(text) && chance.happens(0.5);
    const fonts = columns ? (western ? COURIER : MONO) : chance.pick(western ? BUILT_IN : EMBEDDED);
    this.#fonts = fonts.map((font) => (font.endsWith(".ttf") ? join(FONTS, font) : font)) as [string, string];
    const info = { CreationDate: EPOCH, ModDate: EPOCH };
    const layout = landscape ? "landscape" : "portrait";
    this.#document = new Pdf({ size, layout, margin: 0, bufferPages: true, info });
    const { width, height } = this.#document.page;
    [this.left, this.right, this.top, this.bottom] = [margin, width - margin, margin, height - 42];
    this.y = margin;
    const usual = chance.pick(western ? [8, 9, 10, 11] : [7, 8, 9]);
    this.size = columns ? Math.min(9, this.width / (columns * 0.605)) : usual;
    const chunks: Uint8Array[] = [];
    this.#document.on("data", (chunk: Uint8Array) => chunks.push(chunk));
    this.#bytes = new Promise((resolve) => this.#document.on("end", () => resolve(Buffer.concat(chunks))));
  }

  get width(): number {
    return this.right - this.left;
  }

  finish(): Promise<Uint8Array> {
    this.#document.end();
    return this.#bytes;
  }

  /** Goes to the next page, which exists if another column has reached it. */
  newPage(): void {
    this.#page += 1;
    if (this.#page < this.#document.bufferedPageRange().count) this.#document.switchToPage(this.#page);
    else this.#document.addPage();
    this.y = this.top;
  }

  get position(): { page: number; y: number } {
    return { page: this.#page, y: this.y };
  }

  set position({ page, y }) {
    this.#page = page;
    this.y = y;
    this.#document.switchToPage(page);
  }

  eachPage(draw: (number: number, count: number) => void): void {
    const { count } = this.#document.bufferedPageRange();
    for (let page = 0; page < count; page++) {
      this.#document.switchToPage(page);
      draw(page + 1, count);
    }
  }

  /** Starts a new page if the given height does not fit on this one. */
  need(height: number): void {
    if (this.y + height > this.bottom && this.y > this.top) this.newPage();
  }

  height(text: string, width: number, ink: Ink = {}): number {
    return this.#use(ink).heightOfString(text, { width });
  }

  /** Returns the width of the longest word. */
  wordWidth(text: string, ink: Ink = {}): number {
    const document = this.#use(ink);
    return Math.max(...text.split(/\s/).map((word) => document.widthOfString(word)));
  }

  /** Draws text in a column; `y` is unchanged. */
  at(text: string, x: number, y: number, width: number, ink: Ink = {}): void {
    this.#use(ink)
      .fillColor(ink.colour ?? "black")
      .text(text, x, y, { width, align: ink.align ?? "left" });
  }

  /** Draws a label followed by its text. */
  labelled(label: string, text: string, x: number, y: number, width: number, ink: Ink, bold: boolean): void {
    const options = { width, align: ink.align ?? "left" } as const;
    this.#use({ ...ink, bold })
      .fillColor("black")
      .text(`${label} `, x, y, { ...options, continued: true });
    this.#use(ink).text(text, options);
  }

  rule(y: number, x0: number, x1: number): void {
    this.#document.moveTo(x0, y).lineTo(x1, y).lineWidth(0.6).strokeColor("black").stroke();
  }

  frame(x: number, y: number, width: number, height: number): void {
    this.#document.rect(x, y, width, height).lineWidth(0.6).strokeColor("black").stroke();
  }

  fill(x: number, y: number, width: number, height: number, colour: string): void {
    this.#document.rect(x, y, width, height).fill(colour);
  }

  #use({ size, bold }: Ink): PDFKit.PDFDocument {
    return this.#document.font(this.#fonts[bold ? 1 : 0]).fontSize(size ?? this.size);
  }
}
