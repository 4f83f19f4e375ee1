import type { DeliveryHealth } from "../../platform/aggregates.ts";

/** Decides when a webhook counts as failing, is paused, or is disabled. Pure functions. */

/** Limits that the operator may set. */
export interface Limits {
  /**
   * A webhook is disabled after this many failures in a row, if the first is at least `failuresForMilliseconds` old.
   */
  failures: number;
  failuresForMilliseconds: number;
}

const usual = { failures: 20, seconds: 24 * 60 * 60 };

/** Reads the limits from the operator's settings. Invalid settings are replaced by defaults. */
export const limitsFrom = (set: { FAILURE_LIMIT?: string; FAILURE_MIN_AGE_S?: string }): Limits => ({
  failures: atLeast(1, set.FAILURE_LIMIT) ?? usual.failures,
  failuresForMilliseconds: (atLeast(0, set.FAILURE_MIN_AGE_S) ?? usual.seconds) * 1000,
});

const atLeast = (least: number, text: string | undefined) =>
  text !== undefined && Number(text) >= least ? Number(text) : undefined;

/** A failed last attempt of a delivery disables the webhook if deliveries have been failing for this time. */
const exhaustedAfterMilliseconds = 72 * 60 * 60 * 1000;
/** A webhook counts as failing after this many failures in a row, or when the first of them is this old. */
const failing = { failures: 3, milliseconds: 10 * 60 * 1000 };
const breaking = { failures: 5, successes: 5 };
const minute = 60_000;
const probes = [0.5, 1, 2, 4, 8, 10].map((minutes) => minutes * minute);

/**
 * Circuit breaker. While it is open, no delivery is sent before `until`; after that, one delivery is sent as a probe.
 * While it is half open, deliveries are sent one at a time, without a pause.
 */
export type Breaker =
  | { is: "Closed" }
  | { is: "Open"; until: number; probes: number }
  | { is: "HalfOpen"; successes: number };

/** Health of a webhook. Times are milliseconds since 1970. */
export interface Health {
  /** Incremented by each reset and change of the receiver. Attempts that began in an earlier epoch do not count. */
  epoch: number;
  disabled?: "Failures" | "Gone";
  /** Number of consecutive failed attempts. Only scheduled attempts count. */
  failures: number;
  failingSince?: number;
  breaker: Breaker;
  /** Mails that were sent about the current series of failures. */
  told: Transition[];
  /** Whether a mail about failures was sent, but no mail about the recovery yet. A reset does not change this. */
  worried?: true;
  /** The latest time of an attempt or reset. It is used instead of the system clock if that clock is set back. */
  clock: number;
}

/** Changes that are notified by mail, each once per series of failures. */
export type Transition = "Failing" | "HalfWay" | "Disabled" | "Recovered";

/** The result of an attempt. */
export interface Ended {
  epoch: number;
  /** Only scheduled attempts change the health; manual ones and tests do not. */
  kind: "Scheduled" | "Manual" | "Test";
  /**
   * `Refused`: the service did not send the request. `Unknown`: the attempt was interrupted. Neither counts as a
   * failure of the receiver.
   */
  outcome: "Delivered" | "Failed" | "Refused" | "Unknown";
  status?: number;
  /** Milliseconds. */
  retryAfter?: number;
  exhausted?: boolean;
}

export const healthy = (epoch: number, clock: number): Health => ({
  epoch,
  failures: 0,
  breaker: { is: "Closed" },
  told: [],
  clock,
});

export function statusOf({ disabled, failures, failingSince, clock }: Health): "Active" | "Failing" | "Disabled" {
  if (disabled) return "Disabled";
  const long = failingSince !== undefined && clock - failingSince >= failing.milliseconds;
  return failures >= failing.failures || long ? "Failing" : "Active";
}

/** Returns the status of a webhook, and why it is disabled. A webhook of a blocked account is shown as disabled. */
export function shownAs(
  health: Health | undefined,
  isPaused: boolean,
): Pick<DeliveryHealth, "status" | "disabledBecause"> {
  const disabledBecause = health?.disabled ?? (isPaused ? "AccountBlocked" : undefined);
  if (disabledBecause) return { status: "Disabled", disabledBecause };
  return { status: health ? statusOf(health) : "Active" };
}

/** Returns the number of deliveries that may be sent concurrently now, at most `most`. */
export function mayBeSent({ disabled, breaker }: Health, now: number, most: number): number {
  if (disabled) return 0;
  if (breaker.is === "Closed") return most;
  return breaker.is === "HalfOpen" || breaker.until <= now ? 1 : 0;
}

/**
 * Computes the health after an attempt, and the changes to notify by mail.
 * @param random 0..1; varies the time of probes, so that several webhooks do not probe a receiver at the same moment
 */
export function after(
  health: Health,
  ended: Ended,
  at: number,
  limits: Limits,
  random: number,
): { health: Health; tell: Transition[] } {
  const now = Math.max(at, health.clock);
  const counts = ended.epoch === health.epoch && ended.kind === "Scheduled";
  if (!counts || ended.outcome === "Refused" || ended.outcome === "Unknown")
    return { health: { ...health, clock: now }, tell: [] };
  return ended.outcome === "Delivered" ? succeeded(health, now) : failed(health, ended, now, limits, random);
}

function succeeded(health: Health, now: number): { health: Health; tell: Transition[] } {
  const { failingSince: _, worried, ...rest } = health;
  const tell: Transition[] = worried && !health.disabled ? ["Recovered"] : [];
  const told = health.disabled ? health.told : [];
  const still = worried && health.disabled && { worried };
  return { health: { ...rest, failures: 0, breaker: closing(health.breaker), told, ...still, clock: now }, tell };
}

function closing(breaker: Breaker): Breaker {
  if (breaker.is === "Closed") return breaker;
  const successes = breaker.is === "HalfOpen" ? breaker.successes + 1 : 1;
  return successes >= breaking.successes ? { is: "Closed" } : { is: "HalfOpen", successes };
}

function failed(
  health: Health,
  ended: Ended,
  now: number,
  limits: Limits,
  random: number,
): { health: Health; tell: Transition[] } {
  const failures = health.failures + 1;
  const failingSince = health.failingSince ?? now;
  const disabled = health.disabled ?? givenUp(ended, failures, now - failingSince, limits);
  const breaker = opening(health.breaker, failures, ended, now, random);
  const next: Health = { ...health, failures, failingSince, breaker, clock: now, ...(disabled && { disabled }) };
  const tell = due(next, limits).filter((transition) => !health.told.includes(transition));
  const worried = (health.worried ?? tell.length > 0) && { worried: true as const };
  return { health: { ...next, told: [...health.told, ...tell], ...worried }, tell };
}

function givenUp(ended: Ended, failures: number, age: number, limits: Limits): Health["disabled"] {
  if (ended.status === 410) return "Gone";
  const long = failures >= limits.failures && age >= limits.failuresForMilliseconds;
  const spent = ended.exhausted === true && age >= exhaustedAfterMilliseconds;
  return long || spent ? "Failures" : undefined;
}

function opening(breaker: Breaker, failures: number, ended: Ended, now: number, random: number): Breaker {
  if (breaker.is === "Closed" && failures < breaking.failures) return breaker;
  // An attempt that was already running when the breaker opened is not a probe.
  if (breaker.is === "Open" && breaker.until > now) return breaker;
  const tries = breaker.is === "Open" ? breaker.probes + 1 : 0;
  const pause = probes[Math.min(tries, probes.length - 1)]! * (0.8 + 0.4 * random);
  const wish = Math.min(ended.retryAfter ?? 0, probes.at(-1)!);
  return { is: "Open", until: now + Math.round(Math.max(pause, wish)), probes: tries };
}

/** All mails that the current series of failures requires so far, whether they were sent or not. */
function due(health: Health, limits: Limits): Transition[] {
  if (health.disabled) return ["Disabled"];
  const age = health.clock - (health.failingSince ?? health.clock);
  const halfWay = health.failures * 2 >= limits.failures && age * 2 >= limits.failuresForMilliseconds;
  return [
    ...(statusOf(health) === "Failing" && age >= failing.milliseconds ? (["Failing"] as const) : []),
    ...(halfWay && limits.failures > 2 ? (["HalfWay"] as const) : []),
  ];
}

/** Computes the health after a reset. Attempts that are still running no longer count. */
export const resetTo = (epoch: number, { worried, clock }: Health, at: number): Health => ({
  ...healthy(epoch, Math.max(at, clock)),
  ...(worried && { worried }),
});
