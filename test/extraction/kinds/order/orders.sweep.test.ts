import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { buildGazetteer, openGazetteerFromDisk } from "../../../../scripts/gazetteer.ts";
import type { OrderView } from "../../../../src/extraction/kinds/order/view.ts";
import type { GazetteerShards } from "../../../../src/extraction/lexicon/gazetteer.ts";
import { Budget } from "../../../../src/extraction/problem.ts";
import { extractOrders } from "../../../../src/extraction/extract.ts";
import type { CompanyFacts, ExtractionResult } from "../../../../src/extraction/document/extraction-result.ts";
const nobody: CompanyFacts = { names: [], vatCodes: [], emailDomains: [] };
let gazetteer: GazetteerShards;

beforeAll(async () => {
  const out = await mkdtemp(join(tmpdir(), "gazetteer-"));
  await buildGazetteer({ out });
  gazetteer = openGazetteerFromDisk(out);
});

async function read(
  text: string | Uint8Array,
  { name = "text.txt", company = nobody, milliseconds = 10_000, additionalInfo = "" } = {},
): Promise<ExtractionResult<OrderView>> {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  return extractOrders(
    { bytes, name },
    { company, today: "2026-11-20", additionalInfo },
    { gazetteer, budget: new Budget(milliseconds) },
  );
}

/** Makes an order. The given lines replace its own. */
const plain = (
  lines: Partial<Record<"head" | "loading" | "unloading" | "foot", string>> = {},
) => `TRANSPORT ORDER No. A-1001
${lines.head ?? "Date: 19/11/2026"}

Loading: ${lines.loading ?? "Alfa Works GmbH, Hafenstr. 4, DE-20457 Hamburg, 24/11/2026 08:00-12:00"}
Unloading: ${lines.unloading ?? "Beta Stores GmbH, Ringstr. 9, DE-80331 München, 25/11/2026 09:00-15:00"}

${lines.foot ?? "Goods: tiles, 10 pallets, 8,000 kg\nFreight price: 900.00 EUR\nPayment terms: 30 days"}
`;

test("a list of six times as many stops takes about six times as long", async () => {
  const towns = ["37079 Göttingen", "10115 Berlin", "63-300 Pleszew", "01-001 Warszawa"];
  const list = (count: number) =>
    Array.from({ length: count }, (_, at) => {
      const what = at % 2 === 0 ? "Loading" : "Unloading";
      return `${what} ${at + 1}: Hauptstr. ${(at % 90) + 1}, ${towns[at % 4]}   24.11.2026 08:00   ${at % 30} pallets   Ref: AB${at}`;
    }).join("\n");
  const used = async (count: number) => {
    const text = plain({ foot: list(count) });
    const began = process.cpuUsage();
    expect((await read(text, { milliseconds: 60_000 })).status).toBe("Read");
    const { user, system } = process.cpuUsage(began);
    return user + system;
  };
  await used(190);
  const few = await used(190);
  expect((await used(1_140)) / few).toBeLessThan(14);
});
