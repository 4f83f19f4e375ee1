// Measures, in plain Node, the extraction of a page and, for comparison, the mere extraction of its text. Also measures
// how long the first order takes after the service has started. `node bench/pages.ts` writes the figures into
// bench/README.md; with `--print` it only prints them. `node bench/pages.ts PDF...` measures other PDFs and prints the
// figures.
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import process from "node:process";
import { extractText } from "unpdf";
import { build } from "../scripts/build.mjs";
import { openGazetteerFromDisk } from "../scripts/gazetteer.ts";
import { shippedLabeller } from "../scripts/labeller.ts";
import { Budget } from "../src/extraction/problem.ts";
import { extractDocument } from "../src/extraction/extract.ts";
import { defaultLimits } from "../src/extraction/formats/limits.ts";
import { DecodeLimits, loadWithin } from "../src/extraction/formats/pdf/decompression-guard.ts";
import { measuringConditions } from "./machine.ts";
import { firstCalls } from "./cold-start.ts";
import { median, percentile } from "./median.ts";
import { papers, type Paper } from "./papers.ts";
import { foreignDuring } from "./processes.ts";
import { table, writeFigures } from "./readme.ts";

const rounds = 15;
/** Number of PDFs in each language, and how often each PDF is read. */
const [each, turns] = [3, 5];
const starts = 5;
const files = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const ours = process.argv.includes("--print") || files.length > 0;
const { gazetteer: places } = await build(files.length > 0 ? { only: "assets" } : {});
const gazetteer = openGazetteerFromDisk("dist/assets/gazetteer");
const context = {
  company: { names: [], vatCodes: [], emailDomains: [] },
  today: new Date().toISOString().slice(0, 10),
};

const lines: string[][] = [];
const tables = [
  () => table(["CPU ms per page", "pages", "extraction", "90 % below", "text extraction alone", "ratio"], lines),
];
const foreign = await foreignDuring(async () => {
  for (const file of files.length > 0 ? files : ["docs/sample-order.pdf"]) lines.push(await compared(file));
  if (files.length > 0) return;
  const generated = await papers(each);
  lines.push(await comparedAll(generated));
  const { first, later } = await firstCalls(generated[0]!.bytes, starts);
  const milliseconds = (values: number[]) => Math.round(median(values)).toString();
  const line = ["posted and extracted, ms", milliseconds(first), milliseconds(later)];
  tables.push(() => table(["an order", "the first after the start", "the next ones"], [line]));
});
const figures = [`${measuringConditions(foreign)} Gazetteer: ${places}.`, ...tables.map((written) => written())].join(
  "\n\n",
);
console.log(figures);
if (!ours) await writeFigures("pages", figures);

/** The cost of one file, in milliseconds of CPU time per page. */
interface Cost {
  pages: number;
  reading: number;
  extraction: number;
}

/** Reads one file repeatedly. The first five rounds are a warm-up for the compiler and are not counted. */
async function compared(file: string): Promise<string[]> {
  const paper: Paper = { name: basename(file), kind: "order", bytes: await readFile(file) };
  const costs: Cost[] = [];
  for (let round = -5; round < rounds; round++) {
    const cost = await costOf(paper);
    if (round >= 0) costs.push(cost);
  }
  return lineOf(paper.name, costs[0]!.pages, costs);
}

/**
 * Reads all files once in each turn, and computes the median of the turns for each file. The first turn is a warm-up.
 */
async function comparedAll(all: Paper[]): Promise<string[]> {
  const costs = all.map((): Cost[] => []);
  for (let turn = -1; turn < turns; turn++) {
    for (const [at, paper] of all.entries()) {
      const cost = await costOf(paper);
      if (turn >= 0) costs[at]!.push(cost);
    }
  }
  const middle = costs.map((some): Cost => ({
    pages: some[0]!.pages,
    reading: median(some.map(({ reading }) => reading)),
    extraction: median(some.map(({ extraction }) => extraction)),
  }));
  const pages = middle.reduce((sum, cost) => sum + cost.pages, 0);
  return lineOf(`${all.length} generated orders and invoices`, pages, middle);
}

function lineOf(name: string, pages: number, costs: Cost[]): string[] {
  const reading = costs.map((cost) => cost.reading);
  const figures = [
    median(reading),
    percentile(reading, 0.9),
    median(costs.map(({ extraction }) => extraction)),
    median(costs.map(({ reading: one, extraction }) => one / extraction)),
  ];
  return [name, `${pages}`, ...figures.map((figure) => figure.toFixed(1))];
}

/**
 * Measures the full extraction and, directly after it, the mere text extraction, so that both run under the same
 * conditions.
 */
async function costOf({ name, kind, bytes }: Paper): Promise<Cost> {
  const whole = await timed(() =>
    extractDocument(kind, { bytes: new Uint8Array(bytes), name }, context, {
      gazetteer,
      labeller: shippedLabeller,
      budget: new Budget(60_000),
    }),
  );
  const bare = await timed(() => textOf(bytes));
  if (whole.result.status === "Failed") throw new Error(`${name} was not extracted: ${whole.result.reason}`);
  const pages = bare.result.totalPages;
  return { pages, reading: whole.milliseconds / pages, extraction: bare.milliseconds / pages };
}

/** Extracts the text alone, with the limits of the product, because other documents are refused in this process. */
async function textOf(bytes: Uint8Array) {
  const limits = new DecodeLimits(defaultLimits.pixels, new Budget(60_000));
  const task = await loadWithin(limits, { data: new Uint8Array(bytes) });
  const text = await extractText(await task.promise);
  await task.destroy();
  return text;
}

async function timed<Result>(work: () => Promise<Result>): Promise<{ result: Result; milliseconds: number }> {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return { result, milliseconds: (user + system) / 1000 };
}
