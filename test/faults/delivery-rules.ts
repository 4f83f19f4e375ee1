import type { DeliveryState } from "../../src/platform/aggregates.ts";
import { isTaken, type Arrived } from "./platform/receivers.ts";

/** An event that the webhook's object has acknowledged. */
export interface Accepted {
  id: string;
  key: string;
  version: number;
}

/** The observable result of a run. */
export interface DeliveryRun {
  accepted: readonly Accepted[];
  /** All deliveries that reached the receiver, in order of arrival. */
  arrived: readonly Arrived[];
  /** The state of each event in the delivery log. */
  states: ReadonlyMap<string, DeliveryState>;
  /** Whether the webhook is disabled or deleted, so that events may remain undelivered. */
  isOver?: boolean;
  /** Whether events may remain undelivered after their last attempt. */
  mayExhaust?: boolean;
  mails?: readonly { to: string; subject: string }[];
}

/** Compares accepted events with received deliveries. @returns one sentence for each violation */
export function findViolations(seen: DeliveryRun): string[] {
  return [...unaccounted(seen), ...strangers(seen), ...unordered(seen)];
}

function unaccounted({ accepted, arrived, states, isOver = false, mayExhaust = false }: DeliveryRun): string[] {
  const heard = new Set(arrived.filter(({ answer }) => isTaken(answer)).map(({ id }) => id));
  const tries = Map.groupBy(arrived, ({ id }) => id);
  return accepted.flatMap(({ id, key, version }) => {
    const state = states.get(id);
    const said = `${key} ${version} is ${state ?? "forgotten"}`;
    if (state === "Delivered") return heard.has(id) ? [] : [`${said} and nobody heard it`];
    if (state === "Exhausted" && mayExhaust) {
      const tried = tries.get(id)?.length ?? 0;
      return tried < 10 ? [`${said} after ${tried} attempts`] : [];
    }
    if (isOver && (state === "Held" || state === "Pending" || state === "Dropped")) return [];
    return [said];
  });
}

function strangers({ accepted, arrived }: DeliveryRun): string[] {
  const known = new Set(accepted.map(({ id }) => id));
  return [...new Set(arrived.map(({ id }) => id))]
    .filter((id) => !known.has(id))
    .map((id) => `${id} was never accepted`);
}

/** Checks that a receiver that deduplicates by id gets every version of a key once, and never after a later version. */
function unordered({ arrived }: DeliveryRun): string[] {
  const heard = new Map<string, { ids: Set<string>; last: number }>();
  return arrived.flatMap(({ id, key, version, answer }) => {
    const of = heard.get(key) ?? { ids: new Set(), last: 0 };
    heard.set(key, of);
    if (of.ids.has(id) || !isTaken(answer)) return [];
    const isLate = version <= of.last;
    of.ids.add(id);
    of.last = Math.max(of.last, version);
    return isLate ? [`${key} ${version} came after ${of.last}`] : [];
  });
}

/** Computes the expected number of consecutive failures from the attempts. */
export function failuresInARow(attempts: readonly { isGood: boolean; epoch: number }[], epoch: number): number {
  const own = attempts.filter((one) => one.epoch === epoch);
  return own.length - 1 - own.findLastIndex(({ isGood }) => isGood);
}

/** Lists the mails that one address got more than once. */
export const mailedTwice = (mails: readonly { to: string; subject: string }[]): string[] =>
  [...Map.groupBy(mails, ({ to, subject }) => `${to}: ${subject}`)]
    .filter(([, all]) => all.length > 1)
    .map(([mail]) => mail);
