import { filtersOf, type Wanted } from "./archive-filters.ts";
import { search, type Order, type Place } from "./archive-search.ts";
import { numberTerms, wordsIn, wordTerm } from "./archive-terms.ts";
import { invalidCursor } from "./problem.ts";

export { anyOf, type AnyOf } from "./archive-filters.ts";
export { tight } from "./archive-terms.ts";

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
  /** Values a list is sorted and ranged by, besides the two times; of a text the first hundred letters. */
  columns: Record<string, string | null>;
  view: unknown;
}

/** Tables of the archive, with the columns of their own. `numberKey` is the tight number that patterns are compared with. */
export const archiveTables = {
  orders: ["orderNumber", "numberKey", "loadingDate", "unloadingDate"],
} as const satisfies Record<string, readonly string[]>;
export type ArchiveTable = keyof typeof archiveTables;

/** Writes rows that are newer than what the archive has. A late or repeated row never overwrites a newer one. */
export function archiveStatements(
  archive: D1Database,
  { version, row }: { version: number; row: ArchiveRow },
): D1PreparedStatement[] {
  const { table, company, id, createdAt } = row;
  const terms = JSON.stringify(termsOf(row));
  const values = {
    version,
    createdAt,
    updatedAt: row.updatedAt,
    view: JSON.stringify(row.view),
    terms,
    ...shortened(row.columns),
  };
  const columns = Object.keys(values);
  return [
    archive
      .prepare(
        `delete from ${table}_postings where (company, term, createdAt, row) in (
           select o.company, t.value, o.createdAt, o.row from ${table} o, json_each(o.terms) t
           where o.company = ?1 and o.id = ?2 and o.version < ?3
             and (o.createdAt <> ?4 or t.value not in (select value from json_each(?5))))`,
      )
      .bind(company, id, version, createdAt, terms),
    archive
      .prepare(
        `insert into ${table} (company, id, ${columns.join(", ")}) values (?, ?${", ?".repeat(columns.length)})
         on conflict (company, id) do update set ${columns.map((name) => `${name} = excluded.${name}`).join(", ")}
         where excluded.version > version`,
      )
      .bind(company, id, ...Object.values(values)),
    archive
      .prepare(
        `insert or ignore into ${table}_postings (company, term, createdAt, row)
         select o.company, t.value, o.createdAt, o.row from ${table} o, json_each(o.terms) t
         where o.company = ?1 and o.id = ?2 and o.version = ?3`,
      )
      .bind(company, id, version),
  ];
}

const termsOf = ({ terms, text, columns }: ArchiveRow): string[] => [
  ...new Set([...terms, ...numberTerms(columns["numberKey"] ?? ""), ...wordsIn(text).map(wordTerm)]),
];

const shortened = (columns: ArchiveRow["columns"]) =>
  Object.fromEntries(Object.entries(columns).map(([name, value]) => [name, (value ?? "").slice(0, 100)]));

/** A list asked of the archive. */
export interface ArchiveQuery extends Wanted {
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
export async function listArchive<View>(
  archive: D1Database,
  query: ArchiveQuery,
): Promise<{ items: View[]; nextCursor?: string }> {
  const order = orderOf(query);
  const found = await search({ archive, wanted: query, order, limit: query.limit + 1 }, filtersOf(query));
  const page = found.slice(0, query.limit);
  const last = page.at(-1);
  return {
    items: page.map(({ view }) => JSON.parse(view)),
    ...(found.length > query.limit && last && { nextCursor: writeCursor(query.sort, last) }),
  };
}

function orderOf({ sort, cursor, cursorName }: ArchiveQuery): Order {
  const order = { column: sort.replace(/^-/, ""), descending: sort.startsWith("-") };
  return cursor ? { ...order, after: readCursor(cursor, sort, cursorName) } : order;
}

const writeCursor = (sort: string, { value, createdAt, row }: Place) =>
  new TextEncoder()
    .encode(JSON.stringify([sort, value, createdAt, row]))
    .toBase64({ alphabet: "base64url", omitPadding: true });

function readCursor(cursor: string, sort: string, name?: string): Place {
  try {
    const [madeFor, value, createdAt, row] = JSON.parse(
      new TextDecoder().decode(Uint8Array.fromBase64(cursor, { alphabet: "base64url" })),
    );
    if (madeFor === sort && typeof value === "string" && typeof createdAt === "string" && Number.isSafeInteger(row))
      return { value, createdAt, row };
  } catch {
    // Falls through to the refusal: it was not ours, whatever was wrong with it.
  }
  throw invalidCursor(name);
}
