import { describe, expect, test } from "vitest";
import type { SeenDocument } from "../../../src/extraction/language-model/engine.ts";
import { readByModel } from "../../../src/extraction/language-model/model.ts";
import { kindNamed } from "../../../src/extraction/kinds/kinds.ts";
import type { Kind } from "../../../src/extraction/kinds/kind.ts";
import { defaultLimits, openDocument } from "../../../src/extraction/formats/open.ts";
import { Budget } from "../../../src/extraction/problem.ts";
import { prepareGazetteer, detectLocale } from "../../../src/extraction/entities/find-entities.ts";
import { layOut } from "../../../src/extraction/layout/layout.ts";
import { builtGazetteer, withGazetteer } from "../../support/extract-text.ts";
import { modelFinding, orderFile } from "../../support/language-model.ts";

const year = new Date().getFullYear();
const company = { names: ["Trans Beispiel"], vatCodes: [], emailDomains: [] };
const budget = () => new Budget(60_000);

withGazetteer();

async function seenIn(text: string): Promise<SeenDocument> {
  const layout = layOut(await openDocument(orderFile(text), defaultLimits, budget()), budget());
  const lines = layout.segments.map((segment) => segment.text);
  const { gazetteer, context } = await prepareGazetteer(
    builtGazetteer(),
    lines,
    detectLocale(lines, { year, month: 11, day: 20 }),
  );
  return { layout, locale: context, gazetteer };
}

/**
 * Extracts a document with one line, in which the model claims to find the value. Returns the text that contains the
 * value, or undefined if the value is not accepted.
 */
async function kept(line: string, field: string, value: unknown): Promise<string | undefined> {
  const steps = field.split(".");
  const item = steps.reduceRight<unknown>((inner, step) => ({ [step]: inner }), { value, lines: ["1:1"] });
  const opinion = await readByModel(await seenIn(line), kindNamed("order"), company, modelFinding([item]));
  return opinion.items[0]?.evidence[0]?.text;
}

describe("a value is found in the line that the model names, however it is printed", () => {
  const cases: [string, string, unknown, string][] = [
    ["Termin załadunku: 24 listopada 2026 r. godz. 8:00", "orderDate", "2026-11-24", "24 listopada 2026"],
    ["Termin załadunku: 24 listopada 2026 r. godz. 8:00", "orderDate", "2026-11-24T09:00", ""],
    ["Termin załadunku: 24 listopada 2026 r. godz. 8:00", "orderDate", "2026-11-25", ""],
    [
      "Beladung Dienstag, 24.11.26 von 08:00 bis 14:00 Uhr",
      "orderDate",
      "2026-11-24T14:00:00",
      "24.11.26 von 08:00 bis 14:00 Uhr",
    ],
    ["Pakrovimas 2026 m. lapkričio 24 d.", "orderDate", "2026-11-24T00:00:00", "2026 m. lapkričio 24"],
    ["Masa: 24,5 t netto", "payments.price", 24.5, ""],
    ["Fracht: 1.250,00 €", "payments.price", 1250, "1.250,00 €"],
    ["Stawka 1 250,50 PLN + VAT", "payments.price", 1250.5, "1 250,50 PLN"],
    ["Prix 1250 au forfait", "payments.price", 1250, "1250"],
    ["Zlecenie nr 1250/11/2026", "payments.price", 1250, ""],
    ["Termin płatności: 45 dni", "payments.paymentDays", 45, "45 dni"],
    ["Zahlungsziel 14.11.2026", "payments.paymentDays", 14, ""],
    ["Währung: Euro", "payments.currency", "EUR", "Euro"],
    ["cena 3 200 zł", "payments.currency", "PLN", "zł"],
    [
      "Spedycja Przykładowa Sp. z o.o., Łódź",
      "customer.name",
      "SPEDYCJA PRZYKLADOWA Sp. z o.o.",
      "Spedycja Przykładowa Sp. z o.o.",
    ],
    ["NIP 526-025-02-74", "customer.vatCode", "PL5260250274", "526-025-02-74"],
    ["USt-IdNr.: DE 136 695 976", "customer.vatCode", "DE136695976", "DE 136 695 976"],
    ["USt-IdNr.: DE 136 695 977", "customer.vatCode", "DE136695977", ""],
    ["Lieferadresse: Kraków, Polska", "customer.country", "PL", "Polska"],
    ["F-69003 Lyon", "customer.country", "FR", "F"],
    ["F-69003 Lyon", "customer.country", "DE", ""],
    ["Tel. 0048 22 123 45 67", "customer.contactPerson.phone", "+48221234567", "0048 22 123 45 67"],
    ["Auflieger WGM 4H2P8", "comments", "WGM4H2P8", "WGM 4H2P8"],
    ["Ref. 20181", "comments", "2018", ""],
  ];
  test.each(cases)("%s: %s %s", async (line, field, value, text) => {
    expect(await kept(line, field, value)).toBe(text || undefined);
  });
});

test("a value that continues is found in consecutive lines only", async () => {
  const printed = await seenIn("Alfa Trans\nSp. z o.o.\nul. Polna 1\nBeta Cargo\nsp. k.");
  const found = async (value: string, lines: string[]) => {
    const model = modelFinding([{ customer: { name: { value, lines } } }]);
    const opinion = await readByModel(printed, kindNamed("order"), company, model);
    return opinion.items[0]?.data.customer?.name;
  };
  expect(await found("Alfa Trans Sp. z o.o.", ["1:2", "1:1"])).toBe("Alfa Trans Sp. z o.o.");
  expect(await found("Alfa Trans sp. k.", ["1:1", "1:5"])).toBeUndefined();
});

test.each([
  ["receipt", { netAmount: 10, vatAmount: 2, grossAmount: 15 }, "NetAndVatMakeGross"],
  ["opportunity", { requirements: { capacity: 100 } }, "LoadsOneLorryCarries"],
  ["insurance", { validFrom: "2026-12-01", validTo: "2026-01-01" }, "PeriodInOrder"],
  ["driver-document", { issuedAt: "2026-12-01", expiresAt: "2026-01-01" }, "IssuedBeforeExpiry"],
] as const)("the model's result for a %s is checked too", (kind, data, name) => {
  const { check } = kindNamed(kind) as unknown as Kind<object>;
  const failed = check(data, `${year}-11-20`).filter(({ passed }) => !passed);
  expect(failed.map((check) => check.name)).toEqual([name]);
});
