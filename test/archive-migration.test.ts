import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { migrate } from "../scripts/migrate.mjs";
import { anyOf, archiveStatements, listArchive, type ArchiveQuery } from "../src/kit/archive.ts";

const company = "0193a5f2-7c1e-7a44-9d2b-5f0c3e1a8b77";
const rows = [
  { id: "first", number: "TO-26/0417 a", loading: "2026-11-24T08:00:00", words: "Załadunek papier.pdf" },
  { id: "second", number: null, loading: null, words: "nothing" },
];

let runtime: Miniflare;
let archive: D1Database;
let first: string;

beforeAll(async () => {
  runtime = new Miniflare(
    convertV4MiniflareOptions({ modules: true, script: "export default {}", d1Databases: ["ARCHIVE"] }),
  );
  archive = await runtime.getD1Database("ARCHIVE");
  first = await mkdtemp(join(tmpdir(), "lorry-"));
  await cp("migrations/0001_orders.sql", join(first, "0001_orders.sql"));
  await migrate(archive, first);
  for (const row of rows) await archive.batch(asFirstWritten(row));
  await migrate(archive);
});

afterAll(async () => {
  await runtime.dispose();
  await rm(first, { recursive: true });
});

/** What the tables of the first migration held of an order. */
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
  ])("%s", async (_, asked, expected) => {
    expect(await found(asked)).toEqual(expected);
  });

  test("give way to a newer one, with all they were found by", async () => {
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
