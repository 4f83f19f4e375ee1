import { getResolvedPDFJS } from "unpdf";
import { decode } from "../pixels/decode.ts";
import type { Raster } from "../pixels/raster.ts";
import { picturePdf } from "./picture-pdf.ts";

/**
 * A PDF of just these pages of a PDF or a picture, from 1.
 * @throws ReadingProblem when a picture cannot be read
 */
export async function pagesOf(bytes: Uint8Array, mediaType: string, from: number, to: number): Promise<Uint8Array> {
  if (mediaType === "application/pdf") return pdfPages(bytes, from, to);
  if (mediaType === "image/jpeg") return picturePdf([{ jpeg: bytes }]);
  const rasters: Raster[] = [];
  for (let page = from; page <= to; page++) rasters.push(...(await decode(bytes, undefined, page - 1)));
  return picturePdf(rasters.map((raster) => ({ raster })));
}

/** What pdf.js writes pages with; its types do not know it yet. */
interface Extracting {
  extractPages: (infos: { document: null; includePages: number[] }[]) => Promise<Uint8Array | null>;
}

async function pdfPages(bytes: Uint8Array, from: number, to: number): Promise<Uint8Array> {
  const { getDocument } = await getResolvedPDFJS();
  const task = getDocument({ data: bytes.slice(), verbosity: 0 });
  try {
    const pdf = (await task.promise) as unknown as Extracting & { numPages: number };
    if (from === 1 && to >= pdf.numPages) return bytes;
    const includePages = Array.from({ length: to - from + 1 }, (_, index) => from - 1 + index);
    const part = await pdf.extractPages([{ document: null, includePages }]);
    if (!part) throw new Error("The pages could not be written.");
    return part;
  } finally {
    await task.destroy();
  }
}
