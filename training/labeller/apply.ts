/**
 * Adds the chosen values to the readings of the engine where these are empty, and scores both: `node training/labeller/apply.ts
 * DUMP.jsonl FILLS.json [--thresholds FILE] [--replace FILE] [--learn-replacing FILE] [--fields]`. Without thresholds, prints a line for each of several.
 * `--learn-replacing` writes for each field from which chance a value should replace that of the rules; `--replace` does so.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { parseArgs } from "node:util";
import type { Json, Leaf } from "../../corpus/compare.ts";
import { compareDocument } from "../../corpus/scores.ts";
import { fillIn, type Fill } from "./fill-in.ts";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    thresholds: { type: "string" },
    fields: { type: "boolean", default: false },
    "learn-replacing": { type: "string" },
    alone: { type: "boolean", default: false },
    replace: { type: "string" },
  },
});
const [dump = "", fillFile = ""] = positionals;

interface Document {
  file: string;
  truth: Json;
  items: { [name: string]: Json }[];
}
const documents = readFileSync(dump, "utf8")
  .trim()
  .split("\n")
  .map((line): Document => {
    const { folder, file, truth, items } = JSON.parse(line) as {
      folder: string;
      file: string;
      truth: Json;
      items: { data: { [name: string]: Json } }[];
    };
    return { file: `${basename(folder)}/${file}`, truth, items: items.map(({ data }) => data) };
  });
const fills = Map.groupBy(JSON.parse(readFileSync(fillFile, "utf8")) as Fill[], ({ file }) => file);

interface Count {
  right: number;
  wrong: number;
  expected: number;
}
const count = (leaves: readonly Leaf[]): Count => ({
  right: leaves.filter(({ outcome }) => outcome === "right").length,
  wrong: leaves.filter(({ outcome }) => outcome === "wrong").length,
  expected: leaves.filter(
    ({ outcome, expected }) => outcome === "right" || (expected !== undefined && expected !== null && expected !== ""),
  ).length,
});
const f1 = ({ right, wrong, expected }: Count) => {
  const [precision, recall] = [right / (right + wrong || 1), right / (expected || 1)];
  return { f1: (2 * precision * recall) / (precision + recall || 1), precision, recall };
};
const shown = (of: Count) => {
  const { f1: f, precision, recall } = f1(of);
  return `F1 ${f.toFixed(4)} precision ${precision.toFixed(4)} recall ${recall.toFixed(4)}`;
};

const replacing: Record<string, number> = values.replace
  ? (JSON.parse(readFileSync(values.replace, "utf8")) as Record<string, number>)
  : {};
const read = (
  limit: (field: string) => number,
  only?: string,
  replaceFrom: (field: string) => number = (field) => replacing[field] ?? Number.POSITIVE_INFINITY,
): Leaf[][] =>
  documents.map(({ file, truth, items }) =>
    compareDocument(
      "order",
      truth,
      items.map((data, at) => {
        const own = (fills.get(file) ?? []).filter(
          (fill) => fill.item === at && (!only || fill.field === only || only.split("+").includes(fill.field)),
        );
        const known = values.alone ? onlyStops(data) : data;
        return fillIn(known, own, limit, replaceFrom);
      }),
    ),
  );

/** The stops of a reading without their fields. */
function onlyStops({ locations }: { [name: string]: Json }): { [name: string]: Json } {
  const stops = (Array.isArray(locations) ? locations : []) as { [name: string]: Json }[];
  return { locations: stops.map(({ sequence, type }) => ({ sequence, type })) };
}

const never = () => 2;
const before = read(never).flat();
const base = count(before);
console.log(`${documents.length} documents; engine: ${shown(base)} (${base.right} right, ${base.wrong} wrong)`);

const added = (leaves: readonly Leaf[]) => {
  const after = count(leaves);
  const [right, wrong] = [after.right - base.right, after.wrong - base.wrong];
  return { after, right, wrong, precision: right / (right + wrong || 1) };
};
const tell = (name: string, leaves: readonly Leaf[]) => {
  const { after, right, wrong, precision } = added(leaves);
  console.log(
    `${name.padEnd(12)} +${right} right +${wrong} wrong, ${precision.toFixed(3)} of the added right; ${shown(after)} (${(f1(after).f1 - f1(base).f1 >= 0 ? "+" : "") + (f1(after).f1 - f1(base).f1).toFixed(4)})`,
  );
};

const replacements = [0.7, 0.75, 0.8, 0.85, 0.9];
const steps = [0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95];
const fieldGroups = [...new Set([...fills.values()].flat().map(({ field }) => field))].filter(
  (field) => !/^stop (?:day|startHour|lastDay|endHour)$/.test(field),
);
if (values["learn-replacing"]) {
  const ways = fieldGroups.map((field) => {
    const gains = replacements.map((step) => ({ step, ...added(read(never, field, () => step).flat()) }));
    return { field, ...gains.reduce((best, each) => (each.right >= best.right ? each : best)) };
  });
  const good = ways.filter(({ right }) => right >= 8);
  for (const { field, step, right, wrong } of good) console.log(`${field.padEnd(28)} ${step} +${right} ${wrong}`);
  writeFileSync(
    values["learn-replacing"],
    JSON.stringify(Object.fromEntries(good.map(({ field, step }) => [field, step]))),
  );
}
if (values.thresholds) {
  const chosen = JSON.parse(readFileSync(values.thresholds, "utf8")) as Record<string, number>;
  const limit = (field: string) => chosen[field] ?? 2;
  tell("by field", read(limit).flat());
  for (const shift of [-0.2, -0.1, -0.05, 0.05, 0.1, 0.15])
    tell(`${shift > 0 ? "+" : ""}${shift}`, read((field) => limit(field) + shift).flat());
  if (values.fields)
    for (const field of fieldGroups) {
      const { right, wrong } = added(read(limit, field).flat());
      if (right + wrong !== 0)
        console.log(`  ${field.padEnd(28)} from ${chosen[field.split("+")[0]!]}: +${right} right +${wrong} wrong`);
    }
} else if (!values["learn-replacing"]) for (const step of steps) tell(String(step), read(() => step).flat());
