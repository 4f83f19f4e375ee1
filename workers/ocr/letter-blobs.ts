import type { Box } from "../../src/extraction/document/document.ts";
import type { Raster } from "../../src/extraction/images/raster.ts";

/** Minimum and maximum height, and maximum width, in line heights. Connected letters are wide. */
const [lowest, highest, longest] = [0.3, 2.5, 12];
/** A letter fills at least this share of its box. Frames and pen strokes fill less. */
const thinnest = 0.08;

/** Finds the boxes of connected ink (also diagonally) that have the size of letters in lines of this height. */
export function findLetterBlobs(ink: Uint8Array, { width, height }: Raster, line: number): Box[] {
  const rest = Uint8Array.from(ink);
  const open = new Int32Array(rest.length);
  const letters: Box[] = [];
  for (let at = 0; at < rest.length; at++) {
    if (rest[at] === 0) continue;
    const { box, pixels } = takeBlob(at, rest, open, width, height);
    const [wide, high] = [box.x1 - box.x0, box.y1 - box.y0];
    const sized = high >= lowest * line && high <= highest * line && wide <= longest * line;
    if (sized && pixels >= thinnest * wide * high) letters.push(box);
  }
  return letters;
}

/** Also removes the blob from the ink. */
function takeBlob(start: number, ink: Uint8Array, open: Int32Array, width: number, height: number) {
  const box: Box = { x0: width, y0: height, x1: 0, y1: 0 };
  let pixels = 0;
  let count = 1;
  open[0] = start;
  ink[start] = 0;
  while (count > 0) {
    const at = open[--count]!;
    const [x, y] = [at % width, Math.floor(at / width)];
    pixels++;
    box.x0 = Math.min(box.x0, x);
    box.y0 = Math.min(box.y0, y);
    box.x1 = Math.max(box.x1, x + 1);
    box.y1 = Math.max(box.y1, y + 1);
    for (let down = Math.max(0, y - 1); down <= Math.min(height - 1, y + 1); down++)
      for (let along = Math.max(0, x - 1); along <= Math.min(width - 1, x + 1); along++) {
        const next = down * width + along;
        if (ink[next] === 0) continue;
        ink[next] = 0;
        open[count++] = next;
      }
  }
  return { box, pixels };
}

const paper = 255;
const margin = 2;

/** Returns a white page with only the content of the boxes. */
export function keepOnlyBoxes({ width, height, gray }: Raster, boxes: readonly Box[]): Raster {
  const out = new Uint8Array(gray.length).fill(paper);
  for (const { x0, y0, x1, y1 } of boxes) {
    const [left, right] = [Math.max(0, x0 - margin), Math.min(width, x1 + margin)];
    for (let y = Math.max(0, y0 - margin); y < Math.min(height, y1 + margin); y++)
      out.set(gray.subarray(y * width + left, y * width + right), y * width + left);
  }
  return { width, height, gray: out };
}
