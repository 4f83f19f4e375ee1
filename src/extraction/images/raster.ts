/** A greyscale picture: one byte per pixel, row by row from the top left corner; 0 is black. */
export interface Raster {
  width: number;
  height: number;
  gray: Uint8Array;
  /** Size of the picture in the file, in the orientation of this raster. Absent if the picture was not scaled down. */
  stored?: { width: number; height: number };
}

/** Receives the rows of a picture from top to bottom, and scales them down to the target size. */
export interface RowSink {
  /** Adds one row of grey pixels. Rows beyond the height are dropped. */
  add(row: Uint8Array): void;
  /** Returns the picture received so far. Missing rows are white. */
  raster(): Raster;
}

/** Creates a sink for a picture of this size, scaled down to at most `kept` pixels. */
export function rowsInto(width: number, height: number, kept: number): RowSink {
  const scale = Math.min(1, Math.sqrt(kept / (width * height)));
  return scale === 1 ? plainSink(width, height) : averagingSink(width, height, scale);
}

function plainSink(width: number, height: number): RowSink {
  const gray = new Uint8Array(width * height).fill(255);
  let taken = 0;
  return {
    add(row) {
      if (taken < height) gray.set(row, taken++ * width);
    },
    raster: () => ({ width, height, gray }),
  };
}

/**
 * Each pixel of the result is the mean of the original pixels that it covers, weighted by the share of each that it
 * covers.
 */
function averagingSink(width: number, height: number, scale: number): RowSink {
  const small = { width: Math.max(1, Math.floor(width * scale)), height: Math.max(1, Math.floor(height * scale)) };
  const gray = new Uint8Array(small.width * small.height).fill(255);
  const across = sharesOf(width, small.width);
  const down = sharesOf(height, small.height);
  const area = (width / small.width) * (height / small.height);
  const line = new Float32Array(small.width + 1);
  const sums = new Float32Array(small.width);
  let taken = 0;
  return {
    add(row) {
      if (taken >= height) return;
      line.fill(0);
      for (let x = 0; x < width; x++) {
        const at = across.at[x]!;
        const value = row[x]!;
        const share = across.share[x]!;
        line[at] = line[at]! + value * share;
        line[at + 1] = line[at + 1]! + value * (1 - share);
      }
      const [at, share] = [down.at[taken]!, down.share[taken]!];
      for (let x = 0; x < small.width; x++) sums[x] = sums[x]! + line[x]! * share;
      taken++;
      if (taken < height && down.at[taken] === at && share === 1) return;
      for (let x = 0; x < small.width; x++) gray[at * small.width + x] = Math.round(sums[x]! / area);
      for (let x = 0; x < small.width; x++) sums[x] = line[x]! * (1 - share);
    },
    raster: () => ({ ...small, gray, stored: { width, height } }),
  };
}

/**
 * For each pixel of the long row, computes the pixel of the short row into which it falls, and the share of it that
 * falls there. The rest falls into the next pixel.
 */
function sharesOf(long: number, short: number): { at: Int32Array; share: Float32Array } {
  const at = new Int32Array(long);
  const share = new Float32Array(long).fill(1);
  const width = long / short;
  for (let index = 0; index < long; index++) {
    const pixel = Math.min(short - 1, Math.floor(index / width));
    const end = (pixel + 1) * width;
    at[index] = pixel;
    if (pixel < short - 1 && end < index + 1) share[index] = end - index;
  }
  return { at, share };
}

/** Applies an EXIF orientation (1 to 8). */
export function applyOrientation(raster: Raster, orientation: number): Raster {
  if (orientation < 2 || orientation > 8) return raster;
  const { width, height, gray, stored } = raster;
  const isSideways = orientation >= 5;
  const turned = new Uint8Array(gray.length);
  const [outWidth, outHeight] = isSideways ? [height, width] : [width, height];
  const step = stepOf(orientation, width, height);
  for (let y = 0, to = 0; y < outHeight; y++)
    for (let x = 0, from = step.start + y * step.down; x < outWidth; x++, from += step.right)
      turned[to++] = gray[from]!;
  const before = stored && isSideways ? { width: stored.height, height: stored.width } : stored;
  return { width: outWidth, height: outHeight, gray: turned, ...(before && { stored: before }) };
}

/**
 * Returns where the pixels of the output are in the stored picture. `start`: index of the first pixel. `right`, `down`:
 * by how much the index changes when the output continues with the next pixel to the right, or with the one below.
 */
function stepOf(orientation: number, width: number, height: number): { start: number; right: number; down: number } {
  const [right, bottom] = [width - 1, (height - 1) * width];
  switch (orientation) {
    case 2:
      return { start: right, right: -1, down: width };
    case 3:
      return { start: right + bottom, right: -1, down: -width };
    case 4:
      return { start: bottom, right: 1, down: -width };
    case 5:
      return { start: 0, right: width, down: 1 };
    case 6:
      return { start: bottom, right: -width, down: 1 };
    case 7:
      return { start: right + bottom, right: -width, down: -1 };
    default:
      return { start: right, right: width, down: -1 };
  }
}

/** Encodes a raster as a PGM file. */
export function toGraymap({ width, height, gray }: Raster): Uint8Array {
  const head = new TextEncoder().encode(`P5\n${width} ${height}\n255\n`);
  const out = new Uint8Array(head.length + gray.length);
  out.set(head);
  out.set(gray, head.length);
  return out;
}

/** Decodes a PGM file that {@link toGraymap} encoded. Returns undefined for anything else. */
export function fromGraymap(bytes: Uint8Array): Raster | undefined {
  const head = /^P5\n(\d{1,5}) (\d{1,5})\n255\n/.exec(new TextDecoder("latin1").decode(bytes.subarray(0, 32)));
  if (!head) return undefined;
  const [width, height] = [Number(head[1]), Number(head[2])];
  const gray = bytes.subarray(head[0].length, head[0].length + width * height);
  return gray.length === width * height && gray.length > 0 ? { width, height, gray } : undefined;
}
