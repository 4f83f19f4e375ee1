import type { Box } from "../document/document.ts";

/** The image of a page in a format that OCR accepts: JPEG, PNG, TIFF, WebP, or PGM for pixels in memory. */
export interface PageImage {
  bytes: Uint8Array;
  /** Index of the page in a TIFF, from 0. */
  page: number;
}

/** Options of one recognition. */
export interface RecogniseOptions {
  /** `Quick` determines orientation and approximate text; `Whole` recognises everything. */
  depth: "Quick" | "Whole";
  /** ISO 639-1 codes, the likeliest first. Languages without a model are ignored. */
  languages: string[];
  /** Quarter turns clockwise that bring the page upright, as an earlier recognition determined. */
  turn: number;
}

/** A recognised word. Coordinates are pixels of the upright picture. */
export interface RecognisedWord extends Box {
  text: string;
  /** 0..1 */
  confidence: number;
  /** Height from the top of the highest to the bottom of the lowest letter. */
  size: number;
}

/** Result of one recognition. */
export interface RecognisedPage {
  /** Size in pixels of the processed picture: upright, deskewed, possibly scaled. */
  width: number;
  height: number;
  words: RecognisedWord[];
  /** Printed lines and frames, as thin boxes. */
  rulings: Box[];
  /** 0..1, averaged over all letters. */
  confidence: number;
  /** Quarter turns clockwise that brought the page upright. */
  turn: number;
  /** Peak memory of the OCR engine in bytes. */
  memory: number;
}

/** A page with a lower confidence may be rotated or in another language. */
export const lowConfidence = 0.6;

export interface Recognise {
  /**
   * Recognises the words on a picture.
   * @throws RecogniserProblem, RecogniserFault
   */
  (picture: PageImage, options: RecogniseOptions): Promise<RecognisedPage>;
  /**
   * The cached `Whole` result with the highest confidence, if results are cached and this one is not doubtful.
   * @throws RecogniserFault
   */
  cached?: ((picture: PageImage) => Promise<RecognisedPage | undefined>) | undefined;
}

/** The picture cannot be recognised. The message is for users. */
export class RecogniserProblem extends Error {
  constructor(message: string) {
    super(message);
    this.name = "RecogniserProblem";
  }
}

/** OCR failed for a reason unrelated to the picture. The extraction is retried later. */
export class RecogniserFault extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "RecogniserFault";
  }
}
