/**
 * Trains the model that decides, from the sequence of an order's addresses, which of them are stops: `node
 * training/stops.ts DIR... [--held DIR] [--gazetteer SHARDS] [--rounds 12] [--seed 1] [--margin 1] [--out
 * src/extraction/fields/route/stop-weights.json]`. The folders are sets of orders with their truth. The model overrides
 * the headings if its labels score better by a margin. For several margins, prints how many wrong labels this corrects
 * and how many correct labels it spoils.
 */
import { parseArgs } from "node:util";
import { openGazetteerFromDisk } from "../scripts/gazetteer.ts";
import { scoreOfHeadings } from "../src/extraction/fields/route/relabel-stops.ts";
import { labelled, stopModelOf, type StopWeights } from "../src/extraction/fields/route/sequence.ts";
import { learntChain } from "./learning/chain.ts";
import type { LinearModel } from "../src/extraction/linear-model.ts";
import { writeModel } from "./learning/write-model.ts";
import { stopPagesOf, type StopPage } from "./learning/stop-pages.ts";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    held: { type: "string", multiple: true, default: [] },
    gazetteer: { type: "string", default: "dist/assets/gazetteer" },
    rounds: { type: "string", default: "12" },
    seed: { type: "string", default: "1" },
    rate: { type: "string", default: "0.2" },
    keep: { type: "string", default: "0.98" },
    margin: { type: "string", default: "1" },
    wrong: { type: "boolean", default: false },
    out: { type: "string" },
  },
});

const gazetteer = openGazetteerFromDisk(values.gazetteer);
const pages = await stopPagesOf(positionals, gazetteer);
const signs = learntChain(pages, {
  rounds: Number(values.rounds),
  seed: Number(values.seed),
  rate: Number(values.rate),
  keep: Number(values.keep),
});
tell("training", pages, signs);
if (values.held.length > 0) tell("held out", await stopPagesOf(values.held, gazetteer), signs);
if (values.out)
  writeModel<LinearModel & { margin: number }>(values.out, {
    training: `node training/stops.ts --rounds ${values.rounds} --seed ${values.seed}, on ${pages.length} orders`,
    ...stopModelOf(signs),
    margin: Number(values.margin),
  });

function tell(set: string, all: readonly StopPage[], weights: StopWeights): void {
  const items = all.flatMap(({ items }) => items).length;
  const byHeadings = all.flatMap(({ items, allowed }) => items.filter(({ part }, at) => allowed[at]!.has(part)));
  console.log(`${set}: ${items} addresses of ${all.length} orders, ${byHeadings.length} right by their headings`);
  for (const margin of [0, 1, 2, 4, 6, 8, 12]) {
    let [mended, spoilt] = [0, 0];
    for (const { file, items, allowed } of all) {
      const { parts, score } = labelled(items, weights);
      if (score - scoreOfHeadings(items, weights) < margin) continue;
      for (const [at, part] of parts.entries()) {
        const was = allowed[at]!.has(items[at]!.part);
        const is = allowed[at]!.has(part);
        if (is && !was) mended += 1;
        if (was && !is) spoilt += 1;
        if (values.wrong && was !== is && margin === Number(values.margin))
          console.log(
            `${is ? "corrected" : "spoiled"} ${file} ${items[at]!.part} > ${part} ${items[at]!.address.place.segment.text}`,
          );
      }
    }
    console.log(`  margin ${margin}: ${mended} corrected, ${spoilt} spoiled`);
  }
}
