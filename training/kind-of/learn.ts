/**
 * Trains the classification of document kinds on pages generated from the words of the lexicon and on rendered documents
 * of the corpus, and prints the accuracy on further ones: `node training/kind-of/learn.ts [FOLDER… --held FOLDER…]
 * [--pages 25] [--seed 1] [--without] [--gazetteer SHARDS] [--dry]`. The folders are rendered authors. `--pages` is the
 * number of generated pages per kind and language. `--without` also prints the accuracy on each language if the training
 * leaves it out. `--dry` does not write the model.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openGazetteerFromDisk } from "../../scripts/gazetteer.ts";
import { annotateDocument } from "../../src/extraction/annotate-document.ts";
import {
  kindFeatures,
  otherClasses,
  rankKinds,
  type DocumentKind,
  type KindFeatures,
} from "../../src/extraction/kinds/classify.ts";
import { kindNames } from "../../src/extraction/kinds/kinds.ts";
import { formatVersion, softmax, type LinearModel } from "../../src/extraction/linear-model.ts";
import { languages as lexicon } from "../../src/extraction/lexicon/languages.ts";
import { defaultLimits, openDocument } from "../../src/extraction/formats/open.ts";
import { Budget } from "../../src/extraction/problem.ts";
import { Chance } from "../chance.ts";
import { casesOf } from "../learning/read-set.ts";
import { writeModel } from "../learning/write-model.ts";
import { makePage } from "./make-page.ts";

interface Example {
  features: KindFeatures;
  kind: DocumentKind;
  language: string;
}

const documentKinds: readonly DocumentKind[] = [...kindNames, ...otherClasses];
/** Kinds of the corpus that have another name here. Mails are documents of another kind. */
const corpusKinds: Record<string, DocumentKind> = {
  driverDocument: "driver-document",
  notfreight: "other",
  email: "other",
};
const epochs = 30;
const pace = 0.3;
const decay = 4e-4;
const today = { year: 2026, month: 11, day: 20 };
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    held: { type: "string", multiple: true, default: [] },
    pages: { type: "string", default: "25" },
    seed: { type: "string", default: "1" },
    gazetteer: { type: "string", default: "dist/assets/gazetteer" },
    without: { type: "boolean", default: false },
    dry: { type: "boolean", default: false },
  },
});
const gazetteer = openGazetteerFromDisk(values.gazetteer);
const languages = lexicon.map(({ language }) => language);
const seed = Number(values.seed);
const pages = Number(values.pages);

const written = await writtenExamples(positionals);
const known = [...(await examples("known", pages)), ...written, ...written];
const others = await examples("others", Math.max(4, Math.floor(pages / 4)));
const model = trainModel(known);
tell("Pages of another seed", others, model);
if (values.held.length > 0) tell("Documents of other authors", await writtenExamples(values.held), model);
if (values.without) {
  console.log("\n| Language left out | right |\n|---|---|");
  for (const language of languages) {
    const without = trainModel(known.filter((one) => one.language !== language));
    const left = others.filter((one) => one.language === language);
    console.log(`| ${language} | ${(rightOf(left, without) / left.length).toFixed(3)} |`);
  }
}
if (!values.dry) {
  const file = join(import.meta.dirname, "../../src/extraction/kinds/kind-model.json");
  writeModel(file, model);
}

async function examples(name: string, count: number): Promise<Example[]> {
  const made: Example[] = [];
  for (const language of languages) {
    for (const kind of documentKinds) {
      const chance = new Chance(seed).fork(`${name} ${language} ${kind}`);
      for (let page = 0; page < count; page++) {
        const bytes = new TextEncoder().encode(makePage(chance, kind, language));
        const budget = new Budget(30_000);
        const document = await openDocument({ bytes, name: "page.txt" }, defaultLimits, budget);
        made.push({
          features: kindFeatures(await annotateDocument(document, { gazetteer, budget, today })),
          kind,
          language,
        });
      }
    }
  }
  return made;
}

/** Loads the rendered documents of authors. Documents that cannot be opened are left out. */
async function writtenExamples(folders: readonly string[]): Promise<Example[]> {
  const made: Example[] = [];
  for (const folder of folders)
    for (const { file, kind, language } of casesOf(folder)) {
      const budget = new Budget(30_000);
      const bytes = readFileSync(join(folder, file));
      const document = await openDocument({ bytes, name: file }, defaultLimits, budget).catch(() => undefined);
      if (!document) continue;
      const features = kindFeatures(await annotateDocument(document, { gazetteer, budget, today }));
      made.push({ features, kind: corpusKinds[kind] ?? kind, language });
    }
  return made;
}

/** Trains a multinomial logistic regression by stochastic gradient descent with weight decay. */
function trainModel(from: readonly Example[]): LinearModel {
  const weights = new Map<string, Float64Array>();
  const slopes = new Map<string, Float64Array>();
  const rowOf = (rows: typeof weights, name: string) => {
    const row = rows.get(name) ?? new Float64Array(documentKinds.length);
    rows.set(name, row);
    return row;
  };
  const chance = new Chance(seed);
  for (let epoch = 0; epoch < epochs; epoch++) {
    for (const { features, kind } of chance.shuffled(from)) {
      const sums = documentKinds.map((_, at) =>
        [...features].reduce((sum, [name, strength]) => sum + strength * rowOf(weights, name)[at]!, 0),
      );
      const shares = softmax(sums);
      for (const [name, strength] of features) {
        const row = rowOf(weights, name);
        const seen = rowOf(slopes, name);
        for (const [at, share] of shares.entries()) {
          const slope = (share - (documentKinds[at] === kind ? 1 : 0)) * strength + decay * row[at]!;
          seen[at]! += slope * slope;
          row[at]! -= (pace * slope) / Math.sqrt(seen[at]! + 1e-2);
        }
      }
    }
  }
  const rows = [...weights].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return {
    version: formatVersion,
    training: `node training/kind-of/learn.ts --pages ${pages} --seed ${seed}, on pages of the lexicon's words and ${written.length} documents of the corpus`,
    classes: documentKinds,
    bias: documentKinds.map(() => 0),
    temperature: 1.6,
    unit: 100,
    weights: Object.fromEntries(
      rows.map(([name, row]) => [name, Array.from(row, (weight) => Math.round(weight * 100))]),
    ),
  };
}

function rightOf(some: readonly Example[], by: LinearModel): number {
  return some.filter(({ features, kind }) => rankKinds(features, by)[0]!.kind === kind).length;
}

function tell(title: string, some: readonly Example[], by: LinearModel): void {
  console.log(
    `${title}: ${(rightOf(some, by) / some.length).toFixed(3)} right of ${some.length}\n\n| Kind | right | taken for |\n|---|---|---|`,
  );
  for (const kind of documentKinds) {
    const group = some.filter((one) => one.kind === kind);
    const taken = Map.groupBy(group, ({ features }) => rankKinds(features, by)[0]!.kind);
    const wrong = [...taken].filter(([name]) => name !== kind).map(([name, each]) => `${name} ${each.length}`);
    console.log(`| ${kind} | ${((taken.get(kind)?.length ?? 0) / group.length).toFixed(3)} | ${wrong.join(", ")} |`);
  }
}
