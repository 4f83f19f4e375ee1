import { zipSync, strToU8 } from "fflate";

const directory = 0x02014b50;
const entry = 0x04034b50;

/** Makes this many megabytes of zeros, which can be compressed to a thousandth. */
export const zeros = (megabytes: number): Uint8Array => new Uint8Array(megabytes * 1024 * 1024);

/** Makes a zip archive whose central directory has false entries. */
export function lyingZip(files: Record<string, string>, lies: { unpacked?: number; method?: number }): Uint8Array {
  const bytes = zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (const at of headersOf(view, directory)) {
    if (lies.unpacked !== undefined) view.setUint32(at + 24, lies.unpacked, true);
    if (lies.method !== undefined) view.setUint16(at + 10, lies.method, true);
  }
  return bytes;
}

/** Sets a flag in every entry of a zip archive. The flag 1 means that the entry is encrypted. */
export function withFlag(bytes: Uint8Array, flag: number): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (const at of headersOf(view, directory)) view.setUint16(at + 8, view.getUint16(at + 8, true) | flag, true);
  for (const at of headersOf(view, entry)) view.setUint16(at + 6, view.getUint16(at + 6, true) | flag, true);
  return bytes;
}

function headersOf(view: DataView, signature: number): number[] {
  const found: number[] = [];
  for (let at = 0; at + 4 <= view.byteLength; at++) if (view.getUint32(at, true) === signature) found.push(at);
  return found;
}
