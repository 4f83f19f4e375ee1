import jpegFactory from "@cornerstonejs/codec-libjpeg-turbo-8bit/decodewasmjs";
import webpFactory from "@jsquash/webp/codec/dec/webp_dec.js";
import jpegModule from "../../../node_modules/@cornerstonejs/codec-libjpeg-turbo-8bit/dist/libjpegturbowasm_decode.wasm";
import webpModule from "../../../node_modules/@jsquash/webp/codec/dec/webp_dec.wasm";
import { codecsOf } from "./wasm.ts";

/**
 * The decoders as used in a Worker, which imports compiled WebAssembly modules. In Node.js, `scripts/codecs.ts`
 * provides them.
 */
export const { withJpegDecoder, withWebpDecoder } = codecsOf({
  jpeg: { factory: jpegFactory, module: () => jpegModule },
  webp: { factory: webpFactory, module: () => webpModule },
});
