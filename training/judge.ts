/**
 * Evaluates confidences on sets with truth: `node training/judge.ts DIR... [--gazetteer SHARDS]`. For each kind, prints
 * the calibration error and how many critical values are wrong but reported as sure. For the whole set, prints the
 * share of values that occur in their source text, and the CPU time per page.
 * - `--language` and `--layout` select files.
 * - `--by language` or `--by layout` prints only the F1 score of each language or layout, over all its values.
 * - `--fields` adds the figures of each field.
 * - `--wrong` lists the critical values that are wrong but reported as sure.
 * - `--ungrounded` lists the values that do not occur in their source text.
 * - `--ocr` includes scans; `--looks FOLDER` caches their OCR results.
 * The folders are generated sets, or others with `cases.json` and truths in the same format.
 */
import { exit } from "node:process";
import { parseArgs } from "node:util";
import { fieldOf } from "../src/extraction/fields/confidence/value-features.ts";
import { isCritical } from "../corpus/critical.ts";
import { summaryRow, sure, summaryByKind, type ReportedValue } from "./learning/figures.ts";
import { groundsOf, type Grounds } from "./learning/grounded.ts";
import { cachedRecogniser } from "./learning/ocr-cache.ts";
import { readSets } from "./learning/read-set.ts";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    gazetteer: { type: "string", multiple: true, default: ["dist/assets/gazetteer"] },
    language: { type: "string" },
    layout: { type: "string" },
    by: { type: "string" },
    ocr: { type: "boolean", default: false },
    looks: { type: "string" },
    fields: { type: "boolean", default: false },
    wrong: { type: "boolean", default: false },
    ungrounded: { type: "boolean", default: false },
  },
});

const results: (ReportedValue & { language: string; layout: string })[] = [];
const grounds = new Map<Grounds, number>();
const times: number[] = [];
const asked = new Map<string, number>();
const by = values.by === "layout" ? "layout" : "language";
for await (const { file, kind, language, layout, judged, items, pages, milliseconds, wanted } of readSets(
  positionals,
  values.gazetteer,
  (one) => [one.language, undefined].includes(values.language) && [one.layout, undefined].includes(values.layout),
  values.ocr ? await cachedRecogniser(values.looks) : undefined,
)) {
  const group = by === "layout" ? layout : language;
  asked.set(group, (asked.get(group) ?? 0) + wanted);
  if (pages > 0) times.push(milliseconds / pages);
  for (const { pointer, confidence, right, value, text } of judged) {
    const field = fieldOf(pointer);
    const one = { kind, field, confidence, right, critical: isCritical(kind, field), language, layout };
    results.push(one);
    if (values.wrong && !right && one.critical && confidence >= sure)
      console.log(`${file}: ${pointer} ${confidence} ${String(value)} from ${JSON.stringify(text)}`);
  }
  for (const each of items.flatMap(({ evidence }) => evidence)) {
    const ground = groundsOf(each);
    if (ground) grounds.set(ground, (grounds.get(ground) ?? 0) + 1);
    if (values.ungrounded && (ground === "Missing" || ground === "Other"))
      console.log(`${file}: ${each.pointer} ${String(each.value)} from ${JSON.stringify(each.text)}`);
  }
}

const f1 = (of: typeof results, wanted: number) =>
  ((2 * of.filter(({ right }) => right).length) / Math.max(1, wanted + of.length)).toFixed(3);
if (values.by) {
  const groups = Map.groupBy(results, (one) => one[by]);
  for (const [name, wanted] of asked) console.log(`${name} ${f1(groups.get(name) ?? [], wanted)}`);
  exit(0);
}
console.log(summaryByKind(results));
const all = [...asked.values()].reduce((sum, each) => sum + each, 0);
console.log(`\nF1 over all values: ${f1(results, all)}`);
if (values.fields) {
  const rows = [...Map.groupBy(results, ({ kind, field }) => `${kind} ${field}`)].map(
    ([name, of]) => `| ${name} ${summaryRow(of)}`,
  );
  console.log(`\n${rows.join("\n")}`);
}
const whole = [...grounds.values()].reduce((sum, each) => sum + each, 0);
const part = (ground: Grounds) => `${((100 * (grounds.get(ground) ?? 0)) / whole).toFixed(2)} %`;
console.log(
  `\nSource text of ${whole} values: contains the value ${part("Spelled")}, implies it ${part("Meant")}, other ${part("Other")}, missing ${part("Missing")}`,
);
const [first = 0, ...later] = times;
const sorted = later.toSorted((a, b) => a - b);
console.log(
  `CPU time per page: first file ${first.toFixed(0)} ms, then median ${(sorted[sorted.length >> 1] ?? 0).toFixed(1)} ms, ` +
    `of ten the slowest from ${(sorted[Math.floor(sorted.length * 0.9)] ?? 0).toFixed(1)} ms on`,
);
