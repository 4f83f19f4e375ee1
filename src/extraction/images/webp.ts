import { withWebpDecoder } from "#codecs";
import { toGreyRaster } from "./jpeg.ts";
import { damaged, requireSize, unreadable, type PixelLimits } from "./limits.ts";
import { orientationAfterName } from "./orientation.ts";
import { applyOrientation, type Raster } from "./raster.ts";

/** Bytes of memory per pixel: four bytes (RGBA) in the decoder's memory, and four in the copy. */
const bytesAPixel = 8;
const animation = 0x02;

/** @throws ExtractionProblem `file_unreadable` */
export async function decodeWebp(bytes: Uint8Array, limits: PixelLimits): Promise<Raster> {
  const head = headOf(bytes);
  if (!head) throw damaged();
  if (head.animated) throw unreadable("Animated pictures are not supported.");
  requireSize(head.width, head.height, bytesAPixel, limits);
  const picture = await withWebpDecoder(({ decode }) => decode(bytes));
  if (!picture || picture.width !== head.width || picture.height !== head.height) throw damaged();
  return applyOrientation(toGreyRaster(picture.data, picture.width, picture.height, 4, limits.kept), head.orientation);
}

interface Head {
  width: number;
  height: number;
  animated: boolean;
  orientation: number;
}

function headOf(bytes: Uint8Array): Head | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let head: Head | undefined;
  let orientation = 1;
  for (let at = 12; at + 18 <= bytes.length;) {
    const name = view.getUint32(at);
    const length = view.getUint32(at + 4, true);
    head ??= sizeIn(name, view, at + 8);
    if (name === 0x45584946) orientation = orientationAfterName(bytes.subarray(at + 8, at + 8 + length));
    at += 8 + length + (length & 1);
  }
  return head && { ...head, orientation };
}

function sizeIn(name: number, view: DataView, at: number): Head | undefined {
  if (name === 0x56503858) {
    const animated = (view.getUint8(at) & animation) !== 0;
    return { width: 1 + uint24(view, at + 4), height: 1 + uint24(view, at + 7), animated, orientation: 1 };
  }
  if (name === 0x56503820) {
    const [width, height] = [view.getUint16(at + 6, true) & 0x3fff, view.getUint16(at + 8, true) & 0x3fff];
    return { width, height, animated: false, orientation: 1 };
  }
  if (name !== 0x5650384c) return undefined;
  const bits = view.getUint32(at + 1, true);
  return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff), animated: false, orientation: 1 };
}

const uint24 = (view: DataView, at: number): number => view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
