/**
 * Prints a generated set and scans it: `node training/scan.ts DIR --out DIR [--dpi 200] [--noise 6] [--skew 0.7]
 * [--fax] [--photo] [--count 40] [--seed 1]`. A document of one page becomes a PNG; a longer document becomes a PDF of
 * images. The truths are unchanged, so that `training/measure.ts` shows the loss. Workbooks and mails are left out,
 * because they are rarely printed.
 */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { argv } from "node:process";
import { parseArgs } from "node:util";
import PdfDocument from "pdfkit";
import type { Page } from "../src/extraction/document/document.ts";
import { defaultLimits, openDocument } from "../src/extraction/formats/open.ts";
import { Budget } from "../src/extraction/problem.ts";
import { Chance } from "./chance.ts";
import { toPng } from "./scans/png.ts";
import { faces, printed, type Face } from "./scans/print.ts";
import { scanned } from "./scans/scanned.ts";

interface Case {
  file: string;
  truth: string;
}

const { positionals, values } = parseArgs({
  args: argv.slice(2),
  allowPositionals: true,
  options: {
    out: { type: "string", default: ".data/scans" },
    dpi: { type: "string", default: "200" },
    noise: { type: "string", default: "6" },
    skew: { type: "string", default: "0.7" },
    fax: { type: "boolean", default: false },
    photo: { type: "boolean", default: false },
    count: { type: "string", default: "1000" },
    seed: { type: "string", default: "1" },
  },
});
const [folder] = positionals;
if (!folder) throw new Error("Name the folder of a generated set.");
const dpi = Number(values.dpi);
const wear = { noise: Number(values.noise), skew: Number(values.skew), fax: values.fax, photo: values.photo };
mkdirSync(values.out, { recursive: true });
const printable = (JSON.parse(readFileSync(join(folder, "cases.json"), "utf8")) as Case[]).filter(({ file }) =>
  /\.(?:pdf|docx|html|txt)$/.test(file),
);
const cases = [];
for (const [at, one] of printable.slice(0, Number(values.count)).entries()) {
  const bytes = readFileSync(join(folder, one.file));
  const { parts } = await openDocument({ bytes, name: one.file }, defaultLimits, new Budget(60_000));
  const chance = new Chance(Number(values.seed)).fork(`scan ${at}`);
  const pages = parts.flatMap((part) => part.pages).flatMap(sheetsOf);
  const face = chance.pick(faces);
  const pictures = pages.map((page) => toPng(scanned(printed(page, dpi, faceOf(page, face)), chance, wear)));
  const file = one.file.replace(/\.\w+$/, pictures.length === 1 ? ".png" : ".pdf");
  writeFileSync(join(values.out, file), pictures.length === 1 ? pictures[0]! : await bound(pictures, pages));
  copyFileSync(join(folder, one.truth), join(values.out, one.truth));
  cases.push({ ...one, file });
}
writeFileSync(join(values.out, "cases.json"), `${JSON.stringify(cases, null, 1)}\n`);
console.log(`${cases.length} scans in ${values.out}`);

/** Chooses the typeface of a page: plain text is monospaced, everything else has the given typeface. */
function faceOf({ tokens }: Page, face: Face): Face {
  return tokens.some(({ source }) => source === "Text") ? "mono" : face;
}

/** Divides a page into sheets of paper, because a text file is opened as one long page. */
function sheetsOf(page: Page): Page[] {
  const height = Math.max(842, Math.min(page.height, page.width * 1.5));
  const count = Math.max(1, Math.ceil(page.height / height - 0.1));
  return Array.from({ length: count }, (_, at) => {
    const top = at * height;
    const moved = <B extends { y0: number; y1: number }>(boxes: readonly B[]) =>
      boxes
        .filter(({ y0, y1 }) => (y0 + y1) / 2 >= top && (y0 + y1) / 2 < top + height)
        .map((box) => ({ ...box, y0: box.y0 - top, y1: box.y1 - top }));
    return { ...page, height, tokens: moved(page.tokens), rulings: moved(page.rulings) };
  });
}

async function bound(pictures: Uint8Array[], pages: Page[]): Promise<Buffer> {
  const pdf = new PdfDocument({ autoFirstPage: false });
  const chunks: Buffer[] = [];
  pdf.on("data", (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise((resolve) => pdf.on("end", resolve));
  for (const [at, picture] of pictures.entries()) {
    const { width, height } = pages[at]!;
    pdf.addPage({ size: [width, height], margin: 0 }).image(Buffer.from(picture), 0, 0, { width, height });
  }
  pdf.end();
  await ended;
  return Buffer.concat(chunks);
}
