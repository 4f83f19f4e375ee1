import type { Env } from "../../platform/env.ts";
import { send } from "../../platform/egress/index.ts";
import { externalProblem, type ExternalFailure } from "../../platform/external.ts";
import { log, logFault } from "../../platform/log.ts";
import { ratesInFile, type RatesByDay } from "./ecb.ts";
import { keepRates, lastFailure, mayRequest, newestDay, noteRequest } from "./store.ts";

/** The source whose rates are fetched from EXCHANGE_RATES_URL. */
export const ecb = "ECB";

const minute = 60_000;
const hour = 60 * minute;
/** 15:30 UTC: the rates of a day should have been published by then. */
const publishedAfter = 15.5 * hour;
const limitMilliseconds = 10_000;
const pollMilliseconds = 250;
/** The file of 90 days has about 100 kB. */
const mostBytes = 2 * 1024 * 1024;
const minimumIntervalWhileOverdue = 15 * minute;
const minimumIntervalWhileNoneStored = minute;

/** Returns the last day for which rates should have been published by now: never a Saturday or Sunday. */
export function expectedDay(now: number): string {
  const day = new Date(now - publishedAfter);
  const beyondFriday = Math.max(0, ((day.getUTCDay() + 6) % 7) - 4);
  return new Date(day.getTime() - beyondFriday * 24 * hour).toISOString().slice(0, 10);
}

/**
 * Fetches and stores the rates of the source.
 * @throws Problem `external_…` if the source fails
 */
export async function fetchRates(env: Env, url: string): Promise<RatesByDay> {
  const { status, error, detail, answer, retryAfter } = await send({ url }, env, {
    limitMilliseconds,
    answerBytes: mostBytes,
  });
  const failed = async (message: string, why: string | undefined) => {
    const failure: ExternalFailure = { source: "ExchangeRates", status, error: why, message, retryAfter };
    await noteRequest(env.ARCHIVE, ecb, failure);
    return externalProblem(failure);
  };
  if (status !== 200)
    throw await failed(detail ?? `The source of exchange rates could not be read: ${error ?? status}.`, error);
  const days = ratesInFile(answer);
  if (days.size === 0) throw await failed("The source of exchange rates returned no rates.", "unreadable_answer");
  await keepRates(env.ARCHIVE, ecb, days);
  await noteRequest(env.ARCHIVE, ecb, undefined);
  log({ what: "exchangeRates", days: days.size });
  return days;
}

/**
 * Fetches rates that a request needs, at most once per minute for all callers. Callers in between wait for the result
 * of the last request.
 * @throws Problem `external_…`
 */
export async function fetchNeeded(env: Env, url: string, now = Date.now()): Promise<void> {
  const [at, before] = [now, now - minimumIntervalWhileNoneStored].map((time) => new Date(time).toISOString());
  if (await mayRequest(env.ARCHIVE, ecb, { now: at!, before: before! })) {
    await fetchRates(env, url);
    return;
  }
  const failure = await failureOfOther(env);
  if (failure) throw externalProblem(failure);
}

/** @returns why the request of another caller failed; undefined if it succeeded */
async function failureOfOther({ ARCHIVE: archive }: Env): Promise<ExternalFailure | undefined> {
  for (const until = Date.now() + limitMilliseconds; Date.now() < until; await scheduler.wait(pollMilliseconds)) {
    const failure = await lastFailure(archive, ecb);
    if (failure !== "Pending") return failure;
  }
  return { source: "ExchangeRates", error: "timeout", message: "The source of exchange rates has not responded yet." };
}

/**
 * Fetches new rates if they should have been published by now. Concurrent callers send only one request.
 * @throws Problem `external_…`
 */
async function refreshWhenDue(env: Env, now = Date.now()): Promise<void> {
  const { EXCHANGE_RATES_URL: url, ARCHIVE: archive } = env;
  if (!url || (await newestDay(archive, ecb)) >= expectedDay(now)) return;
  const [at, before] = [now, now - minimumIntervalWhileOverdue].map((time) => new Date(time).toISOString());
  if (await mayRequest(archive, ecb, { now: at!, before: before! })) await fetchRates(env, url);
}

/** Fetches new rates in the background. A failure is logged, and a later call tries again. */
export const refreshSoon = (env: Env, now?: number): Promise<void> =>
  refreshWhenDue(env, now).catch((error: unknown) => logFault("exchangeRates", error, {}));
