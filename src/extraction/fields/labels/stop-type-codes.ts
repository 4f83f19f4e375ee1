import { wordsByLanguage } from "../../lexicon/languages.ts";
import type { ConceptId } from "../../lexicon/concepts.ts";
import { findLabels } from "../../lexicon/lexicon.ts";
import type { Entity } from "../../entities/entity.ts";
import { indexAt } from "../../layout/page-index.ts";
import type { Layout, Segment } from "../../layout/layout.ts";
import type { Label } from "./label.ts";

/** Stop type that a code letter stands for. */
export type LetterAct = "loading" | "unloading";

const actOf: Partial<Record<ConceptId, LetterAct>> = {
  loading: "loading",
  loadingPlace: "loading",
  shipper: "loading",
  unloading: "unloading",
  unloadingPlace: "unloading",
  consignee: "unloading",
};

const usual: Readonly<Record<string, readonly string[]>> = wordsByLanguage("stopTypeCodes");
const explained = /(?<![\p{L}\p{N}])(\p{Lu})\s?[=:–-]\s?(\p{L}[\p{L} ]{2,24})/gu;
const leastWeight = 0.5;

/**
 * Returns the stop types of these code letters, in the order of their rows. There must be two different letters. A
 * legend defines them ("B = Beladung"), or they are the usual letters of a language. The first row of a list is a
 * loading. Returns undefined if the letters have no such meaning.
 */
export function stopTypesOfCodes(
  letters: readonly (string | undefined)[],
  layout: Layout,
  languages: readonly string[],
): LetterAct[] | undefined {
  const distinct = [...new Set(letters)];
  if (distinct.length !== 2 || distinct.includes(undefined)) return undefined;
  const [first = "", second = ""] = distinct.map((letter) => letter ?? "");
  const legend = legendOf(layout);
  const inLegend = legend.get(first) === "loading" && legend.get(second) === "unloading";
  const known = languages.some((language) => usual[language]?.includes(first + second));
  return inLegend || known ? letters.map((letter) => (letter === first ? "loading" : "unloading")) : undefined;
}

function legendOf({ segments }: Layout): ReadonlyMap<string, LetterAct> {
  const found = segments.flatMap(({ text }) =>
    [...text.matchAll(explained)].flatMap(([, letter = "", words = ""]) => {
      const hit = findLabels(words).find(
        ({ start, weight, concept }) => start === 0 && weight >= leastWeight && actOf[concept],
      );
      const act = hit && actOf[hit.concept];
      return act ? [[letter, act] as const] : [];
    }),
  );
  return new Map(found);
}

const alone = /^(?:\d{1,3}[.)]?\s+)?(\p{Lu})(?:\s?\d{1,2})?[.)]?$/u;

interface Seen {
  layout: Layout;
  /** Entities by segment index. */
  entitiesIn: readonly (readonly Entity[])[];
}

interface Lettered {
  segment: Segment;
  letter: string;
}

/**
 * Finds code letters for stop types at the start of list rows ("1 B 24.11. Mill Ltd, …"). Also finds words for stop
 * types there, but only if an address follows ("2. LOAD Mill Ltd, …").
 */
export function findStopTypeCodes(seen: Seen, languages: readonly string[]): Label[] {
  const rows = seen.layout.segments.flatMap((segment): Lettered[] => {
    const [, letter] = segment.cell ? [] : (alone.exec(segment.text) ?? []);
    return letter && opensStop(seen, segment) ? [{ segment, letter }] : [];
  });
  const columns = Map.groupBy(rows, ({ segment: { page, box, size } }) => `${page}/${Math.round(box.x0 / size)}`);
  const lettered = [...columns.values()].flatMap((column) => {
    const acts = stopTypesOfCodes(
      column.map(({ letter }) => letter),
      seen.layout,
      languages,
    );
    return (acts ?? []).flatMap((act, at) => {
      const segment = column[at]?.segment;
      return segment ? [headingOf(segment, act)] : [];
    });
  });
  return [...lettered, ...bareWords(seen)];
}

const bare = /^(?:\d{1,2}[.)]?\s+)?(load|reload|tip)$/iu;

function bareWords(seen: Seen): Label[] {
  return seen.layout.segments.flatMap((segment) => {
    const [, word] = bare.exec(segment.text) ?? [];
    if (!word || !opensStop(seen, segment, isPlace)) return [];
    return [headingOf(segment, word.toLowerCase() === "tip" ? "unloading" : "loading")];
  });
}

function headingOf(segment: Segment, act: LetterAct): Label {
  return {
    index: -1,
    segment,
    start: 0,
    end: segment.text.length,
    meanings: [{ concept: act, weight: 1 }],
    standing: "Head",
  };
}

const isPlace = (entity: Entity): boolean => entity.type === "Place" && entity.value.postalCode !== undefined;
const isStops = (entity: Entity): boolean => entity.type === "Date" || isPlace(entity);

function opensStop({ layout, entitiesIn }: Seen, segment: Segment, wanted = isStops): boolean {
  const row = indexAt(layout, segment).rowOf(segment);
  return row
    .slice(row.indexOf(segment) + 1)
    .some(({ index }) => (entitiesIn[index] ?? []).some((entity) => entity.score >= leastWeight && wanted(entity)));
}
