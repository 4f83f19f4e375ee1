import { isDeepStrictEqual } from "node:util";
import type { ErrorItem } from "../../platform/problem.ts";
import { lastSecondOf } from "../../domain/periods.ts";
import { instantOf } from "../../domain/places/zones.ts";
import { amountOf, centsOf, errorsInPrice, parseDuration, type PriceTerms } from "./price.ts";
import type { FreightInput } from "./input.ts";
import { errorsInStops, inOrder, loadingEnd, sentOf, zoneOfStop, type Stop } from "./stops.ts";
import type { PaymentView, RequirementsView } from "./views.ts";

/** The details of a freight: the input with normalized and derived values. */
export interface FreightDetails extends Pick<
  FreightInput,
  | "externalNumber"
  | "owner"
  | "useAlternativeLocations"
  | "alternativeLocationsRange"
  | "totalDistance"
  | "comments"
  | "internalComments"
> {
  sources: number[];
  locations: Stop[];
  requirements: RequirementsView;
  payment: Payment;
}

/** Payment terms. `from` and `growTo` in cents. */
export interface Payment {
  from?: number | undefined;
  growTo?: number | undefined;
  currency: string;
  term?: number | undefined;
  dueDate?: string | undefined;
  /** As it was sent. */
  until?: string | undefined;
  /** ISO 8601, UTC. */
  untilAt?: string | undefined;
  /** As it was sent. */
  updateRate?: string | undefined;
}

/** @param locations the stops of the input, with coordinates from the gazetteer */
export function toFreightDetails(input: FreightInput, locations: Stop[]): FreightDetails {
  const { metadata: _, ...body } = input;
  const { from, growTo, currency = "EUR", until, ...payment } = body.payment ?? {};
  return {
    ...body,
    sources: [...new Set(body.sources)],
    locations,
    requirements: body.requirements ?? {},
    payment: {
      ...payment,
      from: from && centsOf(from),
      growTo: growTo && centsOf(growTo),
      currency,
      until,
      untilAt: until && untilOf(until, locations),
    },
  };
}

function untilOf(until: string, locations: Stop[]): string {
  const [first] = inOrder(locations);
  return instantOf(lastSecondOf(until), first ? zoneOfStop(first) : "UTC");
}

export const inRouteOrder = (details: FreightDetails): FreightDetails => ({
  ...details,
  locations: inOrder(details.locations),
});

/**
 * Returns the validation errors of stops and payment.
 * @param at the current time
 */
export function errorsInDetails({ locations, payment }: FreightDetails, at: string): ErrorItem[] {
  const [first] = inOrder(locations);
  const ends = first?.startsAt ? loadingEnd([first]) : undefined;
  return [...errorsInStops(locations, at), ...errorsInPrice(priceTerms(payment), at, ends)];
}

export const priceTerms = ({ from, growTo, untilAt, updateRate }: Payment): PriceTerms => ({
  from,
  growTo,
  until: untilAt,
  rate: updateRate ? parseDuration(updateRate) : undefined,
});

/** Whether a change makes offers outdated: stops, times or requirements differ. */
export const changesOffers = (before: FreightDetails, after: FreightDetails): boolean =>
  !isDeepStrictEqual(materialOf(before), materialOf(after));

/** The details that offers depend on, in a form in which equal details compare as equal. */
const materialOf = ({ locations, requirements }: FreightDetails) => [
  sentOf(inOrder(locations)).map(({ type, address, startsAt, endsAt }) => ({ type, address, startsAt, endsAt })),
  Object.fromEntries(Object.entries(requirements).flatMap(([name, value]) => materialIn(name, value))),
];

function materialIn(name: string, value: RequirementsView[keyof RequirementsView]): [string, unknown][] {
  if (!Array.isArray(value)) return value === undefined ? [] : [[name, value]];
  return value.length > 0 ? [[name, [...new Set(value)].toSorted((a, b) => a - b)]] : [];
}

export const changesPrice = ({ payment: before }: FreightDetails, { payment: after }: FreightDetails): boolean =>
  before.currency !== after.currency || !isDeepStrictEqual(priceTerms(before), priceTerms(after));

/** Whether both details are equal, apart from coordinates that come from the gazetteer. */
export const isUnchanged = (before: FreightDetails, after: FreightDetails): boolean =>
  isDeepStrictEqual(
    [{ ...before, locations: [] }, sentOf(before.locations)],
    [{ ...after, locations: [] }, sentOf(after.locations)],
  );

export function paymentOf(details: FreightDetails): PaymentView {
  const { untilAt: _, from, growTo, ...payment } = details.payment;
  return {
    ...payment,
    from: from === undefined ? undefined : amountOf(from),
    growTo: growTo === undefined ? undefined : amountOf(growTo),
  };
}
