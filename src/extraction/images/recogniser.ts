import type { Box } from "../document/document.ts";

/** A page as a picture, in one of the forms a recogniser takes: JPEG, PNG, TIFF, WebP, or PGM for pixels in memory. */
export interface PageImage {
  bytes: Uint8Array;
  /** Which page of a TIFF, from 0. */
  page: number;
}

/** How a picture is to be looked at. */
export interface RecogniseOptions {
  /** `Quick` finds out how the page lies and roughly what it says; `Whole` reads all of it. */
  depth: "Quick" | "Whole";
  /** ISO 639-1, the likeliest first. Those without a model are passed over. */
  languages: string[];
  /** Quarter turns clockwise that bring the page upright, where an earlier look found them. */
  turn: number;
}

/** A word on a picture, in pixels of the picture turned upright. */
export interface RecognisedWord extends Box {
  text: string;
  /** 0..1 */
  confidence: number;
  /** Height of the letters' line, from the top of the highest to the foot of the lowest. */
  size: number;
}

/** What a look at a picture found. */
export interface RecognisedPage {
  /** Pixels of the picture as it was read: turned upright, its lines level, larger or smaller than it came. */
  width: number;
  height: number;
  words: RecognisedWord[];
  /** Printed rules and frames, as thin boxes. */
  rulings: Box[];
  /** 0..1, over all letters. */
  confidence: number;
  /** Quarter turns clockwise that brought the page upright. */
  turn: number;
  /** Most memory the recogniser held, in bytes. */
  memory: number;
}

/** A page of which so little is sure may lie on its side, or speak another language. */
export const lowConfidence = 0.6;

export interface Recognise {
  /**
   * Reads the words on a picture.
   * @throws RecogniserProblem, RecogniserFault
   */
  (picture: PageImage, options: RecogniseOptions): Promise<RecognisedPage>;
  /**
   * The surest whole look at the picture that is kept, where looks are kept and it is not doubtful.
   * @throws RecogniserFault
   */
  cached?: ((picture: PageImage) => Promise<RecognisedPage | undefined>) | undefined;
}

/** Why a picture was not read; the message is for people. */
export class RecogniserProblem extends Error {
  constructor(message: string) {
    super(message);
    this.name = "RecogniserProblem";
  }
}

/** The recogniser broke off, which says nothing of the picture: whoever reads tries again later. */
export class RecogniserFault extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "RecogniserFault";
  }
}
