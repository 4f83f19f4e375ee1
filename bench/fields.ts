import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { argv, exit } from "node:process";
import { openGazetteerFromDisk } from "../scripts/gazetteer.ts";
import { countryOf } from "../src/extraction/lexicon/countries.ts";
import { foldName } from "../src/extraction/lexicon/fold.ts";
import type { Entity, EntityOf, EntityType, DocumentLocale } from "../src/extraction/entities/entity.ts";
import { prepareGazetteer, findEntities, detectLocale } from "../src/extraction/entities/find-entities.ts";

/**
 * Measures the entity recognisers on tables of single values: `node bench/fields.ts FOLDER [SHARDS]`. The folder
 * contains addresses-oneline.json, addresses-block.json, dates.json and vat.json, each a list of { input, expect }.
 * SHARDS is the folder of the gazetteer's shards, by default the one of the last build. `--wrong` prints the values
 * that were not recognised.
 */
interface Row {
  input: string;
  expect: Record<string, unknown> | string;
  country?: string;
}

const today = { year: 2026, month: 11, day: 20 };
const [folder, shards = "dist/assets/gazetteer"] = argv.slice(2).filter((each) => !each.startsWith("--"));
const showWrong = argv.includes("--wrong");
if (!folder || !existsSync(folder)) {
  console.error("Give the folder of the tables: node bench/fields.ts FOLDER [SHARDS]");
  exit(2);
}
const gazetteers = openGazetteerFromDisk(shards);

async function look(input: string): Promise<{ entities: Entity[]; context: DocumentLocale }> {
  const { gazetteer, context } = await prepareGazetteer(gazetteers, [input], detectLocale([input], today));
  return { entities: findEntities(input, context, gazetteer), context };
}

function best<T extends EntityType>(entities: Entity[], type: T): EntityOf<T> | undefined {
  return entities
    .filter((entity): entity is EntityOf<T> => entity.type === type)
    .toSorted((one, other) => other.score - one.score)[0];
}

const pad = (number: number, length = 2) => String(number).padStart(length, "0");

async function dates(row: Row): Promise<Record<string, boolean>> {
  const { entities } = await look(row.input);
  const date = best(entities, "Date")?.value;
  const minutes = best(entities, "Time")?.value.from;
  const day = date && `${pad(date.year ?? 0, 4)}-${pad(date.month)}-${pad(date.day)}`;
  // In this table, midnight stands for a date without a time.
  const time = minutes ? `T${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}` : "";
  const [expectedDay] = (row.expect as string).split("T");
  return { date: day === expectedDay, "date and time": day + time === row.expect };
}

async function vat(row: Row): Promise<Record<string, boolean>> {
  const expect = row.expect as { valid: boolean; countryCode?: string };
  const { entities } = await look(row.input);
  const seen = entities.find(
    (entity): entity is EntityOf<"Vat"> =>
      entity.type === "Vat" && entity.value.checked && entity.start === 0 && entity.end === row.input.length,
  );
  return { vat: expect.valid ? seen?.value.country === expect.countryCode : seen === undefined };
}

async function address(row: Row): Promise<Record<string, boolean>> {
  const expect = row.expect as Record<string, string>;
  const { entities } = await look(row.input.replaceAll("\n", ", "));
  const place = best(entities, "Place")?.value;
  const same = (printed: string | undefined, wanted: string) => foldName(printed ?? "") === foldName(wanted);
  const result: Record<string, boolean> = {};
  if (expect.countryCode) result.country = place?.country === (countryOf(expect.countryCode) ?? expect.countryCode);
  if (expect.postalCode)
    result.postalCode = same(place?.postalCode?.replace(/\W/g, ""), expect.postalCode.replace(/\W/g, ""));
  if (expect.city) result.city = same(place?.city, expect.city) || same(place?.normalizedCity, expect.city);
  if (expect.street)
    result.street = entities.some((entity) => entity.type === "Street" && same(entity.value, expect.street!));
  return result;
}

async function measure(file: string, judge: (row: Row) => Promise<Record<string, boolean>>): Promise<void> {
  const rows = JSON.parse(await readFile(join(folder!, file), "utf8")) as Row[];
  const tally = new Map<string, { right: number; all: number }>();
  for (const row of rows) {
    const judged = await judge(row);
    for (const [field, right] of Object.entries(judged)) {
      const count = tally.get(field) ?? { right: 0, all: 0 };
      tally.set(field, { right: count.right + Number(right), all: count.all + 1 });
    }
    const wrong = Object.keys(judged).filter((field) => !judged[field]);
    if (showWrong && wrong.length > 0) console.log(`  ${wrong.join(", ")}: ${JSON.stringify(row.input)}`);
  }
  for (const [field, { right, all }] of tally)
    console.log(`${file.padEnd(24)} ${field.padEnd(14)} ${(right / all).toFixed(4)}  ${right}/${all}`);
}

await measure("dates.json", dates);
await measure("vat.json", vat);
await measure("addresses-oneline.json", address);
await measure("addresses-block.json", address);
