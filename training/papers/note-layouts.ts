import type { Chance } from "../chance.ts";
import { encoded } from "../layouts/text.ts";
import { Canvas } from "../set/canvas.ts";
import { table } from "../set/table.ts";

/** A box of a consignment note: number, captions in one or two languages, and lines. */
export interface Box {
  number: number;
  captions: string[];
  lines: string[];
}

/** The texts of a consignment note, from which each layout makes a file. */
export interface Note {
  title: string;
  number: string;
  boxes: Box[];
  /** Captions of boxes 6 to 12 and their rows. */
  goods: { captions: string[]; rows: string[][] };
}

export interface NoteLayout {
  extension: "pdf" | "txt";
  weight: number;
  set(chance: Chance, note: Note): Promise<Uint8Array> | Uint8Array;
}

const LEFT = [1, 2, 3, 4, 5];
const RIGHT = [16, 17, 18, 25];
const BELOW: [number, number][] = [
  [13, 19],
  [14, 20],
  [21, 15],
];
const SIGNED = [22, 23, 24];
const SHARES = [16, 11, 15, 28, 14, 13, 10];

/** Draws the international form: boxes in two columns, the goods across the page, and the signatures at the foot. */
function framed(framedBoxes: boolean, numbered: boolean): NoteLayout["set"] {
  return async (chance, note) => {
    const canvas = new Canvas(chance, JSON.stringify(note));
    const half = canvas.width / 2;
    const boxOf = (number: number): Box => note.boxes.find((one) => one.number === number)!;
    const draw = (one: Box, x: number, y: number, width: number, height: number): void => {
      const small = { size: canvas.size - 2 };
      const lead = numbered && one.number < 25 ? `${one.number} ` : "";
      const below = one.captions.reduce(
        (at, caption, index) => at + canvas.at((index === 0 ? lead : "") + caption, x + 3, at, width - 6, small) + 1,
        y + 2,
      );
      canvas.at(one.lines.join("\n"), x + 6, below + 1, width - 12);
      if (framedBoxes) canvas.frame(x, y, width, height);
    };
    const heightOf = (one: Box, width: number): number =>
      one.captions.reduce((sum, caption) => sum + canvas.height(caption, width - 6, { size: canvas.size - 2 }) + 1, 8) +
      canvas.height(one.lines.join("\n") || " ", width - 12);
    const top = canvas.y;
    canvas.at(note.title, canvas.left + half + 8, top, half - 16, { bold: true, size: canvas.size + 2 });
    canvas.at(
      `CMR  ${chance.pick(["Nr.", "No.", "N°", "Nr"])} ${note.number}`,
      canvas.left + half + 8,
      top + 34,
      half - 16,
      { bold: true },
    );
    let y = top;
    for (const number of LEFT) {
      const one = boxOf(number);
      const height = heightOf(one, half);
      draw(one, canvas.left, y, half, height);
      y += height;
    }
    let rightY = top + 62;
    for (const number of RIGHT) {
      const one = boxOf(number);
      const height = heightOf(one, half);
      draw(one, canvas.left + half, rightY, half, height);
      rightY += height;
    }
    canvas.y = Math.max(y, rightY) + 2;
    const numberedCaptions = note.goods.captions.map((caption, at) => (numbered ? `${at + 6} ${caption}` : caption));
    table(canvas, [numberedCaptions, ...note.goods.rows], SHARES, {
      ruled: framedBoxes && chance.happens(0.6),
      headFill: chance.happens(0.5) ? "#eeeeee" : undefined,
    });
    canvas.y += 12;
    const across = (numbers: readonly number[]): void => {
      const width = canvas.width / numbers.length;
      const height = Math.max(...numbers.map((number) => heightOf(boxOf(number), width)));
      canvas.need(height);
      for (const [at, number] of numbers.entries())
        draw(boxOf(number), canvas.left + at * width, canvas.y, width, height);
      canvas.y += height;
    };
    for (const pair of BELOW) across(pair);
    across(SIGNED);
    return canvas.finish();
  };
}

/** Types the note as a list of boxes. */
const typed: NoteLayout["set"] = (chance, { title, number, boxes, goods }) => {
  const wide = chance.happens(0.5);
  const box = ({ number: at, captions, lines }: Box): string =>
    lines.length <= 1 && !wide
      ? `${at < 25 ? `${at}. ` : ""}${captions[0]}: ${lines[0] ?? ""}`
      : [`${at < 25 ? `${at}. ` : ""}${captions[0]}`, ...lines.map((line) => `   ${line}`)].join("\n");
  const widths = goods.captions.map(
    (caption, at) => Math.max(caption.length, ...goods.rows.map((row) => row[at]!.length)) + 3,
  );
  const row = (cells: string[]): string =>
    cells
      .map((cell, at) => cell.padEnd(widths[at]!))
      .join("")
      .trimEnd();
  const [before, after] = [boxes.filter(({ number: at }) => at < 6), boxes.filter(({ number: at }) => at > 12)];
  return encoded(
    [
      `${title}  CMR`,
      `No. ${number}`,
      "",
      ...before.map(box),
      "",
      row(goods.captions),
      ...goods.rows.map(row),
      "",
      ...after.map(box),
    ].join("\n"),
  );
};

/** Layouts of consignment notes by name. */
export const noteLayouts: Record<string, NoteLayout> = {
  frames: { extension: "pdf", weight: 5, set: framed(true, true) },
  bare: { extension: "pdf", weight: 2, set: framed(false, true) },
  unnumbered: { extension: "pdf", weight: 2, set: framed(true, false) },
  typed: { extension: "txt", weight: 3, set: typed },
};
