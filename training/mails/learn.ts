/**
 * Trains the classification of mails on made-up mails, then on mails of the corpus (`learn`): `node
 * training/mails/learn.ts [--rendered dist/corpus] [--gazetteer SHARDS] [--mails 6] [--seed 1] [--dry]`. `--mails` is the
 * number of generated mails per label and language. Prints the accuracy on mails of authors who were left out of the
 * training (of `learn` and `develop`), and on `develop`. `--dry` does not write the model.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openGazetteerFromDisk } from "../../scripts/gazetteer.ts";
import { mailLabels } from "../../src/extraction/mail/labels.ts";
import { mailFeatures } from "../../src/extraction/mail/label-model.ts";
import { Chance } from "../chance.ts";
import { writeModel } from "../learning/write-model.ts";
import { corpusMails, type CorpusMail } from "./corpus-mails.ts";
import { makeMail } from "./make-mail.ts";
import { bestTemperature, measured, trainModel, type Example, type Figures } from "./model.ts";
import { mailLanguages, phrasesOf } from "./phrases.ts";
import { writtenMails } from "./written.ts";

const root = join(import.meta.dirname, "../..");
const { values } = parseArgs({
  options: {
    rendered: { type: "string", default: join(root, "dist/corpus") },
    gazetteer: { type: "string", default: join(root, "dist/assets/gazetteer") },
    mails: { type: "string", default: "6" },
    seed: { type: "string", default: "1" },
    dry: { type: "boolean", default: false },
  },
});
const seed = Number(values.seed);
const folds = 8;

const gazetteer = openGazetteerFromDisk(values.gazetteer);
const learn = await corpusMails(values.rendered, "learn", gazetteer);
const develop = await corpusMails(values.rendered, "develop", gazetteer);
const madeUp = [...writtenMails(), ...generatedMails(Number(values.mails))];
const train = (examples: readonly Example[]) => trainModel(madeUp, examples, new Chance(seed));

const known = [...learn, ...develop];
const left = authorsInFolds(known).map((authors) => ({
  model: train(known.filter(({ author }) => !authors.has(author))),
  examples: known.filter(({ author }) => authors.has(author)),
}));
const temperature = bestTemperature(left);
tell("Authors left out", measured(left.map((each) => ({ ...each, model: { ...each.model, temperature } }))));
const model = { ...train(learn), temperature };
if (develop.length > 0) tell("develop", measured([{ model, examples: develop }]));
if (!values.dry) writeModel(join(root, "src/extraction/mail/label-model.json"), model);

/** Divides the authors so that each fold has about as many mails. */
function authorsInFolds(mails: readonly CorpusMail[]): Set<string>[] {
  const counts = [...Map.groupBy(mails, ({ author }) => author)].map(([author, of]) => ({ author, count: of.length }));
  const all = Array.from({ length: folds }, () => ({ authors: new Set<string>(), count: 0 }));
  for (const { author, count } of counts.toSorted((a, b) => b.count - a.count)) {
    const smallest = all.toSorted((a, b) => a.count - b.count)[0]!;
    smallest.authors.add(author);
    smallest.count += count;
  }
  return all.map(({ authors }) => authors).filter(({ size }) => size > 0);
}

function generatedMails(count: number): Example[] {
  return mailLanguages.flatMap((language) => {
    const phrases = phrasesOf(language);
    return mailLabels.flatMap((label) => {
      const chance = new Chance(seed).fork(`${language} ${label}`);
      return Array.from({ length: count }, () => ({
        features: mailFeatures(makeMail(chance, phrases, label)),
        label,
        language,
      }));
    });
  });
}

function tell(title: string, { right, of, calibration, byLabel, byLanguage }: Figures): void {
  const share = (part: { right: number; of: number }) => (part.right / part.of).toFixed(3);
  console.log(`\n${title}: ${share({ right, of })} right of ${of}; calibration error ${calibration.toFixed(3)}`);
  console.log("\n| Label | right | taken for |\n|---|---|---|");
  for (const [label, figures] of byLabel) {
    const taken = [...figures.taken].toSorted((a, b) => b[1] - a[1]).slice(0, 3);
    console.log(`| ${label} | ${share(figures)} | ${taken.map(([name, count]) => `${name} ${count}`).join(", ")} |`);
  }
  console.log(`\n| Language | right |\n|---|---|`);
  for (const [language, figures] of byLanguage) console.log(`| ${language} | ${share(figures)} of ${figures.of} |`);
}
