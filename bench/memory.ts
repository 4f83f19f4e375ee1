// Measures how much the live memory grows while long files are read. `node bench/memory.ts` writes the figures into
// bench/README.md; with `--print` it only prints them. Garbage is collected before each sample, so the figures depend
// neither on the garbage collector nor on how busy the machine is.
import process from "node:process";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { openGazetteerFromDisk } from "../scripts/gazetteer.ts";
import { shippedLabeller } from "../scripts/labeller.ts";
import { assessFile } from "../src/extraction/assess-quality.ts";
import { Budget } from "../src/extraction/problem.ts";
import { extractDocument } from "../src/extraction/extract.ts";
import type { InputFile } from "../src/extraction/formats/reader.ts";
import { pdfWith, scanPage } from "../test/support/files/hostile-pdfs.ts";
import { orderLines } from "../test/support/papers/order.ts";
import { pdfPages } from "../test/support/papers/pdf.ts";
import { page, paragraph } from "../test/support/pictures/draw.ts";
import { jpeg } from "../test/support/pictures/jpeg.ts";
import { table, writeFigures } from "./readme.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

function alive(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 2 ** 20;
}

const milliseconds = 3_000;

/** Samples the memory from time to time, when the extraction checks its time budget. */
class Watching extends Budget {
  most = 0;
  private next = 0;

  constructor() {
    super(Infinity);
  }

  override check(): void {
    if (Date.now() < this.next) return;
    this.most = Math.max(this.most, alive());
    this.next = Date.now() + milliseconds;
  }
}

const gazetteer = openGazetteerFromDisk("dist/assets/gazetteer");
const company = { names: ["Trans Beispiel"], vatCodes: [], emailDomains: [], country: "DE" };
const context = { company, today: "2026-11-20" };

const order = (file: InputFile, budget: Budget) =>
  extractDocument("order", file, context, { gazetteer, labeller: shippedLabeller, budget });
const quality = (file: InputFile, budget: Budget) => assessFile(file, {}, context, { gazetteer, budget });

const textPages = (count: number) =>
  pdfPages(
    Array.from({ length: count }, (_, index) => [
      ...orderLines({ number: `OR-2026-${1000 + index}` }),
      ...Array.from(
        { length: 20 },
        (__, line) => `${line}. The carrier keeps to what the customer says of goods and times.`,
      ),
    ]),
  );

/** Makes a PDF of scanned pages. Each picture is padded with bytes that no decoder reads, so that the file is large. */
async function scans(count: number): Promise<Uint8Array> {
  const picture = Buffer.concat([Buffer.from(await jpeg(page(paragraph(40)))), Buffer.alloc(900_000)]);
  const entries = "/Width 1240 /Height 1754 /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /DCTDecode";
  return pdfWith(Array.from({ length: count }, () => scanPage({ entries, bytes: Buffer.from(picture) })));
}

const files: [string, Uint8Array, typeof order | typeof quality][] = [
  ["an order of 200 pages of text", textPages(200), order],
  ["the quality of 20 scanned pages", await scans(20), quality],
];

await order({ bytes: new Uint8Array(textPages(1)), name: "first.pdf" }, new Budget(Infinity));
const rows: string[][] = [];
for (const [what, bytes, read] of files) {
  const before = alive();
  const budget = new Watching();
  await read({ bytes: new Uint8Array(bytes), name: "file.pdf" }, budget);
  const [size, most] = [bytes.length / 2 ** 20, budget.most - before];
  rows.push([what, size.toFixed(1), most.toFixed(0)]);
}
const figures = table(["read", "the file, MiB", "highest live memory above that before, MiB"], rows);
console.log(figures);
if (!process.argv.includes("--print")) await writeFigures("alive", figures);
