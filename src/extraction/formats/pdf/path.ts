import type { Box } from "../../document/document.ts";
import type { Point } from "./matrix.ts";

/** How many numbers follow each drawing operator of a path: move, line, curve, quadratic curve, close. */
const pathArguments = [2, 2, 6, 4, 0];

/** The straight pieces of a path. */
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

/** The box around each closed or open piece of a path. */
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
