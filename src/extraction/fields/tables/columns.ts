import type { Token } from "../../document/document.ts";
import { conceptOf, type ConceptId } from "../../lexicon/concepts.ts";
import { foldText } from "../../lexicon/fold.ts";
import { findLabels, type LabelMatch } from "../../lexicon/lexicon.ts";
import { textOf } from "../../layout/layout.ts";
import { attributes, openers, partyRoles, stopRoles, type Role } from "../sections/roles.ts";
import type { Cell } from "./tables.ts";

/** The stop or company that a column describes: "Delivery 2" in "Delivery 2 city". */
export interface Section {
  role: Role;
  concept: ConceptId;
  number?: number;
  /** Unique, because a table may have several sections of one role. */
  key: string;
  /** The words of the header that name the section. */
  words: Token[];
}

/** A column and its header. */
export interface Column {
  index: number;
  section?: Section;
  /** What the cells mean for the section or order; undefined if the header's words are unknown. */
  concept?: ConceptId;
  /** Other possible meanings of the header's words, most likely first. */
  others?: readonly ConceptId[];
  /** The header without the section's words. */
  words: Token[];
}

const surest = 0.45;
const shortestForeign = 4;
/** Matches each part of several words that are printed as one: "pickup_city", "pickupCity", "PLZ/Ort". */
const inner = /\p{Lu}?[\p{Ll}\p{M}]+|\p{Lu}+(?!\p{Ll})|\p{N}+|[^\p{L}\p{N}_]+|\p{L}+/gu;
const glued = /_|\p{Ll}\p{Lu}|\p{L}-\p{L}/u;

/** Interprets a header row. `above` is the row above it, which may name the sections of several columns. */
export function columnsOf(header: readonly Cell[], above: readonly Cell[], languages: readonly string[]): Column[] {
  const bands = above.flatMap((cell) => bandOf(cell, languages) ?? []);
  const columns = header.map((cell) => {
    const own = columnOf(cell, languages);
    const band = bands.findLast(({ from }) => from <= cell.column)?.section;
    return band && !own.section && belongs(own, band) ? { ...own, section: band } : own;
  });
  return likeTheirKin(columns, languages);
}

/** Returns the columns, each with its own or an inherited section. Several stops with the same name are numbered. */
export function sectioned(columns: readonly Column[]): Column[] {
  return numberedAnew(loadedFirst(continued(columns)));
}

/** Treats a first column "stop" as the loading, if there are unloading columns but no loading column. */
function loadedFirst(columns: readonly Column[]): Column[] {
  const stops = columns.flatMap(({ section }) => (section && stopRoles.has(section.role) ? [section] : []));
  const [first] = stops;
  const unloads = stops.some(({ role }) => role === "Unloading") && stops.every(({ role }) => role !== "Loading");
  if (first?.role !== "Stop" || !unloads) return [...columns];
  return columns.map((column) =>
    column.section?.key === first.key
      ? { ...column, section: { ...column.section, role: "Loading", concept: "loading" } }
      : column,
  );
}

/**
 * Reads a header like the other headers of its section. Next to "drop name" and "drop city", "drop address" is the
 * address of the drop, although the phrase has another meaning elsewhere.
 */
function likeTheirKin(columns: readonly Column[], languages: readonly string[]): Column[] {
  const kin = columns.flatMap(({ section, words }) =>
    section && section.words.length > 0 && words.length > 0 && section.words !== words ? [section] : [],
  );
  return columns.map((column) => {
    const { section } = column;
    if (!section || (column.words.length > 0 && section.words !== column.words)) return column;
    const like = kin.find(
      ({ role, words }) =>
        role === section.role && words.length < section.words.length && startsWith(section.words, words),
    );
    const words = section.words.slice(like?.words.length ?? 0);
    const concept = like && bestOf(hitsIn(textOf(words).text, languages), () => true)?.concept;
    return concept ? { index: column.index, section: like, words, concept } : column;
  });
}

function startsWith(words: readonly Token[], first: readonly Token[]): boolean {
  return first.every(({ text }, at) => foldText(text) === foldText(words[at]?.text ?? ""));
}

/** Returns the number of columns with a known meaning. */
export function countKnown(columns: readonly Column[]): number {
  return columns.filter((column) => column.concept !== undefined || column.section !== undefined).length;
}

function bandOf(cell: Cell, languages: readonly string[]): { from: number; section: Section } | undefined {
  const { section, words } = columnOf(cell, languages);
  return section && words.length === 0 ? { from: cell.column, section } : undefined;
}

function columnOf(cell: Cell, languages: readonly string[]): Column {
  const words = cell.tokens.flatMap(apart);
  const { text, starts } = textOf(words);
  const hits = hitsIn(text, languages);
  const wordsIn = (from: number, to: number) =>
    words.filter((_, at) => (starts[at] ?? 0) >= from && (starts[at] ?? 0) < to);
  const whole = { index: cell.column, words };
  const named = sectionHit(hits, text);
  if (!named) {
    const own = bestOf(hits, () => true);
    return { ...whole, ...meaningsOf(hits), ...inItself(own, words) };
  }
  const { hit, number } = named;
  const role = openers[hit.concept] as Role;
  const end = doubled(hits, role, named.end, text);
  const rest = [...wordsIn(0, hit.start), ...wordsIn(end, text.length)];
  const left = hits.filter((other) => (other.start >= end || other.end <= hit.start) && !openers[other.concept]);
  return {
    index: cell.column,
    words: rest,
    section: { role, concept: hit.concept, number, key: keyOf(role, number), words: wordsIn(hit.start, end) },
    ...meaningsOf(left),
  };
}

function meaningsOf(hits: readonly LabelMatch[]): Pick<Column, "concept" | "others"> {
  const [concept, ...others] = hits.toSorted((a, b) => b.weight - a.weight).map((hit) => hit.concept);
  return { ...(concept && { concept }), ...(others.length > 0 && { others }) };
}

/** Returns the end of the section's words. A second phrase for the section belongs to them: "Shipper / loading". */
function doubled(hits: readonly LabelMatch[], role: Role, end: number, text: string): number {
  const again = hits.find(
    (hit) => hit.start >= end && openers[hit.concept] === role && /^\s*[/|(–-]\s*$/u.test(text.slice(end, hit.start)),
  );
  return again ? again.end + (/^\s*\)/u.exec(text.slice(again.end))?.[0].length ?? 0) : end;
}

/** Returns the section that a field implies, such as the unloading for "Delivery date". */
function inItself(hit: LabelMatch | undefined, words: Token[]): { section?: Section } {
  const role = hit && attributes[hit.concept];
  return role ? { section: { role, concept: headings[role] ?? "stop", key: keyOf(role), words } } : {};
}

const headings: Partial<Record<Role, ConceptId>> = { Loading: "loading", Unloading: "unloading" };
const keyOf = (role: Role, number?: number) => `${role} ${number ?? ""}`;

/** Splits a word that is glued of several: "pickup_city". */
export function apart(token: Token): Token[] {
  if (!glued.test(token.text)) return [token];
  const parts = token.text.match(inner) ?? [];
  return parts.length > 1 ? parts.map((text) => ({ ...token, text })) : [token];
}

function hitsIn(text: string, languages: readonly string[]): LabelMatch[] {
  const exact = findLabels(text);
  const hits = exact.length > 0 ? exact : findLabels(text, { fuzzy: true });
  return hits.flatMap((hit) => {
    if (languages.length === 0 || hit.languages.some((language) => languages.includes(language))) return hit;
    return hit.end - hit.start < shortestForeign ? [] : { ...hit, weight: hit.weight / 2 };
  });
}

function bestOf(hits: readonly LabelMatch[], wanted: (hit: LabelMatch) => boolean): LabelMatch | undefined {
  return hits.filter(wanted).sort((a, b) => b.weight - a.weight)[0];
}

const numberBehind = /^\s*(?:n[ro°º]?\.?\s*|#\s*)?(\d{1,2})(?=\s|$|[.:)/-])[.:)/-]?/u;

function sectionHit(
  hits: readonly LabelMatch[],
  text: string,
): { hit: LabelMatch; number?: number; end: number } | undefined {
  const opening = (hit: LabelMatch) => openers[hit.concept] !== undefined && hit.weight >= surest;
  const first = bestOf(hits, (hit) => opening(hit) && !/[\p{L}\p{N}]/u.test(text.slice(0, hit.start)));
  const last = bestOf(hits, (hit) => opening(hit) && !/\p{L}/u.test(text.slice(hit.end)));
  const hit = first ?? last;
  if (!hit || otherThing(hits, hit, text)) return undefined;
  const match = numberBehind.exec(text.slice(hit.end));
  return { hit, ...(match && { number: Number(match[1]) }), end: hit.end + (match?.[0].length ?? 0) };
}

/** Whether the whole header has a more likely other meaning: "carga" alone means the goods. */
function otherThing(hits: readonly LabelMatch[], section: LabelMatch, text: string): boolean {
  const alone = section.start === 0 && !/\p{L}/u.test(text.slice(section.end));
  return alone && hits.some((hit) => hit.weight > section.weight && openers[hit.concept] === undefined);
}

/**
 * Gives a column without a section the section of the preceding column, if its meaning fits: "date" after "Delivery
 * city".
 */
function continued(columns: readonly Column[]): Column[] {
  let open: Section | undefined;
  return columns.map((column) => {
    open = column.section ?? (open && belongs(column, open) ? open : undefined);
    return open && !column.section ? { ...column, section: open } : column;
  });
}

function belongs({ concept }: Column, { role }: Section): boolean {
  if (!concept) return false;
  const { about } = conceptOf(concept);
  if (stopRoles.has(role)) return about === "Stop" || concept === "reference";
  return partyRoles.has(role) && (about === "Party" || placing.has(concept));
}

const placing: ReadonlySet<ConceptId> = new Set([
  "address",
  "street",
  "postalCode",
  "city",
  "place",
  "country",
  "companyName",
]);

/** Begins another stop where a meaning repeats under the same name: two pairs of "city, date" under "Delivery". */
function numberedAnew(columns: readonly Column[]): Column[] {
  const seen = new Map<string, { times: number; contents: Set<string> }>();
  return columns.map((column) => {
    const { section } = column;
    if (!section || !stopRoles.has(section.role)) return column;
    const content = `${column.concept ?? section.concept} ${textOf(column.words).text.toLowerCase()}`;
    const open = seen.get(section.key) ?? { times: 0, contents: new Set<string>() };
    if (open.contents.has(content)) Object.assign(open, { times: open.times + 1, contents: new Set<string>() });
    open.contents.add(content);
    seen.set(section.key, open);
    return open.times === 0 ? column : { ...column, section: { ...section, key: `${section.key}/${open.times}` } };
  });
}
