import { type Raster, toGraymap } from "../../images/raster.ts";
import { damaged, defaultPixelLimits } from "../../images/limits.ts";
import { ExtractionProblem, type Budget } from "../../problem.ts";
import type { PlacedImage } from "../reader.ts";
import { toGrey, type GreyStore } from "./grey-store.ts";
import { apply, multiply, type Matrix } from "./geometry.ts";
import type { PaintedPicture } from "./painter.ts";
import { imageFileOf, decodeStream } from "./decode-stream.ts";
import type { ImageStream, ImageStreams } from "./image-streams.ts";

export interface ScannedPage {
  pictures: readonly PaintedPicture[];
  streams: ImageStreams;
  stores: GreyStore[];
  width: number;
  height: number;
}

/**
 * A picture is the scan of the page if it has at least this fraction of the area of all pictures. The other pictures
 * are stamps on it.
 */
const nearlyAll = 0.8;
const maxPictures = 500;

/**
 * Returns the picture of a page. It is the file of the page's single scan, or, if there is no such scan, all its
 * pictures painted on white.
 * @throws ExtractionProblem if a picture is damaged or too large, or if no picture can be decoded
 */
export async function scanOf(page: ScannedPage, budget: Budget): Promise<PlacedImage> {
  const all = page.pictures.reduce((sum, picture) => sum + areaOf(picture), 0);
  const [largest] = page.pictures.toSorted((a, b) => areaOf(b) - areaOf(a));
  if (!largest) throw damaged();
  const turn = turnOf(largest.matrix);
  const alone = areaOf(largest) >= nearlyAll * all && turn !== undefined ? await fileOf(page, largest) : undefined;
  if (alone && turn !== undefined) return { image: { bytes: alone, page: 0 }, frame: largest, turn };
  const { width, height } = page;
  const raster = await composed(page, budget);
  return { image: { bytes: toGraymap(raster), page: 0 }, frame: { x0: 0, y0: 0, x1: width, y1: height }, turn: 0 };
}

async function fileOf(page: ScannedPage, picture: PaintedPicture): Promise<Uint8Array | undefined> {
  const stream = page.streams.of(picture.width, picture.height);
  if (stream) return isMask(stream) ? undefined : imageFileOf(stream);
  const source = await sourceOf(page, picture);
  return source && toGraymap(source.raster);
}

const areaOf = ({ x0, y0, x1, y1 }: PaintedPicture): number => (x1 - x0) * (y1 - y0);
const isMask = ({ dictionary }: ImageStream): boolean => /\/ImageMask\s+true/.test(dictionary);

/** A picture counts as upright if the sine of its skew angle is at most this. */
const maxSlant = 0.02;

/** Determines the rotation of a picture, in clockwise quarter turns. Returns undefined if it is mirrored or skewed. */
function turnOf([a, b, c, d]: Matrix): number | undefined {
  const slant = Math.min(Math.abs(a) + Math.abs(d), Math.abs(b) + Math.abs(c));
  const mirrored = a * d - b * c > 0;
  if (mirrored || slant > maxSlant * Math.max(Math.abs(a), Math.abs(b))) return undefined;
  if (Math.abs(a) > Math.abs(b)) return a > 0 ? 0 : 2;
  return b > 0 ? 1 : 3;
}

async function composed(page: ScannedPage, budget: Budget): Promise<Raster> {
  const { width, height } = page;
  const pictures = page.pictures.slice(0, maxPictures);
  const finest = Math.max(...pictures.map((picture) => sourceWidth(page, picture) / sideOf(picture.matrix)), 1);
  const scale = Math.min(finest, Math.sqrt(defaultPixelLimits.kept / (width * height)));
  const [across, down] = [Math.max(1, Math.floor(width * scale)), Math.max(1, Math.floor(height * scale))];
  if (across * down > 2 * defaultPixelLimits.kept) throw damaged();
  const canvas = { width: across, height: down, gray: new Uint8Array(across * down).fill(255) };
  let isPainted = false;
  for (const picture of pictures) {
    await budget.pause();
    const source = await sourceOf(page, picture);
    if (source) paint(canvas, source.raster, multiply([scale, 0, 0, scale, 0, 0], picture.matrix), source.isMask);
    isPainted ||= source !== undefined;
  }
  if (!isPainted) throw damaged();
  return canvas;
}

const sideOf = ([a, b]: Matrix): number => Math.hypot(a, b) || 1;

const sourceWidth = ({ streams }: ScannedPage, { width, height }: PaintedPicture): number =>
  streams.of(width, height)?.width ?? width;

async function sourceOf(
  { streams, stores }: ScannedPage,
  { id, width, height, inline, isMask: masks = false }: PaintedPicture,
): Promise<{ raster: Raster; isMask: boolean } | undefined> {
  const stream = streams.of(width, height);
  if (stream) {
    const raster = await decodeStream(stream).catch(nothingOfDamaged);
    return raster && { raster, isMask: isMask(stream) };
  }
  const store = stores.find((each) => id !== undefined && each.has(id)) ?? stores[0];
  const raster = inline ? toGrey(inline) : id === undefined ? undefined : await store?.get(id);
  return raster && { raster, isMask: masks };
}

function nothingOfDamaged(cause: unknown): undefined {
  if (!(cause instanceof ExtractionProblem)) throw cause;
}

/** Maximum number of source pixels, along one side, over which a mean is computed. */
const farthest = 64;

/**
 * Each covered pixel of the canvas gets the mean of the source pixels that it replaces. A mask can only darken pixels.
 */
function paint(canvas: Raster, source: Raster, matrix: Matrix, mask: boolean): void {
  const corners = [apply(matrix, 0, 0), apply(matrix, 1, 0), apply(matrix, 0, 1), apply(matrix, 1, 1)];
  const [a, b, c, d, e, f] = matrix;
  const area = a * d - b * c;
  if (area === 0) return;
  const edge = (values: number[], most: number) => ({
    from: Math.max(0, Math.floor(Math.min(...values))),
    to: Math.min(most, Math.ceil(Math.max(...values))),
  });
  const [columns, rows] = [
    edge(
      corners.map(({ x }) => x),
      canvas.width,
    ),
    edge(
      corners.map(({ y }) => y),
      canvas.height,
    ),
  ];
  const reach = Math.min(farthest, Math.max(1, Math.round(Math.sqrt((source.width * source.height) / Math.abs(area)))));
  for (let y = rows.from; y < rows.to; y++) {
    for (let x = columns.from; x < columns.to; x++) {
      const [right, down] = [x + 0.5 - e, y + 0.5 - f];
      const along = (d * right - c * down) / area;
      const up = (a * down - b * right) / area;
      if (along < 0 || along >= 1 || up < 0 || up >= 1) continue;
      const value = meanAround(source, along * source.width, (1 - up) * source.height, reach);
      const at = y * canvas.width + x;
      canvas.gray[at] = mask ? Math.min(canvas.gray[at]!, value) : value;
    }
  }
}

function meanAround({ width, height, gray }: Raster, x: number, y: number, reach: number): number {
  const [left, top] = [Math.floor(x - (reach - 1) / 2), Math.floor(y - (reach - 1) / 2)];
  let sum = 0;
  let count = 0;
  for (let row = Math.max(0, top); row < Math.min(height, top + reach); row++) {
    for (let column = Math.max(0, left); column < Math.min(width, left + reach); column++) {
      sum += gray[row * width + column]!;
      count++;
    }
  }
  return count === 0 ? 255 : sum / count;
}
