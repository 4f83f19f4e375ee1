import { wrongField, type ErrorItem } from "../../platform/problem.ts";

// The growing price. Pure functions. Prices are integer cents. Times are ISO 8601 if they are strings, otherwise
// milliseconds since 1970.

/** The schedule by which a price grows. */
export interface Clock {
  /** When the freight was published, or its price terms last changed. */
  startedAt: string;
  from: number;
  growTo: number;
  /** When the freight expires. */
  until: string;
  /** Duration of a step, in milliseconds. */
  rate: number;
}

/** Maximum number of steps. */
export const maxSteps = 2000;
const [shortestRate, longestRate] = [60_000, 7 * 24 * 60 * 60 * 1000];

/** Returns the number of price steps. The last one may be shorter than `rate`. */
export const countSteps = ({ startedAt, until, rate }: Clock): number =>
  Math.max(1, Math.ceil((Date.parse(until) - Date.parse(startedAt)) / rate));

/** Returns the index of the current step, from 0. */
export function stepAt(clock: Clock, now: number): number {
  const passed = Math.floor((now - Date.parse(clock.startedAt)) / clock.rate);
  return Math.min(countSteps(clock) - 1, Math.max(0, passed));
}

/**
 * Returns the price of a step: `from` in the first, exactly `growTo` in the last, linear in between. Half a cent is
 * rounded up.
 */
export function priceOf(clock: Clock, step: number): number {
  const { from, growTo } = clock;
  const last = countSteps(clock) - 1;
  return last === 0 ? from : from + Math.floor(((growTo - from) * step * 2 + last) / (last * 2));
}

export const priceAt = (clock: Clock, now: number): number => priceOf(clock, stepAt(clock, now));

/** Returns the start of a step; undefined if there is no such step. */
export const stepBegins = (clock: Clock, step: number): number | undefined =>
  step < countSteps(clock) ? Date.parse(clock.startedAt) + step * clock.rate : undefined;

/** Converts a duration `hh:mm:ss` or `d.hh:mm:ss` to milliseconds. */
export function parseDuration(text: string): number {
  const [seconds, minutes, hours, days = 0] = text.split(/[.:]/).map(Number).toReversed() as [
    number,
    number,
    number,
    number?,
  ];
  return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000;
}

/** Converts an amount of the API to stored cents. */
export const centsOf = (amount: number): number => Math.round(amount * 100);

/** Converts stored cents to an amount of the API. */
export const amountOf = (cents: number): number => cents / 100;

/** The price terms of the input. Amounts in cents; `until` in ISO 8601, UTC; `rate` in milliseconds. */
export interface PriceTerms {
  from?: number;
  growTo?: number;
  until?: string;
  rate?: number;
}

const grows = ({ from, growTo }: PriceTerms): boolean => from !== undefined && growTo !== undefined && growTo > from;

/**
 * Returns the schedule of a price that starts to grow at `startedAt`; undefined if the price is fixed or named by
 * carriers.
 */
export function startClock(terms: PriceTerms, startedAt: string): Clock | undefined {
  const { from, growTo, until, rate } = terms;
  if (!grows(terms) || until === undefined || rate === undefined) return undefined;
  return { startedAt, from: from!, growTo: growTo!, until, rate };
}

/**
 * Returns the validation errors of the price terms.
 * @param at the current time
 * @param loadingEnds end of the first loading, if it is known
 */
export function errorsInPrice(terms: PriceTerms, at: string, loadingEnds: number | undefined): ErrorItem[] {
  const { from, growTo, until, rate } = terms;
  const now = Date.parse(at);
  const faults: [boolean, keyof typeof fields, string, string][] = [
    [
      from === undefined && (growTo ?? until ?? rate) !== undefined,
      "from",
      "required",
      "It is required with growTo, until or updateRate",
    ],
    [
      from !== undefined && growTo !== undefined && growTo < from,
      "growTo",
      "grow_to_below_from",
      "It must not be below from",
    ],
    [until === undefined && grows(terms), "until", "required", "It is required when growTo is above from"],
    [
      rate === undefined && (until !== undefined || grows(terms)),
      "rate",
      "required",
      "It is required when growTo is above from or until is present",
    ],
    [rate !== undefined && rate < shortestRate, "rate", "too_small", "It must be at least one minute"],
    [rate !== undefined && rate > longestRate, "rate", "too_big", "It must be at most seven days"],
    [until !== undefined && Date.parse(until) <= now, "until", "in_the_past", "It must be in the future"],
    [
      until !== undefined && loadingEnds !== undefined && Date.parse(until) > loadingEnds,
      "until",
      "until_after_loading",
      "It must not be after the first loading",
    ],
    [
      hasTooManySteps(terms, at),
      "rate",
      "update_rate_too_small",
      `It results in more than ${maxSteps} price steps. Choose a longer interval`,
    ],
  ];
  return faults.flatMap(([isWrong, term, code, message]) =>
    isWrong ? [wrongField(["payment", fields[term]], code, `${fields[term]}: ${message}.`)] : [],
  );
}

const fields = { from: "from", growTo: "growTo", until: "until", rate: "updateRate" } as const;

function hasTooManySteps({ until, rate }: PriceTerms, startedAt: string): boolean {
  if (until === undefined || rate === undefined || rate < shortestRate) return false;
  return countSteps({ startedAt, until, rate, from: 0, growTo: 0 }) > maxSteps;
}
