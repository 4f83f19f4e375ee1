import { normalizeNumber } from "../../platform/archive/archive.ts";
import { exact, rangeFrom, rangeTo, words, type SearchField } from "../../platform/archive/searchable.ts";
import { anyOf } from "../../platform/archive/filters.ts";
import { trailerTypes } from "../../domain/mappings.ts";
import { withinCircle } from "../../domain/places/near.ts";
import { localTimeIn } from "../../domain/places/zones.ts";
import { Country } from "../../domain/addresses.ts";
import { entryOf, LineText, QueryClock, QueryClockEnd } from "../../domain/shapes.ts";
import type { Freight } from "./model.ts";
import { zoneOfStop, type Stop } from "./stops.ts";

// The search fields that the company's lists and the board have in common: trailer, first and last stop.

const LocalTime = QueryClock.optional().describe("Local time at the stop; an offset is ignored.");
const LocalTimeEnd = QueryClockEnd.optional();
const PostalCode = LineText(10).optional().describe("Beginning of the postal code.");

export const firstStop = ({ said }: Freight): Stop => said.locations[0]!;
export const lastStop = ({ said }: Freight): Stop => said.locations.at(-1)!;

const maxPrefixLength = 10;

function postalCodePrefixes({ address: { postalCode } }: Stop): string[] {
  const code = [...normalizeNumber(postalCode ?? "")].slice(0, maxPrefixLength);
  return code.map((_, last) => code.slice(0, last + 1).join(""));
}

/** The trailer type that means "any trailer". */
const anyTrailer = 10;
const TrailerType = entryOf(trailerTypes).optional();

/** The search field for freights that name the trailer type. */
export const exactTrailerType = exact(TrailerType, ({ said }: Freight) => said.requirements.trailerTypes ?? []);

/**
 * The search field for freights that accept the trailer type. A freight that names no trailer type accepts all types.
 */
export const suitableTrailerType: SearchField<Freight, typeof TrailerType> = {
  ...exact(TrailerType, ({ said: { requirements } }: Freight) =>
    requirements.trailerTypes?.length ? requirements.trailerTypes : [anyTrailer],
  ),
  conditions: (type) => ({ terms: [anyOf(`trailerType:${type}`, `trailerType:${anyTrailer}`)] }),
};

export const routeFields = (trailerType: SearchField<Freight, typeof TrailerType>) => ({
  trailerType,
  loadingCountry: exact(Country.optional(), (freight: Freight) => firstStop(freight).address.countryCode),
  unloadingCountry: exact(Country.optional(), (freight: Freight) => lastStop(freight).address.countryCode),
  loadingPostalCode: exact(PostalCode, (freight: Freight) => postalCodePrefixes(firstStop(freight)), normalizeNumber),
  unloadingPostalCode: exact(PostalCode, (freight: Freight) => postalCodePrefixes(lastStop(freight)), normalizeNumber),
  loadingNear: withinCircle("loading", (freight: Freight) => firstStop(freight).address.coordinates),
  unloadingNear: withinCircle("unloading", (freight: Freight) => lastStop(freight).address.coordinates),
  loadingFrom: rangeFrom("loadingDate", LocalTime),
  loadingTo: rangeTo("loadingDate", LocalTimeEnd),
  unloadingFrom: rangeFrom("unloadingDate", LocalTime),
  unloadingTo: rangeTo("unloadingDate", LocalTimeEnd),
  text: words(undefined, LineText(200).optional()),
});

export const routeColumns = {
  loadingDate: (freight: Freight) => localStart(firstStop(freight)),
  unloadingDate: (freight: Freight) => localStart(lastStop(freight)),
};

const localStart = (stop: Stop) => (stop.startsAt ? localTimeIn(stop.startsAt, zoneOfStop(stop)) : undefined);

/** Only the beginning of the comments is searchable. */
const maxCommentLength = 2_000;

export const routeWords = ({ said }: Freight): (string | undefined)[] => [
  ...said.locations.flatMap(({ address }) => [address.city, address.postalCode]),
  said.comments?.slice(0, maxCommentLength),
];
