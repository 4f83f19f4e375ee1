import { ExtractionProblem } from "../problem.ts";

/** How much of a file is read. All counts are over the whole upload, what is enclosed in it included. */
export interface OpenLimits {
  pages: number;
  /** Pages of a PDF or a TIFF, from 1, that are looked at; others are passed over. All of them when not said. */
  only?: { from: number; to: number };
  /** Words on all pages; keeps a 25 MiB table from filling the memory of a Worker. */
  words: number;
  /** How deep mails within mails are followed. */
  depth: number;
  attachments: number;
  /** Bytes of all attachments together, and of a zip container unpacked. */
  unpackedBytes: number;
  /** Unpacked XML of an office document, which is held in memory as a whole. */
  markupBytes: number;
  zipEntries: number;
  /** Unpacked size over packed size, for entries beyond 1 MiB. */
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
