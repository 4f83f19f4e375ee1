import makeModule from "pdfjs-dist/wasm/jbig2_nowasm_fallback.js";
import { damaged } from "./limits.ts";
import type { Directory } from "./tiff-directory.ts";

/** The decoder that pdf.js has for faxes, and what it leaves behind: rows of bits. */
export interface FaxModule {
  _malloc: (size: number) => number;
  _free: (at: number) => void;
  writeArrayToMemory: (bytes: Uint8Array, at: number) => void;
  _ccitt_decode: (
    at: number,
    size: number,
    width: number,
    height: number,
    k: number,
    endOfLine: number,
    byteAlign: number,
    blackIs1: number,
    columns: number,
    rows: number,
  ) => void;
  imageData?: Uint8Array | null;
}

let last: WeakRef<FaxModule> | undefined;

async function faxModule(): Promise<FaxModule> {
  const known = last?.deref();
  if (known) return known;
  const made = await makeModule({ print: () => {}, printErr: () => {} });
  last = new WeakRef(made);
  return made;
}

/** A strip in one of the three codings of faxes, unpacked; ones are black. */
export async function decodeFax(
  packed: Uint8Array,
  { compression, fax, blockWidth }: Directory,
  { rowBytes, rows }: { rowBytes: number; rows: number },
): Promise<Uint8Array> {
  const module = await faxModule();
  const at = module._malloc(packed.length);
  try {
    module.writeArrayToMemory(packed, at);
    const k = compression === 4 ? -1 : fax & 1;
    const alone = compression === 2 ? 1 : 0;
    module._ccitt_decode(at, packed.length, blockWidth, rows, k, 0, alone, 1, blockWidth, rows);
    const { imageData } = module;
    module.imageData = null;
    if (!imageData || imageData.length < rowBytes * rows) throw damaged();
    return imageData;
  } catch (cause) {
    last = undefined;
    throw cause;
  } finally {
    module._free(at);
  }
}
