import { rowsInto, type Raster } from "../images/raster.ts";

/** Scaled down to at most so many pixels, each the mean of those it covers. */
export function fitWithin(raster: Raster, mostPixels: number): Raster {
  const { width, height, gray } = raster;
  if (width * height <= mostPixels) return raster;
  const sink = rowsInto(width, height, mostPixels);
  for (let y = 0; y < height; y++) sink.add(gray.subarray(y * width, (y + 1) * width));
  return sink.raster();
}

/** Scaled up, each pixel between those it stands between. */
export function enlarge({ width: from, height: rows, gray }: Raster, factor: number): Raster {
  const [width, height] = [Math.round(from * factor), Math.round(rows * factor)];
  const out = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    const down = clamp((y + 0.5) / factor - 0.5, rows - 1);
    const [top, below] = [Math.floor(down), Math.min(rows - 1, Math.floor(down) + 1)];
    for (let x = 0; x < width; x++) {
      const along = clamp((x + 0.5) / factor - 0.5, from - 1);
      const [left, right] = [Math.floor(along), Math.min(from - 1, Math.floor(along) + 1)];
      const upper = mixed(gray[top * from + left]!, gray[top * from + right]!, along - left);
      const lower = mixed(gray[below * from + left]!, gray[below * from + right]!, along - left);
      out[y * width + x] = mixed(upper, lower, down - top);
    }
  }
  return { width, height, gray: out };
}

const clamp = (value: number, most: number) => Math.max(0, Math.min(most, value));
const mixed = (one: number, other: number, share: number) => one + (other - one) * share;
