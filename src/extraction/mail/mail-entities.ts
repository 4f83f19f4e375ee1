import { foldText } from "../lexicon/fold.ts";
import type { DateValue, EntityType, PlaceValue } from "../entities/entity.ts";
import type { Day } from "../entities/calendar.ts";
import type { Segment } from "../layout/layout.ts";
import { entitiesOfType, type LocatedEntity } from "../fields/labels/annotations.ts";
import type { DocumentContext } from "../fields/labels/values.ts";
import { completed } from "../fields/route/windows.ts";
import { isBeforeVehicle, findNamedPlates } from "../fields/vehicles/named-plates.ts";
import { vehiclesIn } from "../fields/vehicles/vehicles.ts";
import { placesInMail } from "./mail-places.ts";
import { likelyPlate, orderNumbersIn, surePlate, type MailContext, type OrderNumber } from "./order-numbers.ts";

/** What a mail mentions, in order of appearance and without repetitions. */
export interface MailEntities {
  orderNumbers: string[];
  licensePlates: string[];
  vatCodes: string[];
  amounts: { amount: number; currency?: string }[];
  /** ISO dates. */
  dates: string[];
  places: { countryCode?: string; postalCode?: string; city?: string }[];
}

interface EntityOptions extends MailContext {
  today: Day;
  isOwnText?: (sighting: { segment: Segment }) => boolean;
}

const maxEntities = 50;
const sure = 0.5;

/** Collects the entities of an annotated mail. VAT numbers are also taken from the signature. */
export function mailEntities(
  document: DocumentContext,
  { today, isOwnText = () => true, ...asked }: EntityOptions,
): MailEntities {
  const seen = <T extends EntityType>(type: T, least = sure): LocatedEntity<T>[] =>
    entitiesOfType(document.annotations, type).filter((each) => each.entity.score >= least && isOwnText(each));
  const segments = document.annotations.layout.segments.filter((segment) => isOwnText({ segment }));
  const numbers = orderNumbersIn(document, segments, asked);
  const orderNumbers = unique(numbers.map(({ number }) => number));
  const plain = new Set(orderNumbers.map(lettersOf));
  return {
    orderNumbers,
    licensePlates: platesIn(document, segments, isOwnText).filter((plate) => !plain.has(lettersOf(plate))),
    vatCodes: unique(
      entitiesOfType(document.annotations, "Vat")
        .filter(({ entity }) => entity.score >= sure)
        .map(({ entity }) => entity.value.code),
    ),
    amounts: unique(seen("Amount").map(({ entity }) => entity.value)).filter(({ currency }) => currency !== undefined),
    dates: unique(seen("Date").flatMap(({ entity }) => daysOf(entity.value, today))),
    places: placesIn(document, segments, numbers),
  };
}

const lettersOf = (printed: string) => printed.replace(/[^\p{L}\p{N}]/gu, "").toUpperCase();

function platesIn(
  document: DocumentContext,
  segments: readonly Segment[],
  isOwnText: (sighting: { segment: Segment }) => boolean,
): string[] {
  const { vehicles, trailers } = vehiclesIn(document);
  return unique([
    ...segments.flatMap(({ text }) => findNamedPlates(text).map(({ plate }) => plate)),
    ...[...vehicles, ...trailers].flatMap(({ value, span: piece }) => (!piece || isOwnText(piece) ? [value] : [])),
    ...entitiesOfType(document.annotations, "Plate", segments).flatMap(({ segment, entity }) =>
      entity.score >= surePlate || (entity.score >= likelyPlate && isBeforeVehicle(segment.text, entity.end))
        ? [entity.value.plate]
        : [],
    ),
  ]);
}

function placesIn(
  document: DocumentContext,
  segments: readonly Segment[],
  numbers: readonly OrderNumber[],
): MailEntities["places"] {
  const places = placesInMail(document, segments, numbers)
    .flatMap(({ value }) => placeOf(value) ?? [])
    .map((place) => withoutNumber(place, numbers));
  const coded = new Set(places.flatMap(({ postalCode, city }) => (postalCode && city ? [foldText(city)] : [])));
  return unique(places.filter(({ postalCode, city }) => postalCode || !city || !coded.has(foldText(city))));
}

/** "Order 8821 Arad": 8821 is not the postal code of Arad. */
function withoutNumber(place: MailEntities["places"][number], numbers: readonly OrderNumber[]): typeof place {
  const isNumber = place.postalCode !== undefined && numbers.some(({ number }) => number === place.postalCode);
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
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()].slice(0, maxEntities);
}

const daysOf = (date: DateValue, today: Day): string[] =>
  [date, ...(date.until ? [date.until] : [])].map((day) => completed(day, { today }));
