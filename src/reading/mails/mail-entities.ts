import { orderCodes } from "../kinds/orders/number.ts";
import type { DateValue, EntityType } from "../see/entity.ts";
import type { Day } from "../see/relative-date.ts";
import type { Segment } from "../understand/layout/layout.ts";
import { sightings, type Sighting } from "../understand/labels/marks.ts";
import type { Surroundings } from "../understand/labels/values.ts";
import { completed } from "../understand/route/windows.ts";
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

const most = 50;
const sureCode = 0.4;
const sure = 0.5;
const surePlace = 0.6;
const surePlate = 0.6;

/** "Zlecenie ZL/2026/11/01799", "Order no. 88-4471": a number right behind the word for an order, as it stands in sentences. */
const spokenNumber =
  /(?<!\p{L})(?:zleceni|auftrag(?!geber)|transportauftrag|orders?|ordre|orden|ordin|affr[eè]t|objedn|užsakym|pasūtījum|tellimus|comand|comenz|megbíz|nalog|naročil|заявк|заявц|заказ|замовлен|opdracht|ordem|tilau|loads?(?!\p{L}))\p{L}{0,8}\.?[\s:]*(?:(?:nr|no|n[°º]|č|br|št|№|#)\.?[\s:]*)?((?=[\p{L}\d/_-]*\d{2})[\p{L}\d][\p{L}\d/_-]{2,24}[\p{L}\d])(?![\p{L}\d]|[.,]\d)/giu;

/** Gathers them from the newest part of a mail; `said` tells what the sender says from what stands below every mail. */
export function mailEntities(
  around: Surroundings,
  today: Day,
  said: (sighting: { segment: { part: number } }) => boolean,
): MailEntities {
  const seen = <T extends EntityType>(type: T, least = sure): Sighting<T>[] =>
    sightings(around.marks, type).filter((each) => each.entity.score >= least && said(each));
  const { vehicles, trailers } = vehiclesIn(around);
  return {
    orderNumbers: unique([
      ...orderCodes(around)
        .filter(({ score, piece }) => score >= sureCode && said(piece))
        .map(({ piece }) => piece.text),
      ...around.marks.layout.segments
        .filter((segment) => said({ segment }))
        .flatMap((segment) => numbersSpoken(around, segment)),
    ]),
    licensePlates: unique([
      ...[vehicles, trailers].flatMap((found) =>
        found.flatMap(({ value, piece }) => (!piece || said(piece) ? [value] : [])),
      ),
      ...seen("Plate", surePlate).map(({ entity }) => entity.value.plate),
    ]),
    vatCodes: unique(
      sightings(around.marks, "Vat")
        .filter(({ entity }) => entity.score >= sure)
        .map(({ entity }) => entity.value.code),
    ),
    amounts: unique(seen("Amount").map(({ entity }) => entity.value)).filter(({ currency }) => currency !== undefined),
    dates: unique(seen("Date").flatMap(({ entity }) => daysOf(entity.value, today))),
    places: unique(
      seen("Place", surePlace).flatMap(({ entity: { value } }) => {
        const { country, postalCode, city, normalizedCity } = value;
        const town = normalizedCity ?? city;
        if (!postalCode && !town) return [];
        return [
          { ...(country && { countryCode: country }), ...(postalCode && { postalCode }), ...(town && { city: town }) },
        ];
      }),
    ),
  };
}

const otherThings: Partial<Record<EntityType, number>> = {
  Date: sure,
  Quantity: sure,
  Place: surePlace,
  Plate: surePlate,
};

/** Numbers behind a word for an order that are no day, weight, place or plate. */
function numbersSpoken({ marks }: Surroundings, { text, index }: Segment): string[] {
  const others = (marks.entitiesIn[index] ?? []).filter(({ type, score }) => score >= (otherThings[type] ?? 2));
  return [...text.matchAll(spokenNumber)].flatMap((match) => {
    const number = match[1]!;
    const end = match.index + match[0].length;
    const isOther = others.some((other) => other.start <= end - number.length && other.end >= end);
    return isOther ? [] : [number];
  });
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()].slice(0, most);
}

const daysOf = (date: DateValue, today: Day): string[] =>
  [date, ...(date.until ? [date.until] : [])].map((day) => completed(day, { today }));
