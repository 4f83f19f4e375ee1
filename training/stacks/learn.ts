/**
 * Trains the model that recognises on which pages of a stack a document begins, and prints the accuracy on held-out
 * stacks: `node training/stacks/learn.ts DIR... --held DIR [--held DIR] [--stacks 300] [--seed 1] [--gazetteer SHARDS]
 * [--dry]`. The folders are generated sets. `--dry` does not write the model.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openGazetteerFromDisk } from "../../scripts/gazetteer.ts";
import type { OpenedDocument, Page } from "../../src/extraction/document/document.ts";
import { defaultLimits, openDocument } from "../../src/extraction/formats/open.ts";
import { featuresOfPages } from "../../src/extraction/split-collection.ts";
import { startFeatures, type PageFeatures } from "../../src/extraction/collections/page-features.ts";
import { splitPages, type StartWeights } from "../../src/extraction/collections/page-starts.ts";
import { Budget } from "../../src/extraction/problem.ts";
import { logistic } from "../../src/extraction/linear-model.ts";
import { Chance } from "../chance.ts";
import { joinedClasses, writeModel } from "../learning/write-model.ts";
import { stackOf } from "./make-stacks.ts";

interface Stack {
  pages: { sketch: PageFeatures; begins: boolean }[];
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    held: { type: "string", multiple: true, default: [] },
    stacks: { type: "string", default: "300" },
    seed: { type: "string", default: "1" },
    gazetteer: { type: "string", default: "dist/assets/gazetteer" },
    dry: { type: "boolean", default: false },
  },
});
const gazetteer = openGazetteerFromDisk(values.gazetteer);
const today = "2026-11-20";
const count = Number(values.stacks);
const chance = new Chance(Number(values.seed));

const weights = trainWeights(await stacksFrom(positionals, count, chance.fork("known")));
const held = await stacksFrom(values.held, Math.ceil(count / 3), chance.fork("held"));
report(held, weights);
if (!values.dry)
  writeModel(join(import.meta.dirname, "../../src/extraction/collections/start-weights.json"), {
    training: `node training/stacks/learn.ts --stacks ${count} --seed ${values.seed}, on generated documents in stacks`,
    ...joinedClasses(new Map([["start", weights]]), Object.keys(weights.weights)),
  });

async function stacksFrom(folders: readonly string[], most: number, luck: Chance): Promise<Stack[]> {
  const kinds = await Promise.all(folders.map(documentsIn));
  const stacks: Stack[] = [];
  while (stacks.length < most) {
    const pages = stackOf(chosenFrom(kinds, luck), luck);
    const parts = [
      {
        role: "File" as const,
        name: "stack",
        format: "Pdf" as const,
        quoted: false,
        pages: pages.map(({ page }) => page),
      },
    ];
    const whole: OpenedDocument = { format: "Pdf", mediaType: "application/pdf", parts, structured: [], warnings: [] };
    const sketches = await featuresOfPages(whole, today, { gazetteer, budget: new Budget(120_000) });
    stacks.push({ pages: sketches.map((sketch, index) => ({ sketch, begins: pages[index]!.begins })) });
  }
  return stacks;
}

/**
 * Picks random documents. Some are followed by another one of the same kind, because fines and invoices often arrive in
 * series.
 */
function chosenFrom(kinds: readonly Page[][][], luck: Chance): Page[][] {
  let kind = luck.pick(kinds);
  return Array.from({ length: luck.between(2, 5) }, () => {
    if (!luck.happens(0.15)) kind = luck.pick(kinds);
    return luck.pick(kind);
  });
}

async function documentsIn(folder: string): Promise<Page[][]> {
  const found: Page[][] = [];
  for (const name of readdirSync(folder).filter((each) => each.endsWith(".pdf"))) {
    const bytes = new Uint8Array(readFileSync(join(folder, name)));
    const { parts } = await openDocument({ bytes, name }, defaultLimits, new Budget(60_000));
    found.push(parts.flatMap(({ pages }) => pages));
  }
  return found;
}

/** Trains a logistic regression. The features of a page use the true beginnings of the documents before it. */
function trainWeights(stacks: readonly Stack[]): StartWeights {
  const examples = stacks.flatMap(({ pages }) => examplesOf(pages));
  const weights: Record<string, number> = {};
  for (let round = 0; round < 400; round++) {
    const slope: Record<string, number> = {};
    for (const { signs, begins } of examples) {
      const sum = signs.reduce((all, [name, strength]) => all + strength * (weights[name] ?? 0), 0);
      const error = (begins ? 1 : 0) - logistic(sum);
      for (const [name, strength] of signs) slope[name] = (slope[name] ?? 0) + error * strength;
    }
    for (const [name, by] of Object.entries(slope))
      weights[name] = (weights[name] ?? 0) * (1 - 0.001) + (by / examples.length) * 8;
  }
  const rounded = Object.entries(weights).map(([name, weight]) => [name, Math.round(weight * 100) / 100] as const);
  return { bias: 0, weights: Object.fromEntries(rounded) };
}

function examplesOf(pages: Stack["pages"]): { signs: [string, number][]; begins: boolean }[] {
  let since: PageFeatures[] = [];
  return pages.flatMap(({ sketch, begins }) => {
    const signs = startFeatures(sketch, since);
    since = begins ? [sketch] : [...since, sketch];
    return sketch.blank || "first" in signs ? [] : [{ signs: Object.entries(signs), begins }];
  });
}

function report(stacks: readonly Stack[], by: StartWeights): void {
  let [right, wrong, missed, whole] = [0, 0, 0, 0];
  for (const { pages } of stacks) {
    const found = new Set(
      splitPages(
        pages.map(({ sketch }) => sketch),
        by,
      ).map(({ from }) => from),
    );
    const wanted = new Set(pages.flatMap(({ begins }, index) => (begins ? [index + 1] : [])));
    const good = [...found].filter((page) => wanted.has(page)).length;
    right += good;
    wrong += found.size - good;
    missed += wanted.size - good;
    if (good === found.size && good === wanted.size) whole++;
  }
  console.log(by);
  console.log(
    `${stacks.length} stacks: beginnings found ${right}, missed ${missed}, wrong ${wrong}; whole stacks right ${whole}.`,
  );
  console.log(`F1 ${((2 * right) / (2 * right + wrong + missed)).toFixed(3)}`);
}
