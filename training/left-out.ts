/**
 * Measures how the engine copes with an unseen language or layout: `node training/left-out.ts DIR... --held DIR
 * [--gazetteer SHARDS] [--by language,layout]`. The label weights are trained again without the documents of one
 * language or layout. For a language, its labels are also removed from the lexicon. Prints the F1 score over the
 * held-out documents of that language or layout: with the shipped data, and without the language or layout.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execPath } from "node:process";
import { parseArgs } from "node:util";
import { openGazetteerFromDisk } from "../scripts/gazetteer.ts";
import { labelModelOf, trainWeights } from "./learning/learnt-weights.ts";
import { writeModel } from "./learning/write-model.ts";
import { pairsIn, type Pair } from "./learning/pairs.ts";
import { casesOf, truthOf, type Case } from "./learning/read-set.ts";
import { documentContextOf } from "./learning/annotated-files.ts";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    held: { type: "string", multiple: true, default: [] },
    gazetteer: { type: "string", default: "dist/assets/gazetteer" },
    by: { type: "string", default: "language,layout" },
  },
});

type Trait = "language" | "layout";
const gazetteer = openGazetteerFromDisk(values.gazetteer);
const scratch = mkdtempSync(join(tmpdir(), "left-out-"));
const lexicon = "src/extraction/lexicon/languages";

const seen: (Pair & Record<Trait, string>)[] = [];
for (const folder of positionals)
  for (const one of casesOf(folder)) {
    const truth = truthOf(folder, one);
    if (one.kind !== "order" || Array.isArray(truth)) continue;
    const pairs = pairsIn(await documentContextOf(join(folder, one.file), gazetteer), truth as Record<string, unknown>);
    seen.push(...pairs.map((pair) => ({ ...pair, language: one.language, layout: one.layout })));
  }

for (const by of values.by.split(",") as Trait[]) {
  console.log(`\n| ${by} | documents | F1 | without it |\n| --- | ---: | ---: | ---: |`);
  const groups = Map.groupBy(values.held.flatMap(casesOf), (one) => one[by]);
  const shipped = figures(by, [], {});
  for (const [name, group] of [...groups].toSorted(([a], [b]) => a.localeCompare(b)))
    row(by, name, group, shipped.get(name));
}
rmSync(scratch, { recursive: true });

function row(by: Trait, name: string, group: readonly Case[], shipped = ""): void {
  const weights = join(scratch, "weights.json");
  const without = trainWeights(seen.filter((pair) => pair[by] !== name));
  writeModel(weights, labelModelOf(without, `without the ${by} ${name}`));
  const replaced: Record<string, string> = { "fields/labels/weights.json": weights };
  if (by === "language") {
    if (name.includes("+") || name === "us") return;
    const file = join(scratch, `${name}.json`);
    const whole = JSON.parse(readFileSync(join(lexicon, `${name}.json`), "utf8")) as object;
    writeFileSync(file, JSON.stringify({ ...whole, labels: {} }));
    replaced[`languages/${name}.json`] = file;
  }
  const f1 = figures(by, [`--${by}`, name], replaced).get(name) ?? "";
  console.log(`| ${name} | ${group.length} | ${shipped} | ${f1} |`);
}

/**
 * Extracts the held-out sets with the given data files replaced, and returns the F1 score of each language or layout.
 */
function figures(by: Trait, chosen: readonly string[], replaced: Record<string, string>): Map<string, string> {
  const words = ["--import", "./training/learning/replace-data.ts", "training/judge.ts", ...values.held, ...chosen];
  const output = execFileSync(execPath, [...words, "--gazetteer", values.gazetteer, "--by", by], {
    encoding: "utf8",
    env: { ...process.env, REPLACED_DATA: JSON.stringify(replaced) },
  });
  return new Map(
    output.split("\n").flatMap((line) => (line.includes(" ") ? [line.split(" ") as [string, string]] : [])),
  );
}
