/**
 * Trains the weights of label-value pairs: `node training/learn.ts DIR... [--held DIR] [--gazetteer SHARDS] [--penalty
 * 3000] [--out src/extraction/fields/labels/weights.json]`. The folders are generated sets of orders. A higher penalty
 * keeps the trained weights closer to the manual ones. Without `--out` nothing is written. Prints how well the manual
 * and the trained weights classify the training set and the held-out set.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openGazetteerFromDisk } from "../scripts/gazetteer.ts";
import { byHand, example, labelModelOf, trainWeights, modelOf } from "./learning/learnt-weights.ts";
import { probabilityOf } from "./learning/logistic.ts";
import { writeModel } from "./learning/write-model.ts";
import { pairsIn, type Pair } from "./learning/pairs.ts";
import { casesOf, truthOf } from "./learning/read-set.ts";
import { documentContextOf } from "./learning/annotated-files.ts";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    held: { type: "string", multiple: true, default: [] },
    gazetteer: { type: "string", default: "dist/assets/gazetteer" },
    penalty: { type: "string" },
    out: { type: "string" },
  },
});

const gazetteer = openGazetteerFromDisk(values.gazetteer);
const pairs = await pairsOf(positionals);
const weights = trainWeights(pairs, values.penalty === undefined ? undefined : Number(values.penalty));
console.log(JSON.stringify(weights, undefined, 1));
report("training", pairs);
if (values.held.length > 0) report("held out", await pairsOf(values.held));
if (values.out)
  writeModel(values.out, labelModelOf(weights, `node training/learn.ts, on ${pairs.length} pairs of generated orders`));

async function pairsOf(folders: readonly string[]): Promise<Pair[]> {
  const found: Pair[] = [];
  for (const folder of folders)
    for (const one of casesOf(folder)) {
      const truth = truthOf(folder, one);
      if (one.kind !== "order" || Array.isArray(truth)) continue;
      found.push(
        ...pairsIn(await documentContextOf(join(folder, one.file), gazetteer), truth as Record<string, unknown>),
      );
    }
  return found;
}

/** Prints log loss, precision and recall of the manual and the trained weights. */
function report(set: string, all: readonly Pair[]): void {
  for (const [name, model] of Object.entries({ "by hand": modelOf(byHand), learnt: modelOf(weights) })) {
    const scored = all.map((pair) => ({ right: pair.right, p: probabilityOf(model, example(pair).signs) }));
    const loss =
      scored.reduce((sum, { right, p }) => sum - Math.log(Math.max(1e-9, right ? p : 1 - p)), 0) / scored.length;
    const [yes, right] = [scored.filter(({ p }) => p >= 0.5), scored.filter((one) => one.right)];
    const hits = yes.filter((one) => one.right).length;
    console.log(
      `${set}, ${name}: ${scored.length} pairs, ${right.length} right; log loss ${loss.toFixed(4)}, at 0.5 precision ` +
        `${(hits / yes.length).toFixed(4)}, recall ${(hits / right.length).toFixed(4)}`,
    );
  }
}
