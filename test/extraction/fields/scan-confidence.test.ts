import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { buildGazetteer, openGazetteerFromDisk } from "../../../scripts/gazetteer.ts";
import type { GazetteerShards } from "../../../src/extraction/lexicon/gazetteer.ts";
import { Budget } from "../../../src/extraction/problem.ts";
import { extractDocument } from "../../../src/extraction/extract.ts";
import type { KindName } from "../../../src/extraction/kinds/kinds.ts";
import { toPng } from "../../../training/scans/png.ts";
import { seenIn } from "../../support/scans/recognised-text.ts";

let gazetteer: GazetteerShards;

beforeAll(async () => {
  const out = await mkdtemp(join(tmpdir(), "gazetteer-"));
  await buildGazetteer({ out });
  gazetteer = openGazetteerFromDisk(out);
});

const order = (below: string) => [
  "TRANSPORT ORDER",
  "",
  "Order number: TO-204175",
  "Date: 02.11.2026",
  "Customer: Hartwell Spedition GmbH",
  "VAT number: DE136695976",
  "",
  "Loading: 05.11.2026 08:00",
  "Sägewerk Talheim GmbH",
  "Industriestrasse 4",
  "DE-04158 Leipzig",
  "",
  "Unloading: 06.11.2026 14:00",
  "Meblex Sp. z o.o.",
  "ul. Fabryczna 12",
  "PL-53-609 Wrocław",
  "",
  "Cargo: timber, 21 400 kg",
  "Price: 1 240,00 EUR",
  below,
];

const invoice = [
  "INVOICE",
  "",
  "Invoice no.: TR/26/0417",
  "Invoice date: 12.10.2026",
  "Due date: 11.11.2026",
  "",
  "Seller: Hartwell Spedition GmbH",
  "Hafenstr. 4",
  "20457 Hamburg",
  "VAT DE136695976",
  "",
  "Buyer: Beta Forwarding GmbH",
  "Ringstr. 9",
  "80331 München",
  "",
  "Net total: 2210.00 EUR",
  "VAT 20%: 442.00 EUR",
  "Total: 2652.00 EUR",
];

/** Extracts a page with these recognised lines, and returns the confidence of each field. */
async function sureties(lines: readonly string[], sureOf?: (word: string) => number, kind: KindName = "order") {
  const seen = seenIn(lines, sureOf);
  const blank = toPng({ width: 1500, height: 2100, gray: new Uint8Array(1500 * 2100).fill(255) });
  const { items } = await extractDocument(
    kind,
    { bytes: blank, name: "scan.png" },
    { company: { names: [], vatCodes: [], emailDomains: [] }, today: "2026-11-20" },
    { gazetteer, budget: new Budget(20_000), recognise: async () => seen },
  );
  return new Map(items[0]!.evidence.map(({ pointer, value, confidence }) => [pointer, { value, confidence }]));
}

const quoting = "Please quote TO-204175 on your invoice.";
const clearly = () => 0.96;
const surely = 0.9;

describe("fields of a scanned page", () => {
  test("a number printed once is never certain; one printed twice is more certain", async () => {
    const [once, twice] = [await sureties(order(""), clearly), await sureties(order(quoting), clearly)];
    expect(once.get("/orderNumber")).toMatchObject({ value: "TO-204175" });
    expect(twice.get("/orderNumber")).toMatchObject({ value: "TO-204175" });
    expect(once.get("/orderNumber")!.confidence).toBeLessThan(surely);
    expect(twice.get("/orderNumber")!.confidence).toBeGreaterThanOrEqual(surely);
  });

  test("a valid check digit makes a number certain, unless the recogniser is unsure of it", async () => {
    const doubted = await sureties(invoice, (word) => (word.startsWith("DE136") ? 0.5 : 0.96), "invoice");
    const clear = await sureties(invoice, clearly, "invoice");
    expect(clear.get("/seller/vatCode")!.value).toBe("DE136695976");
    expect(clear.get("/seller/vatCode")!.confidence).toBeGreaterThanOrEqual(surely);
    expect(doubted.get("/seller/vatCode")!.confidence).toBeLessThan(surely);
  });

  test("a currency does not depend on digits, a price does", async () => {
    const clear = await sureties(order(""), clearly);
    expect(clear.get("/payments/price")!.confidence).toBeLessThan(surely);
    expect(clear.get("/payments/currency")!.confidence).toBeGreaterThanOrEqual(surely);
  });
});
