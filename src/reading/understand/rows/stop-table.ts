import type { Surroundings } from "../values.ts";
import { columnsOf, known } from "./columns.ts";
import { kindIn, rowsUnder, type OrderList } from "./orders.ts";
import { ruledTablesOf, turned, type Row, type Table } from "./tables.ts";
import { typed } from "./typing.ts";

const fewestColumns = 3;
const leastKnown = 0.6;

/** The table of an order's stops, a row or a column for each, and its rows; none where stops are not set so. */
export function stopTableIn(around: Surroundings): { list: OrderList; rows: Row[] } | undefined {
  const tables = ruledTablesOf(around.marks.layout);
  const found = [...tables, ...tables.map(turned)].flatMap((table) => stopsIn(table, around) ?? []);
  return found.length === 1 ? found[0] : undefined;
}

function stopsIn(table: Table, { marks, languages }: Surroundings): { list: OrderList; rows: Row[] } | undefined {
  const [header = [], ...body] = table.rows;
  const index = Math.min(...table.rows.flat().map(({ column }) => column));
  const named = header.filter(({ column }) => column !== index);
  const kinds = { index, words: [] };
  const printed = columnsOf(named, [], languages);
  if (named.length < fewestColumns || known(printed) < leastKnown * named.length) return undefined;
  const rows = rowsUnder(body, [kinds, ...printed]);
  const roles = rows.map((row) => {
    const cell = row.get(index);
    return cell && kindIn(cell, languages)?.role;
  });
  if (roles.includes(undefined) || !roles.includes("Loading") || !roles.includes("Unloading")) return undefined;
  return { list: { table, kinds, columns: [kinds, ...typed(printed, rows, marks)] }, rows };
}
