import { chunkText } from "../chunk-text.ts";

/** The company of rows that belong to no company: everyone may see them. */
export const everyone = "*";

/**
 * Takes away the rows beside others that do not say so any more. What stands beside a row is of the same version, for both
 * are written together: a late batch that put an older one there takes it away again.
 */
export function deleteStaleCompanions(
  archive: D1Database,
  [table, beside]: [table: string, beside: string],
  rows: { row: { company: string; id: string } }[],
): D1PreparedStatement[] {
  const names = rows.map(({ row: { company, id } }) => JSON.stringify({ company, id }));
  const gone = `json_each(?1) n
    cross join ${table} o on o.company = n.value ->> 'company' and o.id = n.value ->> 'id'
    cross join ${beside} b on b.company = '${everyone}' and b.id = o.id and b.version <> o.version`;
  const statements = [
    `delete from ${beside}_postings where (company, term, createdAt, row) in (
       select b.company, t.value, b.createdAt, b.row from ${gone}
         cross join ${beside}_views v on v.row = b.row cross join json_each(v.terms) t)`,
    `delete from ${beside}_views where row in (select b.row from ${gone})`,
    `delete from ${beside} where row in (select b.row from ${gone})`,
  ];
  return chunkText(names).flatMap((piece) =>
    statements.map((statement) => archive.prepare(statement).bind(`[${piece.join(",")}]`)),
  );
}
