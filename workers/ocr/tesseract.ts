import type { RecognisedWord } from "../../src/extraction/images/recogniser.ts";
import type { Core, MakeCore, ResultIterator, TessBaseAPI } from "./tesseract-core.ts";

/** The resources from which an instance is created. */
export interface TesseractResources {
  makeCore: MakeCore;
  module: WebAssembly.Module;
  /** Loads an unpacked model by its Tesseract name, such as "deu". */
  model: (name: string) => Promise<Uint8Array>;
}

/** Page segmentation modes. `Page` finds columns and blocks, `Sparse` finds words at any position. */
const segmentations = { Page: 3, Column: 4, Block: 6, Sparse: 11 };

export type Segmentation = keyof typeof segmentations;

/** Tesseract's numbers for the LSTM engine, and for the word level of results. */
const lstmOnly = 1;
const word = 3;

export interface RecognitionResult {
  words: RecognisedWord[];
  /** Mean over all letters, from 0 to 1. */
  confidence: number;
}

/** Extent of letters above and below the baseline, as a share of their size. */
const [ascent, descent] = [0.78, 0.22];

/**
 * A WebAssembly instance of Tesseract for one page. It must then be discarded, because Tesseract never releases the
 * memory of pages.
 */
export class Tesseract {
  private readonly core: Core;
  private readonly api: TessBaseAPI;

  private readonly held: WebAssembly.Memory | undefined;

  private constructor(core: Core, api: TessBaseAPI, held: WebAssembly.Memory | undefined) {
    this.core = core;
    this.api = api;
    this.held = held;
  }

  /**
   * Creates an instance. Two do not fit into an isolate, so the models are loaded first: a request that waits for its
   * models has no instance yet.
   * @param names names of the models, the likeliest first
   */
  static async open({ makeCore, module, model }: TesseractResources, names: string[]): Promise<Tesseract> {
    const models = await Promise.all(
      names.map(async (name) => ({ file: `/${name}.traineddata`, bytes: await model(name) })),
    );
    let memory: WebAssembly.Memory | undefined;
    const core = await makeCore({
      instantiateWasm(imports, done) {
        const instance = new WebAssembly.Instance(module, imports);
        memory = Object.values(instance.exports).find((each) => each instanceof WebAssembly.Memory);
        done(instance, module);
        return {};
      },
      print: () => {},
      printErr: () => {},
    });
    for (const { file, bytes } of models) core.FS.writeFile(file, bytes);
    const api = new core.TessBaseAPI();
    const failed = api.Init("/", names.join("+"), lstmOnly);
    for (const { file } of models) core.FS.unlink(file);
    if (failed) throw new Error(`Tesseract cannot load the models ${names.join(", ")}.`);
    return new Tesseract(core, api, memory);
  }

  /** Size of the WebAssembly memory in bytes. It never shrinks, so this is also the maximum. */
  get memory(): number {
    return this.held?.buffer.byteLength ?? 0;
  }

  /**
   * Loads a picture in any format that Leptonica supports.
   * @returns false if it cannot be decoded
   */
  show(picture: Uint8Array): boolean {
    this.core.FS.writeFile("/input", picture);
    const failed = this.api.SetImageFile(1, 0);
    this.core.FS.unlink("/input");
    return !failed;
  }

  /** Returns the slope of text lines in radians, clockwise positive. Tesseract's own value has the opposite sign. */
  slope(): number {
    this.api.SetPageSegMode(segmentations.Page);
    return this.api.FindLines() ? 0 : -this.api.GetGradient();
  }

  read(segmentation: Segmentation): RecognitionResult {
    const { api, core } = this;
    api.SetPageSegMode(segmentations[segmentation]);
    api.Recognize(null);
    const iterator = api.GetIterator();
    const words = core.getPointer(iterator) === 0 ? [] : wordsFrom(iterator);
    return { words, confidence: meanConfidence(words) };
  }
}

/** Computes the mean confidence over all letters; 0 if there are none. */
export function meanConfidence(words: readonly RecognisedWord[]): number {
  const letters = words.reduce((sum, { text }) => sum + text.length, 0);
  const sum = words.reduce((sum, { text, confidence }) => sum + text.length * confidence, 0);
  return letters === 0 ? 0 : sum / letters;
}

/** Leaves out vertical words. If most words are vertical, the page lies on its side, and no words are returned. */
function wordsFrom(iterator: ResultIterator): RecognisedWord[] {
  const words: RecognisedWord[] = [];
  const directions = { level: 0, upright: 0 };
  iterator.Begin();
  do {
    if (iterator.Empty(word)) continue;
    const text = iterator.GetUTF8Text(word).trim();
    const { x0, y0, x1, y1 } = iterator.getBoundingBox(word);
    if (text === "" || x1 <= x0 || y1 <= y0) continue;
    const runsUp = text.length > 3 && y1 - y0 > 1.5 * (x1 - x0);
    if (text.length > 3) directions[runsUp ? "upright" : "level"]++;
    if (runsUp) continue;
    const confidence = Math.max(0, Math.min(1, iterator.Confidence(word) / 100));
    const base = iterator.getBaseline(word);
    const { row_height: size } = iterator.getRowAttributes();
    const foot = base.has_baseline ? (base.y0 + base.y1) / 2 : y1;
    const plausible = size > 4 && size < 4 * (y1 - y0) && Math.abs(foot - y1) < size;
    const box = plausible ? { y0: foot - ascent * size, y1: foot + descent * size } : { y0, y1 };
    words.push({ text, confidence, x0, x1, ...box, size: plausible ? size : y1 - y0 });
  } while (iterator.Next(word));
  return directions.upright > directions.level ? [] : words;
}
