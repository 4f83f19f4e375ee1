import type { ConceptId } from "../../lexicon/concepts.ts";
import { stopRoles, type Role } from "../sections/roles.ts";
import { stopTypesOfCodes } from "../labels/stop-type-codes.ts";
import type { DocumentContext } from "../labels/values.ts";
import { columnsOf, countKnown, type Column } from "./columns.ts";
import { kindIn, rowsUnder, type OrderList } from "./orders.ts";
import { ruledTablesOf, tablesOf, turned, type Cell, type Row, type Table } from "./tables.ts";
import { typed } from "./typing.ts";

/**
 * A table of an order's stops with its rows. If no cell names the stop type of a row, `acts` has the type of each row.
 */
export interface StopTable {
  list: OrderList;
  rows: Row[];
  acts?: readonly Act[];
}

/** The stop type of a row, and the text that expresses it. */
export interface Act {
  role: Role;
  concept: ConceptId;
  words: Cell["tokens"];
}

const minColumns = 3;
const leastKnown = 0.6;

/**
 * Finds the table of an order's stops, which has a row or column for each stop. Returns undefined if there is none, or
 * more than one.
 */
export function stopTableIn(document: DocumentContext): StopTable | undefined {
  const ruled = ruledTablesOf(document.annotations.layout);
  const found = [...ruled, ...ruled.map(turned)].flatMap((table) => stopsIn(table, document) ?? []);
  if (found.length > 0) return found.length === 1 ? found[0] : undefined;
  const unlabelled = [...tablesOf(document.annotations.layout), ...ruled].flatMap(
    (table) => unlabelledStopsIn(table, document) ?? [],
  );
  return unlabelled.length === 1 && !headingNamesLoading(document) ? unlabelled[0] : undefined;
}

function stopsIn(table: Table, { annotations, languages }: DocumentContext): StopTable | undefined {
  const [header = [], ...body] = table.rows;
  const index = Math.min(...table.rows.flat().map(({ column }) => column));
  const named = header.filter(({ column }) => column !== index);
  const kinds = { index, words: [] };
  const printed = columnsOf(named, [], languages);
  if (named.length < minColumns || countKnown(printed) < leastKnown * named.length) return undefined;
  const rows = rowsUnder(body, [kinds, ...printed]);
  const roles = rows.map((row) => {
    const cell = row.get(index);
    return cell && kindIn(cell, languages)?.role;
  });
  if (roles.includes(undefined) || !roles.includes("Loading") || !roles.includes("Unloading")) return undefined;
  return { list: { table, kinds, columns: [kinds, ...typed(printed, rows, annotations)] }, rows };
}

const places: ReadonlySet<ConceptId | undefined> = new Set(["place", "address", "companyName", "city", "stop"]);
const days: ReadonlySet<ConceptId | undefined> = new Set(["date", "time", "timeWindow", "dateFrom"]);
const acts: ReadonlySet<ConceptId> = new Set([
  "loading",
  "loadingPlace",
  "shipper",
  "unloading",
  "unloadingPlace",
  "consignee",
]);
const mostStops = 12;

/** Finds rows with one address each, under labels for a place and a time. */
function unlabelledStopsIn(table: Table, document: DocumentContext): StopTable | undefined {
  const { annotations, languages } = document;
  const [header = [], ...body] = table.rows;
  const printed = columnsOf(header, [], languages);
  const has = (wanted: ReadonlySet<ConceptId | undefined>) =>
    printed.some(({ concept, section }) => wanted.has(concept) || wanted.has(section?.concept));
  const sections = printed.some(({ section }) => section && stopRoles.has(section.role) && section.role !== "Stop");
  if (header.length < minColumns || sections || !has(places) || !has(days)) return undefined;
  if (countKnown(printed) < leastKnown * header.length || body.length < 2 || body.length > mostStops) return undefined;
  if (body.flat().some((cell) => namesAct(cell, document))) return undefined;
  const rows = rowsUnder(body, printed);
  const addressed = rows.every((row) => [...row.values()].some((cell) => hasAddress(cell, document)));
  const index = header[0]?.column ?? 0;
  const acts = addressed ? actsIn(rows, index, document) : undefined;
  const kinds = { index: -1, words: [] };
  const columns: Column[] = printed.map((column) =>
    column.section ? { ...column, section: undefined, concept: "place" } : column,
  );
  return acts && { list: { table, kinds, columns: typed(columns, rows, annotations) }, rows, acts };
}

function namesAct({ segments }: Cell, { annotations }: DocumentContext): boolean {
  return segments.some(({ index }) =>
    (annotations.labelsIn[index] ?? []).some(
      ({ standing, meanings }) =>
        standing !== "Loose" && meanings.some(({ concept, weight }) => acts.has(concept) && weight >= 0.6),
    ),
  );
}

function hasAddress({ segments }: Cell, { annotations }: DocumentContext): boolean {
  return segments.some(({ index }) =>
    (annotations.entitiesIn[index] ?? []).some(
      (entity) => entity.type === "Place" && entity.value.postalCode !== undefined && entity.score >= 0.35,
    ),
  );
}

const numbered = /^[\W\d_]*(\p{L})?[\W\d_]*$/u;

/**
 * Returns the stop types of the rows by their code letters ("1 U", "2 I"). If the letters have no known meaning, the
 * first row is the loading, and the others are unloadings.
 */
function actsIn(rows: readonly Row[], index: number, { annotations, languages }: DocumentContext): Act[] {
  const cells = [index, index + 1]
    .map((column) => rows.map((row) => row.get(column)))
    .map((column) => ({ column, letters: column.map((cell) => numbered.exec(cell?.text ?? "")?.[1]?.toUpperCase()) }));
  const acts = cells.flatMap(({ letters }) => stopTypesOfCodes(letters, annotations.layout, languages) ?? []);
  return rows.map((row, at) => {
    const concept = acts[at] ?? (at === 0 ? "loading" : "unloading");
    const words = (cells[0]?.column[at] ?? [...row.values()][0])?.tokens.slice(0, 1) ?? [];
    return { role: concept === "loading" ? "Loading" : "Unloading", concept, words };
  });
}

function headingNamesLoading({ annotations }: DocumentContext): boolean {
  return annotations.labels.some(
    ({ standing, segment, meanings }) =>
      standing !== "Loose" &&
      !segment.cell &&
      meanings.some(({ concept, weight }) => (concept === "loading" || concept === "loadingPlace") && weight >= 0.6),
  );
}
