/**
 * Generates synthetic orders, requests for a quote, invoices, receipts, CMR notes, fines, insurance policies or
 * drivers' documents, each with its truth (the expected extraction), in the format of the score script: `node
 * training/generate.ts --seed 1 --count 300 --out DIR --gazetteer DIR [--kind invoice] [--language pl,de] [--layout
 * form,mail-text]`. The same seed writes the same files. The gazetteer is a folder of GeoNames' postal dumps (`XX.zip`, CC
 * BY 4.0).
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { argv, env } from "node:process";
import { parseArgs } from "node:util";
import { Chance } from "./chance.ts";
import { makeDocument } from "./document.ts";
import { makeInvoiceDocument, makeReceiptDocument } from "./invoices/document.ts";
import { invoiceLayouts, receiptLayouts } from "./invoices/layouts.ts";
import { layouts } from "./layouts/layouts.ts";
import { makeQuoteDocument } from "./quotes/document.ts";
import { makeDriverPaper, makeFine, makePolicy } from "./papers/forms.ts";
import { formLayouts } from "./papers/layouts.ts";
import { noteLayouts } from "./papers/note-layouts.ts";
import { makeNote } from "./papers/note.ts";
import { paperLanguages } from "./papers/words.ts";
import { quoteLayouts } from "./quotes/layouts.ts";
import { languages } from "./words/words.ts";
import { Places } from "./world/places.ts";

const makers = {
  order: { make: makeDocument, layouts },
  invoice: { make: makeInvoiceDocument, layouts: invoiceLayouts },
  receipt: { make: makeReceiptDocument, layouts: receiptLayouts },
  opportunity: { make: makeQuoteDocument, layouts: quoteLayouts },
  cmr: { make: makeNote, layouts: noteLayouts },
  fine: { make: makeFine, layouts: formLayouts },
  insurance: { make: makePolicy, layouts: formLayouts },
  "driver-document": { make: makeDriverPaper, layouts: formLayouts },
};
const ofPapers = new Set(["cmr", "fine", "insurance", "driver-document"]);
type Kind = keyof typeof makers;

const { values } = parseArgs({
  args: argv.slice(2),
  options: {
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "100" },
    out: { type: "string", default: ".data/training" },
    gazetteer: { type: "string", default: env.GAZETTEER_DIR ?? ".data/gazetteer" },
    language: { type: "string" },
    layout: { type: "string" },
    kind: { type: "string", default: "order" },
  },
});

const maker = makers[values.kind as Kind];
if (!maker)
  throw new RangeError(
    `There are no documents of the kind ${values.kind}; known are ${Object.keys(makers).join(", ")}.`,
  );
const families: Record<string, { weight: number }> = maker.layouts;
const places = new Places(values.gazetteer);
const asked = values.language?.split(",") ?? (ofPapers.has(values.kind) ? paperLanguages : languages);
const wanted = values.layout?.split(",") ?? Object.keys(families);
const weights = Object.fromEntries(wanted.map((name) => [name, families[name]?.weight ?? 1]));
const cases = [];
mkdirSync(values.out, { recursive: true });
for (let at = 0; at < Number(values.count); at++) {
  const chance = new Chance(Number(values.seed)).fork(`document ${at}`);
  const language = asked[at % asked.length]!;
  const layout = chance.weighted(weights);
  const made = await maker.make(chance, places, language, layout);
  const name = `${String(at).padStart(4, "0")}-${made.language}-${layout}`;
  writeFileSync(join(values.out, `${name}.${made.extension}`), made.bytes);
  writeFileSync(join(values.out, `${name}.json`), `${JSON.stringify(made.truth, null, 1)}\n`);
  cases.push({
    file: `${name}.${made.extension}`,
    kind: values.kind,
    truth: `${name}.json`,
    language: made.language,
    layout,
  });
}
writeFileSync(join(values.out, "cases.json"), `${JSON.stringify(cases, null, 1)}\n`);
console.log(`${cases.length} documents of the kind ${values.kind} in ${values.out}`);
