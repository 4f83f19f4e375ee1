import type { Canvas, Ink } from "./canvas.ts";

const PADDING = 3;

export interface TableInk {
  ruled: boolean;
  headFill?: string;
}

/**
 * Draws a table across the page, or from `x`. The weights divide the width among the columns. Rows never break across
 * pages.
 */
export function table(
  canvas: Canvas,
  rows: string[][],
  weights: number[],
  { ruled, headFill }: TableInk,
  x = canvas.left,
  width = canvas.width,
): void {
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  const widths = weights.map((weight) => (weight / whole) * width);
  rows.forEach((row, at) => {
    const ink: Ink = { bold: at === 0 && headFill !== undefined };
    const height =
      Math.max(...row.map((cell, column) => canvas.height(cell, widths[column]! - 2 * PADDING, ink))) + 2 * PADDING;
    canvas.need(height);
    if (ink.bold) canvas.fill(x, canvas.y, width, height, headFill!);
    let cellX = x;
    row.forEach((cell, column) => {
      canvas.at(cell, cellX + PADDING, canvas.y + PADDING, widths[column]! - 2 * PADDING, ink);
      if (ruled) canvas.frame(cellX, canvas.y, widths[column]!, height);
      cellX += widths[column]!;
    });
    canvas.y += height;
  });
}
