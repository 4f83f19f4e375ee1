import type { DeliveryState } from "../../src/platform/aggregates.ts";
import { isTaken, type Arrived } from "./platform/receivers.ts";

/** An event whose sender was told that it is there. */
export interface Accepted {
  id: string;
  key: string;
  version: number;
}

/** What a run came to, as seen from outside. */
export interface DeliveryRun {
  accepted: readonly Accepted[];
  /** All that reached the receiver, in its order. */
  arrived: readonly Arrived[];
  /** What the log says of each event. */
  states: ReadonlyMap<string, DeliveryState>;
  /** A webhook that is disabled or deleted keeps or drops what it has. */
  isOver?: boolean;
  /** Events given up are expected. */
  mayExhaust?: boolean;
  mails?: readonly { to: string; subject: string }[];
}

/** Holds what went in against what the receiver got. @returns a sentence for each thing that is wrong */
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

/** Of each thing a receiver that knows ids hears every version once, and none after a later one. */
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

/** Failures in a row that are to be counted, told from attempts alone. */
export function failuresInARow(attempts: readonly { isGood: boolean; epoch: number }[], epoch: number): number {
  const own = attempts.filter((one) => one.epoch === epoch);
  return own.length - 1 - own.findLastIndex(({ isGood }) => isGood);
}

/** Mails that somebody got more than once. */
export const mailedTwice = (mails: readonly { to: string; subject: string }[]): string[] =>
  [...Map.groupBy(mails, ({ to, subject }) => `${to}: ${subject}`)]
    .filter(([, all]) => all.length > 1)
    .map(([mail]) => mail);
