import { toGraymap } from "../../ocr/graymap.ts";
import { greyOf } from "../../pixels/jpeg.ts";
import { defaultPixelLimits } from "../../pixels/limits.ts";
import type { Raster } from "../../pixels/raster.ts";
import { ReadingProblem, type Budget } from "../../problem.ts";
import type { Framed } from "../reader.ts";
import { apply, multiply, type Matrix } from "./matrix.ts";
import type { PaintedPicture } from "./painter.ts";
import { pictureOf, rasterOf } from "./stream-pictures.ts";
import type { PictureStream, Streams } from "./streams.ts";

/** A picture that pdf.js has unpacked. */
interface Unpacked {
  width: number;
  height: number;
  /** 1 for bits, of which ones are white, 2 for red, green and blue, 3 for these and how solid they are. */
  kind?: number;
  data?: Uint8Array | Uint8ClampedArray;
}

/** Where pdf.js keeps pictures by their names. */
interface Store {
  has(id: string): boolean;
  get(id: string, ready: (picture: unknown) => void): unknown;
}

export interface ScannedPage {
  pictures: readonly PaintedPicture[];
  streams: Streams;
  stores: Store[];
  width: number;
  height: number;
}

/** A picture that covers this much of what pictures cover is the scan; others are stamped on it. */
const nearlyAll = 0.8;
const mostPictures = 500;
const patienceMilliseconds = 5000;

/** The picture of a page: the file of its one scan where it has one, else all its pictures painted on white paper. */
export async function scanOf(page: ScannedPage, budget: Budget): Promise<Framed | undefined> {
  const areas = page.pictures.map(areaOf);
  const all = areas.reduce((sum, area) => sum + area, 0);
  const largest = page.pictures[areas.indexOf(Math.max(...areas))];
  if (!largest) return undefined;
  const turn = turnOf(largest.matrix);
  const alone = areaOf(largest) >= nearlyAll * all && turn !== undefined ? await fileOf(page, largest) : undefined;
  if (alone && turn !== undefined) return { picture: { bytes: alone, page: 0 }, frame: largest, turn };
  const { width, height } = page;
  const raster = await composed(page, budget);
  return { picture: { bytes: toGraymap(raster), page: 0 }, frame: { x0: 0, y0: 0, x1: width, y1: height }, turn: 0 };
}

/** The one picture of a page as a file; undefined for one that only darkens what is beneath. */
async function fileOf(page: ScannedPage, picture: PaintedPicture): Promise<Uint8Array | undefined> {
  const stream = page.streams.of(picture.width, picture.height);
  if (stream) return isMask(stream) ? undefined : pictureOf(stream);
  const source = await sourceOf(page, picture);
  return source && toGraymap(source.raster);
}

const areaOf = ({ x0, y0, x1, y1 }: PaintedPicture): number => (x1 - x0) * (y1 - y0);
const isMask = ({ dictionary }: PictureStream): boolean => /\/ImageMask\s+true/.test(dictionary);

/** Quarter turns clockwise a picture is painted with; undefined for one that is mirrored or askew. */
function turnOf([a, b, c, d]: Matrix): number | undefined {
  const slant = Math.min(Math.abs(a) + Math.abs(d), Math.abs(b) + Math.abs(c));
  const mirrored = a * d - b * c > 0;
  if (mirrored || slant > 0.02 * Math.max(Math.abs(a), Math.abs(b))) return undefined;
  if (Math.abs(a) > Math.abs(b)) return a > 0 ? 0 : 2;
  return b > 0 ? 1 : 3;
}

async function composed(page: ScannedPage, budget: Budget): Promise<Raster> {
  const { pictures, width, height } = page;
  const finest = Math.max(...pictures.map((picture) => sourceWidth(page, picture) / sideOf(picture.matrix)), 1);
  const scale = Math.min(finest, Math.sqrt(defaultPixelLimits.kept / (width * height)));
  const [across, down] = [Math.max(1, Math.floor(width * scale)), Math.max(1, Math.floor(height * scale))];
  const canvas = { width: across, height: down, gray: new Uint8Array(across * down).fill(255) };
  for (const picture of pictures.slice(0, mostPictures)) {
    await budget.pause();
    const source = await sourceOf(page, picture);
    if (source) paint(canvas, source.raster, multiply([scale, 0, 0, scale, 0, 0], picture.matrix), source.mask);
  }
  return canvas;
}

const sideOf = ([a, b]: Matrix): number => Math.hypot(a, b) || 1;

const sourceWidth = ({ streams }: ScannedPage, { width, height }: PaintedPicture): number =>
  streams.of(width, height)?.width ?? width;

async function sourceOf(
  { streams, stores }: ScannedPage,
  { id, width, height }: PaintedPicture,
): Promise<{ raster: Raster; mask: boolean } | undefined> {
  const stream = streams.of(width, height);
  try {
    if (stream) return { raster: await rasterOf(stream), mask: isMask(stream) };
  } catch (cause) {
    if (!(cause instanceof ReadingProblem)) throw cause;
    return undefined;
  }
  const unpacked = id === undefined ? undefined : await kept(stores, id);
  return unpacked?.data ? { raster: greyPicture(unpacked, unpacked.data), mask: false } : undefined;
}

async function kept(stores: Store[], id: string): Promise<Unpacked | undefined> {
  const store = stores.find((each) => each.has(id)) ?? stores[0];
  const picture = await new Promise<unknown>((resolve) => {
    setTimeout(() => resolve(undefined), patienceMilliseconds);
    store?.get(id, resolve);
  });
  return typeof picture === "object" && picture !== null && "data" in picture ? (picture as Unpacked) : undefined;
}

function greyPicture({ width, height, kind }: Unpacked, data: Uint8Array | Uint8ClampedArray): Raster {
  if (kind !== 1) return greyOf(data, width, height, kind === 2 ? 3 : 4, defaultPixelLimits.kept);
  const rowBytes = Math.ceil(width / 8);
  const gray = new Uint8Array(width * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      gray[y * width + x] = (data[y * rowBytes + (x >> 3)]! >> (7 - (x & 7))) & 1 ? 255 : 0;
  return { width, height, gray };
}

/** Paints a picture: every pixel of the canvas it covers gets the mean of those it takes the place of; a mask only darkens. */
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
  const reach = Math.max(1, Math.round(Math.sqrt((source.width * source.height) / Math.abs(area))));
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
