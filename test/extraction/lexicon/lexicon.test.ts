import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildGazetteer, openGazetteerFromDisk } from "../../../scripts/gazetteer.ts";
import { concepts } from "../../../src/extraction/lexicon/concepts.ts";
import {
  countryOf,
  countryOfCode,
  countryOfName,
  countryOfVatPrefix,
} from "../../../src/extraction/lexicon/countries.ts";
import { fold, foldName, foldText } from "../../../src/extraction/lexicon/fold.ts";
import { openGazetteer } from "../../../src/extraction/lexicon/gazetteer.ts";
import type { Gazetteer } from "../../../src/extraction/lexicon/gazetteer.ts";
import { languages } from "../../../src/extraction/lexicon/languages.ts";
import { findLabels } from "../../../src/extraction/lexicon/lexicon.ts";
import { countriesOfPostalCode, postalKey } from "../../../src/extraction/lexicon/postal-patterns.ts";
import { findTrailers } from "../../../src/extraction/lexicon/trailers.ts";
import trailers from "../../../src/extraction/lexicon/trailers.json" with { type: "json" };

describe("folding of text", () => {
  test.each([
    ["Załadunek – Łódź", "zaladunek - lodz"],
    ["Straße „Süd“", 'strasse "sud"'],
    ["Œuvre Ærø ÞÓR", "oeuvre aero thor"],
    ["Завантаження: Київ", "завантаження: киів"],
    ["soft\u00adhyphen and\u00a0blank", "softhyphen and blank"],
    ["①㎏", "1kg"],
  ])("%s", (printed, folded) => expect(foldText(printed)).toBe(folded));

  test("every folded letter has its original position", () => {
    const source = "Płać ß ﬁx 😀 Ωmega İ";
    const { plain, text, at } = fold(source);
    expect(text).toHaveLength(plain.length);
    expect(source.slice(at(plain.indexOf("fix")), at(plain.indexOf("fix") + 3))).toBe("ﬁx");
    expect(source.slice(at(plain.indexOf("mega")))).toBe("mega İ");
    expect(at(plain.length)).toBe(source.length);
  });

  test("names are folded to keys", () => expect(foldName(" Bad Homburg v.d.H. ")).toBe("bad homburg v d h"));
});

/**
 * Pairs of concepts that may share a phrase of full weight in some language, because the surrounding text decides
 * between them.
 */
const twofold = new Set(
  [
    ["vatAmount", "vatRate"],
    ["vatNumber", "vatRate"],
    ["address", "adr"],
    ["stop", "terminal"],
    ["place", "terminal"],
    ["terminal", "unloading"],
    ["loadingDate", "loadingTime"],
    ["unloadingDate", "unloadingTime"],
    ["contactPerson", "customer"],
    ["loadingTime", "time"],
  ].map((pair) => pair.join(" and ")),
);

test("no two languages have the same rank", () => {
  expect(new Set(languages.map(({ rank }) => rank)).size).toBe(languages.length);
});

describe.each(languages)("the labels of $language", ({ language, number, labels }) => {
  const entries = Object.entries(labels).flatMap(([concept, list]) =>
    (list ?? []).map((entry) =>
      typeof entry === "string"
        ? { concept, phrase: entry, weight: 1 }
        : { concept, phrase: entry[0], weight: entry[1] },
    ),
  );

  test("contain only known concepts and valid weights", () => {
    expect(number.length).toBeGreaterThan(0);
    expect(Object.keys(labels).filter((concept) => !(concept in concepts))).toEqual([]);
    expect(entries.filter(({ weight }) => !(weight >= 0.2 && weight <= 1))).toEqual([]);
  });

  test("cover the main fields of an order", () => {
    for (const concept of [
      "orderNumber",
      "loading",
      "unloading",
      "loadingDate",
      "unloadingDate",
      "customer",
      "carrier",
      "price",
      "paymentTerm",
      "goods",
      "weight",
      "driver",
      "vatNumber",
    ] as const)
      expect(labels[concept]?.length ?? 0, concept).toBeGreaterThan(0);
  });

  test("are each found with their concept", () => {
    const lost = entries.filter(({ concept, phrase }) => {
      const printed = phrase.replaceAll("{no}", number[0]!);
      return !findLabels(printed).some(
        (hit) => hit.concept === concept && hit.start === 0 && hit.languages.includes(language),
      );
    });
    expect(lost.map(({ phrase }) => phrase)).toEqual([]);
  });

  test("have no phrase with full weight for two concepts", () => {
    const claims = Map.groupBy(
      entries.filter(({ weight }) => weight === 1),
      ({ phrase }) => foldName(phrase),
    );
    const twice = [...claims].map(([phrase, list]) => ({
      phrase,
      claimed: [...new Set(list.map(({ concept }) => concept))].toSorted(),
    }));
    expect(twice.filter(({ claimed }) => claimed.length > 1 && !twofold.has(claimed.join(" and ")))).toEqual([]);
  });
});

describe("finding labels", () => {
  const found = (text: string, options?: { fuzzy?: boolean }) =>
    findLabels(text, options).map(({ concept, phrase }) => [concept, phrase]);

  test.each([
    ["Ladestelle: Hamburg", "loading", "Ladestelle"],
    ["MIEJSCE ZAŁADUNKU", "loading", "MIEJSCE ZAŁADUNKU"],
    ["Delivery date 24/11", "unloadingDate", "Delivery date"],
    ["Numer zlecenia 4711", "orderNumber", "Numer zlecenia"],
    ["n° d'ordre : 12", "orderNumber", "n° d'ordre"],
    ["Nalog za prevoz", "titleTransportOrder", "Nalog za prevoz"],
    ["НАЛОГ ЗА ПРЕВОЗ", "titleTransportOrder", "НАЛОГ ЗА ПРЕВОЗ"],
    ["Тегљач: BG 1234-AB", "truckPlate", "Тегљач"],
    ["ΕΝΤΟΛΗ ΜΕΤΑΦΟΡΑΣ", "titleTransportOrder", "ΕΝΤΟΛΗ ΜΕΤΑΦΟΡΑΣ"],
    ["Ημερομηνία φόρτωσης 24/11", "loadingDate", "Ημερομηνία φόρτωσης"],
  ])("%s", (text, concept, phrase) => {
    const hits = found(text);
    expect(hits.filter(([, each]) => each === phrase).map(([each]) => each)).toEqual(
      expect.arrayContaining([expect.stringMatching(concept.startsWith("loading") ? /^loading/ : concept)]),
    );
  });

  test("the longest phrase at word boundaries is found", () => {
    expect(found("Loading date")).toEqual([["loadingDate", "Loading date"]]);
    expect(found("Reloadingdates")).toEqual([]);
  });

  test("one wrong letter of a scan is tolerated if requested, with a lower weight", () => {
    expect(found("Uniloading date")).not.toContainEqual(["unloadingDate", "Uniloading date"]);
    const [hit] = findLabels("Uniloading date", { fuzzy: true });
    expect(hit).toMatchObject({ concept: "unloadingDate", start: 0, end: 15 });
    expect(hit!.weight).toBeLessThan(1);
  });
});

test("the final sigma is a sigma in any case", () => {
  expect(["ΦΟΡΤΩΣΗΣ", "φόρτωσης"].map(foldText)).toEqual(["φορτωσησ", "φορτωσησ"]);
});

describe("trailer types", () => {
  test.each([
    ["Fahrzeug: Megatrailer", ["6"]],
    ["naczepa firanka lub plandeka", ["3", "1"]],
    ["Mega-Trailer 13,6", ["6"]],
    ["chłodnia", ["2"]],
    ["kühlauflieger", ["2"]],
    ["ruchoma podłoga", ["14"]],
    ["Hűtős félpótkocsi", ["2"]],
    ["рефрижератор або тент", ["2", "1"]],
    ["curtain sider", ["3"]],
    ["Do not tilt", []],
    ["Megan drives", []],
  ])("%s", (text, ids) => expect(findTrailers(text).map((word) => word.id)).toEqual(ids));

  test("no word stands for two types", () => {
    const types = Map.groupBy(
      Object.entries(trailers).flatMap(([id, words]) => words.map((word) => ({ id, word: foldText(word) }))),
      ({ word }) => word,
    );
    expect([...types].filter(([, list]) => new Set(list.map(({ id }) => id)).size > 1).map(([word]) => word)).toEqual(
      [],
    );
  });
});

describe("countries", () => {
  test.each([
    ["Niemcy", "DE"],
    ["Vokietija", "DE"],
    ["Saksamaa", "DE"],
    ["Németország", "DE"],
    ["Holland", "NL"],
    ["Czechia", "CZ"],
    ["Węgry", "HU"],
    ["Royaume-Uni", "GB"],
    ["ИТАЛИЯ", "IT"],
    ["Litouwen", "LT"],
    ["Alemanha", "DE"],
    ["D", "DE"],
    ["CZE", "CZ"],
    ["SLO", "SI"],
    ["UK", "GB"],
    ["EST", "EE"],
  ])("%s is %s", (printed, country) => expect(countryOf(printed)).toBe(country));

  test("text that is not a country is not recognised as one", () => {
    expect(countryOfName("Man")).toBeUndefined();
    expect(countryOfName("Firma")).toBeUndefined();
    expect(countryOfCode("QX")).toBeUndefined();
    expect(countryOfVatPrefix("EL")).toBe("GR");
  });

  test("postal codes are recognised by their format", () => {
    expect(countriesOfPostalCode("87-200")).toEqual(["PL"]);
    expect(countriesOfPostalCode("ec1n 8qx")).toEqual(["GB"]);
    expect(countriesOfPostalCode("37079")).toEqual(expect.arrayContaining(["DE", "FR", "IT"]));
    expect(countriesOfPostalCode("3707912")).toEqual([]);
    expect(postalKey("GB", "SW1A 1AA")).toBe("SW1A");
    expect(postalKey("LV", "LV-1010")).toBe("1010");
  });
});

describe("the gazetteer", () => {
  let out: string;
  let gazetteer: Gazetteer;
  beforeAll(async () => {
    out = await mkdtemp(join(tmpdir(), "gazetteer-"));
    await buildGazetteer({ out });
    gazetteer = await openGazetteerFromDisk(out).prepare(["DE", "PL"]);
  });
  afterAll(() => rm(out, { recursive: true, force: true }));

  test("is built once and knows the country of each place", async () => {
    expect(await buildGazetteer({ out })).toBe(0);
    expect(await readFile(join(out, "LICENCE.txt"), "utf8")).toMatch(/GeoNames[^]*Attribution 4\.0/);
  });

  test.each([
    ["Göttingen", "DE", "Göttingen"],
    ["GOETTINGEN", "DE", "Göttingen"],
    ["Breslau", "PL", "Wrocław"],
    ["Варшава", "PL", "Warszawa"],
    ["Warschau", undefined, "Warszawa"],
    ["Praha 5", undefined, "Praha"],
  ])("%s (%s) is %s", (printed, country, name) => expect(gazetteer.lookupCity(printed, country)[0]?.name).toBe(name));

  test("does not find text that is no town, or towns that were not prepared", () => {
    expect(gazetteer.lookupCity("Ladestelle", "DE")).toEqual([]);
    expect(gazetteer.lookupCity("Göttingen", "FR")).toEqual([]);
    expect(gazetteer.lookupCity("")).toEqual([]);
    expect(gazetteer.hasPostal("DE")).toBe(false);
  });

  test("finds every line of a shard, including the first and the last", async () => {
    const rows = [
      "#10115\tBerlin\tDE\t\t52.5\t13.4\t0",
      "#1011\tKurz\tDE\t\t1\t2\t0",
      "berlin\tBerlin\tDE\t\t52.5\t13.4\t3400000",
      "zwickau\tZwickau\tDE\t\t50.7\t12.5\t90000",
    ];
    const shards = await openGazetteer(async (name) =>
      name === "DE.tsv"
        ? new TextEncoder().encode(
            rows
              .toSorted()
              .map((row) => `${row}\n`)
              .join(""),
          )
        : undefined,
    ).prepare(["DE", "XX"]);
    expect(shards.hasPostal("DE")).toBe(true);
    expect(shards.lookupPostal("DE", "10115").map((place) => place.name)).toEqual(["Berlin"]);
    expect(shards.lookupPostal("DE", "1011").map((place) => place.name)).toEqual(["Kurz"]);
    expect(shards.lookupPostal("DE", "99999")).toEqual([]);
    expect(shards.lookupCity("Zwickau", "DE")).toMatchObject([
      { name: "Zwickau", latitude: 50.7, longitude: 12.5, population: 90000 },
    ]);
  });

  test("contains the requested countries, whatever shards other requests loaded or evicted", async () => {
    const loaded: string[] = [];
    const shards = openGazetteer(async (name) => {
      loaded.push(name);
      const row = `town\tTown\t${name.slice(0, 2)}\t\t1\t2\t5\n`;
      return new TextEncoder().encode(row);
    });
    const french = await shards.prepare(["FR"]);
    const german = await shards.prepare(["DE"]);
    expect(german.lookupCity("Town", "FR")).toEqual([]);
    for (let at = 0; at < 30; at += 5) await shards.prepare(Array.from({ length: 5 }, (_, index) => `A${at + index}`));
    expect(french.lookupCity("Town", "FR")).toHaveLength(1);
    expect((await shards.prepare(["FR"])).lookupCity("Town", "FR")).toHaveLength(1);
    expect(loaded.filter((name) => name === "FR.tsv")).toHaveLength(2);
  });

  test("keeps no more shards than fit into an isolate", async () => {
    const loaded: string[] = [];
    const many = openGazetteer(async (name) => (loaded.push(name), new Uint8Array()));
    await many.prepare(Array.from({ length: 30 }, (_, index) => `A${index}`));
    expect(loaded.length).toBeLessThanOrEqual(14);
  });
});
