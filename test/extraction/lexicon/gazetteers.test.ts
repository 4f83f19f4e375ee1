import { beforeAll, describe, expect, test } from "vitest";
import { openGazetteerFromDisk } from "../../../scripts/gazetteer.ts";
import type { GazetteerShards } from "../../../src/extraction/lexicon/gazetteer.ts";
import { Budget } from "../../../src/extraction/problem.ts";
import { extractDocument } from "../../../src/extraction/extract.ts";
import type { PlaceValue } from "../../../src/extraction/entities/entity.ts";
import { prepareGazetteer, findEntities, detectLocale } from "../../../src/extraction/entities/find-entities.ts";
import { bothGazetteers, wholeGazetteer } from "../../support/postal-dump.ts";

// Every text is read with two or three gazetteers: the towns of the npm packages, postal codes in the format of
// GeoNames, and GeoNames' complete dump if this machine has it. A larger gazetteer must not make any result worse.

const day = { year: 2026, month: 11, day: 20 };
let gazetteers: [name: string, shards: GazetteerShards][];

beforeAll(async () => {
  const { towns, postal } = await bothGazetteers();
  const whole = await wholeGazetteer();
  gazetteers = [
    ["towns", openGazetteerFromDisk(towns)],
    ["postal codes", openGazetteerFromDisk(postal)],
    ...(whole ? [["the whole dump", whole.shards] as [string, GazetteerShards]] : []),
  ];
});

/** Finds the entities of a text with each gazetteer, and describes them in one line with `tell`. */
async function withEach(
  text: string,
  tell: (entities: ReturnType<typeof findEntities>) => string,
): Promise<Map<string, string>> {
  const told = new Map<string, string>();
  for (const [name, shards] of gazetteers) {
    const { gazetteer, context } = await prepareGazetteer(shards, [text], detectLocale([text], day));
    told.set(name, tell(findEntities(text, context, gazetteer)));
  }
  return told;
}

const placeText = ({ country, postalCode, city }: PlaceValue) => [country, postalCode, city].filter(Boolean).join(" ");

describe("a number after a town is its postal district only if it counts nothing", () => {
  test.each([
    ["from 04158 Leipzig to 53-609 Wroclaw? 33 pallets", "DE 04158 Leipzig, PL 53-609 Wroclaw", "33 pallets"],
    ["53-609 Wroclaw. 33 pallets", "PL 53-609 Wroclaw", "33 pallets"],
    ["53-609 Wroclaw! 12 palet", "PL 53-609 Wroclaw", "12 pallets"],
    ["53-609 Wroclaw 24 t", "PL 53-609 Wroclaw", "24 t"],
    ["53-609 Wroclaw 2,4 ldm", "PL 53-609 Wroclaw", "2.4 ldm"],
    ["80331 München 33 Paletten", "DE 80331 München", "33 pallets"],
    ["75015 Paris 15 palettes", "FR 75015 Paris", "15 pallets"],
    ["602 00 Brno 8:00-12:00", "CZ 602 00 Brno", ""],
    ["53-609 Wrocław 8-12", "PL 53-609 Wrocław", ""],
    ["602 00 Brno 14 Uhr", "CZ 602 00 Brno", ""],
    ["Leipzig - Wroclaw 12 pallets", "DE Leipzig, PL Wroclaw", "12 pallets"],
    ["from Leipzig to Wroclaw 24 t", "DE Leipzig, PL Wroclaw", "24 t"],
    ["Praha 5", "CZ Praha 5", ""],
    ["Dublin 2, Ireland", "IE Dublin 2", ""],
  ])("%s", async (text, places, quantities) => {
    const told = await withEach(text, (entities) => {
      const seen = entities.filter(({ score }) => score >= 0.35);
      const sums = seen.flatMap((each) =>
        each.type === "Quantity" ? [`${each.value.amount} ${each.value.unit}`] : [],
      );
      return `${seen.flatMap((each) => (each.type === "Place" ? [placeText(each.value)] : [])).join(", ")}; ${sums.join()}`;
    });
    for (const [gazetteer, seen] of told) expect([gazetteer, seen]).toEqual([gazetteer, `${places}; ${quantities}`]);
  });
});

describe("a number is not a place just because some postal code has its digits", () => {
  test.each([
    ["loading reference NJ-81662", ["DE", "AT"]],
    ["Kennzeichen: JU-SB 5270", ["DE", "AT"]],
    ["Camion XE 7345 MA, trailer OH 1031 TX", ["NL", "BE"]],
    ["IBAN: DE91 6868 9382 3161 9103 Seite 1/1", ["DE", "AT"]],
    ["6800 kg, 5500 kg", ["BE", "AT"]],
    ["F10382, 80324926, 4550078788", ["DE", "FR"]],
  ])("%s", async (text, countries) => {
    for (const [name, shards] of gazetteers) {
      const context = { ...detectLocale([text], day), countries };
      const gazetteer = await shards.prepare(countries);
      const believed = findEntities(text, context, gazetteer).filter(
        ({ type, score }) => type === "Place" && score >= 0.5,
      );
      expect([name, believed]).toEqual([name, []]);
    }
  });

  test.each([
    ["PL-53-609", "PL 53-609"],
    ["80123 Hintermuster", "DE 80123 Hintermuster"],
  ])("%s is a postal code, by its letters or its line", async (text, place) => {
    const [name, shards] = gazetteers[1]!;
    const context = { ...detectLocale([text], day), countries: ["DE", "PL"] };
    const [first] = findEntities(text, context, await shards.prepare(["DE", "PL"])).filter(
      ({ type }) => type === "Place",
    );
    expect([name, first?.type === "Place" && placeText(first.value)]).toEqual([name, place]);
    expect(first?.score).toBeGreaterThan(0.5);
  });
});

test("a town whose name continues on the next line is not the town whose name is its beginning", async () => {
  const text = "10120 SAINT-ANDRÉ-LES-";
  const context = { ...detectLocale([text], day), countries: ["FR"] };
  for (const [name, shards] of gazetteers) {
    const seen = findEntities(text, context, await shards.prepare(["FR"]));
    expect([name, seen.filter(({ type, score }) => type === "Place" && score >= 0.5)]).toEqual([name, []]);
  }
});

test("a request in one sentence keeps its load with every gazetteer", async () => {
  const text = "Do you have a tautliner 24 t from 04158 Leipzig to 53-609 Wroclaw? 33 pallets, 780 EUR, 30 days.";
  for (const [name, gazetteer] of gazetteers) {
    const { items } = await extractDocument(
      "opportunity",
      { bytes: new TextEncoder().encode(text), name: "request.txt" },
      { company: { names: [], vatCodes: [], emailDomains: [] }, today: "2026-11-20" },
      { gazetteer, budget: new Budget(20_000) },
    );
    expect([name, items.map(({ data }) => data)]).toMatchObject([
      name,
      [
        {
          locations: [
            { address: { countryCode: "DE", postalCode: "04158", city: "Leipzig" } },
            { address: { countryCode: "PL", postalCode: "53-609", city: "Wroclaw" } },
          ],
          requirements: { trailerTypes: [3], capacity: 24, pallets: 33 },
          payment: { from: 780, currency: "EUR", term: 30 },
        },
      ],
    ]);
  }
});
