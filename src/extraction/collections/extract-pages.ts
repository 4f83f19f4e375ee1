import { pagesIn } from "../formats/image.ts";
import { defaultLimits } from "../formats/limits.ts";
import { DecodeLimits, loadWithin } from "../formats/pdf/decompression-guard.ts";
import { decode } from "../images/decode.ts";
import type { Raster } from "../images/raster.ts";
import { defaultPixelLimits } from "../images/limits.ts";
import { Budget, ExtractionProblem } from "../problem.ts";
import { picturePdf } from "./image-pdf.ts";

/** Whether {@link extractPages} supports a media type. */
export const isPaged = (mediaType: string): boolean =>
  mediaType === "application/pdf" || mediaType.startsWith("image/");

/** Counts the pages of a PDF or picture without rendering them. A file that cannot be opened counts as one page. */
export async function countPages(bytes: Uint8Array, mediaType: string): Promise<number> {
  try {
    return mediaType === "application/pdf"
      ? await withPdf(bytes, async ({ numPages }) => numPages)
      : pagesIn(bytes, defaultLimits);
  } catch (cause) {
    if (cause instanceof ExtractionProblem) return 1;
    throw cause;
  }
}

/**
 * Creates a PDF from the pages `from` to `to` of a PDF or picture. Both are included, and the first page is 1.
 * @throws ExtractionProblem if a picture cannot be decoded, or a page cannot be written
 */
export async function extractPages(
  bytes: Uint8Array,
  mediaType: string,
  from: number,
  to: number,
): Promise<Uint8Array> {
  if (mediaType === "application/pdf") return pdfPages(bytes, from, to);
  if (mediaType === "image/jpeg") return picturePdf([{ jpeg: bytes }]);
  const rasters: Raster[] = [];
  for (let page = from; page <= to; page++) rasters.push(...(await decode(bytes, undefined, page - 1)));
  return picturePdf(rasters.map((raster) => ({ raster })));
}

/** The part of pdf.js that extracts pages; its type declarations lack it. */
interface Pdf {
  numPages: number;
  extractPages: (infos: { document: null; includePages: number[] }[]) => Promise<Uint8Array | null>;
}

const pdfPages = (bytes: Uint8Array, from: number, to: number): Promise<Uint8Array> =>
  withPdf(bytes, async (pdf) => {
    if (from === 1 && to >= pdf.numPages) return bytes;
    const includePages = Array.from({ length: to - from + 1 }, (_, index) => from - 1 + index);
    const part = await pdf.extractPages([{ document: null, includePages }]);
    if (!part) throw new Error("The PDF writer returned nothing.");
    return part;
  });

async function withPdf<Result>(bytes: Uint8Array, ask: (pdf: Pdf) => Promise<Result>): Promise<Result> {
  const limits = new DecodeLimits(defaultPixelLimits.memory / 4, new Budget(Infinity));
  const task = await loadWithin(limits, { data: bytes.slice(), verbosity: 0 });
  try {
    const pdf = (await task.promise) as unknown as Pdf;
    limits.check();
    return await ask(pdf);
  } catch {
    throw new ExtractionProblem("file_corrupted", "The pages cannot be extracted from the PDF.");
  } finally {
    await task.destroy();
  }
}
