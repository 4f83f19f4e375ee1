import { conceptOf, type ConceptId } from "../../lexicon/concepts.ts";
import { findLabels } from "../../lexicon/lexicon.ts";
import { foldText } from "../../lexicon/fold.ts";
import type { Token } from "../../document/document.ts";
import type { Entity, EntityType, Unit } from "../../entities/entity.ts";
import { currencyOf } from "../../entities/amounts.ts";
import { unitNamed } from "../../entities/quantities.ts";
import { textOf } from "../../layout/segment.ts";
import type { Annotations } from "../labels/annotations.ts";
import { partyRoles, stopRoles } from "../sections/roles.ts";
import { isTrailer } from "../vehicles/trailers.ts";
import type { Column, Section } from "./columns.ts";
import type { Cell, Row } from "./tables.ts";

/** Concepts of columns with an unknown header, by the entity type of their cells. */
const byType: readonly (readonly [EntityType, ConceptId])[] = [
  ["Date", "date"],
  ["Time", "time"],
  ["Phone", "phone"],
  ["Email", "email"],
  ["Vat", "vatNumber"],
  ["Company", "companyName"],
  ["Street", "street"],
  ["Place", "city"],
];

const sure = 0.5;
const minAlike = 3;
const most = 0.6;

/**
 * Returns the columns with concepts that fit their values. If the header has several meanings, the fitting one is
 * chosen. If the header is not in the lexicon, the concept is inferred from the values.
 */
export function typed(columns: readonly Column[], body: readonly Row[], annotations: Annotations): Column[] {
  const named = families(columns).reduce<Column[]>(
    (all, family) => withSection(all, family, body, annotations),
    [...columns],
  );
  return named.map((column) => {
    const concept = conceptBy(column, body, annotations);
    return concept ? { ...column, concept } : column;
  });
}

/** Columns without a known section whose headers begin with the same words: "ABC name", "ABC street", "ABC city". */
interface Family {
  members: Column[];
  /** Number of shared words. */
  words: number;
}

function families(columns: readonly Column[]): Family[] {
  const free = columns.filter(({ section, words }) => !section && words.length > 1);
  return [...Map.groupBy(free, (column) => word(column, 0)).values()].flatMap((members) => {
    let words = 1;
    while (
      members.every((member) => member.words.length > words + 1 && word(member, words) === word(members[0], words))
    )
      words++;
    return members.length >= minAlike ? [{ members, words }] : [];
  });
}

function word(column: Column | undefined, at: number): string {
  return foldText(column?.words[at]?.text ?? "");
}

/**
 * Assigns a section to columns whose headers begin with the same words, if they contain addresses: a company if they
 * also contain VAT numbers or e-mail addresses, a stop if they contain dates or times.
 */
function withSection(
  columns: Column[],
  { members, words }: Family,
  body: readonly Row[],
  annotations: Annotations,
): Column[] {
  const types = new Set(members.flatMap((column) => typesIn(column, body, annotations)));
  const section = types.has("Place") && sectionFor(columns, members, types);
  if (!section) return columns;
  const named = { ...section, words: members[0]?.words.slice(0, words) ?? [] };
  return columns.map((column) => (members.includes(column) ? underIt(column, named, words) : column));
}

function underIt(column: Column, section: Section, shared: number): Column {
  const words = column.words.slice(shared);
  const [hit] = findLabels(textOf(words).text).sort((a, b) => b.weight - a.weight);
  return { index: column.index, section, words, ...(hit && { concept: hit.concept }) };
}

function sectionFor(
  columns: readonly Column[],
  members: readonly Column[],
  types: ReadonlySet<EntityType>,
): Omit<Section, "words"> | undefined {
  const has = (role: Section["role"]) => columns.some(({ section }) => section?.role === role);
  if (types.has("Vat") || types.has("Email")) {
    const role = has("Carrier") ? "Payer" : "Carrier";
    return { role, concept: role === "Payer" ? "payer" : "carrier", key: role };
  }
  if (!types.has("Date") && !types.has("Time")) return undefined;
  const first = columns.find(({ section }) => section && stopRoles.has(section.role));
  const loads =
    !has("Loading") && (first === undefined || columns.indexOf(members[0] as Column) < columns.indexOf(first));
  return loads
    ? { role: "Loading", concept: "loading", key: "Loading by place" }
    : { role: "Unloading", concept: "unloading", key: "Unloading by place" };
}

function conceptBy(column: Column, body: readonly Row[], annotations: Annotations): ConceptId | undefined {
  const types = typesIn(column, body, annotations);
  const cells = cellsOf(column, body);
  const party = column.section && partyRoles.has(column.section.role);
  const concept = fitting(column, types);
  const mostly = (tells: (cell: Cell) => boolean) =>
    cells.length > 0 && cells.filter(tells).length >= most * cells.length;
  const unit = column.section || concept === "temperature" ? undefined : unitOf(column);
  if (unit && mostly(isFigure)) return unitConcepts[unit];
  if (!concept && !column.section && mostly(isFigure) && column.words.some(namesCurrency)) return "price";
  const ofStop = column.section && stopRoles.has(column.section.role);
  if (ofStop && (!concept || concept === "reference") && mostly(isPostalCode)) return "postalCode";
  if (concept === "email" && column.section?.role === "Payer") return "invoiceEmail";
  if (concept) return reached.find(([meant, type]) => meant === concept && types.includes(type))?.[2] ?? concept;
  if (column.section)
    return (
      byType.find(([type]) => types.includes(type))?.[1] ?? (party && mostly(isPerson) ? "contactPerson" : undefined)
    );
  if (mostly((cell) => daysIn(cell, annotations))) return "paymentTerm";
  return mostly(({ text }) => isTrailer(text)) ? "trailerType" : undefined;
}

/** Returns the meaning of the header that fits the values: "fret" may mean goods or a price. */
function fitting({ concept, others = [] }: Column, types: readonly EntityType[]): ConceptId | undefined {
  const fits = (id: ConceptId) => conceptOf(id).expects.some((type) => (types as readonly string[]).includes(type));
  const meant = [...(concept ? [concept] : []), ...others];
  return meant.find(fits) ?? meant.find((id) => conceptOf(id).stands !== "Heading" && !strange(id, types));
}

const measured: ReadonlySet<string> = new Set(["Date", "Email", "Phone", "Temperature", "Amount", "Quantity"]);

/** Whether the header means one type of measured value and the cells contain another: dates below "Amount". */
function strange(id: ConceptId, types: readonly EntityType[]): boolean {
  const [first] = conceptOf(id).expects;
  return first !== undefined && measured.has(first) && types.some((type) => measured.has(type));
}

function daysIn({ segments }: Cell, annotations: Annotations): boolean {
  return segments.some((segment) =>
    (annotations.entitiesIn[segment.index] ?? []).some(
      (entity) => entity.type === "Quantity" && entity.value.unit === "days",
    ),
  );
}

/** Concepts of columns of plain numbers whose header has a unit: "Tonnes", "Load kg", "Miles". */
const unitConcepts: Partial<Record<Unit, ConceptId>> = {
  kg: "weight",
  t: "weight",
  lb: "weight",
  ldm: "loadingMetres",
  pallets: "pallets",
  km: "distance",
  mi: "distance",
  days: "paymentTerm",
};

const plainWord = ({ text }: Token) => text.split("/")[0]!.replace(/[^\p{L}\p{N}]/gu, "");
const namesCurrency = ({ text }: Token) => currencyOf(text.replace(/[^\p{L}\p{Sc}]/gu, "")) !== undefined;

/** Returns the word of a header that is the unit of the column's numbers. */
export function unitWordOf({ words }: Column): Token | undefined {
  const word = words.find((each) => {
    const unit = unitNamed(plainWord(each));
    return unit !== undefined && unitConcepts[unit] !== undefined;
  });
  return word && { ...word, text: plainWord(word) };
}

function unitOf(column: Column): Unit | undefined {
  const word = unitWordOf(column);
  return word && unitNamed(word.text);
}

const isPostalCode = ({ text }: Cell) =>
  /^(?:\p{Lu}{1,2}[ -]?)?\d{2,5}(?:[ -]\d{2,3})?$/u.test(text) && text.length >= 4;
const isFigure = ({ text }: Cell) => /^[~≈]?\d[\d\s.,'’]*$/u.test(text);

const person = /^\p{Lu}[\p{L}\p{M}'’-]+(?:\s\p{Lu}[\p{L}\p{M}'’.-]*){1,2}$/u;
const isPerson = ({ text }: Cell) => person.test(text);

/**
 * A column "driver" whose cells are phone numbers has the concept `driverPhone`: concept of the header, type of the
 * cells, concept of the column.
 */
const reached: readonly (readonly [ConceptId, EntityType, ConceptId])[] = [
  ["driver", "Phone", "driverPhone"],
  ["contactPerson", "Phone", "phone"],
  ["contactPerson", "Email", "email"],
];

function typesIn(column: Column, body: readonly Row[], annotations: Annotations): EntityType[] {
  const cells = cellsOf(column, body);
  const seen = cells.map((cell) => typesOf(cell, annotations));
  const all = new Set(seen.flatMap((types) => [...types]));
  return [...all].filter((type) => seen.filter((types) => types.has(type)).length >= most * cells.length);
}

function identifiesCellType(entity: Entity): boolean {
  if (entity.score < sure) return false;
  if (entity.type === "Place") return entity.value.postalCode !== undefined;
  return entity.type !== "Amount" || entity.value.currency !== undefined;
}

/** Returns the types of those entities that identify the type of a cell. */
export function typesOf({ segments }: Cell, annotations: Annotations): Set<EntityType> {
  return new Set(
    segments.flatMap((segment) =>
      (annotations.entitiesIn[segment.index] ?? []).filter(identifiesCellType).map(({ type }) => type),
    ),
  );
}

function cellsOf({ index }: Column, body: readonly Row[]): Cell[] {
  return body.flatMap((row) => row.get(index) ?? []);
}
