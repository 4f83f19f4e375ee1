import { fitsCountry } from "../../lexicon/postal-patterns.ts";
import type { Check } from "../../document/extraction-result.ts";
import { isoDay, type Day } from "../../entities/calendar.ts";
import { checkFromViolations } from "../checks.ts";
import type { OpportunityView } from "./view.ts";

/** Digits of a postal code that is only a prefix. */
const beginning = 3;
/** Tonnes. The heaviest road trains of Europe carry less. */
const heaviestLoad = 56;

/** Whether the values of a request agree with each other, and with its date where that is known. */
export function checkOpportunity(view: OpportunityView, written?: Day): Check[] {
  return [...days(view, written), ...loads(view), ...postcodes(view)];
}

function days({ locations = [] }: OpportunityView, written: Day | undefined): Check[] {
  const start = (at: number) => locations[at]?.period?.startDate;
  const pointer = (at: number) => `/locations/${at}/period/startDate`;
  const turned = locations.flatMap((_, at) => {
    const next = locations.findIndex((_other, index) => index > at && start(index) !== undefined);
    const late = next > at && (start(at) ?? "").slice(0, 10) > (start(next) ?? "").slice(0, 10);
    return late ? [pointer(at), pointer(next)] : [];
  });
  const inverted = locations.flatMap(({ period }, at) =>
    period?.startDate && period.endDate && opens(period.startDate) > closes(period.endDate)
      ? [pointer(at), `/locations/${at}/period/endDate`]
      : [],
  );
  const day = written && isoDay(written);
  const past = locations.flatMap((_, at) => (day && (start(at) ?? day).slice(0, 10) < day ? [pointer(at)] : []));
  return [
    checkFromViolations("StopsInOrderOfDates", "The stops must be in the order of their dates.", turned),
    checkFromViolations("WindowsOpenBeforeTheyClose", "Every time window must begin before it ends.", inverted),
    ...(day ? [checkFromViolations("DaysToCome", "No stop may be before the day of the request.", past)] : []),
  ];
}

const opens = (moment: string) => (moment.length > 10 ? moment : `${moment}T00:00:00`);
const closes = (moment: string) => (moment.length > 10 ? moment : `${moment}T24:00:00`);

function loads({ requirements }: OpportunityView): Check[] {
  const { capacity } = requirements ?? {};
  if (capacity === undefined) return [];
  const pointers = capacity > heaviestLoad ? ["/requirements/capacity"] : [];
  return [
    checkFromViolations(
      "LoadsOneLorryCarries",
      `The load must not exceed ${heaviestLoad} t, the load of one lorry.`,
      pointers,
    ),
  ];
}

function postcodes({ locations = [] }: OpportunityView): Check[] {
  const checked = locations.flatMap(({ address }, at) => {
    const { countryCode, postalCode } = address ?? {};
    if (!countryCode || !postalCode || postalCode.replace(/\D/gu, "").length <= beginning) return [];
    const fits = fitsCountry(countryCode, postalCode);
    return fits === undefined ? [] : [{ pointer: `/locations/${at}/address/postalCode`, fits }];
  });
  const pointers = checked.flatMap(({ pointer, fits }) => (fits ? [] : [pointer]));
  return checked.length > 0
    ? [checkFromViolations("PostcodesFitCountries", "Every postcode must have the format of its country.", pointers)]
    : [];
}
