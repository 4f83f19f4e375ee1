/** Options of an Emscripten module. */
interface Options {
  noInitialRun: true;
  print: () => void;
  printErr: () => void;
  instantiateWasm: (
    imports: WebAssembly.Imports,
    made: (instance: WebAssembly.Instance) => void,
  ) => WebAssembly.Exports;
}

interface Codec<Decoder> {
  factory: (options: Options) => Promise<Decoder>;
  module: () => WebAssembly.Module | Promise<WebAssembly.Module>;
}

/** libjpeg-turbo. The arrays that it returns are views of its memory, and are valid until the decoder is deleted. */
export interface JpegModule {
  JPEGDecoder: new () => {
    getEncodedBuffer: (size: number) => Uint8Array;
    /** @throws a number, for any error; the part that was decoded before the error can still be used */
    decode: () => void;
    getFrameInfo: () => { width: number; height: number; componentCount: number };
    getDecodedBuffer: () => Uint8Array;
    delete: () => void;
  };
}

/** libwebp. */
export interface WebpModule {
  decode: (bytes: Uint8Array) => { width: number; height: number; data: Uint8ClampedArray } | null;
}

type Using<Decoder> = <Made>(work: (decoder: Decoder) => Made) => Promise<Made>;

/**
 * Creates the decoders. WebAssembly memory never shrinks, so an instance is only weakly referenced between calls. An
 * instance in which WebAssembly trapped (crashed) is not used again.
 */
export function codecsOf({ jpeg, webp }: { jpeg: Codec<JpegModule>; webp: Codec<WebpModule> }) {
  return { withJpegDecoder: lending(jpeg), withWebpDecoder: lending(webp) };
}

export const isTrap = (cause: unknown): boolean => cause instanceof WebAssembly.RuntimeError;

function lending<Decoder extends object>({ factory, module }: Codec<Decoder>): Using<Decoder> {
  let last: WeakRef<Decoder> | undefined;
  return async (work) => {
    const decoder = last?.deref() ?? (await fresh());
    last = new WeakRef(decoder);
    try {
      return work(decoder);
    } catch (cause) {
      if (isTrap(cause)) last = undefined;
      throw cause;
    }
  };

  async function fresh(): Promise<Decoder> {
    const compiled = await module();
    return factory({
      noInitialRun: true,
      print: () => {},
      printErr: () => {},
      instantiateWasm(imports, done) {
        const instance = new WebAssembly.Instance(compiled, imports);
        done(instance);
        return instance.exports;
      },
    });
  }
}
