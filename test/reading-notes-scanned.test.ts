import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { buildGazetteer, openGazetteerFromDisk } from "../scripts/gazetteer.ts";
import type { GazetteerShards } from "../src/reading/know/gazetteer.ts";
import type { Recognised } from "../src/reading/ocr/recogniser.ts";
import { Budget } from "../src/reading/problem.ts";
import { readDocument } from "../src/reading/read.ts";
import { toPng } from "../training/scans/png.ts";

/** Consignment notes with the slips a recogniser makes on forms. */

let gazetteer: GazetteerShards;

beforeAll(async () => {
  const out = await mkdtemp(join(tmpdir(), "gazetteer-"));
  await buildGazetteer({ out });
  gazetteer = openGazetteerFromDisk(out);
});

/** Words as they stand in lines of text, seen by a recogniser. */
function seenIn(lines: readonly string[]): Recognised {
  const [wide, high] = [12, 36];
  const words = lines.flatMap((line, row) =>
    [...line.matchAll(/\S+/gu)].map(({ 0: text, index }) => ({
      text,
      confidence: 0.9,
      size: 20,
      x0: index * wide,
      x1: (index + text.length) * wide - 4,
      y0: row * high,
      y1: row * high + 20,
    })),
  );
  return { width: 1500, height: 2100, words, rulings: [], confidence: 0.9, turn: 0, memory: 0 };
}

function read(kind: "cmr" | "fine", seen: Recognised) {
  const blank = toPng({ width: 1500, height: 2100, gray: new Uint8Array(1500 * 2100).fill(255) });
  return readDocument(
    kind,
    { bytes: blank, name: "scan.png" },
    { company: { names: [], vatCodes: [], emailDomains: [] }, today: "2026-11-20" },
    { gazetteer, budget: new Budget(20_000), recognise: async () => seen },
  );
}

describe("scanned consignment notes", () => {
  test("are taken apart by numbers that were read with marks, blanks and rules in them", async () => {
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
    const result = await read("cmr", seen);
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

test("a sign for a section that was read as a dollar makes no fine of it", async () => {
  const seen = seenIn([
    "WEZWANIE DO ZAPŁATY GRZYWNY",
    "Sprawa nr ABC.5531-77/26",
    "Data wykroczenia: 29.09.2026",
    "Numer rejestracyjny: LHK 482",
    "Kwalifikacja: art. 92a $ 1 k.w., 2 punkty karne",
    "Wysokość grzywny: 300,00 zł",
    "Termin płatności: 7 dni",
  ]);
  const result = await read("fine", seen);
  expect(result.items[0]?.data).toMatchObject({ amount: 300, currency: "PLN", licensePlate: "LHK482" });
});
