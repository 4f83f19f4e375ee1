import type { Mentioned } from "../src/kit/owners.ts";
import type { Finder } from "../src/kit/person.ts";

/** Tables in which somebody may be named, and what names their rows. */
const tables = { line: "n", feed: "id", vehicle: "id" } as const;
/** Tables whose rows go as a whole: what was not told yet, and what was answered. */
const passing = { outbox: "position", answer: "id" } as const;

type Row = Record<string, SqlStorageValue>;

/** Where a ledger names somebody: table, row and column. */
export function mentionedIn({ storage }: DurableObjectState, finder: Finder, company: string): Mentioned | undefined {
  const mentions = Object.entries(tables).flatMap(([table, key]) =>
    rowsNaming(storage.sql, table, finder).flatMap((row) =>
      textsOf(row, finder).map(([column, value]) => ({
        pointer: `/${table}/${row[key] as string | number}/${column}`,
        value,
      })),
    ),
  );
  if (mentions.length === 0) return undefined;
  return { type: "Transactions", id: company, url: "/api/v1/transactions-feed", mentions };
}

/** Takes somebody out of all of a ledger. @returns whether there was anything of him */
export async function eraseFrom(ctx: DurableObjectState, finder: Finder): Promise<boolean> {
  if (!ctx.storage.transactionSync(() => eraseIn(ctx.storage.sql, finder))) return false;
  await ctx.storage.sync();
  // What this life of the object remembers names him still.
  setTimeout(() => ctx.abort("Somebody was erased."), 0);
  return true;
}

function eraseIn(sql: SqlStorage, finder: Finder): boolean {
  const erased = Object.entries(tables).map(([table, key]) => {
    const rows = rowsNaming(sql, table, finder);
    for (const row of rows)
      for (const [column, value] of textsOf(row, finder))
        sql.exec(`update ${table} set ${column} = ? where ${key} = ?`, finder.without(value), row[key]!);
    return rows.length;
  });
  const gone = Object.entries(passing).map(([table, key]) => {
    const rows = rowsNaming(sql, table, finder);
    for (const row of rows) sql.exec(`delete from ${table} where ${key} = ?`, row[key]!);
    return rows.length;
  });
  sql.exec("delete from fanout where position not in (select position from outbox)");
  return [...erased, ...gone, eraseTotals(sql, finder)].some((count) => count > 0);
}

/** What two drivers had who are both nobody now is added up. */
function eraseTotals(sql: SqlStorage, finder: Finder): number {
  const rows = rowsNaming(sql, "total", finder);
  for (const row of rows) {
    const { month, vehicle, driver, country, currency, kind, ...sums } = row;
    const place = [month, vehicle, driver, country, currency, kind] as SqlStorageValue[];
    sql.exec(
      "delete from total where month = ? and vehicle = ? and driver = ? and country = ? and currency = ? and kind = ?",
      ...place,
    );
    const { count, milli, net, vat, gross } = sums;
    sql.exec(
      `insert into total (month, vehicle, driver, country, currency, kind, count, milli, net, vat, gross)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       on conflict do update set count = count + excluded.count, milli = milli + excluded.milli, net = net + excluded.net,
         vat = vat + excluded.vat, gross = gross + excluded.gross`,
      ...place.with(2, finder.without(driver as string)),
      ...([count, milli, net, vat, gross] as SqlStorageValue[]),
    );
  }
  return rows.length;
}

function rowsNaming(sql: SqlStorage, table: string, finder: Finder): Row[] {
  const found: Row[] = [];
  for (const row of sql.exec<Row>(`select * from ${table}`)) if (textsOf(row, finder).length > 0) found.push(row);
  return found;
}

const textsOf = (row: Row, finder: Finder): [string, string][] =>
  Object.entries(row).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string" && finder.isIn(entry[1]),
  );
