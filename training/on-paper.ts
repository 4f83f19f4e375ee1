/**
 * Measures what is lost when documents are printed and scanned: `node training/on-paper.ts [--dumps DIR] [--count 3]
 * [--seed 1] [--kind order,invoice] [--gazetteer SHARDS] [--dpi 200] [--noise 6] [--skew 0.7] [--fax] [--photo]
 * [--looks FOLDER]`. Generates, prints and scans `--count` documents of each kind and extracts both versions. For each
 * kind, prints F1 over all values for the digital and the scanned documents, and the calibration error for the scanned
 * ones. `--looks` names a folder that caches OCR results. `--dumps` names the folder of GeoNames' postal codes, from
 * which addresses are generated.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { env, execPath } from "node:process";
import { parseArgs } from "node:util";
import { fieldOf } from "../src/extraction/fields/confidence/value-features.ts";
import { isCritical } from "../corpus/critical.ts";
import { summaryByKind, type ReportedValue } from "./learning/figures.ts";
import { cachedRecogniser } from "./learning/ocr-cache.ts";
import { casesOf, readSets, type ReadCase } from "./learning/read-set.ts";

const { values } = parseArgs({
  options: {
    dumps: { type: "string", default: env.GAZETTEER_DIR ?? ".data/gazetteer" },
    count: { type: "string", default: "3" },
    seed: { type: "string", default: "1" },
    kind: { type: "string", default: "order,invoice,receipt,cmr,fine,insurance,driver-document,opportunity" },
    gazetteer: { type: "string", default: "dist/assets/gazetteer" },
    dpi: { type: "string", default: "200" },
    noise: { type: "string", default: "6" },
    skew: { type: "string", default: "0.7" },
    fax: { type: "boolean", default: false },
    photo: { type: "boolean", default: false },
    looks: { type: "string" },
  },
});

interface Tally {
  documents: number;
  wanted: number;
  results: ReportedValue[];
}

const scratch = mkdtempSync(join(tmpdir(), "on-paper-"));
const recognise = await cachedRecogniser(values.looks);
const scanned: ReportedValue[] = [];
const rows: string[] = [];
for (const kind of values.kind.split(",")) {
  const [typed, paper] = [join(scratch, kind), join(scratch, `${kind}-scanned`)];
  const { dumps, count, seed, dpi, noise, skew } = values;
  run("generate.ts", { kind, count, seed, gazetteer: dumps, out: typed });
  const wear = [values.fax ? "--fax" : [], values.photo ? "--photo" : []].flat();
  run("scan.ts", { seed, dpi, noise, skew, out: paper }, typed, ...wear);
  const printed = new Set(casesOf(paper).map(({ truth }) => truth));
  const before = await tallyOf(readSets([typed], [values.gazetteer], ({ truth }) => printed.has(truth)));
  const after = await tallyOf(readSets([paper], [values.gazetteer], () => true, recognise));
  scanned.push(...after.results);
  rows.push(`| ${kind} | ${after.documents} | ${f1(before)} | ${f1(after)} | ${precision(after)} | ${recall(after)} |`);
}
rmSync(scratch, { recursive: true });
console.log(
  "| kind | documents | F1 digital | F1 scanned | precision | recall |\n| --- | ---: | ---: | ---: | ---: | ---: |",
);
console.log(rows.join("\n"));
console.log(`\n${summaryByKind(scanned)}`);
console.log(`\nAll kinds together:\n\n${summaryByKind(scanned.map((each) => ({ ...each, kind: "all" })))}`);

function run(script: string, options: Record<string, string>, ...more: string[]): void {
  const words = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  execFileSync(execPath, [join(import.meta.dirname, script), ...more, ...words], {
    stdio: ["ignore", "ignore", "inherit"],
  });
}

async function tallyOf(cases: AsyncGenerator<ReadCase>): Promise<Tally> {
  const tally: Tally = { documents: 0, wanted: 0, results: [] };
  for await (const { kind, judged, wanted } of cases) {
    tally.documents++;
    tally.wanted += wanted;
    for (const { pointer, confidence, right } of judged) {
      const field = fieldOf(pointer);
      tally.results.push({ kind, field, confidence, right, critical: isCritical(kind, field) });
    }
  }
  return tally;
}

function part(of: number, all: number): string {
  return (of / Math.max(1, all)).toFixed(3);
}

function rightIn({ results }: Tally): number {
  return results.filter(({ right }) => right).length;
}

function f1(tally: Tally): string {
  return part(2 * rightIn(tally), tally.wanted + tally.results.length);
}

function precision(tally: Tally): string {
  return part(rightIn(tally), tally.results.length);
}

function recall(tally: Tally): string {
  return part(rightIn(tally), tally.wanted);
}
