import { toGreyRaster } from "../../images/jpeg.ts";
import { defaultPixelLimits } from "../../images/limits.ts";
import { rowsInto, type Raster } from "../../images/raster.ts";

/** A picture that pdf.js has decoded. */
export interface Unpacked {
  width: number;
  height: number;
  /** 2 for RGB, 3 for RGBA. Otherwise the picture has one bit per pixel, which is 1 for white. */
  kind?: number;
  data: Uint8Array | Uint8ClampedArray;
}

/** The object store of pdf.js. Objects are identified by name. */
export interface PdfStore {
  has(id: string): boolean;
  get(id: string, ready: (made: unknown) => void): unknown;
  resolve(id: string, made?: unknown): void;
}

/** The pictures of a page, or the pictures shared by several pages. */
export interface GreyStore {
  has(id: string): boolean;
  /** Waits for a picture for a limited time. Returns undefined if it could not be decoded, or if the store is full. */
  get(id: string): Promise<Raster | undefined>;
}

/** Maximum number of pixels of all pictures in a store. Further pictures are dropped. */
const maxPixels = 40_000_000;
const patienceMilliseconds = 5000;

const stores = new WeakMap<PdfStore, GreyStore>();

/**
 * Converts pictures to greyscale and scales them down when pdf.js stores them. Otherwise, pdf.js would keep all
 * pictures of a page at full size.
 */
export function storeInGrey(store: PdfStore): GreyStore {
  const before = stores.get(store);
  if (before) return before;
  const resolve = store.resolve.bind(store);
  let pixels = 0;
  store.resolve = (id, made) => {
    if (!isUnpacked(made)) return resolve(id, made);
    const picture = pixels < maxPixels ? toGrey(made) : undefined;
    pixels += picture?.gray.length ?? 0;
    return resolve(id, picture);
  };
  const grey = { has: (id: string) => store.has(id), get: (id: string) => waited(store, id) };
  stores.set(store, grey);
  return grey;
}

async function waited(store: PdfStore, id: string): Promise<Raster | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const picture = await new Promise<unknown>((resolve) => {
    timer = setTimeout(() => resolve(undefined), patienceMilliseconds);
    store.get(id, resolve);
  });
  clearTimeout(timer);
  return typeof picture === "object" && picture !== null && "gray" in picture ? (picture as Raster) : undefined;
}

function isUnpacked(made: unknown): made is Unpacked {
  const { width, height, data } = (made ?? {}) as Partial<Unpacked>;
  const isBytes = data instanceof Uint8Array || data instanceof Uint8ClampedArray;
  return isBytes && typeof width === "number" && typeof height === "number" && width * height > 0;
}

export function toGrey({ width, height, kind, data }: Unpacked): Raster {
  const { kept } = defaultPixelLimits;
  if (kind === 2 || kind === 3) return toGreyRaster(data, width, height, kind === 2 ? 3 : 4, kept);
  const sink = rowsInto(width, height, kept);
  const row = new Uint8Array(width);
  const rowBytes = Math.ceil(width / 8);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) row[x] = (data[y * rowBytes + (x >> 3)]! >> (7 - (x & 7))) & 1 ? 255 : 0;
    sink.add(row);
  }
  return sink.raster();
}
