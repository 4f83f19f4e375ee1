import type { House } from "../layouts/house.ts";
import { beside, stack, text, type Node, type Page } from "../layouts/node.ts";
import { treeLayouts } from "../layouts/write.ts";

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

const SHARES = [16, 11, 15, 28, 14, 13, 10];

/** The international form: boxes in two columns, the goods across the page, and the signatures at the foot. */
function page(house: House, { title, number, boxes, goods }: Note): Page {
  const dice = house.dice("note");
  const [boxed, numbered] = [dice.happens(0.75), dice.happens(0.75)];
  const box = (wanted: number): Node => {
    const { captions, lines } = boxes.find((one) => one.number === wanted)!;
    const lead = numbered && wanted < 25 ? `${wanted} ` : "";
    const small = captions.map((caption, at) => text((at === 0 ? lead : "") + caption, { grow: -2 }));
    return stack([...small, text(lines.join("\n"))], { tight: true, boxed });
  };
  const column = (...numbers: number[]): Node => stack(numbers.map(box), { tight: true });
  const heads = goods.captions.map((caption, at) => ({ text: numbered ? `${at + 6} ${caption}` : caption }));
  const rows = [heads, ...goods.rows.map((row) => row.map((words) => ({ text: words })))];
  const name = stack([
    text(title, { bold: true, grow: 2 }),
    text(`CMR  ${dice.pick(["Nr.", "No.", "N°", "Nr"])} ${number}`, { bold: true }),
  ]);
  const body = [
    beside([column(1, 2, 3, 4, 5), stack([name, column(16, 17, 18, 25)])]),
    { kind: "Table" as const, rows, shares: SHARES, lines: boxed ? house.lines : "None", heads: 1 },
    ...[
      [13, 19],
      [14, 20],
      [21, 15],
      [22, 23, 24],
    ].map((row) => beside(row.map(box))),
  ];
  return { body: stack(body), foot: [] };
}

/** Layouts of consignment notes by name. */
export const noteLayouts = treeLayouts({ pdf: 9, txt: 3 }, page);
