import type { Env } from "../../kit/env.ts";
import { send } from "../../kit/egress/index.ts";
import { externalProblem } from "../../kit/external.ts";
import { log, logFault } from "../../kit/log.ts";
import { ratesInFile, type RatesByDay } from "./ecb.ts";
import { keepRates, mayRequest, newestDay } from "./store.ts";

/** The source that EXCHANGE_RATES_URL leads to. */
export const ecb = "ECB";

const minute = 60_000;
const hour = 60 * minute;
/** New rates are out by then, UTC. */
const publishedAfter = 15.5 * hour;
const limitMilliseconds = 10_000;
/** The file of 90 days has some 100 kB. */
const mostBytes = 2 * 1024 * 1024;
/** While new rates are late, the source is asked this often. */
const requestEvery = 15 * minute;

/** The last day of which there should be rates by now: no Saturday and no Sunday. */
export function expectedDay(now: number): string {
  const day = new Date(now - publishedAfter);
  const beyondFriday = Math.max(0, ((day.getUTCDay() + 6) % 7) - 4);
  return new Date(day.getTime() - beyondFriday * 24 * hour).toISOString().slice(0, 10);
}

/** Fetches what the source has published and keeps it. @throws Problem `external_…` when it cannot be had */
export async function fetchRates(env: Env, url: string): Promise<RatesByDay> {
  const { status, error, detail, answer, retryAfter } = await send({ url }, env, {
    limitMilliseconds,
    answerBytes: mostBytes,
  });
  const source = "ExchangeRates" as const;
  if (status !== 200) {
    const message = detail ?? `The source of exchange rates could not be read: ${error ?? status}.`;
    throw externalProblem({ source, status, error, message, retryAfter });
  }
  const days = ratesInFile(answer);
  if (days.size === 0)
    throw externalProblem({
      source,
      status,
      error: "unreadable_answer",
      message: "The source of exchange rates answered no rates.",
    });
  await keepRates(env.ARCHIVE, ecb, days);
  log({ what: "exchangeRates", days: days.size });
  return days;
}

/**
 * Fetches new rates when they should be out. Of all that call this at the same time one asks the source.
 * @throws Problem `external_…`
 */
async function refreshWhenDue(env: Env, now = Date.now()): Promise<void> {
  const { EXCHANGE_RATES_URL: url, ARCHIVE: archive } = env;
  if (!url || (await newestDay(archive, ecb)) >= expectedDay(now)) return;
  const [at, before] = [now, now - requestEvery].map((time) => new Date(time).toISOString());
  if (await mayRequest(archive, ecb, { now: at!, before: before! })) await fetchRates(env, url);
}

/** The same in the background: a source that fails is asked again later. */
export const refreshSoon = (env: Env, now?: number): Promise<void> =>
  refreshWhenDue(env, now).catch((error: unknown) => logFault("exchangeRates", error, {}));
