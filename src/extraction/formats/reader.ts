import type { Box, MailHead, Page, StructuredPart } from "../document/document.ts";
import type { PageImage } from "../images/recogniser.ts";
import type { Budget } from "../problem.ts";
import type { OpenLimits } from "./limits.ts";

/** A file that was uploaded, attached to a mail or embedded in another file. */
export interface InputFile {
  bytes: Uint8Array;
  name: string;
  mediaType?: string;
  /**
   * The stored file that the bytes come from. If it is present, a reader may hand `bytes` over to a library, which
   * empties them, and read them again from here.
   */
  source?: FileSource | undefined;
}

/** A stored file. Both methods throw SourceFault. */
export interface FileSource {
  readAll: () => Promise<Uint8Array>;
  readRange: (from: number, to: number) => Promise<Uint8Array>;
}

/** A picture that fills a page or most of it. */
export interface PlacedImage {
  image: PageImage;
  /** Position on the page, in page units. */
  frame: Box;
  /** Rotation, in clockwise quarter turns. */
  turn: number;
}

export interface PageSize {
  width: number;
  height: number;
}

/** Recognises page images. */
export interface PageOcr {
  /**
   * Recognises a picture as a page.
   * @returns undefined if the page cannot be recognised, or is beyond the limit
   */
  read(picture: PageImage): Promise<Page | undefined>;
  /** Like {@link PageOcr.read}, for a picture at a known place on a page of known size. */
  readPlaced(framed: PlacedImage, size: PageSize): Promise<Page | undefined>;
  /**
   * Records a message for users that tells why the picture of a page is not available. The page counts as not
   * recognised.
   */
  skip(why: string): void;
}

/** Limits and services that every reader gets. */
export interface ReaderContext {
  limits: OpenLimits;
  budget: Budget;
  /** Recognises pictures. If it is absent, pictures become pages without words. */
  ocr?: PageOcr | undefined;
}

/**
 * The content of one file. Enclosed files are returned unopened; `openDocument` opens them, down to its depth limit.
 */
export interface ReaderOutput {
  pages: Page[];
  /** Pages that contain only quoted older mails. */
  quoted?: Page[];
  structured?: StructuredPart[];
  mail?: MailHead;
  embedded?: InputFile[];
  warnings?: string[];
}

export type Reader = (file: InputFile, context: ReaderContext) => ReaderOutput | Promise<ReaderOutput>;
