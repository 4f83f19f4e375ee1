/**
 * Extracts a generated set and reports errors by language, layout and field, with the most frequent wrong values. `node
 * training/measure.ts DIR --score SCORE_SCRIPT [--gazetteer SHARDS] [--worst 60] [--kind invoice] [--ocr] [--report
 * FILE]`. For a set of several kinds, `--kind` names the one to measure. The score script compares the values; this
 * script summarises the wrong values that the score script reports.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { argv, execPath, exit } from "node:process";
import { parseArgs } from "node:util";

interface Tally {
  tp: number;
  fp: number;
  fn: number;
}

interface WrongLeaf {
  path: string;
  what: "fp" | "fn";
  want?: unknown;
  got?: unknown;
}

interface ScoredDocument extends Tally {
  file: string;
  envelope?: string[];
  wrong: WrongLeaf[];
}

interface Report {
  fields: Record<string, Tally>;
  documents: ScoredDocument[];
}

interface Case {
  file: string;
  language: string;
  layout: string;
}

const { positionals, values } = parseArgs({
  args: argv.slice(2),
  allowPositionals: true,
  options: {
    score: { type: "string" },
    gazetteer: { type: "string", default: "dist/assets/gazetteer" },
    worst: { type: "string", default: "60" },
    report: { type: "string" },
    kind: { type: "string" },
    ocr: { type: "boolean", default: false },
  },
});
const folder = positionals[0];
if (!folder || !values.score) {
  console.error("Name the folder of a generated set and the score script: node training/measure.ts DIR --score FILE");
  exit(2);
}

const report = scored(folder, values.score);
const cases = new Map(
  (JSON.parse(readFileSync(join(folder, "cases.json"), "utf8")) as Case[]).map((one) => [one.file, one]),
);
const caseOf = ({ file }: ScoredDocument): Case => cases.get(basename(file))!;
const text = [
  tallies(
    "Language",
    grouped(report.documents, (document) => caseOf(document).language),
  ),
  tallies(
    "Layout",
    grouped(report.documents, (document) => caseOf(document).layout),
  ),
  tallies("Field", new Map(Object.entries(report.fields).map(([path, tally]) => [path.replace(/^\w+ /, ""), tally]))),
  refusals(report.documents),
  worst(report.documents, Number(values.worst)),
].join("\n");
console.log(text);
if (values.report) writeFileSync(values.report, text);

function scored(set: string, score: string): Report {
  const out = join(set, "scored.json");
  const words = [
    "bench/reading.ts",
    "--score",
    score,
    "--gazetteer",
    values.gazetteer,
    set,
    "--out",
    out,
    ...(values.kind ? ["--only", values.kind] : []),
    ...(values.ocr ? ["--ocr"] : []),
  ];
  const { status, stderr } = spawnSync(execPath, words, { encoding: "utf8", maxBuffer: 1 << 28 });
  if (status !== 0) throw new Error(`The set was not scored: ${stderr}`);
  return JSON.parse(readFileSync(out, "utf8")) as Report;
}

function grouped(
  documents: ScoredDocument[],
  key: (document: ScoredDocument) => string,
): Map<string, Tally & { documents: number }> {
  return new Map(
    [...Map.groupBy(documents, key)].map(([name, group]) => {
      const sum = (what: keyof Tally): number => group.reduce((total, document) => total + document[what], 0);
      return [name, { tp: sum("tp"), fp: sum("fp"), fn: sum("fn"), documents: group.length }];
    }),
  );
}

/** Formats a table with the lowest F1 scores first. */
function tallies(title: string, rows: Map<string, Tally & { documents?: number }>): string {
  const lines = [...rows]
    .toSorted(([, one], [, other]) => f1(one) - f1(other))
    .map(([name, tally]) => {
      const { tp, fp, fn, documents } = tally;
      const figures = [f1(tally), tp / (tp + fp || 1), tp / (tp + fn || 1)].map((figure) => figure.toFixed(3));
      return `| ${name} | ${figures.join(" | ")} | ${tp} | ${fp} | ${fn} | ${documents ?? ""} |`;
    });
  return [
    `## ${title}`,
    "",
    `| ${title} | F1 | precision | recall | right | wrong | missing | documents |`,
    "|---|---|---|---|---|---|---|---|",
    ...lines,
    "",
  ].join("\n");
}

function f1({ tp, fp, fn }: Tally): number {
  return (2 * tp) / (2 * tp + fp + fn || 1);
}

function refusals(documents: ScoredDocument[]): string {
  const refused = documents.filter(
    ({ envelope }) => !envelope?.some((status) => status === "Succeeded" || status === "Partial"),
  );
  return ["## Not read at all", "", ...refused.map(({ file }) => `- ${basename(file)}`), ""].join("\n");
}

/**
 * Lists the most frequent errors, grouped by field and type of error, with examples. A wrong value is counted once, not
 * as both wrong and missing.
 */
function worst(documents: ScoredDocument[], most: number): string {
  const leaves = documents.flatMap((document) =>
    wrongLeaves(document).map((leaf) => ({ ...leaf, file: basename(document.file) })),
  );
  const groups = [...Map.groupBy(leaves, ({ path, kind }) => `${path}, ${kind}`)].toSorted(
    ([, one], [, other]) => other.length - one.length,
  );
  const sections = groups.slice(0, most).map(([name, group]) => {
    const every = Math.max(1, Math.floor(group.length / 6));
    const examples = group.filter((_, at) => at % every === 0).slice(0, 6);
    return [
      `### ${group.length} x ${name}`,
      ...examples.map(({ want, got, file }) => `- wanted ${printable(want)}, got ${printable(got)}: ${file}`),
      "",
    ].join("\n");
  });
  return ["## Most frequent wrong values", "", ...sections].join("\n");
}

function wrongLeaves({ wrong }: ScoredDocument): (WrongLeaf & { kind: "wrong" | "missing" | "invented" })[] {
  const given = (value: unknown): boolean => value !== undefined && value !== null && value !== "";
  return wrong
    .filter(({ what, want, got }) => !(what === "fn" && given(want) && given(got)))
    .map((leaf) => ({ ...leaf, kind: leaf.what === "fn" ? "missing" : given(leaf.want) ? "wrong" : "invented" }));
}

function printable(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 140) ?? "nothing";
}
