/**
 * Trains the classification of mails on generated mails, and prints the accuracy on mails of held-out phrases: `node
 * training/mails/learn.ts [--mails 300] [--without] [--seed 1] [--dry]`. `--mails` is the number of mails per label and
 * language. `--without` also prints the accuracy on each language if the training leaves it out, which takes minutes.
 * `--dry` does not write the model.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { mailLabels } from "../../src/extraction/mail/labels.ts";
import { mailFeatures } from "../../src/extraction/mail/label-model.ts";
import { Chance } from "../chance.ts";
import { writeModel } from "../learning/write-model.ts";
import { makeMail, type Allowed } from "./make-mail.ts";
import { trainModel, measured, withTemperature, type Example, type Figures } from "./model.ts";
import { mailLanguages, phrasesOf } from "./phrases.ts";

const { values } = parseArgs({
  options: {
    mails: { type: "string", default: "100" },
    seed: { type: "string", default: "1" },
    without: { type: "boolean", default: false },
    dry: { type: "boolean", default: false },
  },
});
const each = Number(values.mails);
const seed = Number(values.seed);

/** Selects about a quarter of the phrases, which are held out from the training. */
const isKept: Allowed = (phrase, at) => (phrase.length + at) % 4 === 0;
const isUsed: Allowed = (phrase, at) => !isKept(phrase, at);

const known = examples("known", isUsed, each);
const kept = examples("kept", isKept, Math.max(10, Math.floor(each / 5)));
const onKept = withTemperature(trainModel(known, new Chance(seed)), kept);
tell("Phrasings kept from training", measured(kept, onKept));
if (values.without) leaveOut();
if (!values.dry) {
  const all = examples("all", () => true, each);
  const model = { ...trainModel(all, new Chance(seed)), temperature: onKept.temperature };
  const file = join(import.meta.dirname, "../../src/extraction/mail/label-model.json");
  writeModel(file, model);
  tell(
    "Other mails of the same phrasings",
    measured(
      examples("other", () => true, 10),
      model,
    ),
  );
}

function examples(name: string, allowed: Allowed, count: number, languages = mailLanguages): Example[] {
  return languages.flatMap((language) => {
    const phrases = phrasesOf(language);
    return mailLabels.flatMap((label) => {
      const chance = new Chance(seed).fork(`${name} ${language} ${label}`);
      return Array.from({ length: count }, () => ({
        features: mailFeatures(makeMail(chance, phrases, label, allowed)),
        label,
        language,
      }));
    });
  });
}

/** Prints the accuracy on each language if it is left out of the training data. */
function leaveOut(): void {
  const all = examples("all", () => true, Math.min(each, 60));
  console.log("\n| Language left out | right |\n|---|---|");
  let sum = 0;
  for (const language of mailLanguages) {
    const model = trainModel(
      all.filter((one) => one.language !== language),
      new Chance(seed),
    );
    const { right, of } = measured(
      examples("left out", () => true, 20, [language]),
      model,
    );
    sum += right / of;
    console.log(`| ${language} | ${(right / of).toFixed(3)} |`);
  }
  console.log(`| mean | ${(sum / mailLanguages.length).toFixed(3)} |`);
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
  for (const [language, figures] of byLanguage) console.log(`| ${language} | ${share(figures)} |`);
}
