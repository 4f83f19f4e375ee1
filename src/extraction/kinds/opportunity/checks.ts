import type { Check } from "../../document/extraction-result.ts";
import { isoDay, type Day } from "../../entities/calendar.ts";
import { checkFromViolations, maxLoad, postcodesFitCountries, stopsInOrderOfDates } from "../checks.ts";
import type { OpportunityView } from "./view.ts";

/** A postal code with at most this number of digits may be a prefix, such as "34". It is not checked. */
const maxPrefixLength = 3;

/**
 * Checks the dates, the load and the postal codes of a request.
 * @param written the day of the request, if it is known; no stop may be before it
 */
export function checkOpportunity(view: OpportunityView, written?: Day): Check[] {
  return [...days(view, written), ...loads(view), ...postcodes(view)];
}

function days({ locations = [] }: OpportunityView, written: Day | undefined): Check[] {
  const start = (at: number) => locations[at]?.period?.startDate;
  const pointer = (at: number) => `/locations/${at}/period/startDate`;
  const inverted = locations.flatMap(({ period }, at) =>
    period?.startDate && period.endDate && opens(period.startDate) > closes(period.endDate)
      ? [pointer(at), `/locations/${at}/period/endDate`]
      : [],
  );
  const day = written && isoDay(written);
  const past = locations.flatMap((_, at) => (day && (start(at) ?? day).slice(0, 10) < day ? [pointer(at)] : []));
  return [
    stopsInOrderOfDates(
      locations.map((_, at) => start(at)),
      pointer,
    ),
    checkFromViolations("WindowsOpenBeforeTheyClose", "Every time window must begin before it ends.", inverted),
    ...(day ? [checkFromViolations("DaysToCome", "No stop may be before the day of the request.", past)] : []),
  ];
}

const opens = (moment: string) => (moment.length > 10 ? moment : `${moment}T00:00:00`);
const closes = (moment: string) => (moment.length > 10 ? moment : `${moment}T24:00:00`);

function loads({ requirements }: OpportunityView): Check[] {
  const { capacity } = requirements ?? {};
  if (capacity === undefined) return [];
  const tonnes = maxLoad / 1000;
  const pointers = capacity > tonnes ? ["/requirements/capacity"] : [];
  return [
    checkFromViolations(
      "LoadsOneLorryCarries",
      `The load must not exceed ${tonnes} t, the load of one lorry.`,
      pointers,
    ),
  ];
}

function postcodes({ locations = [] }: OpportunityView): Check[] {
  const addresses = locations.map(({ address }, at) => ({
    pointer: `/locations/${at}/address/postalCode`,
    country: address?.countryCode,
    code: address?.postalCode,
  }));
  return postcodesFitCountries(
    addresses.filter(({ code }) => code !== undefined && code.replace(/\D/gu, "").length > maxPrefixLength),
  );
}
