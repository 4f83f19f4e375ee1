import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import jpegFactory from "@cornerstonejs/codec-libjpeg-turbo-8bit/decodewasmjs";
import webpFactory from "@jsquash/webp/codec/dec/webp_dec.js";
import { codecsOf } from "../src/extraction/images/wasm.ts";

/**
 * The image decoders for Node, for benches and tests. `src/extraction/images/codecs.ts` is the counterpart for the
 * Worker.
 */
export const { withJpegDecoder, withWebpDecoder } = codecsOf({
  jpeg: { factory: jpegFactory, module: compiled("@cornerstonejs/codec-libjpeg-turbo-8bit/decodewasm") },
  webp: { factory: webpFactory, module: compiled("@jsquash/webp/codec/dec/webp_dec.wasm") },
});

function compiled(specifier: string): () => Promise<WebAssembly.Module> {
  const { compile } = WebAssembly as unknown as { compile: (bytes: Uint8Array) => Promise<WebAssembly.Module> };
  return async () => compile(await readFile(fileURLToPath(import.meta.resolve(specifier))));
}
