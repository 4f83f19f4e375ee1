import { Buffer } from "node:buffer";
import { defaultLimits, openDocument } from "../../../src/extraction/formats/open.ts";
import type { Raster } from "../../../src/extraction/images/raster.ts";
import { Budget } from "../../../src/extraction/problem.ts";
import { Chance } from "../../../training/chance.ts";
import { printed } from "../../../training/scans/print.ts";
import { scanned } from "../../../training/scans/scanned.ts";
import { pdfOf } from "../papers/pdf.ts";

const margin = 40;
const dpi = 150;

/** Prints a text on paper and scans it, slightly skewed and with noise. */
export async function scanOf(
  text: string,
  wear: { skew?: number; noise?: number; fax?: boolean } = {},
): Promise<Raster> {
  const file = { bytes: new TextEncoder().encode(text), name: "text.txt" };
  const { parts } = await openDocument(file, defaultLimits, new Budget(10_000));
  const [page] = parts[0]!.pages;
  const moved = ({ x0, x1, y0, y1 }: { x0: number; x1: number; y0: number; y1: number }) => ({
    x0: x0 + margin,
    x1: x1 + margin,
    y0: y0 + margin,
    y1: y1 + margin,
  });
  const right = Math.max(...page!.tokens.map(({ x1 }) => x1));
  const sheet = {
    ...page!,
    width: right + 2 * margin,
    height: page!.height + 2 * margin,
    tokens: page!.tokens.map((token) => ({ ...token, ...moved(token) })),
  };
  return scanned(printed(sheet, dpi), new Chance(1), { skew: 0.5, noise: 5, ...wear });
}

/** A picture as encoded in a PDF. */
export interface EncodedPicture {
  /** The entries of the picture's dictionary, without its size. */
  entries: string;
  bytes: Uint8Array;
  /** The objects to which the dictionary refers. They are numbered from 6. */
  more?: Buffer[];
}

/** Makes a PDF of one page that contains only a picture. */
export function pdfAround({ width, height }: Raster, { entries, bytes, more = [] }: EncodedPicture): Buffer {
  const [wide, high] = [(width * 72) / dpi, (height * 72) / dpi];
  const content = `${wide} 0 0 ${high} 0 0 cm /Scan Do`;
  const picture = Buffer.concat([
    Buffer.from(
      `<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} ${entries} /Length ${bytes.length} >>\nstream\n`,
    ),
    bytes,
    Buffer.from("\nendstream"),
  ]);
  return pdfOf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${wide} ${high}] /Contents 4 0 R /Resources << /XObject << /Scan 5 0 R >> >> >>`,
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    picture,
    ...more,
  ]);
}
