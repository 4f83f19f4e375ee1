import type { Evidence } from "../document/extraction-result.ts";
import type { TextRange } from "../layout/text-span.ts";
import { isValid } from "../fields/find-value/find-value.ts";
import type { Segment } from "../layout/layout.ts";
import { fitness, type Family, type Place } from "./family.ts";
import { parseForm } from "./forms.ts";
import { successRate, type AnnotatedPage, type Scalar } from "./lesson.ts";
import { fromTown, Positions, type Position } from "./positions.ts";

/** A value read at a place of the family. */
export interface PlaceValue {
  value: Scalar;
  fit: number;
  places: Place[];
  at: TextRange;
}

export interface Reading {
  /** The stops that the engine extracted. */
  stops: Stop[];
  /** By pointer. */
  values: Map<string, PlaceValue>;
}

interface Candidate {
  place: Place;
  position: Position;
  fit: number;
}

const leastFit = 0.3;
const leastTownFit = 0.5;

export const stopField = /^\/locations\/([A-Za-z]+)(\/.*)$/;
export const isTown = ({ field }: Place) => /^\/locations\/[A-Za-z]+\/city$/.test(field);

/** Reads the values of a document at the places of its family. `extracted`: what the engine extracted. */
export function readPlaces(family: Family, page: AnnotatedPage, extracted: Extracted): Reading {
  const values = new Map<string, PlaceValue>();
  if (family.places.length === 0) return { stops: [], values };
  const positions = new Positions(page);
  const single = family.places.filter(({ field }) => !stopField.test(field));
  const taken = new Map<Position, number>();
  for (const [field, places] of Map.groupBy(single, (place) => place.field)) {
    const best = firstRead(
      places.flatMap((place) => candidatesOf(place, positions)),
      field,
      page,
    );
    if (!best) continue;
    values.set(field, best);
    const at = positions.at(best.at.segment, best.at.start);
    if (at) taken.set(at, Math.max(best.fit, taken.get(at) ?? 0));
  }
  const towns = townsIn(family, positions, taken, page);
  const engines = stopsOf(extracted, positions, page);
  const stops = withTowns(engines, towns);
  const inStops = Map.groupBy(
    family.places.filter((place) => stopField.test(place.field) && !isTown(place)),
    ({ field }) => field,
  );
  for (const [at, { value }] of stops.entries()) if (value) values.set(`/locations/${at}/city`, value);
  const featuresFor = stops.map(({ town }) => town && relativeTo(town));
  for (const [field, places] of inStops)
    for (const [pointer, value] of readInStops(field, places, stops, featuresFor, positions, page))
      values.set(pointer, value);
  return { stops, values: joinMoments(values) };
}

export interface Extracted {
  data: unknown;
  evidence: readonly Evidence[];
}

export const typesOf = (stops: readonly { type?: unknown }[]): string => stops.map(({ type }) => type).join();
export const locationsOf = (data: unknown): Record<string, unknown>[] =>
  (data as { locations?: Record<string, unknown>[] } | undefined)?.locations ?? [];

/** The stops that the engine extracted, with the positions of their towns. */
export const stopsOf = ({ data, evidence }: Extracted, positions: Positions, page: AnnotatedPage): Stop[] =>
  locationsOf(data).map(({ type }, at) => {
    const shown = ["city", "postalCode"].flatMap(
      (name) => evidence.find(({ pointer }) => pointer === `/locations/${at}/${name}`) ?? [],
    )[0];
    const town = shown && positions.shownAt(shown, page);
    return { type: String(type), ...(town && { town }) };
  });

/** Stops of which the engine has no town get one that was found. */
function withTowns(stops: readonly Stop[], towns: readonly Stop[]): Stop[] {
  const segmentOf = ({ town }: Stop) => town?.segment;
  const free = towns.filter((each) => !stops.some((stop) => segmentOf(stop) === segmentOf(each)));
  return stops.map((stop) => {
    const same = towns.find((each) => segmentOf(each) === segmentOf(stop) && each.type === stop.type);
    if (stop.town) return same ? { ...stop, value: same.value } : stop;
    const at = free.findIndex(({ type }) => type === stop.type);
    return at < 0 ? stop : free.splice(at, 1)[0]!;
  });
}

const byFit = (one: Candidate, other: Candidate) => rated(other) - rated(one);
const rated = ({ fit, place }: Candidate) => fit * (0.5 + 0.5 * successRate(place.right + 1, place.wrong));

const candidatesOf = (
  place: Place,
  positions: Positions,
  featuresOf = (position: Position) => position.features,
): Candidate[] =>
  [...positions.like(place.features)].flatMap((position) => {
    const fit = fitness(place, featuresOf(position));
    return fit >= leastFit ? [{ place, position, fit }] : [];
  });

/** The features of positions with those relative to a town, each computed once. */
function relativeTo(town: Position): (position: Position) => readonly number[] {
  const known = new Map<Position, readonly number[]>();
  return (position) => {
    const features = known.get(position) ?? fromTown(position, town);
    known.set(position, features);
    return features;
  };
}

function firstRead(candidates: Candidate[], field: string, page: AnnotatedPage): PlaceValue | undefined {
  for (const candidate of candidates.sort(byFit).slice(0, 12)) {
    const value = valueOf(candidate, field, page);
    if (value) return value;
  }
  return undefined;
}

export function valueOf(
  { place, position, fit }: Candidate,
  field: string,
  page: AnnotatedPage,
): PlaceValue | undefined {
  const { segment, start } = position;
  const read = parseForm(place.form, { segment, start, end: segment.text.length }, page);
  if (!read || read.start - start > 6 || !isPlausible(field, read.value)) return undefined;
  return { value: read.value, fit, places: [place], at: { segment: read.segment, start: read.start, end: read.end } };
}

const shapes: [RegExp, RegExp][] = [
  [/\/email$|Email$/, /^\S+@\S+$/],
  [/\/phone$/, /(?:\d\D*){6}/],
  [/\/country(?:Code)?$/, /^[A-Z]{2}$/],
  [/\/postalCode$/, /^(?=.*\d).{3,10}$/],
  [/\/currency$/, /^[A-Z]{3}$/],
  [/\/(?:city|name|cargoType)$/, /\p{L}.*\p{L}/u],
  [/refrenceNumbers|referenceNumber$|orderNumber$/, /(?=.*\d).{3,}/],
  [/LicensePlates/, /^(?=.*\d)[\p{L}\d]{4,10}$/u],
];

/** Whether a text can be a value of the field. */
function isPlausible(field: string, value: Scalar): boolean {
  const name = field.replace(/#.*/, "").split("/").at(-1) ?? "";
  if (typeof value !== "string") return true;
  return isValid(name, value) && shapes.every(([fields, shape]) => !fields.test(field) || shape.test(value));
}

interface Stop {
  type: string;
  town?: Position | undefined;
  value?: PlaceValue | undefined;
}

function townsIn(
  family: Family,
  positions: Positions,
  taken: ReadonlyMap<Position, number>,
  page: AnnotatedPage,
): Stop[] {
  const towns = new Map<Segment, Stop>();
  const candidates = family.places
    .filter(isTown)
    .flatMap((place) => candidatesOf(place, positions))
    .filter(
      ({ fit, position }) => fit >= leastTownFit && fit > (taken.get(position) ?? 0) && isNearPlace(position, page),
    )
    .sort(byFit);
  for (const candidate of candidates) {
    const value = valueOf(candidate, candidate.place.field, page);
    const { segment, start } = value?.at ?? {};
    if (!value || !segment || towns.has(segment)) continue;
    const type = stopField.exec(candidate.place.field)![1]!;
    towns.set(segment, { type, town: positions.at(segment, start!) ?? candidate.position, value });
  }
  return [...towns.values()];
}

const isNearPlace = ({ segment }: Position, { annotations }: AnnotatedPage) =>
  (annotations.entitiesIn[segment.index] ?? []).some(({ type }) => type === "Place");

function readInStops(
  field: string,
  places: Place[],
  stops: readonly Stop[],
  featuresFor: readonly (ReturnType<typeof relativeTo> | undefined)[],
  positions: Positions,
  page: AnnotatedPage,
): [string, PlaceValue][] {
  const [, type, rest = ""] = stopField.exec(field)!;
  const pairs = stops.flatMap((stop, at) =>
    stop.type === type && stop.town
      ? places.flatMap((place) =>
          candidatesOf(place, positions, featuresFor[at]).map((candidate) => ({ at, candidate })),
        )
      : [],
  );
  const used = new Set<Position>();
  const found = new Map<number, PlaceValue>();
  for (const { at, candidate } of pairs.sort((a, b) => byFit(a.candidate, b.candidate))) {
    if (found.has(at) || used.has(candidate.position)) continue;
    const value = valueOf(candidate, rest, page);
    if (!value) continue;
    found.set(at, value);
    used.add(candidate.position);
  }
  return [...found].map(([at, value]) => [`/locations/${at}${rest}`, value]);
}

function joinMoments(values: Map<string, PlaceValue>): Map<string, PlaceValue> {
  const joined = new Map<string, PlaceValue>();
  for (const [pointer, value] of values) {
    const [path = "", part] = pointer.split("#");
    if (part === undefined) joined.set(path, value);
    if (part !== "day") continue;
    const time = values.get(`${path}#time`);
    const start = values.get(path.replace(/endDate$/, "startDate#day"));
    // The end of a stay is the same day only if its hour is given.
    if (path.endsWith("/endDate") && !time && start?.value === value.value) continue;
    joined.set(path, {
      ...value,
      ...(time && {
        value: `${String(value.value)}T${String(time.value)}`,
        fit: Math.min(value.fit, time.fit),
        places: [...value.places, ...time.places],
      }),
    });
  }
  return joined;
}
