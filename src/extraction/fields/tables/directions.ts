import type { Token } from "../../document/document.ts";
import laneWords from "../../lexicon/lane-words.json" with { type: "json" };
import type { ConceptId } from "../../lexicon/concepts.ts";
import { foldText } from "../../lexicon/fold.ts";
import { findLabels } from "../../lexicon/lexicon.ts";
import { textOf } from "../../layout/segment.ts";
import { apart, type Column } from "./columns.ts";
import type { Cell, Row } from "./tables.ts";

type End = "Loading" | "Unloading";

const folded = (words: readonly string[]) => new Set(words.map(foldText));
const words: Record<End, ReadonlySet<string>> = {
  Loading: folded([...laneWords.whence, ...laneWords.from]),
  Unloading: folded([...laneWords.whither, ...laneWords.to]),
};
const stems: Record<End, readonly string[]> = {
  Loading: laneWords.loadingStems,
  Unloading: laneWords.unloadingStems,
};
const roles: readonly End[] = ["Loading", "Unloading"];
const placing: ReadonlySet<ConceptId> = new Set(["country", "postalCode", "city", "place", "address"]);

/**
 * Gives the columns of a table of lanes their ends, if its header says both "from" and "to": "From zip", "Skąd",
 * "D city". Then a column with the names of the lanes is no stop.
 */
export function directed(columns: readonly Column[], header: readonly Cell[], body: readonly Row[]): Column[] {
  const found: (Column | undefined)[] = [];
  for (const [at, column] of columns.entries()) {
    const loads = [...found, ...columns.slice(0, at)].some((other) => other?.section?.role === "Loading");
    found.push(endOf(column, header[at]?.tokens ?? [], body, loads ? "Unloading" : "Loading"));
  }
  const has = (role: End) => [...found, ...columns].some((column) => column?.section?.role === role);
  const both = has("Loading") && has("Unloading");
  return columns.map((column, at) => (both ? (found[at] ?? withoutStop(column, body)) : column));
}

/** @param next the end that a word of both directions means, such as "do" */
function endOf(column: Column, header: readonly Token[], body: readonly Row[], next: End): Column | undefined {
  const tokens = header.flatMap(apart).filter(({ text }) => /[\p{L}\p{N}]/u.test(text));
  const plain = tokens.map(({ text }) => foldText(text).replace(/[^\p{L}\p{N}]+$/u, ""));
  const directionOf = (text: string) => [next, ...roles].find((role) => words[role].has(text));
  const whole = directionOf(plain.join(" "));
  if (whole) return namesPlaces(column, body) ? { ...under(column, whole, tokens, []), concept: "city" } : undefined;
  const compound = plain.length === 1 ? compoundOf(plain[0]!) : undefined;
  if (compound) return { ...under(column, compound.role, tokens, []), concept: compound.concept };
  const led = plain[0] === undefined ? undefined : directionOf(plain[0]);
  const concept = placeConceptOf(textOf(tokens.slice(1)).text);
  return led && concept ? { ...under(column, led, tokens.slice(0, 1), tokens.slice(1)), concept } : undefined;
}

/** Splits "Ladeland" and "Entladeort". */
function compoundOf(word: string): { role: End; concept: ConceptId } | undefined {
  for (const role of roles)
    for (const stem of stems[role]) {
      const concept = word.startsWith(stem) && placeConceptOf(word.slice(stem.length));
      if (concept) return { role, concept };
    }
  return undefined;
}

function placeConceptOf(text: string): ConceptId | undefined {
  const concept = findLabels(text).find((hit) => placing.has(hit.concept) && hit.start === 0)?.concept;
  return concept === "place" ? "city" : concept;
}

function under({ index }: Column, role: End, named: Token[], rest: Token[]): Column {
  const concept = role === "Loading" ? "loading" : "unloading";
  return { index, words: rest, section: { role, concept, key: `${role} `, words: named } };
}

/** Neither codes such as "L-01" nor dates and times name places. */
const town = /\p{L}{3}/u;

function namesPlaces({ index }: Column, body: readonly Row[]): boolean {
  const texts = body.flatMap((row) => row.get(index)?.text ?? []);
  const named = texts.filter((text) => town.test(text) && !/^\d{1,4}[./:-]\d/u.test(text));
  return named.length > 0 && named.length * 2 > texts.length;
}

const code = /^[\p{L}\p{N}/.-]{1,12}$/u;

/** A column such as "Lane" or "Relation" whose cells are short codes names the rows. */
function withoutStop(column: Column, body: readonly Row[]): Column {
  const texts = body.flatMap((row) => row.get(column.index)?.text ?? []);
  const codes = texts.filter((text) => code.test(text) && (/\d/.test(text) || text.length === 1));
  const unknown = !column.section && !column.concept && codes.some((text) => /\p{L}/u.test(text));
  if ((column.section?.role !== "Stop" && !unknown) || codes.length * 2 <= texts.length) return column;
  return { index: column.index, words: column.section?.words ?? column.words, concept: "reference" };
}
