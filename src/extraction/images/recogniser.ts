import type { Box } from "../document/document.ts";

/** The image of a page in a format that OCR accepts: JPEG, PNG, TIFF, WebP, or PGM for pixels in memory. */
export interface PageImage {
  bytes: Uint8Array;
  /** Index of the page in a TIFF, from 0. */
  page: number;
}

/** Options of one recognition. */
export interface RecogniseOptions {
  /** `Quick` detects the orientation and an approximate text; `Whole` recognises everything. */
  depth: "Quick" | "Whole";
  /** ISO 639-1 codes, the likeliest first. Languages without a model are ignored. */
  languages: string[];
  /** Number of clockwise quarter turns that turn the page upright, as detected by an earlier recognition. */
  turn: number;
}

/** A recognised word. Coordinates are pixels of the upright picture. */
export interface RecognisedWord extends Box {
  text: string;
  /** 0..1 */
  confidence: number;
  /** Height in pixels, from the top of the highest to the bottom of the lowest letter. */
  size: number;
}

/** Result of one recognition. */
export interface RecognisedPage {
  /** Size in pixels of the processed picture, which is upright, deskewed and possibly scaled. */
  width: number;
  height: number;
  words: RecognisedWord[];
  /** Printed lines and frames, as thin boxes. */
  rulings: Box[];
  /** Mean confidence of all letters, 0..1. */
  confidence: number;
  /** Number of clockwise quarter turns that turned the page upright. */
  turn: number;
  /** Peak memory of the OCR engine in bytes. */
  memory: number;
}

/** A page that is recognised with a lower confidence than this may be rotated or in another language. */
export const lowConfidence = 0.6;

export interface Recognise {
  /**
   * Recognises the words on a picture.
   * @throws RecogniserProblem, RecogniserFault
   */
  (picture: PageImage, options: RecogniseOptions): Promise<RecognisedPage>;
  /**
   * Returns the cached `Whole` result with the highest confidence, unless that is below {@link lowConfidence}. Absent
   * if results are not cached.
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
