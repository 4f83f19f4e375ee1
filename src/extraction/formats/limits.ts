import { ExtractionProblem } from "../problem.ts";

/** Limits for opening a file. The counts include enclosed files. */
export interface OpenLimits {
  pages: number;
  /** The pages of a PDF or TIFF that are opened (from 1). If absent, all pages are opened. */
  only?: { from: number; to: number };
  /** Maximum number of words on all pages. It limits the memory that large tables take. */
  words: number;
  /** Depth down to which enclosed files, such as mails within mails, are opened. */
  depth: number;
  attachments: number;
  /** Maximum total size of all attachments, and of an unpacked zip archive, in bytes. */
  unpackedBytes: number;
  /** Maximum size of the unpacked XML of an office document, in bytes. All of it is held in memory. */
  markupBytes: number;
  zipEntries: number;
  /** Maximum compression ratio of zip entries above 1 MiB. */
  zipRatio: number;
  /** Maximum number of pixels of a picture (width × height). */
  pixels: number;
}

export const defaultLimits: OpenLimits = {
  pages: 200,
  words: 300_000,
  depth: 3,
  attachments: 50,
  unpackedBytes: 100 * 1024 * 1024,
  markupBytes: 30 * 1024 * 1024,
  zipEntries: 1000,
  zipRatio: 100,
  pixels: 120_000_000,
};

export const tooManyPages = (limit: number): ExtractionProblem =>
  new ExtractionProblem("too_many_pages", `The file has more than ${limit} pages.`);
