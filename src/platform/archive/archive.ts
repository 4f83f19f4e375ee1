import { filtersOf, type ArchiveConditions } from "./filters.ts";
import { search, type Order } from "./search.ts";
import {
  archiveTables,
  bareTerms,
  companionTables,
  columnsBesideCells,
  columnsBesideTerms,
  type ArchiveTable,
} from "./tables.ts";
import { numberTerms, wordsIn, wordTerm } from "./terms.ts";
import { chunkText } from "../chunk-text.ts";
import { readCursor, writeCursor } from "../cursor.ts";
import type { Page } from "../list-parameters.ts";

export { anyOf, type AnyOf } from "./filters.ts";
export { archiveTables, type ArchiveTable } from "./tables.ts";
export { normalizeNumber } from "./terms.ts";

/** A record in the archive: terms and columns for searches, and the view that lists return. */
export interface ArchiveRow {
  table: ArchiveTable;
  id: string;
  company: string;
  createdAt: string;
  updatedAt: string;
  /** Exact terms: `status:Succeeded`, `plate:WGM12345`. */
  terms: string[];
  /** Words for full-text search. */
  text: string;
  /** Values by which lists sort and filter. Texts are cut to 100 characters. */
  columns: Record<string, string | number | null>;
  view: unknown;
  /** The public row of the record in another table. It is deleted if a new version has none. */
  beside?: ArchiveRow | undefined;
}

/**
 * Builds the row of a deleted record, which is in no list. It remains, so that a late row of an older version does not
 * restore the record.
 */
export const tombstone = (table: ArchiveTable, company: string, id: string): ArchiveRow => ({
  table,
  id,
  company,
  createdAt: "",
  updatedAt: "",
  terms: [],
  text: "",
  columns: Object.fromEntries(archiveTables[table].map((column) => [column, null])),
  view: {},
});

/** Builds terms such as `status:Succeeded` from the values that are defined. */
export const termsFrom = (values: Record<string, string | undefined>): string[] =>
  Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [`${name}:${value}`]));

/** A row and the version of its record. */
export interface Versioned {
  version: number;
  row: ArchiveRow;
}

/**
 * Builds the statements that write rows and their companion rows, and delete stale companion rows. Execute them in one
 * batch. A late or repeated row never overwrites a newer one.
 */
export function archiveStatements(archive: D1Database, rows: Versioned[]): D1PreparedStatement[] {
  const companions = rows.flatMap(({ version, row }) => (row.beside ? [{ version, row: row.beside }] : []));
  const stale = companionTables.flatMap(([table, beside]) => {
    const ofTable = rows.filter(({ row }) => row.table === table);
    return ofTable.length > 0 ? deleteStaleCompanions(archive, [table, beside], ofTable) : [];
  });
  return [...upserts(archive, rows), ...upserts(archive, companions), ...stale];
}

function upserts(archive: D1Database, rows: Versioned[]): D1PreparedStatement[] {
  return Object.entries(Object.groupBy(rows, ({ row }) => row.table)).flatMap(([table, ofTable]) =>
    chunkText(ofTable.map((one) => JSON.stringify(toJsonRow(one)))).flatMap((piece) => {
      const json = `[${piece.join(",")}]`;
      return upsertSql(table as ArchiveTable).map((sql) => archive.prepare(sql).bind(json));
    }),
  );
}

const toJsonRow = ({ version, row }: Versioned) => ({
  company: row.company,
  id: row.id,
  version,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  view: row.view,
  terms: termsOf(row),
  ...shortened(row.columns),
});

/**
 * A posting is an entry of the index that finds rows by a term. Postings of removed terms must be deleted before the
 * row is written. Views and terms have their own table, so that searches do not read them.
 */
function upsertSql(table: ArchiveTable): string[] {
  const columns = ["version", "createdAt", "updatedAt", ...archiveTables[table]];
  const rows = `json_each(?1) n cross join ${table} o on o.company = n.value ->> 'company' and o.id = n.value ->> 'id'`;
  const source = `${rows} cross join ${table}_views v on v.row = o.row cross join json_each(v.terms) t`;
  return [
    `delete from ${table}_postings where (company, term, createdAt, row) in (
       select o.company, t.value, o.createdAt, o.row from ${source}
       where v.version < n.value ->> 'version' and (o.createdAt <> n.value ->> 'createdAt'
         or t.value not in (select value from json_each(n.value, '$.terms'))))`,
    `insert into ${table} (company, id, ${columns.join(", ")})
     select value ->> 'company', value ->> 'id', ${columns.map((name) => `value ->> '${name}'`).join(", ")}
     from json_each(?1) where true
     on conflict (company, id) do update set ${setExcluded(columns)} where excluded.version > version`,
    `insert into ${table}_views (row, version, terms, view)
     select o.row, o.version, n.value -> 'terms', n.value -> 'view' from ${rows} where o.version = n.value ->> 'version'
     on conflict (row) do update set ${setExcluded(["version", "terms", "view"])} where excluded.version > version`,
    postingSql(table, `${source} where v.version = n.value ->> 'version'`),
  ];
}

/** A posting repeats columns of its row. Only postings in which these have changed are updated. */
function postingSql(table: ArchiveTable, source: string): string {
  const key = ["company", "term", "createdAt", "row"];
  const values = "o.company, t.value, o.createdAt, o.row";
  const [ofTerms, ofCells] = [columnsBesideTerms(table), columnsBesideCells(table)];
  const more = [...ofTerms, ...ofCells];
  if (more.length === 0)
    return `insert or ignore into ${table}_postings (${key.join(", ")}) select ${values} from ${source}`;
  const extraValues = [
    ...ofTerms.map((name) => `iif(${isBare}, null, o.${name})`),
    ...ofCells.map((name) => `iif(${isCell}, o.${name}, null)`),
  ];
  return `insert into ${table}_postings (${[...key, ...more].join(", ")}) select ${values}, ${extraValues.join(", ")} from ${source}
     on conflict (${key.join(", ")}) do update set ${setExcluded(more)}
     where (${more.join(", ")}) is not (${more.map((name) => `excluded.${name}`).join(", ")})`;
}

const isBare = `substr(t.value, 1, instr(t.value, ':') - 1) in (${bareTerms.map((name) => `'${name}'`).join(", ")})`;
const isCell = "t.value glob '*loadingCell:*'";

const setExcluded = (columns: readonly string[]) => columns.map((name) => `${name} = excluded.${name}`).join(", ");

const termsOf = ({ terms, text, columns }: ArchiveRow): string[] => [
  ...new Set([...terms, ...numberTerms(`${columns["numberKey"] ?? ""}`), ...wordsIn(text).map(wordTerm)]),
];

const shortened = (columns: ArchiveRow["columns"]) =>
  Object.fromEntries(
    Object.entries(columns).map(([name, value]) => [
      name,
      typeof value === "number" ? value : (value ?? "").slice(0, 100),
    ]),
  );

export interface ArchiveQuery extends ArchiveConditions {
  table: ArchiveTable;
  /** Sort column, with a leading minus for descending order. */
  sort: string;
  limit: number;
  cursor?: string;
  /** Name of the cursor parameter in the request; default "cursor". */
  cursorName?: string;
}

/**
 * Returns one page of a list. Rows that are added between two pages cause no duplicates or gaps.
 * @throws Problem `invalid_cursor`
 */
export async function listArchive<View>(archive: D1Database, query: ArchiveQuery): Promise<Page<View>> {
  const order = orderOf(query);
  const rows = await search({ archive, wanted: query, order, limit: query.limit + 1 }, filtersOf(query));
  const page = rows.slice(0, query.limit);
  const last = page.at(-1);
  return {
    items: page.map(({ view }) => JSON.parse(view)),
    ...(rows.length > query.limit &&
      last && { nextCursor: writeCursor(listed(query), [last.value, last.createdAt, last.row]) }),
  };
}

const listed = ({ table, sort }: ArchiveQuery) => ({ list: table, sort });

function orderOf(query: ArchiveQuery): Order {
  const { sort, cursor, cursorName } = query;
  const order = { column: sort.replace(/^-/, ""), descending: sort.startsWith("-") };
  if (cursor === undefined) return order;
  const [value, createdAt, row] = readCursor(cursor, listed(query), ["string", "string", "number"], cursorName);
  return { ...order, after: { value, createdAt, row } };
}

/** The company id of rows that belong to no single company, such as those of the board and of the list of tenants. */
export const everyone = "*";

/**
 * A companion row is written together with its main row. If their versions differ, the companion row is obsolete or
 * comes from a late batch.
 */
function deleteStaleCompanions(
  archive: D1Database,
  [table, beside]: [table: string, beside: string],
  rows: { row: { company: string; id: string } }[],
): D1PreparedStatement[] {
  const names = rows.map(({ row: { company, id } }) => JSON.stringify({ company, id }));
  const stale = `json_each(?1) n
    cross join ${table} o on o.company = n.value ->> 'company' and o.id = n.value ->> 'id'
    cross join ${beside} b on b.company = '${everyone}' and b.id = o.id and b.version <> o.version`;
  const statements = [
    `delete from ${beside}_postings where (company, term, createdAt, row) in (
       select b.company, t.value, b.createdAt, b.row from ${stale}
         cross join ${beside}_views v on v.row = b.row cross join json_each(v.terms) t)`,
    `delete from ${beside}_views where row in (select b.row from ${stale})`,
    `delete from ${beside} where row in (select b.row from ${stale})`,
  ];
  return chunkText(names).flatMap((piece) =>
    statements.map((statement) => archive.prepare(statement).bind(`[${piece.join(",")}]`)),
  );
}
