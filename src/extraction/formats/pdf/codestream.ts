/** What a JPEG 2000 picture says of its size. */
export interface Codestream {
  width: number;
  height: number;
  /** Its size when both sides have been halved so often. */
  halved(times: number): { width: number; height: number };
}

/** More channels no picture has, and more tiles it does not fall into: a decoder makes room for each of them at once. */
const [mostChannels, mostTiles] = [4, 4096];
const [startAndSize, box] = [0xff4fff51, 0x6a703263];

/** The head of a JPEG 2000 picture, bare or in the boxes of JP2; undefined where it has none that can be. */
export function codestreamOf(bytes: Uint8Array): Codestream | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const at = startOf(view);
  if (at === undefined || at + headLength > bytes.length || view.getUint32(at) !== startAndSize) return undefined;
  const [right, bottom, left, top] = [8, 12, 16, 20].map((place) => view.getUint32(at + place)) as Four;
  const [tileWidth, tileHeight] = [view.getUint32(at + 24), view.getUint32(at + 28)];
  const tiles = Math.ceil(right / tileWidth) * Math.ceil(bottom / tileHeight);
  if (right <= left || bottom <= top || view.getUint16(at + 40) > mostChannels || !(tiles <= mostTiles))
    return undefined;
  return {
    width: right - left,
    height: bottom - top,
    halved: (times) => ({
      width: Math.ceil(right / 2 ** times) - Math.ceil(left / 2 ** times),
      height: Math.ceil(bottom / 2 ** times) - Math.ceil(top / 2 ** times),
    }),
  };
}

type Four = [number, number, number, number];
/** From its start to the number of its channels. */
const headLength = 42;

/** Where the picture itself begins: at once, or in the first of the boxes that holds one. */
function startOf(view: DataView): number | undefined {
  if (view.byteLength >= 4 && view.getUint32(0) === startAndSize) return 0;
  for (let at = 0; at + 16 <= view.byteLength;) {
    const length = view.getUint32(at);
    const head = length === 1 ? 16 : 8;
    if (view.getUint32(at + 4) === box) return at + head;
    const whole = length === 1 ? Number(view.getBigUint64(at + 8)) : length;
    if (whole < head) return undefined;
    at += whole;
  }
  return undefined;
}
