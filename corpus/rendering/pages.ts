import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import PdfDocument from "pdfkit";

const fonts = join(dirname(createRequire(import.meta.url).resolve("dejavu-fonts-ttf/package.json")), "ttf");
const files = {
  plain: "DejaVuSans.ttf",
  bold: "DejaVuSans-Bold.ttf",
  mono: "DejaVuSansMono.ttf",
} as const;
export type Font = keyof typeof files;

/** An A4 PDF with three fonts that cover Latin, Greek and Cyrillic. @returns it, and a function that ends it and returns its bytes */
export function newPdf(margin: number, landscape = false) {
  const pdf = new PdfDocument({ size: "A4", margin, layout: landscape ? "landscape" : "portrait" });
  for (const [name, file] of Object.entries(files)) pdf.registerFont(name, readFileSync(join(fonts, file)));
  const chunks: Uint8Array[] = [];
  pdf.on("data", (chunk: Uint8Array) => chunks.push(chunk));
  const ended = new Promise<Uint8Array>((resolve) => pdf.on("end", () => resolve(Buffer.concat(chunks))));
  const bytes = () => {
    pdf.end();
    return ended;
  };
  return { pdf, bytes };
}
