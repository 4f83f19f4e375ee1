import { isMoment, findOccurrences, isValid } from "../fields/find-value/find-value.ts";
import { lettersOf } from "../fields/find-value/letters.ts";
import { numberedLines, type NumberedLine } from "../fields/find-value/numbered-lines.ts";
import type { Evidence } from "../document/extraction-result.ts";
import type { KindName } from "../kinds/kinds.ts";
import { boxOf } from "../layout/layout.ts";
import type { TextRange } from "../layout/text-span.ts";
import { addTexts, likeness, newFamily, layoutTexts, type Family, type FieldRecord, type Place } from "./family.ts";
import { describeForm } from "./forms.ts";
import type { AnnotatedPage, Form } from "./lesson.ts";
import { fieldName, leavesOf } from "./pointers.ts";
import { fromTown, Positions, type Position } from "./positions.ts";
import { locationsOf, readPlaces, typesOf, type Reading } from "./read-family.ts";

const mostPlaces = 400;
const mostAlternatives = 3;
const sameFitness = 0.6;
const derived =
  /\/(?:sequence|type|normalized\w+|coordinates|checks|missing)(?:\/|$)|^\/(?:checks|missing|sourceDocument)/;

/** A document as people left it. `extracted`: what the engine extracted from it without memory. */
export interface Lesson {
  kind: KindName;
  page: AnnotatedPage;
  data: unknown;
  extracted: { data: unknown; evidence: readonly Evidence[] };
  feedbackId: string;
}

/** Learns from a document that was corrected or confirmed. */
export function learnDocument(before: Family | undefined, lesson: Lesson): Family {
  const family = before ?? newFamily(lesson.kind);
  const { page, data, extracted, feedbackId } = lesson;
  const judged = judge(family, lesson);
  const positions = new Positions(page);
  let places = judged.places;
  for (const { field, form, features } of examplesOf(data, extracted.evidence, page, positions))
    places = withExample(places, field, form, features, feedbackId);
  return {
    ...judged,
    documents: family.documents + 1,
    texts: addTexts(family.texts, layoutTexts(page)),
    places: limited(places),
  };
}

const isGood = ({ right, wrong }: Place) => wrong < 2 || right > wrong;
const limited = (places: Place[]) => {
  const good = places.filter(isGood);
  return good.length <= mostPlaces ? good : good.toSorted((a, b) => b.seen - a.seen).slice(0, mostPlaces);
};

function withExample(
  places: Place[],
  field: string,
  form: Form,
  features: readonly number[],
  feedbackId: string,
): Place[] {
  const written = JSON.stringify(form);
  const at = places.findIndex(
    (place) =>
      place.field === field && JSON.stringify(place.form) === written && likeness(place, features) >= sameFitness,
  );
  const place = places[at];
  if (!place)
    return [
      ...places,
      {
        field,
        form,
        features: features.map((feature) => (feature ? [[feature, 1]] : [])),
        seen: 1,
        right: 0,
        wrong: 0,
        feedbackId,
      },
    ];
  const merged = place.features.map((known, aspect): [number, number][] => {
    const feature = features[aspect]!;
    if (!feature) return known;
    const isKnown = known.some(([each]) => each === feature);
    const next: [number, number][] = isKnown
      ? known.map(([each, times]) => [each, each === feature ? times + 1 : times])
      : [...known, [feature, 1]];
    return next.sort((one, other) => other[1] - one[1]).slice(0, mostAlternatives);
  });
  return places.with(at, { ...place, features: merged, seen: place.seen + 1, feedbackId });
}

interface Example {
  field: string;
  form: Form;
  features: readonly number[];
}

interface Hit extends TextRange {
  position: Position;
}

const mostHits = 30;
/** Further stops and values of a document teach nothing new. */
const [mostStops, mostValues] = [20, 150];

/** Finds the values of a document, and describes where they are. */
function examplesOf(
  data: unknown,
  evidence: readonly Evidence[],
  page: AnnotatedPage,
  positions: Positions,
): Example[] {
  const lines = numberedLines(page.annotations.layout);
  const stops = ((data as { locations?: unknown[] }).locations ?? []) as Record<string, unknown>[];
  const others = Object.fromEntries(Object.entries(data as object).filter(([name]) => name !== "locations"));
  const examples: Example[] = [];
  for (const leaf of partsOf(leavesOf(others)).slice(0, mostValues)) {
    const hits = hitsOf(leaf, lines, page, positions);
    const [hit] = hits.toSorted(
      (a, b) => Number(isShown(b, leaf, evidence, page)) - Number(isShown(a, leaf, evidence, page)),
    );
    if (hit) examples.push(...exampleOf(leaf.pointer, leaf.value, hit, hit.position.features, page));
  }
  const used = new Set<Position>();
  for (const [at, stop] of stops.slice(0, mostStops).entries()) {
    const type = String(stop["type"]);
    const leaves = partsOf(
      leavesOf(stop).map(({ pointer, value }) => ({ pointer: `/locations/${at}${pointer}`, value })),
    );
    const found = leaves.slice(0, mostValues).map((leaf) => ({ leaf, hits: hitsOf(leaf, lines, page, positions) }));
    const town = townOf(found, evidence, page, used);
    if (!town) continue;
    used.add(town.position);
    for (const { leaf, hits } of found) {
      const field = leaf.pointer.replace(/^\/locations\/\d+/, `/locations/${type}`);
      if (leaf.pointer.endsWith(`${at}/city`)) {
        examples.push(...exampleOf(field, leaf.value, town, town.position.features, page));
        continue;
      }
      const [hit] = hits
        .map((each) => ({ ...each, far: distance(each, town) - (isShown(each, leaf, evidence, page) ? 8 : 0) }))
        .sort((a, b) => a.far - b.far);
      if (hit && hit.far < 40)
        examples.push(...exampleOf(field, leaf.value, hit, fromTown(hit.position, town.position), page));
    }
  }
  return examples;
}

function townOf(
  found: { leaf: Leaf; hits: Hit[] }[],
  evidence: readonly Evidence[],
  page: AnnotatedPage,
  used: ReadonlySet<Position>,
): Hit | undefined {
  const town = found.find(({ leaf }) => /^\/locations\/\d+\/city$/.test(leaf.pointer));
  if (!town) return undefined;
  const others = found.filter((each) => each !== town && each.hits.length > 0);
  const near = (hit: Hit) => others.filter(({ hits }) => hits.some((each) => distance(each, hit) < 8)).length;
  const score = (hit: Hit) =>
    near(hit) + (isShown(hit, town.leaf, evidence, page) ? 2 : 0) - (used.has(hit.position) ? 4 : 0);
  return town.hits.toSorted((a, b) => score(b) - score(a))[0];
}

/** In letter heights, more for columns than for rows. */
function distance(one: Hit, other: Hit): number {
  if (one.segment.page !== other.segment.page) return 60;
  const size = other.segment.size || 1;
  const [from, to] = [boxOf(one.segment, one.start, one.end), boxOf(other.segment, other.start, other.end)];
  return Math.abs(from.y0 - to.y0) / size + Math.min(10, Math.abs(from.x0 - to.x0) / (4 * size));
}

function isShown(hit: Hit, { pointer, value }: Leaf, evidence: readonly Evidence[], page: AnnotatedPage): boolean {
  const layoutPage = page.annotations.layout.pages[hit.segment.page - 1];
  const name = fieldName(pointer.replace(/#.*/, ""));
  const box = boxOf(hit.segment, hit.start, hit.end);
  return evidence.some(
    (each) =>
      each.box !== undefined &&
      each.page === hit.segment.page &&
      fieldName(each.pointer) === name &&
      String(each.value).includes(String(value)) &&
      layoutPage !== undefined &&
      Math.abs(each.box[1] * layoutPage.height - box.y0) < hit.segment.size &&
      each.box[0] * layoutPage.width < box.x1 &&
      each.box[2] * layoutPage.width > box.x0,
  );
}

const exampleOf = (
  field: string,
  value: string | number,
  hit: Hit,
  features: readonly number[],
  page: AnnotatedPage,
): Example[] => {
  const from = { segment: hit.segment, start: hit.position.start, end: hit.segment.text.length };
  const form = describeForm(value, hit, from, page);
  return form ? [{ field, form, features }] : [];
};

interface Leaf {
  pointer: string;
  value: string | number;
}

/** Splits moments into their day and time, which may be printed apart. */
export const partsOf = (leaves: readonly { pointer: string; value: unknown }[]): Leaf[] =>
  leaves.flatMap(({ pointer, value }): Leaf[] => {
    if (derived.test(pointer) || (typeof value !== "string" && typeof value !== "number")) return [];
    if (!isMoment(value)) return [{ pointer, value }];
    const [day, time] = String(value).split("T");
    return [
      { pointer: `${pointer}#day`, value: day! },
      ...(time ? [{ pointer: `${pointer}#time`, value: time.slice(0, 5) }] : []),
    ];
  });

function hitsOf({ pointer, value }: Leaf, lines: NumberedLine[], page: AnnotatedPage, positions: Positions): Hit[] {
  const [path = "", part] = pointer.split("#");
  const name = path.split("/").at(-1) ?? "";
  if (part === undefined && (!isValid(name, value) || !isTelling(value))) return [];
  const ranges = part === "time" ? timesIn(String(value), page) : findOccurrences(path, value, lines, page);
  return ranges.slice(0, mostHits).flatMap((range) => {
    const position = positions.at(range.segment, range.start);
    return position ? [{ ...range, position }] : [];
  });
}

function timesIn(time: string, { annotations }: AnnotatedPage): TextRange[] {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return annotations.layout.segments.flatMap((segment) =>
    (annotations.entitiesIn[segment.index] ?? []).flatMap((entity) =>
      entity.type === "Time" && [entity.value.from, entity.value.to].includes(60 * hours + minutes)
        ? [{ segment, start: entity.start, end: entity.end }]
        : [],
    ),
  );
}

/** Shorter texts occur in every document by chance, unless they are codes. */
const isTelling = (value: string | number): boolean =>
  typeof value === "number" || lettersOf(value).length > 2 || /^[A-Z]{2}$/.test(value);

/** Counts what the engine and the memory would have read right in a document that people have now corrected. */
function judge(family: Family, { page, data, extracted }: Lesson): Family {
  const reading: Reading = readPlaces(family, page, extracted);
  const record: Record<string, FieldRecord> = { ...family.record };
  const count = (name: string, who: keyof FieldRecord, right: boolean) => {
    const known = record[name] ?? { engine: { right: 0, wrong: 0 }, memory: { right: 0, wrong: 0 } };
    const key = right ? "right" : "wrong";
    record[name] = { ...known, [who]: { ...known[who], [key]: known[who][key] + 1 } };
  };
  const wanted = new Map(leavesOf(data).map(({ pointer, value }) => [pointer, value]));
  const types = typesOf(locationsOf(data));
  const areStopsRight = typesOf(locationsOf(extracted.data)) === types;
  const isSame = (pointer: string, value: unknown) => {
    const right = wanted.get(pointer);
    return typeof right === "string" && typeof value === "string"
      ? lettersOf(right) === lettersOf(value)
      : right === value;
  };
  for (const { pointer, value } of leavesOf(extracted.data))
    if (!derived.test(pointer) && (areStopsRight || !pointer.startsWith("/locations/")))
      count(fieldName(pointer), "engine", isSame(pointer, value));
  const verdicts = new Map<Place, boolean>();
  for (const [pointer, { value, places }] of reading.values) {
    if (!areStopsRight && pointer.startsWith("/locations/")) continue;
    const right = isSame(pointer, value);
    count(fieldName(pointer), "memory", right);
    for (const place of places) verdicts.set(place, right && (verdicts.get(place) ?? true));
  }
  const places = family.places.map((place) => {
    const right = verdicts.get(place);
    if (right === undefined) return place;
    return right ? { ...place, right: place.right + 1 } : { ...place, wrong: place.wrong + 1 };
  });
  return { ...family, places, record };
}
