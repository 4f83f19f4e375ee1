import { median } from "../document/geometry.ts";
import type { Component } from "./connected-components.ts";

const maxSkew = 15;
/** Step widths, in degrees, of the search for the skew. Each search starts from the best angle of the previous one. */
const steps = [1, 0.25, 0.1];
/** Text counts as sideways if vertical lines are clearer than horizontal lines by this factor. */
const sideways = 1.5;
/**
 * Minimum surplus of descenders over ascenders in upside-down text, in standard deviations. A smaller surplus may be
 * chance.
 */
const clear = 3.5;
/**
 * Limits for letters that reach above or below their line ("l", "p"), relative to the median letter height: height of
 * the letter, distance that it reaches beyond the line, and tolerance at its other end.
 */
const extender = { height: 1.15, reach: 0.2, tolerance: 0.15 };
const minLettersInRow = 6;

/**
 * Measures the skew of the text lines in degrees, clockwise. `clearness` tells how clearly the letters form lines. With
 * `upright`, vertical lines are measured.
 */
export function measureSkew(
  letters: readonly Component[],
  { upright = false } = {},
): { degrees: number; clearness: number } {
  const points = letters
    .slice(0, 4000)
    .map(({ x0, y0, x1, y1 }) => (upright ? [(y0 + y1) / 2, x1] : [(x0 + x1) / 2, y1]));
  let best = { degrees: 0, clearness: scoreAt(points, 0) };
  for (const step of steps) {
    const middle = best.degrees;
    const reach = step === steps[0] ? maxSkew : step * 4;
    for (let degrees = middle - reach; degrees <= middle + reach; degrees += step) {
      const clearness = scoreAt(points, degrees);
      if (clearness > best.clearness) best = { degrees, clearness };
    }
  }
  return { degrees: Math.round((upright ? -best.degrees : best.degrees) * 10) / 10, clearness: best.clearness };
}

/**
 * Measures how strongly the lower ends of the letters gather on few lines if the page is rotated back by this angle.
 */
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
 * Detects the clockwise rotation, in degrees, that turns the text upright. Sideways text has vertical lines. In
 * upside-down text, clearly more letters reach below their line than above it.
 */
export function detectRotation(letters: readonly Component[], height: number): 0 | 90 | 180 | 270 {
  const level = measureSkew(letters);
  const upright = measureSkew(letters, { upright: true });
  if (upright.clearness > level.clearness * sideways)
    return reachOf(letters, height, -upright.degrees, true) < 0 ? 270 : 90;
  return reachOf(letters, height, level.degrees, false) < -clear ? 180 : 0;
}

/**
 * Measures by how much the letters that reach above their line outnumber those that reach below it, in standard
 * deviations.
 */
function reachOf(letters: readonly Component[], height: number, degrees: number, lying: boolean): number {
  const slope = Math.tan((degrees * Math.PI) / 180);
  const standing = letters.map(({ x0, y0, x1, y1 }) =>
    lying ? { from: x0 - slope * y0, to: x1 - slope * y0 } : { from: y0 - slope * x0, to: y1 - slope * x0 },
  );
  const rows = Map.groupBy(standing, ({ from, to }) => Math.round((from + to) / 2 / Math.max(1, height)));
  let [up, down] = [0, 0];
  for (const row of rows.values()) {
    if (row.length < minLettersInRow) continue;
    const [top, foot] = [median(row.map(({ from }) => from)), median(row.map(({ to }) => to))];
    const usual = foot - top;
    for (const { from, to } of row) {
      if (to - from < usual * extender.height) continue;
      if (top - from > usual * extender.reach && Math.abs(to - foot) < usual * extender.tolerance) up++;
      if (to - foot > usual * extender.reach && Math.abs(from - top) < usual * extender.tolerance) down++;
    }
  }
  return up + down === 0 ? 0 : (up - down) / Math.sqrt(up + down);
}
