/**
 * Trains the calibration of confidences: `node training/calibrate.ts DIR... [--held DIR] [--gazetteer SHARDS] [--out
 * src/extraction/fields/confidence/calibration.json] [--keep]`. The folders are authors of the corpus, rendered, or
 * generated sets of any document kind.
 * With several gazetteers (`--gazetteer` repeated) the documents alternate between them. `--keep` retains the
 * calibrations of kinds without documents in the folders, and those for unseen kinds. For the sets of `--held`, prints
 * the calibration error and the number of critical values that are wrong but reported as sure.
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { Calibration, CalibrationModel } from "../src/extraction/fields/confidence/calibration.ts";
import { featureNames, type ValueFeatures } from "../src/extraction/fields/confidence/value-features.ts";
import { replaceData } from "./learning/replace-data.ts";
import { joinedClasses, writeModel } from "./learning/write-model.ts";

replaceData({ "confidence/calibration.json": `{ "classes": [], "bias": [], "weights": {}, "curves": {} }` });
const { calibrationsIn, confidenceOf } = await import("../src/extraction/fields/confidence/calibration.ts");
const { calibrationOf, isTelling, tried } = await import("./learning/curves.ts");
const { readSets } = await import("./learning/read-set.ts");
const { summaryByKind } = await import("./learning/figures.ts");
type Tried = Awaited<ReturnType<typeof triedIn>>[number];

const shipped = "src/extraction/fields/confidence/calibration.json";
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    held: { type: "string", multiple: true, default: [] },
    gazetteer: { type: "string", multiple: true, default: ["dist/assets/gazetteer"] },
    out: { type: "string" },
    keep: { type: "boolean", default: false },
  },
});

/** The features of a value, all zero. */
const withoutSigns = Object.fromEntries(featureNames.map((name) => [name, 0])) as ValueFeatures;

const all = await triedIn(positionals);
const learnt: Map<string, Calibration> = values.keep
  ? calibrationsIn(JSON.parse(readFileSync(shipped, "utf8")) as CalibrationModel)
  : new Map<string, Calibration>();
for (const [kind, ofKind] of Map.groupBy(all, (each) => each.kind)) {
  for (const name of learnt.keys()) if (name.startsWith(`${kind} `)) learnt.delete(name);
  for (const [name, calibration] of calibrationsOf(ofKind)) learnt.set(`${kind} ${name}`, calibration);
}
if (!values.keep) for (const [type, calibration] of anyKind(all)) learnt.set(`any ${type}`, calibration);
if (values.held.length > 0) console.log(summaryByKind((await triedIn(values.held)).map(withConfidence)));
if (values.out)
  writeModel<CalibrationModel>(values.out, {
    training: `node training/calibrate.ts, on ${all.length} values of ${positionals.length} authors or sets`,
    ...joinedClasses(learnt, featureNames),
    curves: Object.fromEntries(
      [...learnt].map(([name, { curve, sure }]) => [name, { points: curve, ...(sure !== undefined && { sure }) }]),
    ),
  });

/** Trains a calibration for every field, and for every type of value, that has enough values. */
function calibrationsOf(ofKind: readonly Tried[]): [string, Calibration][] {
  const enough = (groups: Map<string, Tried[]>) => [...groups].filter(([, group]) => isTelling(group));
  const found = [
    ...enough(Map.groupBy(ofKind, ({ group }) => group)),
    ...enough(Map.groupBy(ofKind, ({ type }) => type)),
  ];
  return found.map(([name, group]) => [name, calibrationOf(group)]);
}

/**
 * Trains the calibrations for unseen document kinds: one for each type of value, on the documents of all kinds. They
 * only use features that every kind has.
 */
function anyKind(tries: readonly Tried[]): [string, Calibration][] {
  const alone = tries.map((each) => ({
    ...each,
    critical: false,
    signs: { ...withoutSigns, score: each.signs.score, document: each.signs.document, doubted: each.signs.doubted },
  }));
  return [...Map.groupBy(alone, ({ type }) => type)].map(([type, group]) => [type, calibrationOf(group)]);
}

function withConfidence(each: Tried): Tried & { confidence: number } {
  const { kind, group, type } = each;
  const calibration = learnt.get(`${kind} ${group}`) ?? learnt.get(`${kind} ${type}`) ?? learnt.get(`any ${type}`);
  return { ...each, confidence: calibration ? confidenceOf(calibration, each.signs) : 0.5 };
}

/** Extracts the documents of the folders. All documents of an author of the corpus have one origin. */
async function triedIn(folders: readonly string[]) {
  const found: ReturnType<typeof tried> = [];
  let origin = 0;
  for (const folder of folders) {
    for await (const { kind, items, truths, received } of readSets([folder], values.gazetteer)) {
      for (const [at, item] of items.entries())
        if (truths[at] !== undefined) found.push(...tried(kind, origin, item, truths[at]));
      if (received === undefined) origin += 1;
    }
    origin += 1;
  }
  return found;
}
