import { chunkText } from "../chunk-text.ts";

/** The company of public rows. */
export const everyone = "*";

/**
 * Deletes companion rows whose version differs from that of their main row: both are written together, so such a row is no
 * longer wanted, or comes from a late batch.
 */
export function deleteStaleCompanions(
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
