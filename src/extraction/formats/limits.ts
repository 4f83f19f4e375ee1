import { ExtractionProblem } from "../problem.ts";

/** Limits of opening a file. Counts include enclosed files. */
export interface OpenLimits {
  pages: number;
  /** Page range of a PDF or TIFF, from 1; without it, all pages. */
  only?: { from: number; to: number };
  /** Words on all pages. This bounds the memory of large tables. */
  words: number;
  /** Depth to which mails within mails are opened. */
  depth: number;
  attachments: number;
  /** Total bytes of all attachments, and of an unpacked zip archive. */
  unpackedBytes: number;
  /** Bytes of unpacked XML of an office document, all of which is held in memory. */
  markupBytes: number;
  zipEntries: number;
  /** Largest compression ratio of entries above 1 MiB. */
  zipRatio: number;
  /** Width times height of a picture. */
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
