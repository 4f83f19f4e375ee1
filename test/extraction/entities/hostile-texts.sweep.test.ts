import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildGazetteer, openGazetteerFromDisk } from "../../../scripts/gazetteer.ts";
import type { Gazetteer } from "../../../src/extraction/lexicon/gazetteer.ts";
import type { DocumentLocale } from "../../../src/extraction/entities/entity.ts";
import { findEntities, detectLocale } from "../../../src/extraction/entities/find-entities.ts";

const today = { year: 2026, month: 11, day: 20 };
const context: DocumentLocale = { decimal: ",", dateOrder: "DMY", today, languages: [], countries: ["DE", "PL"] };
let out: string;
let gazetteer: Gazetteer;

beforeAll(async () => {
  out = await mkdtemp(join(tmpdir(), "gazetteer-"));
  await buildGazetteer({ out });
  gazetteer = await openGazetteerFromDisk(out).prepare(context.countries);
});
afterAll(() => rm(out, { recursive: true, force: true }));

/**
 * Limit of CPU time in microseconds. Usual times are milliseconds, so only a time that grows faster than linearly
 * exceeds it.
 */
const patience = 5_000_000;

test.each([
  "a",
  "1 ",
  "1.1.1.",
  "A1-",
  "+",
  "(",
  "é",
  "24.11.",
  "DE-1",
  "8:00-",
  "str. ",
  "ул. ",
  "x@",
  "🚛",
  " ",
  "12 rue ",
  "EUR 1 ",
  "A B ",
  "NL 1234 ",
  "1'000",
  "Sp. z o.o. ",
  "+2 / ",
  "\u0301",
])("an endless line of %j is processed in time", (piece) => {
  const line = piece.repeat(Math.ceil(100_000 / piece.length));
  const began = process.cpuUsage();
  findEntities(line, context, gazetteer);
  detectLocale([line], today);
  expect(process.cpuUsage(began).user).toBeLessThan(patience);
});
