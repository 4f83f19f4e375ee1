import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { strToU8, zipSync } from "fflate";
import { buildGazetteer, openGazetteerFromDisk } from "../../scripts/gazetteer.ts";
import type { GazetteerShards } from "../../src/extraction/lexicon/gazetteer.ts";

/** The towns in tests and README. A row has country, postal code, town, latitude and longitude. */
const places = `
DE 04158 Leipzig 51.3962 12.3213
DE 20457 Hamburg 53.5336 9.9765
DE 34123 Kassel 51.2958 9.5328
DE 80331 München 48.1345 11.571
PL 53-609 Wrocław 51.1102 16.986
PL 60-001 Poznań 52.4069 16.9299
PL 62-200 Gniezno 52.5349 17.5826
PL 63-300 Pleszew 51.8974 17.7859
CZ 150 00 Praha 5 50.0671 14.3633
CZ 602 00 Brno 49.1987 16.6083
FR 10120 Saint-André-les-Vergers 48.2785 4.0537
FR 59000 Lille 50.633 3.0586
FR 75015 Paris 15 48.8412 2.3003
NL 7345 Wenum-Wiesel 52.2541 5.9546
`;

/**
 * Ranges in which every number is a postal code of the country, so that digits alone cannot distinguish a postal code
 * from another number.
 */
const everyCode: Record<string, { from: number; to: number; town: string }> = {
  AT: { from: 1000, to: 9999, town: "Musterdorf" },
  BE: { from: 1000, to: 9999, town: "Voorbeelddorp" },
  DE: { from: 80_000, to: 89_999, town: "Beispielstadt" },
};

/** Writes dumps in the format of GeoNames, one zip per country, and returns their folder. */
export async function postalDump(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "postal-"));
  const rows = places.trim().split("\n").map(rowOf);
  for (const [country, { from, to, town }] of Object.entries(everyCode)) {
    const known = new Set(rows.map(({ country: of, code }) => `${of} ${code}`));
    for (let code = from; code <= to; code += 1)
      if (!known.has(`${country} ${code}`))
        rows.push({ country, code: String(code), town, latitude: "48.2", longitude: "11.6" });
  }
  for (const [country, own] of Map.groupBy(rows, (row) => row.country)) {
    const lines = own.map(({ code, town, latitude, longitude }) =>
      [country, code, town, "", "", "", "", "", "", latitude, longitude, "6"].join("\t"),
    );
    await writeFile(
      join(folder, `${country}.zip`),
      zipSync({ "readme.txt": strToU8("Invented."), [`${country}.txt`]: strToU8(`${lines.join("\n")}\n`) }),
    );
  }
  return folder;
}

function rowOf(line: string): { country: string; code: string; town: string; latitude: string; longitude: string } {
  const [, country = "", code = "", town = "", latitude = "", longitude = ""] =
    /^([A-Z]{2}) (\d\S*(?: \d\d)?) (.+) ([\d.]+) ([\d.]+)$/.exec(line) ?? [];
  return { country, code, town, latitude, longitude };
}

/** Builds gazetteers without and with postal codes. Extraction with the larger one must not be worse. */
export async function bothGazetteers(): Promise<{ towns: string; postal: string }> {
  const folder = await mkdtemp(join(tmpdir(), "gazetteers-"));
  const [towns, postal] = [join(folder, "towns"), join(folder, "postal")];
  await buildGazetteer({ out: towns });
  await buildGazetteer({ out: postal, postalDir: await postalDump() });
  return { towns, postal };
}

/** Opens the shards that `npm run gazetteer` built from the complete dump, if this clone has them. */
export async function wholeGazetteer(): Promise<{ folder: string; shards: GazetteerShards } | undefined> {
  const folder = "dist/assets/gazetteer";
  const shards = openGazetteerFromDisk(folder);
  return (await shards.prepare(["DE"])).hasPostal("DE") ? { folder, shards } : undefined;
}
