import { deskew } from "../../src/extraction/ocr/transform.ts";
import type { Raster } from "../../src/extraction/images/raster.ts";
import type { Chance } from "../chance.ts";

/** The defects of a scan. */
export interface Wear {
  /** Maximum skew in degrees. */
  skew: number;
  /** Typical deviation of a pixel's grey value, which ranges from 0 to 255. */
  noise: number;
  /** Reduces the image to black and white. */
  fax?: boolean;
  /** Simulates a photograph: perspective, uneven light, slight blur. */
  photo?: boolean;
}

/** Simulates the scan of a printed page: skewed, slightly blurred, darker towards one side, with grain and specks. */
export function scanned(page: Raster, chance: Chance, { skew, noise, fax = false, photo = false }: Wear): Raster {
  const askew = deskew(page, ((chance.next() * 2 - 1) * skew * Math.PI) / 180);
  const soft = photo ? shaded(blurred(blurred(slanted(askew, chance))), chance) : blurred(askew);
  const [ink, paper, shade] = [25 + chance.next() * 40, 235 + chance.next() * 18, chance.next() * 25];
  const { width, height, gray } = soft;
  for (let at = 0; at < gray.length; at++) {
    const light = ink + (gray[at]! / 255) * (paper - ink) - ((at % width) / width) * shade;
    const grain = (chance.next() + chance.next() + chance.next() - 1.5) * 1.6 * noise;
    const value = Math.max(0, Math.min(255, light + grain));
    gray[at] = fax ? (value < 150 ? 0 : 255) : value;
  }
  for (let speck = 0; speck < (width * height) / 40_000; speck++)
    gray[Math.floor(chance.next() * gray.length)] = Math.floor(chance.next() * 120);
  return soft;
}

/**
 * The maximum share by which an edge is shortened, and the minimum brightness of the darkest corner relative to the
 * original.
 */
const [shortest, darkest] = [0.05, 0.5];

/** Simulates perspective: makes one edge shorter than the opposite edge. */
function slanted({ width, height, gray }: Raster, chance: Chance): Raster {
  const out = new Uint8Array(gray.length).fill(255);
  const lean = (chance.next() * 2 - 1) * shortest;
  for (let y = 0; y < height; y++) {
    const wide = 1 + lean * (y / height - 0.5) + shortest / 2;
    for (let x = 0; x < width; x++) {
      const from = Math.round((x - width / 2) * wide + width / 2);
      if (from >= 0 && from < width) out[y * width + x] = gray[y * width + from]!;
    }
  }
  return { width, height, gray: out };
}

/** Darkens the picture towards one corner. */
function shaded({ width, height, gray }: Raster, chance: Chance): Raster {
  const [right, low, dark] = [chance.happens(0.5), chance.happens(0.5), darkest + chance.next() * (1 - darkest)];
  const out = gray.map((value, at) => {
    const [x, y] = [(at % width) / width, Math.floor(at / width) / height];
    const far = ((right ? x : 1 - x) + (low ? y : 1 - y)) / 2;
    return value * (1 - far * (1 - dark));
  });
  return { width, height, gray: out };
}

function blurred({ width, height, gray }: Raster): Raster {
  const out = Uint8Array.from(gray);
  for (let y = 1; y + 1 < height; y++) {
    for (let at = y * width + 1; at < (y + 1) * width - 1; at++) {
      const sides = gray[at - 1]! + gray[at + 1]! + gray[at - width]! + gray[at + width]!;
      out[at] = (gray[at]! * 4 + sides) / 8;
    }
  }
  return { width, height, gray: out };
}
