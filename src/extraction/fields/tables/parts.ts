import type { Token } from "../../document/document.ts";
import { conceptOf, type ConceptId } from "../../lexicon/concepts.ts";
import { currencyOf } from "../../entities/amounts.ts";
import type { EntityType } from "../../entities/entity.ts";
import type { Annotations } from "../labels/annotations.ts";
import { stopRoles } from "../sections/roles.ts";
import { textOf, type Segment } from "../../layout/segment.ts";
import type { DocumentContext } from "../labels/values.ts";
import type { Column, Section } from "./columns.ts";
import { kindIn, type OrderList, type RowOrder } from "./orders.ts";
import type { StopTable } from "./stop-table.ts";
import type { Cell, Row } from "./tables.ts";
import { typesOf, unitWordOf } from "./typing.ts";

/** A label with its meaning, and its value. The words of the value are grouped by line. */
export interface Line {
  label: Token[];
  concept?: ConceptId;
  value: Token[][];
  /** Type of the whole value, if its column determines it. */
  type?: "Company" | "Street" | "Place";
}

/** The fields of the order, of one of its companies or of one of its stops. */
export interface Part {
  section?: Section;
  lines: Line[];
}

/** Returns the parts of an order: its own fields, its companies, then its stops. */
export function partsOf({ list, rows }: RowOrder, document: DocumentContext): Part[] {
  const sections = [
    ...new Map(list.columns.flatMap(({ section }) => (section ? [[section.key, section]] : []))).values(),
  ];
  const companies = sections.filter(({ role }) => !stopRoles.has(role));
  const stops = sections.filter(({ role }) => stopRoles.has(role));
  const driven = list.kinds
    ? rows.map((row) => typedStop(list, row, document))
    : loadingsFirst(rows.flatMap((row) => stops.map((section) => partOf(section, list, row, document))));
  const parts = [
    { lines: fieldsOfOrder(list, rows, document) },
    ...companies.flatMap((section) => rows.slice(0, 1).map((row) => partOf(section, list, row, document))),
    ...withoutRepeated(driven),
  ];
  return parts.filter(({ lines }) => lines.length > 0);
}

/** Returns the stops of an order that has a table of stops. */
export function stopPartsOf({ list, rows, acts }: StopTable, document: DocumentContext): Part[] {
  return rows.map((row, at) => {
    const part = typedStop(list, row, document, () => true);
    const act = acts?.[at];
    return act ? { ...part, section: { ...act, key: `${act.role} ${at}` } } : part;
  });
}

function loadingsFirst(parts: readonly Part[]): Part[] {
  const loads = ({ section }: Part) => section?.role === "Loading";
  return [...parts.filter(loads), ...parts.filter((part) => !loads(part))];
}

function withoutRepeated(parts: readonly Part[]): Part[] {
  const printed = ({ section, lines }: Part) =>
    [section?.role, ...lines.map(({ value }) => textOf(value.flat()).text)].join("|");
  return [...new Map(parts.map((part) => [printed(part), part])).values()];
}

function fieldsOfOrder(list: OrderList, rows: readonly Row[], document: DocumentContext): Line[] {
  const columns = list.columns.filter((column) =>
    list.kinds ? !describesStop(column) && column !== list.kinds : !column.section,
  );
  const filled = columns.flatMap((column) => {
    const cells = rows.flatMap((row) => row.get(column.index) ?? []);
    return [...new Map(cells.map((cell) => [cell.text, cell])).values()].map((cell) => ({ column, cell }));
  });
  return priced(withCurrency(filled).map(withUnit), document).flatMap(({ column, cell }) =>
    linesOfCell(column, cell, document),
  );
}

interface Filled {
  column: Column;
  cell: Cell;
}

const figures = /^[\d\s.,'’+-]+$/u;

/** Takes the currency of amounts without one from their header, or from a column of currencies. */
function withCurrency(filled: readonly Filled[]): Filled[] {
  const column = filled.find(({ column: { concept }, cell }) => concept === "currency" && currencyOf(cell.text));
  return filled.map(({ column: own, cell }) => {
    const named = own.words.find(({ text }) => currencyOf(text.replace(/[^\p{L}\p{Sc}]/gu, "")));
    const currency = named ? [named] : column?.cell.tokens;
    if (!isMoney(own) || !currency || !figures.test(cell.text)) return { column: own, cell };
    return { column: own, cell: { ...cell, segments: [], tokens: [...cell.tokens, ...currency] } };
  });
}

/** Takes the unit of a number from its header: "24" below "Load t" becomes "24 t". */
function withUnit({ column, cell }: Filled): Filled {
  const unit = figures.test(cell.text) ? unitWordOf(column) : undefined;
  return unit ? { column, cell: { ...cell, segments: [], tokens: [...cell.tokens, unit] } } : { column, cell };
}

function isMoney({ concept }: Column): boolean {
  if (!concept) return false;
  return concept === "cargoValue" || (conceptOf(concept).about === "Price" && concept !== "currency");
}

function priced(filled: readonly Filled[], { annotations }: DocumentContext): Filled[] {
  const sums = filled.filter(({ column, cell }) => !column.concept && typesOf(cell, annotations).has("Amount"));
  const [sum] = sums;
  if (!sum || sums.length > 1 || filled.some(({ column }) => isMoney(column) && column.concept !== "cargoValue"))
    return [...filled];
  return filled.map((each) => (each === sum ? { ...each, column: { ...each.column, concept: "price" } } : each));
}

function partOf(section: Section, { columns }: OrderList, row: Row, document: DocumentContext): Part {
  return {
    section,
    lines: linesOf(
      columns.filter((column) => column.section?.key === section.key),
      row,
      document,
    ),
  };
}

function describesStop({ section, concept }: Column): boolean {
  return section ? stopRoles.has(section.role) : concept !== undefined && conceptOf(concept).about === "Stop";
}

function typedStop({ kinds, columns }: OrderList, row: Row, document: DocumentContext, isOurs = describesStop): Part {
  const cell = kinds && row.get(kinds.index);
  const kind = cell && kindIn(cell, document.languages);
  const lines = linesOf(
    columns.filter((column) => column !== kinds && isOurs(column)),
    row,
    document,
  );
  return kind ? { section: { ...kind, key: kind.role, words: cell.tokens }, lines } : { lines };
}

const placeConcepts: readonly (ConceptId | undefined)[] = ["country", "postalCode", "city"];
const streetConcepts: ReadonlySet<ConceptId | undefined> = new Set(["street", "address"]);
const nameConcepts: ReadonlySet<ConceptId | undefined> = new Set(["companyName"]);

/**
 * Returns the cells in the order of a postal address: name, street, then country, postal code and town on one line,
 * then the others.
 */
function linesOf(columns: readonly Column[], row: Row, document: DocumentContext): Line[] {
  const filled = withTowns(columns, row, document).flatMap((column) => {
    const cell = row.get(column.index);
    return cell ? [{ column, cell }] : [];
  });
  const places = filled
    .filter(({ column }) => placeConcepts.includes(column.concept))
    .sort((a, b) => placeConcepts.indexOf(a.column.concept) - placeConcepts.indexOf(b.column.concept));
  const lines = filled
    .filter((each) => !places.includes(each))
    .flatMap(({ column, cell }) => linesOfCell(column, cell, document));
  const [names, others] = parted(lines, ({ type }) => type === "Company");
  const [streets, rest] = parted(others, ({ type, concept }) => type === "Street" || streetConcepts.has(concept));
  const last = places.at(-1);
  const place = last && {
    ...lineOf(last.column, last.cell, document.annotations),
    value: [places.flatMap(({ cell }) => cell.tokens)],
  };
  return [...names, ...streets, ...(place ? [place] : []), ...rest];
}

const townOnly = /^\p{L}[\p{L}\p{M} .'’()/-]+$/u;

/** Next to a postal code, a column "place" or one named after its stop alone has the town. */
function withTowns(columns: readonly Column[], row: Row, { annotations }: DocumentContext): Column[] {
  const has = (wanted: ConceptId) => columns.some(({ concept }) => concept === wanted);
  const isName = (cell: Cell | undefined) =>
    cell !== undefined && townOnly.test(cell.text) && !typesOf(cell, annotations).has("Company");
  const names = ({ concept, words, index }: Column) =>
    concept === "place" || (!concept && words.length === 0 && isName(row.get(index)));
  const isTown = (column: Column) => names(column) && has("postalCode") && !has("city");
  return columns.map((column) => (isTown(column) ? { ...column, concept: "city" } : column));
}

function parted<T>(all: readonly T[], first: (each: T) => boolean): [T[], T[]] {
  return [all.filter(first), all.filter((each) => !first(each))];
}

/** Whether a text contains several codes, separated by commas or semicolons: "AB-1001, CD-2002", "RFQ 88; 4471". */
function areSeveralCodes(text: string): boolean {
  const pieces = text.split(/[,;]/u).map((piece) => piece.trim().split(/\s+/u));
  const named = pieces.filter(([first]) => first !== "");
  const last = named.at(-1) ?? [];
  const hasFigure = (word: string) => /\d/.test(word);
  return (
    named.length > 1 &&
    last.length === 1 &&
    last.every(hasFigure) &&
    named.every(([, ...more]) => more.every(hasFigure))
  );
}

function linesOfCell(column: Column, cell: Cell, { annotations }: DocumentContext): Line[] {
  const line = lineOf(column, cell, annotations);
  const numbers = column.concept !== undefined && conceptOf(column.concept).expects[0] === "Reference";
  const tokens = line.value.flat();
  return numbers && areSeveralCodes(textOf(tokens).text)
    ? byComma(tokens).map((value) => ({ ...line, value: [value] }))
    : [line];
}

function byComma(tokens: readonly Token[]): Token[][] {
  const pieces: Token[][] = [[]];
  for (const token of tokens) {
    pieces.at(-1)?.push(token);
    if (/[,;]$/u.test(token.text)) pieces.push([]);
  }
  return pieces.filter((piece) => piece.length > 0);
}

function lineOf({ words, concept, section }: Column, cell: Cell, annotations: Annotations): Line {
  const value = linesIn(cell, annotations);
  const unnamed = words.length === 0 && section !== undefined;
  const type = value.length === 1 ? wholly(concept, unnamed, typesOf(cell, annotations)) : undefined;
  return { label: words, value, ...(concept && { concept }), ...(type && { type }) };
}

/**
 * Returns the type of a one-line cell from the meaning of its column. In a column such as "name" or "street", a cell
 * with a postal code has no type, because it may be a whole address.
 */
function wholly(concept: ConceptId | undefined, unnamed: boolean, types: ReadonlySet<EntityType>): Line["type"] {
  if (placeConcepts.includes(concept)) return "Place";
  if (types.has("Place")) return undefined;
  if (nameConcepts.has(concept) || (unnamed && types.has("Company"))) return "Company";
  return streetConcepts.has(concept) && !types.has("Company") ? "Street" : undefined;
}

const broken = 40;

function linesIn({ segments, tokens }: Cell, annotations: Annotations): Token[][] {
  if (segments.length < 2) return [tokens];
  const lines: Token[][] = [];
  for (const [at, segment] of segments.entries()) {
    const [before, line] = [segments[at - 1], lines.at(-1)];
    const [last, [first]] = [line?.at(-1), segment.tokens];
    if (!before || !line || !last || !first || !goesOn(before, segment, annotations)) lines.push([...segment.tokens]);
    else if (chopped(before, first, annotations))
      line.splice(-1, 1, { ...last, text: last.text + first.text }, ...segment.tokens.slice(1));
    else line.push(...segment.tokens);
  }
  return lines;
}

/**
 * Whether the line `below` continues `above`: the first word of `below` did not fit on `above`, and does not begin a
 * street or town.
 */
function goesOn(above: Segment, below: Segment, annotations: Annotations): boolean {
  const { text, lane, box, size } = above;
  const [first] = below.tokens;
  if (!lane || !first) return text.length > broken;
  const full = box.x1 + (first.x1 - first.x0) + 0.3 * size > lane.x1 - (box.x0 - lane.x0);
  return full && !beginsAnew(above, below, annotations);
}

function beginsAnew(above: Segment, below: Segment, annotations: Annotations): boolean {
  const [before, after] = [above, below].map(({ index }) =>
    (annotations.entitiesIn[index] ?? []).filter(({ score }) => score >= 0.55),
  );
  if (postcode.test(below.text) && /\p{L}{2}/u.test(above.text)) return true;
  const named = before?.some(({ type, end }) => type === "Company" && end >= above.text.length - 1) ?? false;
  return (
    (named && /\d/u.test(below.text)) || (after?.some(({ type, start }) => anew.has(type) && start === 0) ?? false)
  );
}

const postcode = /^(?:\p{Lu}{1,3}[ -])?\d{2,5}[ -]?\d{2,4},?\s\p{Lu}/u;
const anew: ReadonlySet<EntityType> = new Set(["Street", "Place"]);

/**
 * Whether the line is a single word that was cut at the edge of its column. A complete date, time or number was not.
 */
function chopped({ index, text, tokens, lane, box, size }: Segment, next: Token, annotations: Annotations): boolean {
  if (!lane || tokens.length !== 1 || lane.x1 - (box.x0 - lane.x0) - box.x1 > 0.8 * size) return false;
  const whole = (annotations.entitiesIn[index] ?? []).some(
    ({ type, end, score }) => figured.has(type) && end === text.length && score >= 0.5,
  );
  return !whole && /^[\p{Ll}\d]/u.test(next.text);
}

const figured: ReadonlySet<EntityType> = new Set(["Date", "Time", "Quantity", "Amount", "Phone"]);
