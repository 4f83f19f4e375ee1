import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { migrate, migrationsIn } from "../../scripts/migrate.mjs";
import {
  anyOf,
  archiveStatements,
  archiveTables,
  listArchive,
  type ArchiveQuery,
} from "../../src/platform/archive/archive.ts";
import { cells, type Point } from "../../src/domain/places/cells.ts";

const company = "0193a5f2-7c1e-7a44-9d2b-5f0c3e1a8b77";
const rows = [
  { id: "first", number: "TO-26/0417 a", loading: "2026-11-24T08:00:00", words: "Załadunek papier.pdf" },
  { id: "second", number: null, loading: null, words: "nothing" },
];

const near = { latitude: 51.34, longitude: 12.37 };
const freights = [
  { id: "here", place: { latitude: 51.4, longitude: 12.4 }, loading: "2026-11-24T08:00:00" },
  { id: "later", place: { latitude: 51.3, longitude: 12.3 }, loading: "2026-12-24T08:00:00" },
  { id: "far", place: { latitude: 53.55, longitude: 9.99 }, loading: "2026-11-24T08:00:00" },
  { id: "nowhere", place: undefined, loading: "2026-11-24T08:00:00" },
];

let runtime: Miniflare;
let archive: D1Database;
let earlier: string;

beforeAll(async () => {
  runtime = new Miniflare(
    convertV4MiniflareOptions({ modules: true, script: "export default {}", d1Databases: ["ARCHIVE"] }),
  );
  archive = await runtime.getD1Database("ARCHIVE");
  earlier = await mkdtemp(join(tmpdir(), "lorry-"));
  await migratedTo("0001");
  for (const row of rows) await archive.batch(asFirstWritten(row));
  await migratedTo("0012");
  for (const freight of freights) await archive.batch(asWrittenWide(freight));
  await migrate(archive);
});

afterAll(async () => {
  await runtime.dispose();
  await rm(earlier, { recursive: true });
});

async function migratedTo(last: string): Promise<void> {
  for (const file of migrationsIn().filter((name) => name.slice(0, 4) <= last))
    await cp(`migrations/${file}`, join(earlier, file));
  await migrate(archive, earlier);
}

/** Writes the rows of an order into the tables of the first migration. */
function asFirstWritten({ id, number, loading, words }: (typeof rows)[number]): D1PreparedStatement[] {
  const view = JSON.stringify({ id });
  return [
    archive
      .prepare(
        `insert into orders (company, id, version, createdAt, updatedAt, orderNumber, loadingDate, view)
         values (?, ?, 3, '2026-11-20T10:00:00.000Z', '2026-11-20T10:00:01.000Z', ?, ?, ?)`,
      )
      .bind(company, id, number, loading, view),
    archive.prepare("insert into orders_terms values (?, 'status:Succeeded', ?)").bind(company, id),
    archive
      .prepare("insert into orders_text (rowid, words) select row, ? from orders where id = ?")
      .bind(`c${company.replaceAll("-", "")} ${words}`, id),
  ];
}

const termsOf = (place: Point | undefined) => [
  "status:Published",
  ...(place ? cells(place).map((cell) => `loadingCell:${cell}`) : []),
];

/**
 * Writes the row of a freight into an earlier table, in which a row contained its view, its terms, and its coordinates
 * as text.
 */
function asWrittenWide({ id, place, loading }: (typeof freights)[number]): D1PreparedStatement[] {
  const createdAt = "2026-11-20T10:00:00.000Z";
  const terms = JSON.stringify(termsOf(place));
  return [
    archive
      .prepare(
        `insert into freights (company, id, version, createdAt, updatedAt, loadingDate, loadingLatitude, loadingLongitude, terms, view)
         values (?1, ?2, 3, ?3, ?3, ?4, ?5, ?6, ?7, ?8)`,
      )
      .bind(
        company,
        id,
        createdAt,
        loading,
        `${place?.latitude ?? ""}`,
        `${place?.longitude ?? ""}`,
        terms,
        JSON.stringify({ id }),
      ),
    archive
      .prepare(
        `insert into freights_postings (company, term, createdAt, row)
         select ?1, t.value, ?2, o.row from freights o cross join json_each(?3) t where o.id = ?4`,
      )
      .bind(company, createdAt, terms, id),
  ];
}

async function found(asked: Partial<ArchiveQuery>): Promise<string[]> {
  const query: ArchiveQuery = {
    table: "orders",
    company,
    terms: [],
    ranges: [],
    sort: "createdAt",
    limit: 9,
    ...asked,
  };
  return (await listArchive<{ id: string }>(archive, query)).items.map(({ id }) => id);
}

describe("rows of the first archive", () => {
  test.each<[string, Partial<ArchiveQuery>, string[]]>([
    ["are listed", {}, ["first", "second"]],
    ["by a term", { terms: [anyOf("status:Succeeded")] }, ["first", "second"]],
    ["by their kind", { terms: [anyOf("kind:Document")] }, ["first", "second"]],
    ["by a word", { text: "Załad" }, ["first"]],
    ["by no company's id", { text: "c0193a5f2" }, []],
    ["by number", { patterns: [{ column: "numberKey", name: "orderNumber", pattern: "TO26-*417*A" }] }, ["first"]],
    ["by a range", { ranges: [{ column: "loadingDate", to: "2026-12-01" }] }, ["first"]],
    ["in another order", { sort: "loadingDate" }, ["second", "first"]],
    ["by a term, in another order", { terms: [anyOf("status:Succeeded")], sort: "-orderNumber" }, ["first", "second"]],
    [
      "by a term and a range",
      { terms: [anyOf("status:Succeeded")], ranges: [{ column: "loadingDate", from: "2026" }] },
      ["first"],
    ],
  ])("%s", async (_, asked, expected) => {
    expect(await found(asked)).toEqual(expected);
  });

  test("are replaced by a newer row, with all their terms", async () => {
    const row = {
      table: "orders" as const,
      company,
      id: "first",
      createdAt: "2026-11-20T10:00:00.000Z",
      updatedAt: "2026-11-21T10:00:00.000Z",
      terms: ["status:Failed"],
      text: "other",
      columns: { orderNumber: null, numberKey: null, loadingDate: null, unloadingDate: null },
      view: { id: "first" },
    };
    await archive.batch(archiveStatements(archive, [{ version: 3, row }]));
    expect(await found({ text: "papier" })).toEqual(["first"]);
    await archive.batch(archiveStatements(archive, [{ version: 4, row }]));
    const { results } = await archive
      .prepare("select term from orders_postings p join orders o on o.row = p.row where o.id = 'first' order by term")
      .all();
    expect(results).toEqual([{ term: "status:Failed" }, { term: "word:other" }]);
    expect(await found({ terms: [anyOf("status:Failed")] })).toEqual(["first"]);
  });
});

describe("wide rows that are migrated to narrow ones", () => {
  const freight = (asked: Partial<ArchiveQuery>) => found({ table: "freights", ...asked });
  const circle = {
    cell: "loadingCell",
    latitude: "loadingLatitude",
    longitude: "loadingLongitude",
    point: near,
    km: 50,
  };

  test.each<[string, Partial<ArchiveQuery>, string[]]>([
    ["are listed", {}, ["here", "later", "far", "nowhere"]],
    ["by a circle", { near: [circle] }, ["here", "later"]],
    ["by a wide circle", { near: [{ ...circle, km: 500 }] }, ["here", "later", "far"]],
    ["by a circle and a day", { near: [circle], ranges: [{ column: "loadingDate", to: "2026-11-30" }] }, ["here"]],
    ["by a term", { terms: [anyOf("status:Published")] }, ["here", "later", "far", "nowhere"]],
    [
      "by a term, in another order",
      { terms: [anyOf("status:Published")], sort: "-loadingDate" },
      ["later", "nowhere", "far", "here"],
    ],
    [
      "by a term and a day",
      { terms: [anyOf("status:Published")], ranges: [{ column: "loadingDate", from: "2026-12" }] },
      ["later"],
    ],
  ])("%s", async (_, asked, expected) => {
    expect(await freight(asked)).toEqual(expected);
  });

  test("are replaced by newer rows only", async () => {
    const moved = (version: number, id: string, place: Point, day: string) => ({
      version,
      row: {
        table: "freights" as const,
        company,
        id,
        createdAt: "2026-11-20T10:00:00.000Z",
        updatedAt: "2026-11-21T10:00:00.000Z",
        terms: termsOf(place),
        text: "",
        columns: {
          ...Object.fromEntries(archiveTables.freights.map((name) => [name, null])),
          loadingDate: day,
          loadingLatitude: place.latitude,
          loadingLongitude: place.longitude,
        },
        view: { id },
      },
    });
    const days = (from: string) => ({ near: [circle], ranges: [{ column: "loadingDate", from }] });
    await archive.batch(archiveStatements(archive, [moved(3, "far", near, "2027-01-01")]));
    expect(await freight({ near: [circle] })).toEqual(["here", "later"]);
    await archive.batch(archiveStatements(archive, [moved(4, "far", near, "2027-01-01")]));
    expect(await freight({ near: [circle] })).toEqual(["here", "later", "far"]);
    expect(await freight(days("2027"))).toEqual(["far"]);
    // The freight stays in the same cell but gets another day, so the columns that are stored with the cell must be
    // updated.
    await archive.batch(archiveStatements(archive, [moved(5, "far", near, "2027-06-01")]));
    expect(await freight(days("2027-05"))).toEqual(["far"]);
    await archive.batch(
      archiveStatements(archive, [moved(6, "far", { latitude: 48.1, longitude: 11.6 }, "2027-06-01")]),
    );
    expect(await freight({ near: [circle] })).toEqual(["here", "later"]);
  });
});
