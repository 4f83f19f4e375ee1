import type { Box, MailHead, Page, StructuredPart } from "../document/document.ts";
import type { PageImage } from "../images/recogniser.ts";
import type { Budget } from "../problem.ts";
import type { OpenLimits } from "./limits.ts";

/** A file as it came: uploaded, attached to a mail or embedded in another file. */
export interface InputFile {
  bytes: Uint8Array;
  name: string;
  mediaType?: string;
  /** Where the bytes are stored. A reader of such a file may give `bytes` away, which empties them, and read them again. */
  source?: FileSource | undefined;
}

/** A stored file. Both throw SourceFault. */
export interface FileSource {
  readAll: () => Promise<Uint8Array>;
  readRange: (from: number, to: number) => Promise<Uint8Array>;
}

/** A picture of a page, or of most of it. */
export interface PlacedImage {
  image: PageImage;
  /** Where on the page it stands, in units of the page. */
  frame: Box;
  /** Quarter turns clockwise it is painted with. */
  turn: number;
}

export interface PageSize {
  width: number;
  height: number;
}

/** Reads pages that are pictures. */
export interface PageOcr {
  /** @returns undefined for one that cannot be read, or is one too many */
  read(picture: PageImage): Promise<Page | undefined>;
  /** The same of a page whose size is known. */
  readPlaced(framed: PlacedImage, size: PageSize): Promise<Page | undefined>;
  /** Hears, in words for people, why the picture of a page cannot be had; the page is then one that was not read. */
  skip(why: string): void;
}

/** What every reader works under. */
export interface ReaderContext {
  limits: OpenLimits;
  budget: Budget;
  /** Without them, pictures are pages without words. */
  ocr?: PageOcr | undefined;
}

/** What one reader makes of one file. Files found inside are handed back, not opened: `open` decides how deep to go. */
export interface ReaderOutput {
  pages: Page[];
  /** Pages that only quote older mails. */
  quoted?: Page[];
  structured?: StructuredPart[];
  mail?: MailHead;
  embedded?: InputFile[];
  warnings?: string[];
}

export type Reader = (file: InputFile, context: ReaderContext) => ReaderOutput | Promise<ReaderOutput>;
