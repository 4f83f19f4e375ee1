import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect } from "vitest";
import { buildGazetteer, openGazetteerFromDisk } from "../../scripts/gazetteer.ts";
import type { GazetteerShards } from "../../src/extraction/lexicon/gazetteer.ts";
import type { KindName, ViewOf } from "../../src/extraction/kinds/kinds.ts";
import { Budget } from "../../src/extraction/problem.ts";
import type { RecallMemory } from "../../src/extraction/memory/apply.ts";
import { extractDocument, type DocumentResult } from "../../src/extraction/extract.ts";
import type { CompanyFacts, ExtractedItem } from "../../src/extraction/document/extraction-result.ts";

let gazetteer: GazetteerShards | undefined;

/** Builds the gazetteer once for the tests of a file. */
export function withGazetteer(): void {
  beforeAll(async () => {
    const out = await mkdtemp(join(tmpdir(), "gazetteer-"));
    await buildGazetteer({ out });
    gazetteer = openGazetteerFromDisk(out);
  });
}

/** Extracts a text as a file of this document kind. Without `company`, nothing is known about the company. */
export function extractPosted<Name extends KindName>(
  kind: Name,
  text: string,
  name: string,
  recall?: RecallMemory,
  company: CompanyFacts = { names: [], vatCodes: [], emailDomains: [] },
): Promise<DocumentResult<Name>> {
  if (!gazetteer) throw new Error("Say withGazetteer() first.");
  return extractDocument(
    kind,
    { bytes: new TextEncoder().encode(text), name },
    { company, today: "2026-11-20" },
    { gazetteer, budget: new Budget(60_000), ...(recall && { recall }) },
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
