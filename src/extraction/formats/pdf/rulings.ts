import type { Box } from "../../document/document.ts";

/** In points: lines that are closer than this are one line, which was drawn twice or cell by cell. */
const tolerance = 1;
const gap = 2.5;
const maxRulings = 5000;

/** Joins the strokes of a page into rulings: the strokes of a dotted line, and cell borders that form one line. */
export function rulingsFrom(strokes: Box[]): Box[] {
  const level = strokes.filter((box) => box.x1 - box.x0 >= box.y1 - box.y0);
  const upright = strokes.filter((box) => box.x1 - box.x0 < box.y1 - box.y0).map(turned);
  return [...joined(level), ...joined(upright).map(turned)].slice(0, maxRulings);
}

function turned(box: Box): Box {
  return { x0: box.y0, x1: box.y1, y0: box.x0, y1: box.x1 };
}

function joined(lines: Box[]): Box[] {
  const rows = new Map<number, Box[]>();
  for (const line of lines) {
    const row = Math.round((line.y0 + line.y1) / 2 / tolerance);
    const near = rows.get(row) ?? rows.get(row - 1) ?? rows.get(row + 1);
    if (near) near.push(line);
    else rows.set(row, [line]);
  }
  return [...rows.values()].flatMap(joinRow);
}

function joinRow(row: Box[]): Box[] {
  const out: Box[] = [];
  for (const line of row.toSorted((a, b) => a.x0 - b.x0)) {
    const last = out.at(-1);
    if (!last || line.x0 > last.x1 + gap) {
      out.push({ ...line });
      continue;
    }
    last.x1 = Math.max(last.x1, line.x1);
    last.y0 = Math.min(last.y0, line.y0);
    last.y1 = Math.max(last.y1, line.y1);
  }
  return out;
}
