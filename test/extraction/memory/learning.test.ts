import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addTexts, similarity } from "../../../src/extraction/memory/family.ts";
import { learnDocument } from "../../../src/extraction/memory/learn.ts";
import { readPlaces } from "../../../src/extraction/memory/read-family.ts";
import { fieldName, fieldOf, pointerIn, stepsOf, withValue } from "../../../src/extraction/memory/pointers.ts";
import type { AnnotatedPage } from "../../../src/extraction/memory/lesson.ts";
import type { Sender } from "../../../src/extraction/memory/sender.ts";
import type { CompanyFacts } from "../../../src/extraction/document/extraction-result.ts";
import { OrderView } from "../../../src/extraction/kinds/order/view.ts";
import { extractPosted, withGazetteer } from "../../support/extract-text.ts";
import { oddSenders } from "../../support/unusual-orders.ts";

withGazetteer();

/** Extracts a text, and returns the sender and the annotated page that the memory gets. */
async function seen(text: string, company?: CompanyFacts): Promise<{ sender: Sender; page: AnnotatedPage }> {
  const looks: { sender: Sender; page: AnnotatedPage }[] = [];
  await extractPosted("order", text, "order.txt", async (sender, page) => void looks.push({ sender, page }), company);
  return looks[0]!;
}

/** Functions that print a label and its value: directly after the label, in the next column, or below the label. */
const ways = {
  Same: (name: string, value: string) => [`${name}: ${value}`],
  Right: (name: string, value: string) => [`${name.padEnd(34)}${value}`],
  Below: (name: string, value: string) => [name, value],
};

/** Two values of each field, each as printed and as extracted. */
const values = {
  "/orderNumber": [
    ["QX-4711/26", "QX-4711/26"],
    ["BN-90382/27", "BN-90382/27"],
  ],
  "/payments/paymentDays": [
    ["37", 37],
    ["61", 61],
  ],
  "/orderDate": [
    ["24.11.2026", "2026-11-24"],
    ["03.12.2026", "2026-12-03"],
  ],
  "/invoiceEmail": [
    ["konto@beispiel.example", "konto@beispiel.example"],
    ["rechnung@muster.example", "rechnung@muster.example"],
  ],
} as const;
type Field = keyof typeof values;

const names = ["Quellwort", "Zielmarke", "Hakenblatt", "Rundnote", "Feldkarte", "Torzettel"];
const noise = ["Guten Tag", "Bitte beachten", "Vielen Dank"];

const paperOf = (rows: { name: string; way: keyof typeof ways; field: Field }[], copy: 0 | 1, above: string[]) =>
  [
    "Beispiel Spedition GmbH",
    ...above,
    ...rows.flatMap(({ name, way, field }) => [...ways[way](name, values[field][copy][0]), ""]),
  ].join("\n");

test("a value is found by its label, whatever is printed above and wherever the label is", async () => {
  const rows = fc
    .shuffledSubarray(names, { minLength: 4, maxLength: 4 })
    .chain((chosen) =>
      fc.tuple(
        fc.constant(chosen),
        fc.shuffledSubarray(Object.keys(values) as Field[], { minLength: 4 }),
        fc.array(fc.constantFrom(...(Object.keys(ways) as (keyof typeof ways)[])), { minLength: 4, maxLength: 4 }),
      ),
    )
    .map(([chosen, fields, how]) => chosen.map((name, at) => ({ name, field: fields[at]!, way: how[at]! })));
  await fc.assert(
    fc.asyncProperty(rows, fc.shuffledSubarray(noise), async (paper, above) => {
      const [first, second] = [await seen(paperOf(paper, 0, [])), await seen(paperOf(paper, 1, above))];
      const said = (copy: 0 | 1) =>
        paper.reduce<object>((data, { field }) => {
          const placed = withValue(data, OrderView, stepsOf(field), values[field][copy][1]);
          return placed!.data;
        }, {});
      const nothing = { data: {}, evidence: [] };
      const family = learnDocument(undefined, {
        kind: "order",
        page: first.page,
        data: said(0),
        extracted: nothing,
        feedbackId: "1",
      });
      const reading = readPlaces(family, second.page, nothing);
      for (const { field, name, way } of paper)
        expect(reading.values.get(field)?.value, `${field} ${way} ${name}`).toBe(values[field][1][1]);
    }),
    { numRuns: 25 },
  );
});

test("documents of one sender are similar, those of different senders are not", async () => {
  const looks = await Promise.all(
    oddSenders.map(async ({ paper }) => [
      (await seen(paper("1001", "A-1/26", 30))).sender,
      (await seen(paper("20815", "KQ-20815/26", 52))).sender,
    ]),
  );
  for (const [at, [one, other]] of looks.entries()) {
    const family = addTexts([], one!.texts);
    expect(similarity(family, 1, other!.texts)).toBeGreaterThan(0.4);
    expect(one!.keys).toEqual(other!.keys);
    for (const [stranger] of looks.slice(at + 1)) {
      expect(similarity(family, 1, stranger!.texts)).toBeLessThan(0.16);
      expect(stranger!.keys.filter((key) => one!.keys.includes(key))).toEqual([]);
    }
  }
});

describe("a JSON pointer in a view", () => {
  test.each([
    ["/locations/0/city", ["locations", "0", "city"]],
    ["locations[0].city", ["locations", "0", "city"]],
    ["locations.0.city", ["locations", "0", "city"]],
    ["data.orderNumber", ["orderNumber"]],
    ["/data/orderNumber", ["orderNumber"]],
    ["/a~1b/~0c", ["a/b", "~c"]],
  ])("is %s", (path, steps) => {
    expect(stepsOf(path)).toEqual(steps);
  });

  const data = {
    locations: [
      {
        sequence: 1,
        type: "Loading" as const,
        city: "Leipzig",
        normalizedCity: "Leipzig",
        coordinates: { latitude: 1 },
      },
      { sequence: 2, type: "Unloading" as const },
      { sequence: 3, type: "Unloading" as const },
    ],
  };

  test("of a stop is matched by the stop's type", () => {
    expect(fieldOf("/locations/2/city", data)).toBe("/locations/Unloading:1/city");
    expect(pointerIn("/locations/Unloading:1/city", data)).toBe("/locations/2/city");
    expect(pointerIn("/locations/Loading:1/city", data)).toBeUndefined();
    expect(fieldName("/locations/Unloading:1/cargo/0/weight")).toBe("/locations/*/cargo/*/weight");
  });

  test("sets the new value and removes values derived from the old one", () => {
    const placed = withValue(data, OrderView, ["locations", "0", "city"], "Gera")?.data;
    expect(placed?.locations[0]).toEqual({ sequence: 1, type: "Loading", city: "Gera", normalizedCity: "Gera" });
    expect(withValue(data, OrderView, ["locations", "1"], undefined)?.data.locations).toMatchObject([
      { sequence: 1, type: "Loading" },
      { sequence: 2, type: "Unloading" },
    ]);
    expect(withValue(data, OrderView, ["locations", "4"], {})).toBeUndefined();
  });
});

test.each(["5260250274", "PL 526-025-02-74", "PL5260250274"])(
  "a company that gives its VAT code as %s is not the sender of documents sent to it",
  async (vatCode) => {
    const text = [
      "TRANSPORT ORDER QX-4711/26",
      "Customer: Beispiel Spedition GmbH, Hafenstr. 4, 20457 Hamburg, VAT DE123456788",
      "Carrier: Przewozy Przykład, ul. Polna 7, 63-300 Pleszew, VAT PL5260250274",
    ].join("\n");
    const { sender } = await seen(text, { names: [], vatCodes: [vatCode], emailDomains: [] });
    expect(sender.keys).toContain("vat:DE123456788");
    expect(sender.keys).not.toContain("vat:PL5260250274");
  },
);
