import { dotOf } from "./letters.ts";

/** A grey picture, in which 0 is black. */
export interface Drawing {
  width: number;
  height: number;
  gray: Uint8Array;
}

export const sheet = (width: number, height: number, paper = 250): Drawing => ({
  width,
  height,
  gray: new Uint8Array(width * height).fill(paper),
});

/** Writes lines of capitals from the top left corner. `dot` is the size of a letter's dot in pixels. */
export function write(
  { width, height, gray }: Drawing,
  lines: readonly string[],
  dot = 3,
  [left, top] = [60, 60],
): void {
  for (const [row, line] of lines.entries())
    for (const [column, letter] of [...line].entries())
      for (let y = 0; y < 7 * dot; y++)
        for (let x = 0; x < 5 * dot; x++) {
          const [atX, atY] = [left + column * 6 * dot + x, top + row * 12 * dot + y];
          if (atX < width && atY < height && dotOf(letter, Math.floor(x / dot), Math.floor(y / dot)))
            gray[atY * width + atX] = 20;
        }
}

/** Draws a page with lines of a transport document. */
export function page(lines: readonly string[] = paragraph(30), dot = 3): Drawing {
  const drawing = sheet(1240, 1754);
  write(drawing, lines, dot);
  return drawing;
}

export const paragraph = (
  count: number,
  seed = "TRANSPORT ORDER 4711 LOADING LEIPZIG MONDAY 08:00 PALLETS",
): string[] => Array.from({ length: count }, (_, index) => `${seed.slice(index % 17)} ${index}`);

/** Paints dots of ink at these points, as a pen or a stamp does. */
function stroke({ width, gray }: Drawing, points: readonly (readonly [number, number])[], thick = 3): void {
  for (const [x, y] of points)
    for (let dy = 0; dy < thick; dy++)
      for (let dx = 0; dx < thick; dx++) gray[(Math.round(y) + dy) * width + Math.round(x) + dx] = 30;
}

const steps = (count: number) => Array.from({ length: count }, (_, index) => index / count);

/** Draws a signature in one stroke. */
export const sign = (drawing: Drawing, left: number, top: number): void =>
  stroke(
    drawing,
    steps(4000).map((part) => [
      left + part * 260 + Math.sin(part * 60) * 18,
      top + 30 + Math.sin(part * 37) * 26 + Math.cos(part * 11) * 18,
    ]),
  );

/** Draws a round stamp with text in it. */
export function stamp(drawing: Drawing, left: number, top: number): void {
  stroke(
    drawing,
    steps(4000).map((part) => [
      left + 110 + Math.cos(part * Math.PI * 2) * 108,
      top + 110 + Math.sin(part * Math.PI * 2) * 108,
    ]),
    4,
  );
  write(
    drawing,
    ["RECEIVED", " IN ROW ", "WAREHOUSE"].map((line) => line.slice(0, 9)),
    2,
    [left + 55, top + 75],
  );
}

/** Replaces each pixel with the mean of itself and its neighbours, `times` times. */
export function blur({ width, height, gray }: Drawing, times: number): Drawing {
  let from = gray;
  for (let round = 0; round < times; round++) {
    const to = from.slice();
    for (let y = 1; y < height - 1; y++)
      for (let x = 1; x < width - 1; x++) {
        let sum = 0;
        for (let dy = -1; dy <= 1; dy++) for (let dx = -1; dx <= 1; dx++) sum += from[(y + dy) * width + x + dx]!;
        to[y * width + x] = sum / 9;
      }
    from = to;
  }
  return { width, height, gray: from };
}

export const darken = ({ gray, ...size }: Drawing, to: number): Drawing => ({
  ...size,
  gray: gray.map((value) => value * to),
});

/** Rotates a drawing clockwise about its centre. */
export function rotate({ width, height, gray }: Drawing, degrees: number): Drawing {
  const angle = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const to = new Uint8Array(gray.length).fill(250);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [dx, dy] = [x - width / 2, y - height / 2];
      const [fromX, fromY] = [
        Math.round(cos * dx + sin * dy + width / 2),
        Math.round(cos * dy - sin * dx + height / 2),
      ];
      if (fromX >= 0 && fromX < width && fromY >= 0 && fromY < height) to[y * width + x] = gray[fromY * width + fromX]!;
    }
  return { width, height, gray: to };
}

/** Cuts a rectangle out of a drawing. */
export function crop({ width, gray }: Drawing, [x0, y0, x1, y1]: readonly [number, number, number, number]): Drawing {
  const part = { width: x1 - x0, height: y1 - y0, gray: new Uint8Array((x1 - x0) * (y1 - y0)) };
  for (let y = y0; y < y1; y++) part.gray.set(gray.subarray(y * width + x0, y * width + x1), (y - y0) * part.width);
  return part;
}
