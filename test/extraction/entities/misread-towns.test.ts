import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { buildGazetteer, openGazetteerFromDisk } from "../../../scripts/gazetteer.ts";
import type { GazetteerShards } from "../../../src/extraction/lexicon/gazetteer.ts";
import { Budget } from "../../../src/extraction/problem.ts";
import { extractDocument } from "../../../src/extraction/extract.ts";
import { findEntitiesInScan } from "../../../src/extraction/entities/misread-towns.ts";
import { prepareGazetteer, detectLocale } from "../../../src/extraction/entities/find-entities.ts";
import { toPng } from "../../../training/scans/png.ts";
import { seenIn } from "../../support/scans/recognised-text.ts";

let gazetteer: GazetteerShards;

beforeAll(async () => {
  const out = await mkdtemp(join(tmpdir(), "gazetteer-"));
  await buildGazetteer({ out });
  gazetteer = openGazetteerFromDisk(out);
});

const blank = toPng({ width: 1500, height: 2100, gray: new Uint8Array(1500 * 2100).fill(255) });
const order = (loading: string, unloading: string): string[] => [
  "TRANSPORT ORDER No. TO/2026/5512",
  "Loading: 23.11.2026 08:00",
  "Industriestrasse 3",
  loading,
  "Unloading: 24.11.2026 10:00",
  "Industriestrasse 14",
  unloading,
  "Freight: 820.00 EUR",
];

/** Extracts the stops of an order from a scan or from a text file. */
async function stopsOf(lines: readonly string[], how: "Seen" | "Typed") {
  const seen = seenIn(lines);
  const bytes = how === "Seen" ? blank : new TextEncoder().encode(lines.join("\n"));
  const result = await extractDocument(
    "order",
    { bytes, name: how === "Seen" ? "scan.png" : "order.txt" },
    { company: { names: [], vatCodes: [], emailDomains: [] }, today: "2026-11-20" },
    { gazetteer, budget: new Budget(20_000), recognise: async () => seen },
  );
  return result.items[0]?.data.locations?.map(({ city }) => city);
}

/** Returns the score of the place on a line. */
async function surenessOf(line: string): Promise<number | undefined> {
  const known = detectLocale([line], { year: 2026, month: 11, day: 20 });
  const prepared = await prepareGazetteer(gazetteer, [line], known);
  return findEntitiesInScan(line, prepared.context, prepared.gazetteer).find(({ type }) => type === "Place")?.score;
}

describe("the name of a town that a scan shows with one wrong letter", () => {
  test.for([
    ["PL 50-073 Wroctaw", "Wrocław"],
    ["CZ 702 00 0strava", "Ostrava"],
    ["DE 04158 Leipz1g", "Leipzig"],
    ["LT-01100 Vi1nius", "Vilnius"],
    ["SK 040 01 Košlce", "Košice"],
    ["ES 28031 Madrid", "Madrid"],
  ] as const)("is corrected by its postal code or the size of the town: %s", async ([line, city]) => {
    const cities = await stopsOf(order(line, "FR 69007 Lyon"), "Seen");
    expect(cities).toEqual([city, "Lyon"]);
  });

  test("has a lower score than a correctly recognised name", async () => {
    const [mended = 1, plain = 0] = await Promise.all(["PL 50-073 Wroctaw", "PL 50-073 Wrocław"].map(surenessOf));
    expect(mended).toBeLessThan(plain);
  });

  test("is not corrected in typed text", async () => {
    const cities = await stopsOf(order("PL 50-073 Wroctaw", "FR 69007 Lyon"), "Typed");
    expect(cities).toEqual(["Wroctaw", "Lyon"]);
  });
});
