/**
 * Prints every regular expression that the product composes, as a JSON list. To find them, it replaces `RegExp` with a
 * class that records each pattern and its position. Then it imports all modules and calls the functions that compose
 * patterns at run time.
 */
import { register } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const root = join(import.meta.dirname, "../../..");
const workers = pathToFileURL(join(root, "test/faults/platform/workers.ts")).href;
register(
  `data:text/javascript,export const resolve = (name, context, next) =>
    name === "cloudflare:workers" ? { url: "${workers}", shortCircuit: true } : next(name, context);`,
);

const recorded = new Map<string, { source: string; flags: string; place: string }>();
const Native = RegExp;

function record(made: RegExp): RegExp {
  const base = pathToFileURL(root).href;
  const place = new Error().stack
    ?.split("\n")
    .find((line) => line.includes(`${base}/`) && !line.includes(import.meta.url));
  const at = place?.slice(place.indexOf(base) + base.length + 1).replace(/\)$/, "") ?? "";
  const { source, flags } = made;
  recorded.set(`${at} ${source} ${flags}`, { source, flags, place: at });
  return made;
}

globalThis.RegExp = new Proxy(Native, {
  construct: (_, [source, flags]: [string | RegExp, string?]) => record(new Native(source, flags)),
  apply: (_, __, [source, flags]: [string | RegExp, string?]) => record(new Native(source, flags)),
});

// A module that can only be loaded in the Workers runtime is skipped. A test fails if such a module composes a pattern.
for (const file of process.argv.slice(2)) await import(join(root, file)).catch(() => undefined);

// The functions that compose patterns at run time are called below.
const { PersonFinder } = await import("../../../src/domain/person.ts");
const [email, name] = ["jan.kowalski+1@firma.example", "Dr. Jan  K. . . . (Test) Kowalski-Nowak"];
for (const phone of ["+48 601 234 567", "0048 601 234 567", "0040 12345", "1234567"])
  new PersonFinder({ email, name, phone }).isIn(name);

const { Budget } = await import("../../../src/extraction/problem.ts");
const budget = new Budget(Infinity);
const { languages } = await import("../../../src/extraction/lexicon/languages.ts");
const { addresseesIn } = await import("../../../src/extraction/kinds/invoice/party-names.ts");
const { orderNumbersIn } = await import("../../../src/extraction/kinds/invoice/references.ts");
const { isBeforeOrderWord, findNamedOrders } = await import("../../../src/extraction/fields/labels/named-orders.ts");
const { FieldValue } = await import("../../../src/extraction/fields/confidence/field-value.ts");
const annotations = { layout: { pages: [], segments: [], parts: [] }, labels: [], labelsIn: [], entitiesIn: [] };
for (const { language } of languages) {
  const document = { annotations, prose: new Set<never>(), languages: [language], countries: [], budget };
  addresseesIn(document);
  findNamedOrders("order 4711", [language], ["order", "journey"]);
  isBeforeOrderWord(" order", [language]);
  orderNumbersIn(document, { grids: [], own: undefined, plates: [], descriptions: [new FieldValue("order 4711", 1)] });
}

const { numberAt } = await import("../../../src/extraction/formats/pdf/syntax.ts");
numberAt("<< /Length 5 >>", "Length");
const { defaultLimits } = await import("../../../src/extraction/formats/limits.ts");
const { rtfEvents } = await import("../../../src/extraction/formats/rtf-events.ts");
rtfEvents("{}", { limits: defaultLimits, budget }).next();
const { fold } = await import("../../../src/extraction/lexicon/fold.ts");
const { findVatCodes: seeVat } = await import("../../../src/extraction/entities/vat.ts");
seeVat(fold("VAT PL5260250274"), {
  decimal: ",",
  dateOrder: "DMY",
  today: { year: 2026, month: 11, day: 20 },
  languages: [],
  countries: [],
});
const { ratesInFile } = await import("../../../src/areas/exchange-rates/ecb.ts");
ratesInFile('<Cube time="2026-11-20"><Cube currency="PLN" rate="4.2"/></Cube>');

// A pipe is written asynchronously: exiting earlier would cut the list.
process.stdout.write(`${JSON.stringify([...recorded.values()])}\n`, () => process.exit());
