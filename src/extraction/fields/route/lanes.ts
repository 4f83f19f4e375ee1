import laneWords from "../../lexicon/lane-words.json" with { type: "json" };
import { foldName, foldText } from "../../lexicon/fold.ts";
import { findTrailers } from "../../lexicon/trailers.ts";
import type { Entity, EntityType } from "../../entities/entity.ts";
import type { Segment } from "../../layout/layout.ts";
import type { Annotations, LocatedEntity } from "../labels/annotations.ts";
import type { DocumentContext } from "../labels/values.ts";

/** The places of one journey on one row of a page: "Wrocław - Lyon", "from DE 34 to PL 50". */
export interface Lane {
  places: LocatedEntity<"Place">[];
  /** The row of the page that contains them. */
  row: readonly Segment[];
  /** Number of further details of the request on the row, such as dates, quantities and prices. */
  details: number;
}

const leastPlace = 0.25;
const longestLink = 40;
const mostWords = 3;
const into = new Set(laneWords.to.flatMap((words) => foldText(words).split(" ")));
const sign = /^[\s,.;:()]*(?:-+>?|–|—|→|>+|=+>|»|\/|\||\+|->)[\s(]*$/u;
const detailTypes: ReadonlySet<EntityType> = new Set(["Date", "Temperature"]);
const loadUnits: ReadonlySet<string> = new Set(["kg", "t", "lb", "ldm", "pallets"]);

/** Finds all lanes of the document, in reading order. Of duplicates, the one with the most details is kept. */
export function lanesIn({ annotations }: DocumentContext): Lane[] {
  const rows = annotations.layout.pages.flatMap((page) => page.rows);
  const lanes = rows.flatMap((row) =>
    chained(
      annotations,
      row.flatMap((segment) => placesIn(annotations, segment)),
    ).map((places) => ({ places, row, details: detailsOn(annotations, row) })),
  );
  const once = new Map<string, Lane>();
  for (const lane of lanes) {
    const known = once.get(keyOf(lane));
    if (!known || known.details < lane.details) once.set(keyOf(lane), lane);
  }
  return [...once.values()].sort((a, b) => placeOf(a) - placeOf(b));
}

const placeOf = ({ places }: Lane) => places[0]?.segment.index ?? 0;

function keyOf({ places }: Lane): string {
  const key = ({ entity: { value } }: LocatedEntity<"Place">) =>
    foldName(value.city ?? value.postalCode ?? value.country ?? "");
  return places.map(key).join("|");
}

/** Finds the places that may be ends of a journey. Leaves out places within a company name, e-mail address or link. */
export function placesIn(annotations: Annotations, segment: Segment): LocatedEntity<"Place">[] {
  const entities = annotations.entitiesIn[segment.index] ?? [];
  const within = (entity: Entity) =>
    entities.some(
      (other) =>
        (other.type === "Company" || other.type === "Email" || other.type === "Link") &&
        other.start <= entity.start &&
        other.end >= entity.end,
    );
  return entities.flatMap((entity) =>
    entity.type === "Place" && entity.score >= leastPlace && !within(entity) ? [{ segment, entity }] : [],
  );
}

function chained(annotations: Annotations, places: readonly LocatedEntity<"Place">[]): LocatedEntity<"Place">[][] {
  const chains: LocatedEntity<"Place">[][] = [];
  for (const place of places) {
    const open = chains.at(-1);
    const before = open?.at(-1);
    if (open && before && leadsOn(annotations, before, place)) open.push(place);
    else chains.push([place]);
  }
  return chains.filter((chain) => chain.length > 1);
}

function leadsOn(annotations: Annotations, before: LocatedEntity<"Place">, place: LocatedEntity<"Place">): boolean {
  if (before.segment !== place.segment) return isOnlyText(annotations, before) && isOnlyText(annotations, place);
  const between = withoutMoments(annotations, before.segment, before.entity.end, place.entity.start);
  if (between.length > longestLink) return false;
  if (sign.test(between) || (between.trim() === "" && isFormed(before) && isFormed(place))) return true;
  const words = foldText(between).match(/\p{L}+/gu) ?? [];
  return (
    words.length > 0 && words.length <= mostWords && words.some((word) => into.has(word)) && !/[.!?]\s/u.test(between)
  );
}

/** Whether the place has a case ending, which may express "from" or "to": "Tallinnast Hamburgi". */
function isFormed({ segment, entity }: LocatedEntity<"Place">): boolean {
  const printed = segment.text.slice(entity.start, entity.end);
  return entity.value.postalCode === undefined && foldText(printed) !== foldText(entity.value.city ?? printed);
}

function withoutMoments({ entitiesIn }: Annotations, segment: Segment, from: number, to: number): string {
  const moments = (entitiesIn[segment.index] ?? []).filter(
    ({ type, start, end }) => (type === "Date" || type === "Time") && start >= from && end <= to,
  );
  return moments
    .toSorted((a, b) => b.start - a.start)
    .reduce(
      (text, { start, end }) => text.slice(0, start - from) + text.slice(end - from),
      segment.text.slice(from, to),
    )
    .replace(/\(\s*\)/gu, "");
}

function isOnlyText({ entitiesIn }: Annotations, { segment, entity }: LocatedEntity<"Place">): boolean {
  const streets = (entitiesIn[segment.index] ?? []).some(({ type, score }) => type === "Street" && score >= 0.5);
  const rest = segment.text.slice(0, entity.start) + segment.text.slice(entity.end);
  return !streets && !/\p{L}{3}/u.test(rest);
}

function detailsOn({ entitiesIn }: Annotations, row: readonly Segment[]): number {
  return row.reduce((sum, segment) => {
    const entities = (entitiesIn[segment.index] ?? []).filter(tellsOfLoad);
    return sum + entities.length + findTrailers(segment.text).length;
  }, 0);
}

function tellsOfLoad(entity: Entity): boolean {
  if (entity.type === "Quantity") return loadUnits.has(entity.value.unit);
  if (entity.type === "Amount") return entity.value.currency !== undefined;
  return detailTypes.has(entity.type) && entity.score >= 0.4;
}
