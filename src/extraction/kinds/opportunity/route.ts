import { ExtractionProblem } from "../../problem.ts";
import type { DateValue, DocumentLocale } from "../../entities/entity.ts";
import { daysBetween, resolveRelativeDate, type Day } from "../../entities/calendar.ts";
import type { Segment } from "../../layout/layout.ts";
import { lanesIn, placesIn, type Lane } from "../../fields/route/lanes.ts";
import type { Label, LocatedEntity } from "../../fields/labels/annotations.ts";
import { valueAreasOf } from "../../fields/labels/value-areas.ts";
import { attributes, openers } from "../../fields/sections/roles.ts";
import { windowAt } from "../../fields/route/stop-details.ts";
import type { StopKind } from "../../fields/route/stops.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import { windowOf, type Moment, type Window } from "../../fields/route/windows.ts";
import type { TransportAnalysis } from "../transport.ts";
import { scores } from "./scores.ts";

export interface RequestedStop {
  kind: StopKind;
  place?: LocatedEntity<"Place">;
  window: Window;
  /** 0..1 */
  confidence: number;
}

/** Maximum number of characters between a date and the word for its stop, as in "24.11. loading". */
const maxGap = 20;

/**
 * Determines the route: from headings and addresses, otherwise from the places of a lane such as "Leipzig – Wrocław",
 * otherwise from the places after words for loading and unloading.
 */
export function requestedRoute(analysis: TransportAnalysis, lanes: readonly Lane[]): RequestedStop[] {
  const { document, locale, route } = analysis;
  const structured = route.stops.map((stop): RequestedStop => ({
    kind: stop.kind,
    ...(stop.address && { place: stop.address.place }),
    window: windowAt(document, route, stop, locale),
    confidence: stop.confidence,
  }));
  const headed = route.stops.some((stop) => stop.address && stop.heads.length > 0);
  if (bothEnds(structured) && (headed || lanes.length === 0)) return structured;
  const [lane] = lanes.toSorted((a, b) => b.details - a.details);
  if (lane) return withDates(document, locale, alongLane(lane), lane.row);
  const named = behindWords(document);
  if (bothEnds(named)) return withDates(document, locale, named, []);
  return structured.some(({ place }) => place) ? structured : withDates(document, locale, named, []);
}

function bothEnds(stops: readonly RequestedStop[]): boolean {
  return ["Loading", "Unloading"].every((kind) => stops.some((stop) => stop.kind === kind && stop.place));
}

const stopConfidence = (
  { entity }: LocatedEntity<"Place">,
  { max, base, perScore }: Record<"max" | "base" | "perScore", number>,
): number => max * (base + perScore * entity.score);

function alongLane({ places }: Lane): RequestedStop[] {
  return places.map((place, at) => ({
    kind: at === 0 ? "Loading" : "Unloading",
    place,
    window: {},
    confidence: stopConfidence(place, scores.stop.inLane),
  }));
}

function behindWords(document: DocumentContext): RequestedStop[] {
  const stops: RequestedStop[] = [];
  for (const label of document.annotations.labels) {
    const kind = sideOf(label);
    const place = kind && placeBehind(document, label);
    if (!kind || !place || stops.some((stop) => stop.place?.entity === place.entity)) continue;
    if (stops.some((stop) => stop.kind === kind && label.standing === "Loose")) continue;
    stops.push({ kind, place, window: {}, confidence: stopConfidence(place, scores.stop.behindWord) });
  }
  const loads = ({ kind }: RequestedStop) => kind === "Loading";
  return [...stops.filter(loads), ...stops.filter((stop) => !loads(stop))];
}

function placeBehind({ annotations }: DocumentContext, label: Label): LocatedEntity<"Place"> | undefined {
  const next = (annotations.labelsIn[label.segment.index] ?? []).find(
    (other) => other.start >= label.end && sideOf(other) !== undefined && sideOf(other) !== sideOf(label),
  );
  const own = placesIn(annotations, label.segment).find(
    ({ entity }) => entity.start >= label.end && entity.start < (next?.start ?? Number.MAX_SAFE_INTEGER),
  );
  if (own) return own;
  const areas = valueAreasOf(annotations, label).filter(
    ({ way, order }) => way !== "Before" && way !== "Same" && order < 3,
  );
  return areas.flatMap(({ segment }) => placesIn(annotations, segment))[0];
}

function sideOf({ meanings }: Label): "Loading" | "Unloading" | undefined {
  const [best] = meanings
    .filter(({ weight }) => weight >= scores.stop.minMeaning)
    .flatMap(({ concept, weight }) => {
      const role = openers[concept] ?? attributes[concept];
      return role === "Loading" || role === "Unloading" ? [{ role, weight }] : [];
    })
    .sort((a, b) => b.weight - a.weight);
  return best?.role;
}

/**
 * A date beside a word for loading or unloading belongs to that stop. Of the other dates, the first belongs to the
 * loading and the second to the unloading.
 */
function withDates(
  document: DocumentContext,
  locale: DocumentLocale,
  stops: readonly RequestedStop[],
  row: readonly Segment[],
): RequestedStop[] {
  const moments = { Loading: [] as Moment[], Unloading: [] as Moment[] };
  const open: Moment[][] = [];
  for (const moment of momentsIn(document)) {
    const { segment, entity } = moment.sighting;
    const side = sideAt(document, stops, segment, entity.start);
    if (side) moments[side].push(moment);
    else if (entity.type === "Date" || open.length === 0) open.push([moment]);
    else open.at(-1)?.push(moment);
  }
  const near = open.filter(([first]) => first && row.includes(first.sighting.segment));
  const free = (near.length > 0 ? near : open).filter((group) => group.some(isDate));
  if (!moments.Loading.some(isDate) && !moments.Unloading.some(isDate) && free.length === 1)
    free.splice(0, 1, ...bothDays(free));
  if (!moments.Loading.some(isDate)) moments.Loading.push(...(free.shift() ?? []));
  if (!moments.Unloading.some(isDate)) moments.Unloading.push(...(free.shift() ?? []));
  moments.Unloading = inOrder(moments.Loading, moments.Unloading);
  const last = stops.findLastIndex(({ kind }) => kind === "Unloading");
  return stops.map((stop, at) => {
    const ends = stop.kind === "Loading" ? at === 0 : at === last;
    return ends ? { ...stop, window: windowOf(moments[stop.kind as "Loading" | "Unloading"], locale) } : stop;
  });
}

/** Splits a range such as "24.11. / 26.11." into the dates of loading and unloading. */
function bothDays([group = []]: readonly Moment[][]): Moment[][] {
  const [only] = group.filter(isDate);
  if (!only || only.sighting.entity.type !== "Date") return [group];
  const { segment, entity } = only.sighting;
  const { until, ...first } = entity.value;
  if (!until || !twoDays.test(segment.text.slice(entity.start, entity.end))) return [group];
  const at = (value: DateValue): Moment => ({ ...only, sighting: { segment, entity: { ...entity, value } } });
  const others = group.filter((moment) => moment !== only);
  return [[at(first), ...others], [at({ ...until, year: until.year ?? first.year })]];
}

const twoDays = /^\d{1,2}[./]\d{1,2}\D.*\d{1,2}[./]\d{1,2}/u;
const daysAWeek = 7;

/** In "Load Thursday, unload Monday", Monday is that of the next week. */
function inOrder(loading: readonly Moment[], unloading: readonly Moment[]): Moment[] {
  const loaded = loading.find(isDate)?.sighting.entity.value as DateValue | undefined;
  return unloading.map((moment) => {
    const { segment, entity } = moment.sighting;
    if (entity.type !== "Date" || !loaded || /\d/.test(segment.text.slice(entity.start, entity.end))) return moment;
    const value = weekLater(entity.value, loaded);
    return value === entity.value ? moment : { ...moment, sighting: { segment, entity: { ...entity, value } } };
  });
}

function weekLater(date: DateValue, than: DateValue): DateValue {
  const [own, other] = [withYear(date), withYear(than)];
  if (!own || !other || daysBetween(other, own) >= 0) return date;
  return { ...resolveRelativeDate({ kind: "Days", days: daysAWeek }, own)!.from };
}

const withYear = ({ year, month, day }: DateValue): Day | undefined =>
  year === undefined ? undefined : { year, month, day };

const isDate = ({ sighting }: Moment) => sighting.entity.type === "Date";

function momentsIn({ annotations, prose }: DocumentContext): Moment[] {
  return annotations.layout.segments.flatMap((segment) =>
    prose.has(segment)
      ? []
      : (annotations.entitiesIn[segment.index] ?? []).flatMap((entity): Moment[] => {
          if ((entity.type !== "Date" && entity.type !== "Time") || entity.score < scores.date.min) return [];
          if (isElsewhere(annotations.labelsIn[segment.index] ?? [], segment, entity.start)) return [];
          const sighting = { segment, entity } as Moment["sighting"];
          const limit = limitAt(annotations.labelsIn[segment.index] ?? [], entity.start);
          return [
            { sighting, confidence: scores.date.base + scores.date.perScore * entity.score, ...(limit && { limit }) },
          ];
        }),
  );
}

function limitAt(labels: readonly Label[], at: number): Moment["limit"] {
  const near = labels.findLast((label) => label.end <= at && at - label.end < 8);
  if (near?.meanings.some(({ concept }) => concept === "dateTo")) return "To";
  return near?.meanings.some(({ concept }) => concept === "dateFrom") ? "From" : undefined;
}

const elsewhere: ReadonlySet<string> = new Set([
  "orderDate",
  "dueDate",
  "paymentTerm",
  "openingHours",
  "signature",
  "phone",
]);
const ofTheOffer: ReadonlySet<string> = new Set(["titleQuoteRequest", "tenderNumber", "price"]);

/** Whether a date is in a sentence about something else, such as the deadline of the offer or opening hours. */
function isElsewhere(labels: readonly Label[], { text }: Segment, at: number): boolean {
  const before = labels.filter((label) => label.end <= at && !/[.!?;\n]\s/u.test(text.slice(label.end, at)));
  const deadline = limitAt(labels, at) === "To";
  const last = before.findLast(
    (label) =>
      sideOf(label) !== undefined ||
      label.meanings.some(({ concept }) => elsewhere.has(concept) || (deadline && ofTheOffer.has(concept))),
  );
  return last !== undefined && sideOf(last) === undefined;
}

function sideAt(
  document: DocumentContext,
  stops: readonly RequestedStop[],
  segment: Segment,
  at: number,
): "Loading" | "Unloading" | undefined {
  const labels = (document.annotations.labelsIn[segment.index] ?? []).filter((label) => sideOf(label) !== undefined);
  const before = labels.findLast((label) => label.end <= at);
  const passed = stops.some(
    ({ kind, place }) =>
      before !== undefined &&
      kind !== sideOf(before) &&
      place?.segment === segment &&
      place.entity.start >= before.end &&
      place.entity.end <= at,
  );
  if (before && !passed) return sideOf(before);
  const behind = labels.find((label) => label.start >= at && label.start - at < maxGap);
  if (behind && !before) return sideOf(behind);
  const own = stops.filter(({ place }) => place?.segment === segment);
  if (own.length > 0) return undefined;
  const beside = document.annotations.labels.find(
    (label) => label.standing === "Head" && sideOf(label) !== undefined && besideOf(document, label, segment),
  );
  return beside && sideOf(beside);
}

function besideOf({ annotations }: DocumentContext, label: Label, segment: Segment): boolean {
  return valueAreasOf(annotations, label).some(
    (area) => area.segment === segment && area.way !== "Before" && area.way !== "Same" && area.order < 2,
  );
}

/** Matches the number of a lane in a list: "1)", "(2)", "B.", "Tour 3:". */
const marker = /^\s*[-–•*]?\s*(?:\p{L}{3,9}\s)?\(?(?:\d{1,2}|\p{L})[).:]\s?/u;

function isNumbered({ places: [first], row }: Lane): boolean {
  return first !== undefined && row[0] === first.segment && marker.test(first.segment.text);
}

const maxLanes = 500;

/**
 * Finds the lanes of a request. For each lane, returns a function that tells whether a segment belongs to it. Segments
 * before the first and after the last lane belong to every lane. Undefined for a single lane.
 * @throws ExtractionProblem `too_many_pages` if there are too many lanes
 */
export function laneBlocks(document: DocumentContext): ((segment: Segment) => boolean)[] | undefined {
  const all = lanesIn(document);
  const numbered = all.filter(isNumbered);
  const lanes = numbered.length > 1 ? numbered : all.filter(({ details }) => details > 0);
  const starts = [...new Set(lanes.map(({ places }) => places[0]!.segment.index))];
  if (starts.length < 2) return undefined;
  if (starts.length > maxLanes)
    throw new ExtractionProblem(
      "too_many_pages",
      `The file has more than ${maxLanes} requests. Send it in several files.`,
    );
  const gaps = starts.slice(1).map((start, at) => start - starts[at]!);
  const ends = starts.map((start, at) => starts[at + 1] ?? start + gaps.at(-1)!);
  const owners = new Map<Segment, number>();
  for (const segment of document.annotations.layout.segments) {
    const at = starts.findLastIndex((start) => segment.index >= start);
    if (at >= 0 && segment.index < ends[at]!) owners.set(segment, at);
  }
  return starts.map((_, at) => (segment) => (owners.get(segment) ?? at) === at);
}
