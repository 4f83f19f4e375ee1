import type { Raster } from "../../src/extraction/images/raster.ts";

export interface Point {
  x: number;
  y: number;
}

/** Number of sampling lines per row of pixels, for anti-aliasing. */
const linesARow = 4;

/** Fills closed outlines with black, by the non-zero winding rule that fonts use. */
export function fill({ width, height, gray }: Raster, outlines: readonly Point[][]): void {
  const edges = outlines.flatMap((outline) =>
    outline
      .map((from, at) => ({ from, to: outline[(at + 1) % outline.length]! }))
      .filter(({ from, to }) => from.y !== to.y),
  );
  const ys = edges.flatMap(({ from, to }) => [from.y, to.y]);
  const [top, foot] = [Math.max(0, Math.floor(Math.min(...ys))), Math.min(height - 1, Math.ceil(Math.max(...ys)))];
  const cover = new Float32Array(width);
  for (let row = top; row <= foot; row++) {
    cover.fill(0);
    for (let line = 0; line < linesARow; line++) addLine(edges, row + (line + 0.5) / linesARow, cover);
    for (let x = 0; x < width; x++)
      if (cover[x]! > 0) gray[row * width + x] = gray[row * width + x]! * (1 - Math.min(1, cover[x]! / linesARow));
  }
}

interface Edge {
  from: Point;
  to: Point;
}

function addLine(edges: readonly Edge[], y: number, cover: Float32Array): void {
  const crossings = edges
    .filter(({ from, to }) => y >= Math.min(from.y, to.y) && y < Math.max(from.y, to.y))
    .map(({ from, to }) => ({
      x: from.x + ((y - from.y) / (to.y - from.y)) * (to.x - from.x),
      turn: to.y > from.y ? 1 : -1,
    }))
    .toSorted((a, b) => a.x - b.x);
  let wound = 0;
  for (const [at, { x, turn }] of crossings.entries()) {
    wound += turn;
    const next = crossings[at + 1];
    if (wound !== 0 && next) addRun(cover, x, next.x);
  }
}

function addRun(cover: Float32Array, from: number, to: number): void {
  const [first, last] = [Math.max(0, Math.floor(from)), Math.min(cover.length - 1, Math.floor(to))];
  for (let x = first; x <= last; x++) cover[x]! += Math.max(0, Math.min(to, x + 1) - Math.max(from, x));
}
