import type { Box } from "../document/document.ts";

/** The image of a page in a format that recognisers accept: JPEG, PNG, TIFF, WebP, or PGM for pixels in memory. */
export interface PageImage {
  bytes: Uint8Array;
  /** Page index of a TIFF, from 0. */
  page: number;
}

/** Options of one recognition. */
export interface RecogniseOptions {
  /** `Quick` determines orientation and approximate text; `Whole` recognises everything. */
  depth: "Quick" | "Whole";
  /** ISO 639-1, the likeliest first. Languages without a model are ignored. */
  languages: string[];
  /** Quarter turns clockwise that bring the page upright, as an earlier recognition determined. */
  turn: number;
}

/** A recognised word; coordinates are pixels of the upright picture. */
export interface RecognisedWord extends Box {
  text: string;
  /** 0..1 */
  confidence: number;
  /** Line height of the letters, from the top of the highest to the bottom of the lowest. */
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
  /** Peak memory of the recogniser in bytes. */
  memory: number;
}

/** Below this confidence, the page may be rotated or in another language. */
export const lowConfidence = 0.6;

export interface Recognise {
  /**
   * Recognises the words on a picture.
   * @throws RecogniserProblem, RecogniserFault
   */
  (picture: PageImage, options: RecogniseOptions): Promise<RecognisedPage>;
  /**
   * The cached `Whole` result with the highest confidence, where results are cached and it is not doubtful.
   * @throws RecogniserFault
   */
  cached?: ((picture: PageImage) => Promise<RecognisedPage | undefined>) | undefined;
}

/** The picture cannot be recognised; the message is for users. */
export class RecogniserProblem extends Error {
  constructor(message: string) {
    super(message);
    this.name = "RecogniserProblem";
  }
}

/** The recogniser failed for a reason unrelated to the picture; the extraction is retried later. */
export class RecogniserFault extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "RecogniserFault";
  }
}
