import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect } from "vitest";
import { buildGazetteer, openGazetteerFromDisk } from "../../scripts/gazetteer.ts";
import type { GazetteerShards } from "../../src/extraction/lexicon/gazetteer.ts";
import type { OrderView } from "../../src/extraction/kinds/order/view.ts";
import type { KindName, ViewOf } from "../../src/extraction/kinds/kinds.ts";
import { Budget } from "../../src/extraction/problem.ts";
import type { RecallMemory } from "../../src/extraction/memory/apply.ts";
import { extractDocument, extractOrders, type DocumentResult } from "../../src/extraction/extract.ts";
import type { CompanyFacts, ExtractedItem, ExtractionResult } from "../../src/extraction/document/extraction-result.ts";

/** A company of which nothing is known. */
export const nobody: CompanyFacts = { names: [], vatCodes: [], emailDomains: [] };
let gazetteer: GazetteerShards | undefined;

/** Builds the gazetteer once for the tests of a file. */
export function withGazetteer(): void {
  beforeAll(async () => {
    const out = await mkdtemp(join(tmpdir(), "gazetteer-"));
    await buildGazetteer({ out });
    gazetteer = openGazetteerFromDisk(out);
  });
}

/** Returns the gazetteer of `withGazetteer`. */
export function builtGazetteer(): GazetteerShards {
  if (!gazetteer) throw new Error("Call withGazetteer() first.");
  return gazetteer;
}

/** Extracts the orders of a text or file. */
export async function readOrders(
  text: string | Uint8Array,
  { name = "text.txt", company = nobody, milliseconds = 10_000, additionalInfo = "" } = {},
): Promise<ExtractionResult<OrderView>> {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  return extractOrders(
    { bytes, name },
    { company, today: "2026-11-20", additionalInfo },
    { gazetteer: builtGazetteer(), budget: new Budget(milliseconds) },
  );
}

/** Extracts a text as a file of this document kind. Without `company`, nothing is known about the company. */
export function extractPosted<Name extends KindName>(
  kind: Name,
  text: string,
  name: string,
  recall?: RecallMemory,
  company: CompanyFacts = nobody,
): Promise<DocumentResult<Name>> {
  return extractDocument(
    kind,
    { bytes: new TextEncoder().encode(text), name },
    { company, today: "2026-11-20" },
    { gazetteer: builtGazetteer(), budget: new Budget(60_000), ...(recall && { recall }) },
  );
}

/** Extracts a text, expects that this succeeds, and returns the first item of the result. */
export async function reading<Name extends KindName>(
  kind: Name,
  text: string,
  name = "document.txt",
): Promise<ExtractedItem<ViewOf<Name>>> {
  const result = await extractPosted(kind, text, name);
  expect(result.status, result.message).toBe("Read");
  return result.items[0]!;
}

/** Makes an order. The given lines replace its own. */
export const plainOrder = (
  lines: Partial<Record<"head" | "loading" | "unloading" | "foot", string>> = {},
) => `TRANSPORT ORDER No. A-1001
${lines.head ?? "Date: 19/11/2026"}

Loading: ${lines.loading ?? "Alfa Works GmbH, Hafenstr. 4, DE-20457 Hamburg, 24/11/2026 08:00-12:00"}
Unloading: ${lines.unloading ?? "Beta Stores GmbH, Ringstr. 9, DE-80331 München, 25/11/2026 09:00-15:00"}

${lines.foot ?? "Goods: tiles, 10 pallets, 8,000 kg\nFreight price: 900.00 EUR\nPayment terms: 30 days"}
`;
