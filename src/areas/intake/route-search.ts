import * as z from "zod";
import { exact, rangeFrom, rangeTo } from "../../platform/archive/searchable.ts";
import { Country } from "../../domain/addresses.ts";
import { QueryClock, QueryClockEnd } from "../../domain/shapes.ts";

// Extracted routes in lists and searches. Lists show, and dates are searched at, the first loading and the last
// unloading of a record's first route. Countries are searched at all loading and unloading stops of all routes.

interface RouteStop {
  type?: string | undefined;
  countryCode?: string | undefined;
  postalCode?: string | undefined;
  city?: string | undefined;
  /** Local time. */
  startDate?: string | undefined;
}
type Route = readonly RouteStop[];

/** The fields of a list item that show the route. */
export const routeView = {
  loading: z.string().optional().describe("Country, postal code and town of the first loading stop."),
  unloading: z.string().optional().describe("Country, postal code and town of the last unloading stop."),
  loadingDate: z.string().optional(),
  unloadingDate: z.string().optional(),
};

const endsOf = (route: Route = []) => ({
  loading: route.find(({ type }) => type === "Loading"),
  unloading: route.findLast(({ type }) => type === "Unloading"),
});

export function viewOfRoute(route: Route | undefined) {
  const { loading, unloading } = endsOf(route);
  return {
    loading: loading && placeText(loading),
    unloading: unloading && placeText(unloading),
    loadingDate: loading?.startDate,
    unloadingDate: unloading?.startDate,
  };
}

export const placeText = ({ countryCode, postalCode, city }: RouteStop) =>
  [countryCode, postalCode, city].filter(Boolean).join(" ");

const LocalTime = QueryClock.optional().describe("Local time at the stop; an offset is ignored.");

/**
 * Returns the search fields and columns for routes.
 * @param routesOf returns all routes of a record, of which lists show the first one
 */
export function routeSearch<Thing>(routesOf: (thing: Thing) => readonly Route[]) {
  const countriesOf = (thing: Thing, stopType: string) =>
    routesOf(thing).flatMap((route) =>
      route.filter(({ type }) => type === stopType).map(({ countryCode }) => countryCode),
    );
  return {
    columns: {
      loadingDate: (thing: Thing) => endsOf(routesOf(thing)[0]).loading?.startDate,
      unloadingDate: (thing: Thing) => endsOf(routesOf(thing)[0]).unloading?.startDate,
    },
    fields: {
      loadingCountry: exact(Country.optional(), (thing: Thing) => countriesOf(thing, "Loading")),
      unloadingCountry: exact(Country.optional(), (thing: Thing) => countriesOf(thing, "Unloading")),
      loadingFrom: rangeFrom("loadingDate", LocalTime),
      loadingTo: rangeTo("loadingDate", QueryClockEnd.optional()),
      unloadingFrom: rangeFrom("unloadingDate", LocalTime),
      unloadingTo: rangeTo("unloadingDate", QueryClockEnd.optional()),
    },
  };
}
