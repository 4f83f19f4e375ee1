/** Types of the part of `tesseract.js-core` that is used. The package has no types. */

export interface Core {
  FS: { writeFile(path: string, bytes: Uint8Array): void; unlink(path: string): void };
  TessBaseAPI: new () => TessBaseAPI;
  /** Address of an object; 0 if it does not exist. */
  getPointer(object: unknown): number;
}

export interface TessBaseAPI {
  /** @returns 0 on success */
  Init(folder: string, languages: string, engine: number): number;
  SetVariable(name: string, value: string): boolean;
  SetPageSegMode(mode: number): void;
  /** Loads `/input`. @returns 0 on success */
  SetImageFile(exifOrientation: number, angle: number): number;
  /** @returns 0 on success */
  FindLines(): number;
  GetGradient(): number;
  Recognize(monitor: null): number;
  GetIterator(): ResultIterator;
}

export interface ResultIterator {
  Begin(): void;
  Next(level: number): boolean;
  Empty(level: number): boolean;
  GetUTF8Text(level: number): string;
  /** A percentage. */
  Confidence(level: number): number;
  getBoundingBox(level: number): { x0: number; y0: number; x1: number; y1: number };
  getBaseline(level: number): { x0: number; y0: number; x1: number; y1: number; has_baseline: boolean };
  getRowAttributes(): { row_height: number; descenders: number; ascenders: number };
}

/** Creates an instance. The caller provides the compiled module, because Workers cannot compile one at run time. */
export type MakeCore = (options: {
  instantiateWasm(
    imports: WebAssembly.Imports,
    done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
  ): object;
  print(line: string): void;
  printErr(line: string): void;
}) => Promise<Core>;
