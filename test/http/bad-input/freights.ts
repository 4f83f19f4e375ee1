import { inFuture, freight, growing, hour, minute, stops } from "../../support/freights.ts";
import { half, raw } from "./row.ts";

/** One error in a freight. */
export interface WrongFreight {
  what: string;
  body: Record<string, unknown>;
  pointer: string;
  /** The expected error code of the field. */
  code: string;
}

const wrong =
  (place: string, put: (value: unknown) => Record<string, unknown>) =>
  (what: string, value: unknown, code: string, pointer = place): WrongFreight => ({
    what,
    body: freight(put(value)),
    pointer,
    code,
  });

const [loading, unloading] = stops() as [Stop, Stop];
interface Stop {
  sequence?: number;
  type?: unknown;
  address: object;
  period: { startDate?: string; endDate?: string };
}

const field = (name: string) => wrong(`/${name}`, (value) => ({ [name]: value }));
const first = (name: string) =>
  wrong(`/locations/0/${name}`, (value) => ({ locations: [{ ...loading, [name]: value }, unloading] }));
const address = (name: string) =>
  wrong(`/locations/0/address/${name}`, (value) => ({
    locations: [{ ...loading, address: { ...loading.address, [name]: value } }, unloading],
  }));
const period = (name: string) =>
  wrong(`/locations/0/period/${name}`, (value) => ({
    locations: [{ ...loading, period: { ...loading.period, [name]: value } }, unloading],
  }));
const required = (name: string) => wrong(`/requirements/${name}`, (value) => ({ requirements: { [name]: value } }));
const paid = (name: string) => wrong(`/payment/${name}`, (value) => ({ payment: { ...growing(), [name]: value } }));

const route = wrong("/locations", (locations) => ({ locations }));
const at = (stop: Stop, startDate: string, endDate?: string): Stop => ({
  ...stop,
  period: { startDate, ...(endDate && { endDate }) },
});

export const wrongFreights: WrongFreight[] = [
  field("externalNumber")("with a number that is a number", 4711, "invalid_type"),
  field("externalNumber")("with a number of 101 letters", "F".repeat(101), "too_big"),
  field("externalNumber")("with a number of blanks", "  ", "too_small"),
  field("externalNumber")("with a line break in its number", "FR\r\n1", "invalid_format"),
  field("externalNumber")("with half a character in its number", half, "invalid"),
  field("owner")("with an owner without an address", "Anna", "invalid_format"),
  field("owner")("with a list of owners", ["a@b.example"], "invalid_type"),
  field("sources")("with a source for a list", 1, "invalid_type"),
  field("sources")("with a source that is a name", ["board"], "invalid_type", "/sources/0"),
  field("sources")("with the source nought", [1, 0], "too_small", "/sources/1"),
  field("sources")("with half a source", [1.5], "invalid_type", "/sources/0"),
  field("sources")("with 51 sources", Array(51).fill(1), "too_big"),
  field("useAlternativeLocations")("with yes in words", "yes", "invalid_type"),
  field("useAlternativeLocations")(
    "with alternative locations anywhere",
    true,
    "required",
    "/alternativeLocationsRange",
  ),
  field("alternativeLocationsRange")(
    "with a range that goes backwards",
    { fromKm: 50, toKm: 10 },
    "invalid",
    "/alternativeLocationsRange/toKm",
  ),
  field("alternativeLocationsRange")(
    "with a range without an end",
    { fromKm: 50 },
    "required",
    "/alternativeLocationsRange/toKm",
  ),
  field("totalDistance")("with a distance as text", "372", "invalid_type"),
  field("totalDistance")("with less than no distance", -1, "too_small"),
  field("totalDistance")("with a distance too large for any number", raw("1e999"), "invalid_type"),
  field("comments")("with comments of 10,001 letters", "a".repeat(10_001), "too_big"),
  field("comments")("with a null byte in its comments", "a\0b", "invalid_format"),
  field("internalComments")("with internal comments that are a list", [], "invalid_type"),
  field("metadata")("with metadata that are a text", "TMS", "invalid_type"),
  field("metadata")("with metadata that are numbers", { a: 1 }, "invalid_type", "/metadata/a"),

  route("without stops", undefined, "required"),
  route("with a map of stops", {}, "invalid_type"),
  route("with one stop", [loading], "too_small"),
  route("with 51 stops", Array(51).fill(loading), "too_big"),
  route("with null for a stop", [null, unloading], "invalid_type", "/locations/0"),
  route("with two stops of one number", [loading, { ...unloading, sequence: 1 }], "duplicate", "/locations/1/sequence"),
  route(
    "that begins with its unloading",
    [
      { ...unloading, ...at(unloading, inFuture(48 * hour)), sequence: 1 },
      { ...unloading, sequence: 2 },
    ],
    "first_not_loading",
    "/locations/0/type",
  ),
  route(
    "that ends with a loading",
    [loading, { ...unloading, type: "Loading" }],
    "last_not_unloading",
    "/locations/1/type",
  ),
  route(
    "whose first stop, sent last, is no loading",
    [loading, { ...unloading, ...at(unloading, inFuture(47 * hour)), sequence: 0 }],
    "first_not_loading",
    "/locations/1/type",
  ),
  route(
    "that is unloaded before it is loaded",
    [loading, at(unloading, inFuture(20 * hour), inFuture(30 * hour))],
    "not_in_order",
    "/locations/1/period/endDate",
  ),
  route(
    "that is unloaded before it is loaded, a stop without a time between them",
    [
      loading,
      { ...loading, type: "Stop", sequence: 2, period: {} },
      { ...unloading, sequence: 3, period: { startDate: inFuture(20 * hour) } },
    ],
    "not_in_order",
    "/locations/2/period/startDate",
  ),
  route(
    "whose last stop is over before the first begins, and not before the one between them",
    [
      loading,
      {
        ...loading,
        type: "Stop",
        sequence: 2,
        period: { startDate: inFuture(10 * hour), endDate: inFuture(60 * hour) },
      },
      { ...unloading, sequence: 3, period: { endDate: inFuture(30 * hour) } },
    ],
    "not_in_order",
    "/locations/2/period/endDate",
  ),
  route(
    "that begins before all years",
    [loading, { ...unloading, period: { ...unloading.period, startDate: "0000-01-01T00:00:00+14:00" } }],
    "invalid",
    "/locations/1/period/startDate",
  ),
  route(
    "whose loading is over",
    [at(loading, inFuture(-10 * hour), inFuture(-minute)), unloading],
    "in_the_past",
    "/locations/0/period/endDate",
  ),
  route(
    "whose loading began more than a day ago, with no end",
    [at(loading, inFuture(-25 * hour)), unloading],
    "in_the_past",
    "/locations/0/period/startDate",
  ),
  route(
    "that is unloaded in 31 days",
    [loading, at(unloading, inFuture(72 * hour), inFuture(31 * 24 * hour))],
    "too_far_ahead",
    "/locations/1/period/endDate",
  ),
  first("type")("with a stop of no kind", undefined, "required"),
  first("type")("with a stop of a kind nobody knows", "Pickup", "unknown_value"),
  first("sequence")("with a stop numbered in text", "1", "invalid_type"),
  first("sequence")("with a stop below nought", -1, "too_small"),
  first("address")("with a stop nowhere", undefined, "required"),
  first("address")(
    "with a country and nothing more",
    { countryCode: "DE" },
    "required",
    "/locations/0/address/postalCode",
  ),
  first("period")("with a loading at no time", undefined, "required", "/locations/0/period/startDate"),
  first("period")("with a period that is a text", "tomorrow", "invalid_type"),
  period("startDate")("with a loading tomorrow, in words", "tomorrow", "invalid_format"),
  period("startDate")("with an invalid date", "2027-02-30T08:00:00", "invalid"),
  period("endDate")("with a loading that ends before it begins", inFuture(47 * hour), "end_before_start"),
  address("countryCode")("without a country", undefined, "required"),
  address("countryCode")("with a country nobody knows", "XX", "invalid"),
  address("countryCode")("with a country's name", "Germany and Austria", "invalid_format"),
  address("postalCode")("with a postal code that is a number", 4158, "invalid_type"),
  address("postalCode")("with a postal code of 21 letters", "1".repeat(21), "too_big"),
  address("city")("with a null byte in a town", "Leip\0zig", "invalid_format"),
  address("coordinates")("with coordinates in a list", [51.3, 12.3], "invalid_type"),
  address("coordinates")(
    "with half a place",
    { latitude: 51.3 },
    "required",
    "/locations/0/address/coordinates/longitude",
  ),
  address("coordinates")(
    "without a latitude",
    { longitude: 12.3 },
    "required",
    "/locations/0/address/coordinates/latitude",
  ),
  address("coordinates")(
    "with two latitudes",
    { latitude: 51.3, lattitude: 51.4, longitude: 12.3 },
    "contradicts",
    "/locations/0/address/coordinates/latitude",
  ),
  address("coordinates")(
    "north of the north pole",
    { latitude: 90.1, longitude: 12.3 },
    "too_big",
    "/locations/0/address/coordinates/latitude",
  ),

  field("requirements")("with requirements in words", "tilt", "invalid_type"),
  required("trailerTypes")("with one trailer for a list", 1, "invalid_type"),
  required("trailerTypes")("with a trailer nobody knows", [1, 9], "unknown_value", "/requirements/trailerTypes/1"),
  required("vehicleTypes")("with a vehicle nobody knows", [6], "unknown_value", "/requirements/vehicleTypes/0"),
  required("capabilities")("with an unknown capability", [9], "unknown_value", "/requirements/capabilities/0"),
  required("capabilities")("with a capability's code", ["adr"], "unknown_value", "/requirements/capabilities/0"),
  required("loadingSide")("to be loaded from below", "Bottom", "unknown_value"),
  required("capacity")("with less than no tonnes", -24, "too_small"),
  required("pallets")("with pallets in words", "33 EUR", "invalid_type"),
  required("ftl")("with a number for yes", 1, "invalid_type"),
  required("temperature")(
    "colder at most than at least",
    { min: 8, max: 2 },
    "invalid",
    "/requirements/temperature/max",
  ),
  required("temperature")("frozen in words", { regime: "Frozen" }, "unknown_value", "/requirements/temperature/regime"),

  field("payment")("with a payment that is a number", 1000, "invalid_type"),
  paid("from")("for nothing", 0, "too_small"),
  paid("from")("for tenths of a cent", 1000.001, "too_many_decimals"),
  paid("from")("for a price as text", "1000", "invalid_type"),
  paid("from")("with growth from nowhere", undefined, "required"),
  paid("growTo")("with a price that falls", 999.99, "grow_to_below_from"),
  paid("until")("with growth without an end", undefined, "required"),
  paid("until")("until yesterday", inFuture(-24 * hour), "in_the_past"),
  paid("until")("until after its loading", inFuture(57 * hour), "until_after_loading"),
  paid("until")("until soon", "soon", "invalid_format"),
  paid("updateRate")("with growth at no rate", undefined, "required"),
  paid("updateRate")("with growth each second", "00:00:01", "too_small"),
  paid("updateRate")("with growth each eight days", "8.00:00:00", "too_big"),
  paid("updateRate")("with growth each hour in words", "1h", "invalid_format"),
  paid("updateRate")("with growth each 60 minutes", "00:60:00", "invalid_format"),
  paid("updateRate")("with growth each number", 3600, "invalid_type"),
  paid("updateRangeInHours")("with two rates", "02:00:00", "contradicts", "/payment/updateRate"),
  paid("term")("to be paid in 366 days", 366, "too_big"),
  paid("term")("to be paid in half a day", 0.5, "invalid_type"),
  paid("dueDate")("to be paid some day", "24.11.2026", "invalid_format"),
  paid("currency")("in a currency nobody knows", "XQX", "invalid"),
  paid("currency")("in a currency's sign", "€", "invalid_format"),
  wrong("/payment/updateRate", (payment) => ({ payment }))(
    "with an end and no rate, though the price stays",
    { from: 1000, until: inFuture(6 * hour) },
    "required",
  ),
  wrong("/payment/updateRate", (payment) => ({
    payment,
    locations: [at(loading, inFuture(40 * hour), inFuture(60 * hour)), unloading],
  }))(
    "with more than 2000 steps",
    { from: 1000, growTo: 1300, until: inFuture(34 * hour), updateRate: "00:01:00" },
    "update_rate_too_small",
  ),
];
