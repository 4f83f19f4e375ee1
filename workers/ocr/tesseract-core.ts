/** The part of `tesseract.js-core` that is used here; the package brings no types. */

export interface Core {
  FS: { writeFile(path: string, bytes: Uint8Array): void; unlink(path: string): void };
  TessBaseAPI: new () => TessBaseAPI;
  /** Where an object lies in memory; 0 for one that is not there. */
  getPointer(object: unknown): number;
}

export interface TessBaseAPI {
  /** @returns 0 when it went well */
  Init(folder: string, languages: string, engine: number): number;
  SetVariable(name: string, value: string): boolean;
  SetPageSegMode(mode: number): void;
  /** Takes `/input`. @returns 0 when it went well */
  SetImageFile(exifOrientation: number, angle: number): number;
  /** @returns 0 when it went well */
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
  /** 0..100 */
  Confidence(level: number): number;
  getBoundingBox(level: number): { x0: number; y0: number; x1: number; y1: number };
  getBaseline(level: number): { x0: number; y0: number; x1: number; y1: number; has_baseline: boolean };
  getRowAttributes(): { row_height: number; descenders: number; ascenders: number };
}

/** Makes an instance; the module is brought by the caller, as Workers compile none while they run. */
export type MakeCore = (options: {
  instantiateWasm(
    imports: WebAssembly.Imports,
    done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
  ): object;
  print(line: string): void;
  printErr(line: string): void;
}) => Promise<Core>;
