import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { buildGazetteer, openGazetteerFromDisk } from "../../../../scripts/gazetteer.ts";
import { extractDocument } from "../../../../src/extraction/extract.ts";
import type { GazetteerShards } from "../../../../src/extraction/lexicon/gazetteer.ts";
import { Budget } from "../../../../src/extraction/problem.ts";

/** Papers of drivers in sentences and in forms with their own numbering, of several countries. */

let gazetteer: GazetteerShards;

beforeAll(async () => {
  const out = await mkdtemp(join(tmpdir(), "gazetteer-"));
  await buildGazetteer({ out });
  gazetteer = openGazetteerFromDisk(out);
});

async function read(text: string) {
  const { items } = await extractDocument(
    "driver-document",
    { bytes: new TextEncoder().encode(text), name: "paper.txt" },
    { company: { names: [], vatCodes: [], emailDomains: [] }, today: "2026-11-20" },
    { gazetteer, budget: new Budget(20_000) },
  );
  return items[0]?.data;
}

describe("papers of drivers", () => {
  test("a medical certificate in sentences names the driver, the categories and the day of issue", async () => {
    const text =
      "CERTIFICATO MEDICO DI IDONEITÀ ALLA GUIDA\nIl sottoscritto medico ha visitato il sig. Aldo Verdi Prova, nato il 12/04/1979,\ne lo giudica idoneo per le categorie C e CE.\nValido fino al 03/05/2028\nTrento, 4 maggio 2026";
    expect(await read(text)).toMatchObject({
      type: "Medical",
      issuedAt: "2026-05-04",
      expiresAt: "2028-05-03",
      categories: ["C", "CE"],
      holder: { name: "Aldo Verdi Prova", birthDate: "1979-04-12" },
    });
  });

  test("dates of cards have spaces between their figures", async () => {
    const text =
      "IDENTITY CARD   REPUBLIC OF CROATIA\nSurname: PROBNI\nGiven names: ANTE\nDate of birth: 27 12 1992\nDate of issue: 03 09 2025\nDate of expiry: 03 09 2035\nDocument number: 117736000";
    expect(await read(text)).toMatchObject({
      type: "IdentityCard",
      issuedAt: "2025-09-03",
      expiresAt: "2035-09-03",
      holder: { name: "ANTE PROBNI", birthDate: "1992-12-27" },
    });
  });

  test("months of passports are printed in two languages", async () => {
    const text =
      "PASSPORT\nSurname: ДЕМО/DEMO\nGiven names: ОЛЕГ/OLEH\nDate of birth: 02 ЛИП/JUL 90\nDate of issue: 18 СІЧ/JAN 23\nDate of expiry: 18 СІЧ/JAN 33";
    expect(await read(text)).toMatchObject({
      issuedAt: "2023-01-18",
      expiresAt: "2033-01-18",
      holder: { name: "OLEH DEMO", birthDate: "1990-07-02" },
    });
  });

  test("numbered fields may have names, and the letter behind a full stop", async () => {
    const text =
      "CARTELA CONDUCĂTORULUI AUTO   ROMÂNIA\n1. PROBA\n2. ION\n3. 21.01.1974\n4.a 15.10.2023\n4.b 14.10.2028\n5.a V00418000S\n5.b RO00000033120000";
    expect(await read(text)).toMatchObject({
      type: "DriverCard",
      number: "RO00000033120000",
      issuedAt: "2023-10-15",
      expiresAt: "2028-10-14",
      holder: { name: "ION PROBA", birthDate: "1974-01-21" },
    });
  });

  test("a driver attestation is another paper, valid for a period", async () => {
    const text =
      "FAHRERBESCHEINIGUNG Nr. 0044000/26\nHiermit wird bestätigt, dass Herr Petar Probić, geboren am 16.06.1981, ist rechtmäßig beschäftigt.\nGültig bis: 31.01.2028\nGraz, am 28.01.2026";
    expect(await read(text)).toMatchObject({
      type: "Other",
      expiresAt: "2028-01-31",
      issuedAt: "2026-01-28",
      holder: { name: "Petar Probić", birthDate: "1981-06-16" },
    });
  });
});
