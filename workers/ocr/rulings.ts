import type { Box } from "../../src/extraction/document/document.ts";
import type { Raster } from "../../src/extraction/images/raster.ts";

/**
 * `shortest` is a share of the page's shorter side; `gap` and `thickest` are in pixels; `most` is the maximum number of
 * rulings.
 */
const shortest = 0.04;
const gap = 2;
const thickest = 7;
const most = 2000;

/** Finds horizontal and vertical lines, as thin boxes in pixels. */
export function rulingsIn(page: Raster, ink: Uint8Array): Box[] {
  const long = Math.round(Math.min(page.width, page.height) * shortest);
  const level = linesIn(ink, page.width, page.height, page.width, 1, long);
  const upright = linesIn(ink, page.height, page.width, 1, page.width, long);
  return [...level, ...upright.map(({ x0, y0, x1, y1 }) => ({ x0: y0, y0: x0, x1: y1, y1: x1 }))].slice(0, most);
}

interface Run {
  from: number;
  to: number;
  first: number;
  last: number;
}

/**
 * Runs of ink in adjacent rows are joined. If they are too thick together, they are an area, not a line. For vertical
 * lines, the caller exchanges rows and columns.
 */
function linesIn(ink: Uint8Array, length: number, rows: number, down: number, along: number, long: number): Box[] {
  const found: Box[] = [];
  let open: Run[] = [];
  for (let row = 0; row < rows; row++) {
    const runs = runsIn(ink, row * down, along, length, long);
    const next: Run[] = [];
    for (const { from, to } of runs) {
      const known = open.find((run) => run.from < to && run.to > from);
      if (!known) {
        next.push({ from, to, first: row, last: row });
        continue;
      }
      known.from = Math.min(known.from, from);
      known.to = Math.max(known.to, to);
      known.last = row;
      if (!next.includes(known)) next.push(known);
    }
    for (const run of open) if (!next.includes(run) && run.last - run.first < thickest) found.push(boxOf(run));
    open = next;
  }
  return [...found, ...open.filter((run) => run.last - run.first < thickest).map(boxOf)];
}

const boxOf = ({ from, to, first, last }: Run): Box => ({ x0: from, x1: to, y0: first, y1: last + 1 });

function runsIn(ink: Uint8Array, start: number, along: number, length: number, long: number) {
  const runs: { from: number; to: number }[] = [];
  let from = -1;
  let last = -1;
  for (let at = 0; at <= length; at++) {
    if (at < length && ink[start + at * along] === 1) {
      if (from < 0) from = at;
      last = at;
    } else if (from >= 0 && (at - last > gap || at === length)) {
      if (last - from >= long) runs.push({ from, to: last + 1 });
      from = -1;
    }
  }
  return runs;
}
