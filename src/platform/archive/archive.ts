import { deleteStaleCompanions } from "./beside.ts";
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
import type { Page } from "../lists.ts";

export { everyone } from "./beside.ts";
export { anyOf, type AnyOf } from "./filters.ts";
export { archiveTables, type ArchiveTable } from "./tables.ts";
export { normalizeNumber } from "./terms.ts";

/** What the archive keeps of a thing: the columns one searches by, terms it is found under, and its list view. */
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
  /** Values a list is sorted, ranged and measured by, besides the two times; of a text the first hundred letters. */
  columns: Record<string, string | number | null>;
  view: unknown;
  /** The row of another table that stands beside it for as long as it says so: what everyone may see of it. */
  beside?: ArchiveRow | undefined;
}

/**
 * The row of a thing that was deleted. It stays, so that an older row that comes late does not bring the thing back; without
 * terms and a time of creation no list has it.
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

/** Terms of what is known: `status:Succeeded`. */
export const termsFrom = (values: Record<string, string | undefined>): string[] =>
  Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [`${name}:${value}`]));

/** A row and the version it is of. */
export interface Versioned {
  version: number;
  row: ArchiveRow;
}

/**
 * Writes rows that are newer than what the archive has, all that come together in four statements, and what stands beside
 * them. A late or repeated row never overwrites a newer one. To be run in one batch.
 */
export function archiveStatements(archive: D1Database, rows: Versioned[]): D1PreparedStatement[] {
  const besideThem = rows.flatMap(({ version, row }) => (row.beside ? [{ version, row: row.beside }] : []));
  const cleared = companionTables.flatMap(([table, beside]) => {
    const ofTable = rows.filter(({ row }) => row.table === table);
    return ofTable.length > 0 ? deleteStaleCompanions(archive, [table, beside], ofTable) : [];
  });
  return [...upserts(archive, rows), ...upserts(archive, besideThem), ...cleared];
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
 * What no longer stands in a row is no longer found under it; then the row; then what is shown of it and what it is found
 * under, which nobody reads who looks for rows; then the postings.
 */
function upsertSql(table: ArchiveTable): string[] {
  const given = ["version", "createdAt", "updatedAt", ...archiveTables[table]];
  const rows = `json_each(?1) n cross join ${table} o on o.company = n.value ->> 'company' and o.id = n.value ->> 'id'`;
  const found = `${rows} cross join ${table}_views v on v.row = o.row cross join json_each(v.terms) t`;
  return [
    `delete from ${table}_postings where (company, term, createdAt, row) in (
       select o.company, t.value, o.createdAt, o.row from ${found}
       where v.version < n.value ->> 'version' and (o.createdAt <> n.value ->> 'createdAt'
         or t.value not in (select value from json_each(n.value, '$.terms'))))`,
    `insert into ${table} (company, id, ${given.join(", ")})
     select value ->> 'company', value ->> 'id', ${given.map((name) => `value ->> '${name}'`).join(", ")}
     from json_each(?1) where true
     on conflict (company, id) do update set ${setExcluded(given)} where excluded.version > version`,
    `insert into ${table}_views (row, version, terms, view)
     select o.row, o.version, n.value -> 'terms', n.value -> 'view' from ${rows} where o.version = n.value ->> 'version'
     on conflict (row) do update set ${setExcluded(["version", "terms", "view"])} where excluded.version > version`,
    postingSql(table, `${found} where v.version = n.value ->> 'version'`),
  ];
}

/** What stands beside a term may change while the term stays; what has not changed is not written again. */
function postingSql(table: ArchiveTable, found: string): string {
  const key = ["company", "term", "createdAt", "row"];
  const values = "o.company, t.value, o.createdAt, o.row";
  const [ofTerms, ofCells] = [columnsBesideTerms(table), columnsBesideCells(table)];
  const more = [...ofTerms, ...ofCells];
  if (more.length === 0)
    return `insert or ignore into ${table}_postings (${key.join(", ")}) select ${values} from ${found}`;
  const given = [
    ...ofTerms.map((name) => `iif(${isBare}, null, o.${name})`),
    ...ofCells.map((name) => `iif(${isCell}, o.${name}, null)`),
  ];
  return `insert into ${table}_postings (${[...key, ...more].join(", ")}) select ${values}, ${given.join(", ")} from ${found}
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

/** A list asked of the archive. */
export interface ArchiveQuery extends ArchiveConditions {
  table: ArchiveTable;
  /** A column, with a minus for descending. */
  sort: string;
  limit: number;
  cursor?: string;
  /** What the caller calls it, "cursor" when not said. */
  cursorName?: string;
}

/**
 * One page, newest first unless asked otherwise. The cursor holds the last row's place in the order,
 * so rows that come in meanwhile neither repeat nor hide any.
 * @throws Problem `invalid_cursor`
 */
export async function listArchive<View>(archive: D1Database, query: ArchiveQuery): Promise<Page<View>> {
  const order = orderOf(query);
  const found = await search({ archive, wanted: query, order, limit: query.limit + 1 }, filtersOf(query));
  const page = found.slice(0, query.limit);
  const last = page.at(-1);
  return {
    items: page.map(({ view }) => JSON.parse(view)),
    ...(found.length > query.limit &&
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
