declare module "*.wasm" {
  const module: WebAssembly.Module;
  export default module;
}

declare module "@cornerstonejs/codec-libjpeg-turbo-8bit/decodewasmjs" {
  const factory: (options: object) => Promise<never>;
  export default factory;
}

declare module "@jsquash/webp/codec/dec/webp_dec.js" {
  const factory: (options: object) => Promise<never>;
  export default factory;
}

declare module "pdfjs-dist/image_decoders/pdf.image_decoders.min.mjs" {
  export const JpegImage: never;
  export const setVerbosityLevel: never;
}

declare module "pdfjs-dist/wasm/jbig2_nowasm_fallback.js" {
  const factory: (options: object) => Promise<never>;
  export default factory;
}

declare module "pdfjs-dist/wasm/openjpeg_nowasm_fallback.js" {
  const factory: (options: object) => Promise<never>;
  export default factory;
}
