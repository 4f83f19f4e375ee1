import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { buildGazetteer, openGazetteerFromDisk } from "../../../../scripts/gazetteer.ts";
import type { GazetteerShards } from "../../../../src/extraction/lexicon/gazetteer.ts";
import type { Recognise } from "../../../../src/extraction/images/recogniser.ts";
import { Budget } from "../../../../src/extraction/problem.ts";
import { extractDocument } from "../../../../src/extraction/extract.ts";
import type { KindName } from "../../../../src/extraction/kinds/kinds.ts";
import type { CompanyFacts } from "../../../../src/extraction/document/extraction-result.ts";
import { seenIn } from "../../../support/scans/recognised-text.ts";
import { toPng } from "../../../../training/scans/png.ts";

/** Fields extracted from text with typical OCR errors. */

let gazetteer: GazetteerShards;

beforeAll(async () => {
  const out = await mkdtemp(join(tmpdir(), "gazetteer-"));
  await buildGazetteer({ out });
  gazetteer = openGazetteerFromDisk(out);
});

const nobody = { names: [], vatCodes: [], emailDomains: [] };

function read<Name extends KindName>(kind: Name, recognise: Recognise, company: CompanyFacts = nobody) {
  const blank = toPng({ width: 1500, height: 2100, gray: new Uint8Array(1500 * 2100).fill(255) });
  return extractDocument(
    kind,
    { bytes: blank, name: "scan.png" },
    { company, today: "2026-11-20" },
    { gazetteer, budget: new Budget(20_000), recognise },
  );
}

describe("scanned consignment notes", () => {
  test("are divided by their box numbers, even if these were recognised with marks, blanks and rules", async () => {
    const seen = seenIn([
      "MIĘDZYNARODOWY LIST PRZEWOZOWY                                  CMR Nr 880412",
      "",
      "1. Nadawca (nazwa, adres, kraj)                 11.6 Przewoźnik (nazwa, adres, kraj)",
      "Huta Szkła Bukowina Sp. z o.o.                  Trakt Opolski Sp. z o.o.",
      "ul. Piecowa 8                                   ul. Składowa 31",
      "58-500 Jelenia Góra                             45-072 Opole",
      "Polska                                          Polska",
      "2 Odbiorca (nazwa, adres, kraj)",
      "Glashandel Auental GmbH",
      "HafenstraBe 19",
      "94032 Passau",
      "Niemcy",
      "3, Miejsce q przeznaczenia                      1 8, Zastrzeżenia przewoźnika",
      "Passau, Niemcy                                  dwie skrzynie bez plomby",
      "4) Miejsce i data załadowania                   1.9, Postanowienia specjalne",
      "Jelenia Góra, Polska 06.10.2026",
      "1.3, nstrukcje nadawcy",
      "Nie rzucać",
    ]);
    const result = await read("cmr", async () => seen);
    expect(result.items[0]?.data).toMatchObject({
      sender: { name: "Huta Szkła Bukowina Sp. z o.o.", postalCode: "58-500" },
      consignee: { name: "Glashandel Auental GmbH", street: "Hafenstraße 19", country: "DE" },
      carrier: { name: "Trakt Opolski Sp. z o.o.", postalCode: "45-072" },
      delivery: { place: "Passau", country: "DE" },
      takingOver: { place: "Jelenia Góra", country: "PL", date: "2026-10-06" },
      reservations: "dwie skrzynie bez plomby",
      instructions: "Nie rzucać",
    });
  });
});

test("a section sign that was recognised as a dollar sign does not change the fine", async () => {
  const seen = seenIn([
    "WEZWANIE DO ZAPŁATY GRZYWNY",
    "Sprawa nr ABC.5531-77/26",
    "Data wykroczenia: 29.09.2026",
    "Numer rejestracyjny: LHK 482",
    "Kwalifikacja: art. 92a $ 1 k.w., 2 punkty karne",
    "Wysokość grzywny: 300,00 zł",
    "Termin płatności: 7 dni",
  ]);
  const result = await read("fine", async () => seen);
  expect(result.items[0]?.data).toMatchObject({ amount: 300, currency: "PLN", licensePlate: "LHK482" });
});

describe("check digits", () => {
  test.for([
    ["VAT ID: DE13669S976", { vatCode: "DE136695976" }],
    ["VAT ID: ATU1358S627", { vatCode: "ATU13585627" }],
    ["VAT ID: NL00449S445BO1", { vatCode: "NL004495445B01" }],
    ["VAT ID: PL526O25O274", { vatCode: "PL5260250274" }],
    ["IBAN: DEB9 37O4 0044 0532 O130 00 BIC COBADEFFXXX", { iban: "DE89370400440532013000" }],
  ] as const)("distinguish digits from the letters that resemble them: %s", async ([line, seller]) => {
    const lines = ["Invoice FV/214/10/2026", "Date: 12.10.2026", "", "Seller:", "Trans Beispiel Logistik", line, ""];
    const seen = seenIn([...lines, "Buyer:", "Muster Handel", "Total: 1414.50 EUR"]);
    const { data } = (await read("invoice", async () => seen)).items[0]!;
    expect({ ...data.seller, iban: data.iban }).toMatchObject(seller);
  });

  test.for([
    ["VAT ID: DE13669S970", { vatCode: "DE136695970" }],
    ["IBAN: DEB9 37O4 0044 0532 O130 01", { iban: "DE89370400440532013001" }],
  ] as const)("that are wrong for every reading leave the recognised text unchanged: %s", async ([line, seller]) => {
    const seen = seenIn([
      "Invoice FV/214/10/2026",
      "Date: 12.10.2026",
      "Seller:",
      "Trans Beispiel",
      line,
      "Total: 10.00 EUR",
    ]);
    const { data } = (await read("invoice", async () => seen)).items[0]!;
    expect({ ...data.seller, iban: data.iban }).not.toMatchObject(seller);
  });
});

describe("a page in Cyrillic script", () => {
  const asItIs = [
    "МІЖНАРОДНА TOBAPHO-TPAHCПOPTHA НАКЛАДНА",
    "1 Відправник / Sender: TOV Lisova Hora, vul. Sadova 4, 10001 Zhytomyr, Ukraine",
    "2 Одержувач / Consignee: Huta Lubań Sp. z 0.0., ul. Polna 15, 22-600 Tomaszów Lubelski, Poland",
    "3 Місце розвантаження: Tomaszów Lubelski, Poland",
    "4 Місце, дата завантаження: Zhytomyr, Ukraine 28.09.2026",
    "16 Перевізник / Carrier: TOV Step, vul. Kyivska 120, 10002 Zhytomyr, Ukraine",
    "18 Застереження: пломба ціла",
    "24 Вантаж одержано:",
  ];
  const inLatin = ["MDKHAPOAHa TOBapHO-TpaHcnOpTHa Hak1aAHA", "BiAnpaBHnK / Sender", "OAepkyBay / Consignee", "MicUe"];

  /** Makes a fake recogniser, which reads Cyrillic only with the Ukrainian model. `asked` lists its calls. */
  function played(): { recognise: Recognise; asked: string[] } {
    const asked: string[] = [];
    const recognise: Recognise = async (_, { depth, languages }) => {
      asked.push(`${depth} ${languages.join("+")}`);
      return seenIn(languages.includes("uk") ? asItIs : inLatin);
    };
    return { recognise, asked };
  }

  test("with names in Latin script is recognised in both", async () => {
    const { recognise, asked } = played();
    const { items } = await read("cmr", recognise);
    expect(asked).toEqual(["Quick en", "Quick ru+uk", "Whole uk+en"]);
    expect(items[0]?.data).toMatchObject({
      sender: { name: "TOV Lisova Hora", city: "Zhytomyr", country: "UA" },
      consignee: { name: "Huta Lubań Sp. z o.o.", postalCode: "22-600", country: "PL" },
      takingOver: { place: "Zhytomyr", date: "2026-09-28" },
      delivery: { country: "PL" },
    });
  });

  test("is recognised in its language at once if the company's country uses that script", async () => {
    const { recognise, asked } = played();
    await read("cmr", recognise, { ...nobody, country: "UA" });
    expect(asked).toEqual(["Quick uk+en", "Whole uk+en"]);
  });

  test.for([
    ["ru", "Грузоотправитель: выгрузка, адрес выгрузки, объём, подъезд, этаж"],
    ["bg", "Товарителница: място на разтоварване, получател, дължина, път, външен вид, съгласно"],
    ["uk", "Вантажовідправник: місце розвантаження, її одержувач, під'їзд"],
  ] as const)("is recognised as %s by its letters", async ([language, line]) => {
    const asked: string[] = [];
    await read("cmr", async (_, { depth, languages }) => {
      asked.push(`${depth} ${languages.join("+")}`);
      return seenIn(languages.includes("en") && languages.length === 1 ? inLatin : [line, line]);
    });
    expect(asked.at(-1)).toBe(`Whole ${language}+en`);
  });
});
