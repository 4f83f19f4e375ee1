import type { Component } from "./connected-components.ts";

const maxSkew = 15;

/**
 * Skew of the text lines in degrees, clockwise, and how distinct the lines are (1 is chance). With `upright`, lines
 * that run down the page are measured.
 */
export function measureSkew(
  letters: readonly Component[],
  { upright = false } = {},
): { degrees: number; clearness: number } {
  const points = letters
    .slice(0, 4000)
    .map(({ x0, y0, x1, y1 }) => (upright ? [(y0 + y1) / 2, x1] : [(x0 + x1) / 2, y1]));
  let best = { degrees: 0, clearness: scoreAt(points, 0) };
  for (const step of [1, 0.25, 0.1]) {
    const middle = best.degrees;
    const reach = step === 1 ? maxSkew : step * 4;
    for (let degrees = middle - reach; degrees <= middle + reach; degrees += step) {
      const clearness = scoreAt(points, degrees);
      if (clearness > best.clearness) best = { degrees, clearness };
    }
  }
  return { degrees: Math.round((upright ? -best.degrees : best.degrees) * 10) / 10, clearness: best.clearness };
}

/** How strongly the feet of the letters gather on few lines when the page is rotated back by this angle. */
function scoreAt(points: readonly (readonly number[])[], degrees: number): number {
  const slope = Math.tan((degrees * Math.PI) / 180);
  const counts = new Map<number, number>();
  for (const [along = 0, across = 0] of points) {
    const line = Math.round((across - along * slope) / 2);
    counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  let squares = 0;
  for (const count of counts.values()) squares += count * count;
  return points.length === 0 ? 0 : squares / points.length;
}

/**
 * Clockwise rotation that brings the text upright: 0, 90, 180 or 270. Sideways text has lines running down the page;
 * upside-down text has clearly more letters reaching below the lines than above.
 */
export function detectRotation(letters: readonly Component[], height: number): 0 | 90 | 180 | 270 {
  const level = measureSkew(letters);
  const upright = measureSkew(letters, { upright: true });
  if (upright.clearness > level.clearness * 1.5) return reachOf(letters, height, -upright.degrees, true) < 0 ? 270 : 90;
  return reachOf(letters, height, level.degrees, false) < -clear ? 180 : 0;
}

/** Minimum difference, in standard deviations, that is not chance. */
const clear = 3.5;

/** How many more letters reach above their lines than below, in standard deviations. */
function reachOf(letters: readonly Component[], height: number, degrees: number, lying: boolean): number {
  const slope = Math.tan((degrees * Math.PI) / 180);
  const standing = letters.map(({ x0, y0, x1, y1 }) =>
    lying ? { from: x0 - slope * y0, to: x1 - slope * y0 } : { from: y0 - slope * x0, to: y1 - slope * x0 },
  );
  const rows = Map.groupBy(standing, ({ from, to }) => Math.round((from + to) / 2 / Math.max(1, height)));
  let [up, down] = [0, 0];
  for (const row of rows.values()) {
    if (row.length < 6) continue;
    const [top, foot] = [middleOf(row.map(({ from }) => from)), middleOf(row.map(({ to }) => to))];
    const usual = foot - top;
    for (const { from, to } of row) {
      if (to - from < usual * 1.15) continue;
      if (top - from > usual * 0.2 && Math.abs(to - foot) < usual * 0.15) up++;
      if (to - foot > usual * 0.2 && Math.abs(from - top) < usual * 0.15) down++;
    }
  }
  return up + down === 0 ? 0 : (up - down) / Math.sqrt(up + down);
}

const middleOf = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
