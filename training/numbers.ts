/**
 * Trains the model that decides which numbers of an order are its own number, a reference of the customer, or a reference of
 * a stop: `node training/numbers.ts DIR... [--held DIR] [--gazetteer SHARDS] [--rounds 30] [--penalty 0.0005] [--out
 * src/extraction/fields/numbers/model.json]`. The folders are sets of orders, generated or of the corpus.
 */
import { parseArgs } from "node:util";
import { openGazetteerFromDisk } from "../scripts/gazetteer.ts";
import { writeModel } from "./learning/write-model.ts";
import { numberPagesOf, type NumberPage } from "./learning/number-pages.ts";
import { learntClasses } from "./learning/sparse.ts";
import { classScores, logistic, type LinearModel } from "../src/extraction/linear-model.ts";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    held: { type: "string", multiple: true, default: [] },
    gazetteer: { type: "string", default: "dist/assets/gazetteer" },
    rounds: { type: "string", default: "30" },
    penalty: { type: "string", default: "0.0005" },
    fewest: { type: "string", default: "3" },
    out: { type: "string" },
  },
});

const classes = ["order", "reference", "stop"] as const;
const gazetteer = openGazetteerFromDisk(values.gazetteer);
const pages = await numberPagesOf(positionals, gazetteer);
const learnt = learntClasses(
  classes,
  pages.flatMap(({ numbers, group }) => numbers.map(({ features, uses }) => ({ features, classes: uses, group }))),
  { rounds: Number(values.rounds), penalty: Number(values.penalty), fewest: Number(values.fewest) },
);
const model = {
  training: `node training/numbers.ts --rounds ${values.rounds} --penalty ${values.penalty}, on ${pages.length} orders`,
  ...learnt,
};
tell("training", pages);
if (values.held.length > 0) tell("held out", await numberPagesOf(values.held, gazetteer));
if (values.out) writeModel<LinearModel>(values.out, model);

function tell(set: string, all: readonly NumberPage[]): void {
  const given = { version: 1, ...model };
  let [right, orders] = [0, 0];
  const counts = [0.3, 0.4, 0.5, 0.6, 0.7].map((least) => ({ least, hit: 0, false: 0, missed: 0 }));
  for (const { numbers } of all) {
    const scored = numbers.map((number) => ({ ...number, scores: classScores(given, number.features).map(logistic) }));
    const [best] = [...scored].sort((a, b) => b.scores[0]! - a.scores[0]!);
    if (scored.some(({ uses }) => uses.includes("order"))) {
      orders++;
      if (best?.uses.includes("order")) right++;
    }
    for (const each of scored)
      for (const count of counts) {
        const is = each.uses.includes("stop");
        const said = each.scores[2]! >= count.least;
        if (is && said) count.hit++;
        else if (said) count.false++;
        else if (is) count.missed++;
      }
  }
  console.log(`${set}: order number right in ${right} of ${orders}; references of stops:`);
  for (const { least, hit, false: wrong, missed } of counts)
    console.log(`  from ${least}: ${hit} right, ${wrong} wrong, ${missed} missed`);
}
