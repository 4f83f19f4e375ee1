import type { Env } from "../../platform/env.ts";
import { externalReasons } from "../../platform/external.ts";
import { operationsOn } from "../../http/operation.ts";
import { invalid, itemsOf, Problem, wrongField } from "../../platform/problem.ts";
import { ratesInFile, type RatesByDay } from "./ecb.ts";
import { converted, currenciesIn, rateBetween, shownRate, type DayRates } from "./rates.ts";
import { ecb, expectedDay, fetchNeeded, fetchRates, refreshSoon } from "./refresh.ts";
import {
  ConversionQuery,
  ConversionView,
  lastDay,
  LoadedRates,
  RatesInput,
  RatesQuery,
  RatesView,
  Source,
} from "./model.ts";
import { keepRates, ratesBetween, type Published } from "./store.ts";

const { get, put } = operationsOn({ binding: "COMPANIES", scope: "finance" });

const dayMilliseconds = 24 * 60 * 60 * 1000;
const mostDays = 31;
/** The European Central Bank provides the rates of this many past days. */
const fetchableDays = 90;

const day = "2026-11-20";

export const operations = {
  list: get("/api/v1/exchange-rates", {
    summary: "Read exchange rates",
    description:
      "Reference rates, the same for all companies. Rates of the European Central Bank are fetched if the deployment has `EXCHANGE_RATES_URL`; the operator can load these and others. Returns 404 if there are none for that day or the 31 days before.",
    query: RatesQuery,
    ok: RatesView,
    refuses: ["not_found", ...externalReasons],
    example: {
      query: { date: day, currencies: "PLN,CZK" },
      reply: { base: "EUR", date: day, source: ecb, rates: [{ currency: "PLN", rate: 4.2512 }] },
    },
    async handle({ query: { base, currencies, ...selection } }, { env }) {
      const { rates, ...published } = await findRates(env, selection, `of ${base}`, (each) =>
        currenciesIn(each).includes(base),
      );
      const wanted = currencies?.length
        ? [...new Set(currencies)]
        : currenciesIn(rates).filter((each) => each !== base);
      return {
        base,
        ...published,
        rates: wanted.flatMap((currency) => {
          const rate = rateBetween(rates, base, currency);
          return rate === undefined ? [] : [{ currency, rate: shownRate(rate) }];
        }),
      };
    },
  }),

  convert: get("/api/v1/exchange-rates/convert", {
    summary: "Convert an amount",
    description:
      "Uses the rates of one day and source. If the source has no rate for the pair, a third currency is used.",
    query: ConversionQuery,
    ok: ConversionView,
    refuses: ["not_found", ...externalReasons],
    example: {
      query: { amount: "780", from: "EUR", to: "PLN", date: day },
      reply: { amount: 780, from: "EUR", to: "PLN", convertedAmount: 3315.94, rate: 4.2512, date: day, source: ecb },
    },
    async handle({ query: { amount, from, to, ...selection } }, { env }) {
      const { rates, ...published } = await findRates(
        env,
        selection,
        `between ${from} and ${to}`,
        (each) => rateBetween(each, from, to) !== undefined,
      );
      const rate = rateBetween(rates, from, to)!;
      return {
        amount,
        from,
        to,
        convertedAmount: converted(amount, rate, to),
        rate: shownRate(rate),
        ...published,
      };
    },
  }),

  load: put("/api/v1/exchange-rates/:source", {
    summary: "Load exchange rates",
    description:
      "For the operator of the deployment only, with OPERATOR_KEY as bearer token. Rates from `rates` or from a `document` of the European Central Bank apply to all companies and replace rates of the same source, day and pair. Without a body, the rates of `ECB` are fetched from `EXCHANGE_RATES_URL`.",
    access: "operator",
    body: RatesInput,
    optionalBody: true,
    ok: LoadedRates,
    refuses: [...externalReasons],
    example: {
      params: { source: ecb },
      body: { rates: [{ date: day, base: "EUR", currency: "PLN", rate: 4.2512 }] },
      reply: { source: ecb, days: 1, rates: 1, from: day, to: day },
    },
    async handle({ params, body: { rates, document } }, { env }) {
      const source = sourceIn(params.source);
      if (!rates && document === undefined) return loaded(source, await fetchRates(env, addressFor(source, env)));
      const days = rates ? byDay(rates) : ratesInFile(document!);
      if (days.size === 0)
        throw invalid([
          wrongField(["document"], "invalid", "document contains no rates of the European Central Bank."),
        ]);
      const late = [...days.keys()].sort().findLast((each) => each > lastDay());
      if (late)
        throw invalid([
          wrongField(["document"], "invalid", `document contains rates of ${late}, which is later than tomorrow.`),
        ]);
      await keepRates(env.ARCHIVE, source, days);
      return loaded(source, days);
    },
  }),
};

/** @throws Problem `validation_failed` */
function sourceIn(text: string): string {
  const source = Source.safeParse(text, { reportInput: true });
  if (!source.success) throw invalid(itemsOf(source.error, ["source"]));
  return source.data;
}

/** @throws Problem `validation_failed` if no URL is configured from which rates of the source can be fetched */
function addressFor(source: string, { EXCHANGE_RATES_URL: url }: Env): string {
  if (url && source === ecb) return url;
  const message = `rates or document is required, because this deployment has no URL from which rates of ${source} can be fetched.`;
  throw invalid([wrongField(["rates"], "required", message)]);
}

function byDay(rates: NonNullable<RatesInput["rates"]>): RatesByDay {
  const days = new Map<string, Record<string, number>>();
  for (const { date, base, currency, rate } of rates)
    days.set(date, Object.assign(days.get(date) ?? {}, { [`${base}/${currency}`]: rate }));
  return days;
}

function loaded(source: string, days: RatesByDay) {
  const dates = [...days.keys()].sort();
  const rates = [...days.values()].reduce((sum, each) => sum + Object.keys(each).length, 0);
  return { source, days: days.size, rates, from: dates[0]!, to: dates.at(-1)! };
}

/**
 * Finds the newest rates that satisfy the request. If the source should have newer rates than the stored ones, they are
 * fetched first. A failure of the source is reported only if no rates of the period are stored.
 * @param wanted the requested rates, as text for the error message
 * @throws Problem `not_found`, `external_…`
 */
async function findRates(
  env: Env,
  { date, source }: { date?: string | undefined; source?: string | undefined },
  wanted: string,
  answers: (rates: DayRates) => boolean,
): Promise<Published> {
  const now = Date.now();
  const to = date ?? new Date(now).toISOString().slice(0, 10);
  const from = daysBefore(to, mostDays);
  const readRates = () => ratesBetween(env.ARCHIVE, { from, to, source });
  const expected = expectedDay(now);
  const mayBeFetched = (source ?? ecb) === ecb && to >= daysBefore(expected, fetchableDays) && from <= expected;
  let published = await readRates();
  const isLate = !published.some((each) => each.date >= (to < expected ? to : expected));
  if (isLate && mayBeFetched && env.EXCHANGE_RATES_URL) {
    if (published.length === 0) await fetchNeeded(env, env.EXCHANGE_RATES_URL, now);
    else await refreshSoon(env, now);
    published = await readRates();
  }
  const rates = published.find((each) => answers(each.rates));
  if (!rates)
    throw new Problem(
      "not_found",
      `There are no exchange rates ${wanted} for ${to} or the ${mostDays} days before it.`,
    );
  return rates;
}

const daysBefore = (date: string, days: number) =>
  new Date(Date.parse(date) - days * dayMilliseconds).toISOString().slice(0, 10);
