import { orderCodes } from "../kinds/orders/number.ts";
import { foldText } from "../know/fold.ts";
import { findLabels } from "../know/lexicon.ts";
import { conceptOf, type ConceptId } from "../know/concepts.ts";
import laneWords from "../know/lane-words.json" with { type: "json" };
import type { DateValue, Entity, EntityType, PlaceValue } from "../see/entity.ts";
import type { Day } from "../see/relative-date.ts";
import { namedOrders } from "../understand/labels/named-orders.ts";
import type { Segment } from "../understand/layout/layout.ts";
import { sightings, type Sighting } from "../understand/labels/marks.ts";
import type { Surroundings } from "../understand/labels/values.ts";
import { lanesIn } from "../understand/route/lanes.ts";
import { completed } from "../understand/route/windows.ts";
import { namedPlates } from "../understand/vehicles/named-plates.ts";
import { vehiclesIn } from "../understand/vehicles/vehicles.ts";

/** What a mail speaks of, each once, in the order it is said. */
export interface MailEntities {
  orderNumbers: string[];
  licensePlates: string[];
  vatCodes: string[];
  amounts: { amount: number; currency?: string }[];
  /** ISO days. */
  dates: string[];
  places: { countryCode?: string; postalCode?: string; city?: string }[];
}

/** What is looked at, and what is known of it. */
interface Asked {
  /** The day it was written. */
  today: Day;
  /** Tells what the sender says from what stands below every mail. */
  said?: (sighting: { segment: Segment }) => boolean;
  /** Its language, as its small words tell it. */
  language?: string | undefined;
  /** Whether it begins with the subject of a mail: a code there is what the mail is about. */
  hasSubject?: boolean;
}

const most = 50;
const sureCode = 0.4;
const sure = 0.5;
const surePlace = 0.6;
const surePlate = 0.6;

/** Gathers them from what the engine's recognisers see. */
export function mailEntities(around: Surroundings, { today, said = () => true, ...asked }: Asked): MailEntities {
  const seen = <T extends EntityType>(type: T, least = sure): Sighting<T>[] =>
    sightings(around.marks, type).filter((each) => each.entity.score >= least && said(each));
  const segments = around.marks.layout.segments.filter((segment) => said({ segment }));
  const orderNumbers = ordersIn(around, segments, asked);
  const plain = new Set(orderNumbers.map(lettersOf));
  return {
    orderNumbers,
    licensePlates: platesIn(around, segments, said).filter((plate) => !plain.has(lettersOf(plate))),
    vatCodes: unique(
      sightings(around.marks, "Vat")
        .filter(({ entity }) => entity.score >= sure)
        .map(({ entity }) => entity.value.code),
    ),
    amounts: unique(seen("Amount").map(({ entity }) => entity.value)).filter(({ currency }) => currency !== undefined),
    dates: unique(seen("Date").flatMap(({ entity }) => daysOf(entity.value, today))),
    places: placesIn(around, segments).map((place) => withoutNumber(place, orderNumbers)),
  };
}

const lettersOf = (printed: string) => printed.replace(/[^\p{L}\p{N}]/gu, "").toUpperCase();

function ordersIn(
  around: Surroundings,
  segments: readonly Segment[],
  { language, hasSubject }: Pick<Asked, "language" | "hasSubject">,
): string[] {
  const languages = [...new Set([...(language ? [language] : []), ...around.languages])];
  const isSaid = new Set(segments);
  const labelled = orderCodes(around).filter(({ score, piece }) => score >= sureCode && isSaid.has(piece.segment));
  const named = segments.flatMap((segment) => {
    const others = around.marks.entitiesIn[segment.index] ?? [];
    return namedOrders(segment.text, languages).filter((each) => !others.some((other) => takes(other, each)));
  });
  const subject = hasSubject ? segments.filter(({ part, page, row }) => part === 0 && page === 1 && row === 0) : [];
  return unique([
    ...labelled.map(({ piece }) => piece.text),
    ...named.map(({ number }) => number),
    ...subject.flatMap((segment) => codesIn(around, segment)),
  ]);
}

const otherThings: Partial<Record<EntityType, number>> = {
  Date: sure,
  Time: sure,
  Quantity: sure,
  Amount: sure,
  Phone: sure,
  Vat: sure,
  Iban: sure,
  Container: sure,
  Email: sure,
  Link: sure,
  Place: surePlace,
  Plate: surePlate,
};

/** Whether the same figures are surely something else. */
function takes(other: Entity, { start, end }: { start: number; end: number }): boolean {
  return other.score >= (otherThings[other.type] ?? 2) && other.start < end && other.end > start;
}

/** Letters or signs beside at least three figures: the form of a number that somebody gave. */
const codeLike = /^(?=(?:\P{N}*\p{N}){3})(?=.*[\p{L}/_-])\S+$/u;
/** "11/2026": an issue, a month; "5561-es": a number with an ending. */
const other = /^(?:0?[1-9]|1[0-2])[./-](?:19|20)\d\d$|^\d+-\p{Ll}+$/u;

/** Codes of a subject that no other word claims: "BS-26-04711: delay". */
function codesIn({ marks }: Surroundings, segment: Segment): string[] {
  const { text, index } = segment;
  const entities = marks.entitiesIn[index] ?? [];
  const labels = findLabels(text);
  return entities.flatMap((entity) => {
    if (entity.type !== "Reference" || !codeLike.test(entity.value) || other.test(entity.value)) return [];
    const claimed = labels.some(
      ({ end, concept, weight }) =>
        weight >= 0.5 &&
        isOfOther(concept) &&
        end <= entity.start &&
        /^[\s.:#№]{0,3}$/u.test(text.slice(end, entity.start)),
    );
    const plate = namedPlates(text).some((each) => each.start < entity.end && each.end > entity.start);
    return claimed || plate || entities.some((other) => takes(other, entity)) ? [] : [entity.value];
  });
}

const ofOrders: ReadonlySet<ConceptId> = new Set<ConceptId>([
  "orderNumber",
  "titleTransportOrder",
  "bookingNumber",
  "reference",
  "customerReference",
]);

const ofPapers: ReadonlySet<ConceptId> = new Set<ConceptId>([
  "titleInvoice",
  "titleCreditNote",
  "titleReceipt",
  "titleCmr",
]);

/** A word for the number of something else: an invoice, a container, a note. */
const isOfOther = (concept: ConceptId) =>
  !ofOrders.has(concept) && (conceptOf(concept).expects[0] === "Reference" || ofPapers.has(concept));

function platesIn(
  around: Surroundings,
  segments: readonly Segment[],
  said: (sighting: { segment: Segment }) => boolean,
): string[] {
  const { vehicles, trailers } = vehiclesIn(around);
  return unique([
    ...segments.flatMap(({ text }) => namedPlates(text).map(({ plate }) => plate)),
    ...[...vehicles, ...trailers].flatMap(({ value, piece }) => (!piece || said(piece) ? [value] : [])),
    ...sightings(around.marks, "Plate", segments).flatMap(({ entity }) =>
      entity.score >= surePlate ? [entity.value.plate] : [],
    ),
  ]);
}

const before = new Set(
  [...laneWords.from, ...laneWords.to, ...laneWords.near].map((words) => foldText(words).split(" ").at(-1)!),
);
const behind = new Set(laneWords.nearBehind.map(foldText));
const leastTown = 0.2;

/** Places with their code or country, ends of journeys, and larger towns behind a word for where somebody is or goes. */
function placesIn(around: Surroundings, segments: readonly Segment[]): MailEntities["places"] {
  const ends = new Set(lanesIn(around).flatMap(({ places }) => places.map(({ entity }) => entity)));
  const values = sightings(around.marks, "Place", segments).flatMap(({ segment, entity }) =>
    entity.score >= surePlace || ends.has(entity) || (entity.score >= leastTown && isSaidToBeThere(segment, entity))
      ? [entity.value]
      : [],
  );
  const places = values.flatMap((value) => placeOf(value) ?? []);
  const coded = new Set(places.flatMap(({ postalCode, city }) => (postalCode && city ? [foldText(city)] : [])));
  return unique(places.filter(({ postalCode, city }) => postalCode || !city || !coded.has(foldText(city))));
}

function isSaidToBeThere(
  { text }: Segment,
  { start, end, value }: { start: number; end: number; value: PlaceValue },
): boolean {
  if (value.postalCode !== undefined || !value.city) return false;
  const word = /(\p{L}+) $/u.exec(text.slice(Math.max(0, start - 24), start))?.[1];
  const next = /^ (\p{L}+)/u.exec(text.slice(end, end + 24))?.[1];
  return (word !== undefined && before.has(foldText(word))) || (next !== undefined && behind.has(foldText(next)));
}

/** "Order 8821 Arad": the order's number is no postal code. */
function withoutNumber(place: MailEntities["places"][number], orderNumbers: readonly string[]): typeof place {
  const isNumber = place.postalCode !== undefined && orderNumbers.includes(place.postalCode);
  return isNumber && place.city ? { city: place.city } : place;
}

function placeOf({
  country,
  postalCode,
  city,
  normalizedCity,
}: PlaceValue): MailEntities["places"][number] | undefined {
  const town = normalizedCity ?? city;
  if (!postalCode && !town) return undefined;
  return { ...(country && { countryCode: country }), ...(postalCode && { postalCode }), ...(town && { city: town }) };
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()].slice(0, most);
}

const daysOf = (date: DateValue, today: Day): string[] =>
  [date, ...(date.until ? [date.until] : [])].map((day) => completed(day, { today }));
