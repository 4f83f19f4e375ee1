import type { Box } from "../../document/document.ts";

/** An affine transformation in PDF notation: x' = ax + cy + e, y' = bx + dy + f. */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

export interface Point {
  x: number;
  y: number;
}

export const identity: Matrix = [1, 0, 0, 1, 0, 0];

/** Combines two transformations: `inner` is applied first, then `outer`. */
export function multiply(outer: Matrix, inner: Matrix): Matrix {
  const [a, b, c, d, e, f] = outer;
  return [
    a * inner[0] + c * inner[1],
    b * inner[0] + d * inner[1],
    a * inner[2] + c * inner[3],
    b * inner[2] + d * inner[3],
    a * inner[4] + c * inner[5] + e,
    b * inner[4] + d * inner[5] + f,
  ];
}

export function apply(matrix: Matrix, x: number, y: number): Point {
  return { x: matrix[0] * x + matrix[2] * y + matrix[4], y: matrix[1] * x + matrix[3] * y + matrix[5] };
}

/** Returns the smallest box that contains all points. */
export function boxAround(points: Point[]): Box {
  const box: Box = { x0: Infinity, y0: Infinity, x1: -Infinity, y1: -Infinity };
  for (const { x, y } of points) {
    box.x0 = Math.min(box.x0, x);
    box.y0 = Math.min(box.y0, y);
    box.x1 = Math.max(box.x1, x);
    box.y1 = Math.max(box.y1, y);
  }
  return box;
}

export function transformBox(matrix: Matrix, box: Box): Box {
  return boxAround([
    apply(matrix, box.x0, box.y0),
    apply(matrix, box.x1, box.y0),
    apply(matrix, box.x1, box.y1),
    apply(matrix, box.x0, box.y1),
  ]);
}

/** Number of coordinates of each path operator: move, line, curve, quadratic curve and close. */
const pathArguments = [2, 2, 6, 4, 0];

/** Yields the straight segments of a path. */
export function* segments(points: ArrayLike<number>): Generator<[from: Point, to: Point]> {
  let first: Point = { x: 0, y: 0 };
  let at = first;
  for (let index = 0; index < points.length;) {
    const op = points[index] ?? 4;
    const count = pathArguments[op] ?? 0;
    const to = count > 0 ? { x: points[index + count - 1] ?? 0, y: points[index + count] ?? 0 } : first;
    if (op === 0) first = to;
    if (op === 1 || op === 4) yield [at, to];
    at = to;
    index += count + 1;
  }
}

/** Returns the smallest box around each subpath. */
export function subpathBoxes(points: ArrayLike<number>): Box[] {
  const boxes: Box[] = [];
  let box: Box | undefined;
  for (let index = 0; index < points.length;) {
    const op = points[index] ?? 4;
    const count = pathArguments[op] ?? 0;
    if (op === 0) boxes.push((box = { x0: Infinity, y0: Infinity, x1: -Infinity, y1: -Infinity }));
    for (let at = index + 1; box && at < index + count; at += 2) {
      box.x0 = Math.min(box.x0, points[at] ?? 0);
      box.x1 = Math.max(box.x1, points[at] ?? 0);
      box.y0 = Math.min(box.y0, points[at + 1] ?? 0);
      box.y1 = Math.max(box.y1, points[at + 1] ?? 0);
    }
    index += count + 1;
  }
  return boxes.filter((one) => one.x1 >= one.x0);
}

/** Groups consecutive coordinates into (x, y) pairs. */
export function* pairs(places: ArrayLike<number>): Generator<[number, number]> {
  for (let at = 0; at + 1 < places.length; at += 2) yield [places[at] ?? 0, places[at + 1] ?? 0];
}

/** Creates a matrix from six numbers. Missing numbers are those of the identity matrix. */
export function asMatrix(values: ArrayLike<number>): Matrix {
  return [values[0] ?? 1, values[1] ?? 0, values[2] ?? 0, values[3] ?? 1, values[4] ?? 0, values[5] ?? 0];
}
