import { writeXlsx } from "hucre";
import type { Chance } from "../chance.ts";
import type { Block, Item, Sheet } from "../sheet/sheet.ts";
import type { Node } from "./node.ts";

type Rows = string[][];

const modified = new Date("2026-11-20T08:00:00Z");

export const workbook = (name: string, rows: Rows): Promise<Uint8Array> =>
  writeXlsx({ sheets: [{ name, rows }], properties: { modified } });

/** Puts a tree into the cells of a spreadsheet. */
export function cells(node: Node): Rows {
  if (node.kind === "NewPage") return [[]];
  if (node.kind === "Text") return [node.label === undefined ? [node.text] : [node.label, node.text]];
  if (node.kind === "Stack")
    return node.parts.flatMap((part, at) => [...(at > 0 && !node.tight ? [[]] : []), ...cells(part)]);
  if (node.kind === "Beside") return node.parts.map(cells).reduce(sideBySide);
  return node.rows.map((row) =>
    row.flatMap(({ text, caption, span = 1 }) => [
      caption ? `${caption}\n${text}` : text,
      ...Array<string>(span - 1).fill(""),
    ]),
  );
}

function sideBySide(left: Rows, right: Rows): Rows {
  const width = Math.max(0, ...left.map((row) => row.length)) + 1;
  return Array.from({ length: Math.max(left.length, right.length) }, (_, at) => {
    const row = left[at] ?? [];
    return right[at] ? [...row, ...Array<string>(width - row.length).fill(""), ...right[at]] : row;
  });
}

/** Separates cells by semicolons, commas or tabs. */
export function separated(chance: Chance, rows: Rows): string {
  const separator = chance.pick([";", ";", ",", "\t"]);
  const quoted = (cell: string): string => (/[";,\t\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  return rows.map((row) => row.map(quoted).join(separator)).join("\r\n");
}

type Field = [head: string, value: string];

/**
 * Formats orders as rows: a row for each order, whose headings name the stop, or a row for each stop. The sender and
 * contact persons have no column.
 */
export function orderRows(chance: Chance, sheets: Sheet[]): Rows {
  const perStop = chance.happens(0.4);
  const records = sheets.flatMap((sheet) =>
    perStop ? stopRecords(sheet) : [[...headFields(sheet), ...tail(sheet, true)]],
  );
  const columns = [...new Set(records.flatMap((fields) => fields.map(([head]) => head)))];
  const named = records.map((fields) => new Map(fields));
  return [columns, ...named.map((fields) => columns.map((column) => fields.get(column) ?? ""))];
}

const field = ({ label, value }: Item, before = ""): Field => [before + label, value.replaceAll("\n", ", ")];
const headFields = ({ head }: Sheet): Field[] => head.map((item) => field(item));
const loaded = ({ items, stop }: Block): Item[] => [...items, ...(stop?.load ?? [])];

function tail({ blocks }: Sheet, withStops: boolean): Field[] {
  return blocks.flatMap((block) => {
    if (block.role === "customer" || (block.role === "stop" && !withStops)) return [];
    const prefixed = ["stop", "carrier", "payer"].includes(block.role);
    return loaded(block).map((item) => field(item, prefixed ? `${block.title} ` : ""));
  });
}

/** A record for each stop; the first has the fields of the order too. */
function stopRecords(sheet: Sheet): Field[][] {
  const stops = sheet.blocks.filter(({ role }) => role === "stop");
  return stops.map((block, at) => [
    ...(at === 0 ? headFields(sheet) : headFields(sheet).slice(0, 1)),
    [sheet.label("stop"), block.title],
    ...loaded(block).map((item) => field(item)),
    ...(at === 0 ? tail(sheet, false) : []),
  ]);
}
