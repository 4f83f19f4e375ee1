// Decides when a failed delivery is retried. Pure functions.

/** Delay after each failed attempt, in seconds. The ten attempts take about three days. */
const schedule = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];
/** Delays vary randomly by up to this share, so that a receiver does not get all retries at the same moment. */
const jitter = 0.2;
const hour = 3_600_000;
/** Minimum delay after a timeout or status 429, in milliseconds. */
const breath = 60_000;

export interface Failure {
  status?: number;
  timedOut?: boolean;
  /** Milliseconds. */
  retryAfter?: number;
}

export const attemptsInAll = schedule.length + 1;

/**
 * Returns the delay in milliseconds before the next attempt; undefined if no attempt is left. `Retry-After` can only
 * lengthen the delay: at most to twice its length or to one hour, whichever is longer.
 * @param attempts number of attempts before the failed one
 * @param random 0..1
 */
export function waitAfter(attempts: number, failure: Failure, random: number): number | undefined {
  const seconds = schedule[attempts];
  if (seconds === undefined) return undefined;
  const base = seconds * 1000;
  const wish = Math.min(failure.retryAfter ?? 0, Math.max(2 * base, hour));
  const least = failure.status === 429 || failure.timedOut ? breath : 0;
  return Math.round(Math.max(base * (1 - jitter + 2 * jitter * random), wish > base ? wish : 0, least));
}

/** Parses `Retry-After`, a number of seconds or a date. @returns milliseconds from now; undefined for other values */
export function retryAfterIn(header: string | undefined | null, now: number): number | undefined {
  const text = header?.trim() ?? "";
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const at = /[a-z]{3}/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
