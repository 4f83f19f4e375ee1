import { invalidCursor } from "./problem.ts";

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
  /** Values a list is sorted and ranged by, besides the two times. */
  columns: Record<string, string | number | null>;
  view: unknown;
}

/** Numbers and plates are found whatever their case, blanks and dashes. */
export const tight = (text: string) => text.toUpperCase().replace(/[^\p{L}\p{N}]/gu, "");

/** Tables of the archive, with the columns of their own. */
export const archiveTables = {
  orders: ["orderNumber", "loadingDate", "unloadingDate"],
} as const satisfies Record<string, readonly string[]>;
export type ArchiveTable = keyof typeof archiveTables;

/** Writes rows that are newer than what the archive has. A late or repeated row never overwrites a newer one. */
export function archiveStatements(
  archive: D1Database,
  { version, row }: { version: number; row: ArchiveRow },
): D1PreparedStatement[] {
  const columns = ["version", "createdAt", "updatedAt", "view", ...Object.keys(row.columns)];
  const values = [version, row.createdAt, row.updatedAt, JSON.stringify(row.view), ...Object.values(row.columns)];
  const table = row.table;
  const newest = `exists (select 1 from ${table} where company = ?1 and id = ?2 and version = ?3)`;
  return [
    archive
      .prepare(
        `insert into ${table} (company, id, ${columns.join(", ")}) values (?, ?${", ?".repeat(columns.length)})
         on conflict (company, id) do update set ${columns.map((name) => `${name} = excluded.${name}`).join(", ")}
         where excluded.version > version`,
      )
      .bind(row.company, row.id, ...values),
    archive
      .prepare(`delete from ${table}_terms where company = ?1 and id = ?2 and ${newest}`)
      .bind(row.company, row.id, version),
    archive
      .prepare(
        `insert or ignore into ${table}_terms (company, term, id) select ?1, value, ?2 from json_each(?4) where ${newest}`,
      )
      .bind(row.company, row.id, version, JSON.stringify(row.terms)),
    archive
      .prepare(
        `insert or replace into ${table}_text (rowid, words)
         select row, ?4 from ${table} where company = ?1 and id = ?2 and version = ?3`,
      )
      .bind(row.company, row.id, version, `${companyWord(row.company)} ${row.text}`),
  ];
}

/** A list asked of the archive. */
export interface ArchiveQuery {
  table: ArchiveTable;
  company: string;
  /** All of these. */
  terms: string[];
  /** Inclusive ranges over columns. */
  ranges: { column: string; from?: string; to?: string }[];
  text?: string;
  /** A column, with a minus for descending. */
  sort: string;
  limit: number;
  cursor?: string;
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
  const descending = query.sort.startsWith("-");
  const column = query.sort.replace(/^-/, "");
  const bound: (string | number)[] = [];
  const bind = (value: string | number) => `?${bound.push(value)}`;
  const where = [`company = ${bind(query.company)}`];
  for (const term of query.terms) {
    where.push(`id in (select id from ${query.table}_terms where company = ?1 and term = ${bind(term)})`);
  }
  for (const { column: name, from, to } of query.ranges) {
    if (from) where.push(`${name} >= ${bind(from)}`);
    if (to) where.push(`${name} <= ${bind(to)}`);
  }
  if (query.text)
    where.push(
      `row in (select rowid from ${query.table}_text where words match ${bind(matchOf(query.company, query.text))})`,
    );
  if (query.cursor) {
    const [value, id] = readCursor(query.cursor, query.sort);
    where.push(`(coalesce(${column}, ''), id) ${descending ? "<" : ">"} (${bind(value)}, ${bind(id)})`);
  }
  const order = descending ? "desc" : "asc";
  const { results } = await archive
    .prepare(
      `select id, view, coalesce(${column}, '') as place from ${query.table} where ${where.join(" and ")}
       order by coalesce(${column}, '') ${order}, id ${order} limit ${query.limit + 1}`,
    )
    .bind(...bound)
    .all<{ id: string; view: string; place: string }>();
  const page = results.slice(0, query.limit);
  const last = page.at(-1);
  return {
    items: page.map((row) => JSON.parse(row.view)),
    ...(results.length > query.limit && last && { nextCursor: writeCursor(query.sort, last.place, last.id) }),
  };
}

const writeCursor = (sort: string, place: string, id: string) =>
  new TextEncoder().encode(JSON.stringify([sort, place, id])).toBase64({ alphabet: "base64url", omitPadding: true });

function readCursor(cursor: string, sort: string): [string, string] {
  try {
    const [madeFor, place, id] = JSON.parse(
      new TextDecoder().decode(Uint8Array.fromBase64(cursor, { alphabet: "base64url" })),
    );
    if (madeFor === sort && typeof place === "string" && typeof id === "string") return [place, id];
  } catch {
    // Falls through to the refusal: it was not ours, whatever was wrong with it.
  }
  throw invalidCursor();
}

/** Words of one company only: its id is a word of each of its rows. */
const companyWord = (company: string) => `c${company.replaceAll("-", "")}`;

/** Each word as a quoted prefix, so that no operator of the query language gets through. */
function matchOf(company: string, text: string): string {
  const words = text.normalize("NFKC").match(/[\p{L}\p{N}]+/gu) ?? [];
  return [companyWord(company), ...words.slice(0, 10).map((word) => `"${word}"*`)].join(" AND ");
}
