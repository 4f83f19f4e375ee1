/** What an Emscripten module is made with. */
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

/** libjpeg-turbo. What it gives are views into its memory, good until it is deleted. */
export interface JpegModule {
  JPEGDecoder: new () => {
    getEncodedBuffer: (size: number) => Uint8Array;
    /** @throws a number for whatever it minds; what it made of the picture is there all the same */
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

/** Has work done with a decoder. */
type Using<Decoder> = <Made>(work: (decoder: Decoder) => Made) => Promise<Made>;

/**
 * The decoders, each as something that lends an instance. WebAssembly memory never shrinks, so an instance is used again
 * only while nothing has asked for its memory, and never once it has trapped.
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
