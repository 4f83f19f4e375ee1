/** Rates of one day: how many units of the second currency one unit of the first is worth (`EUR/PLN` → 4.2512). */
export type DayRates = Readonly<Record<string, number>>;

export const leastRate = 1e-9;
export const mostRate = 1e9;
/** Whether amounts can be converted by a rate. */
export const isRate = (rate: number): boolean => rate >= leastRate && rate <= mostRate;

/** What one unit of a currency is worth in another: as published, by its inverse, or by way of a third currency. */
export function rateBetween(rates: DayRates, from: string, to: string): number | undefined {
  if (from === to) return 1;
  const direct = quoted(rates, from, to);
  if (direct !== undefined) return direct;
  for (const pivot of currenciesIn(rates)) {
    const [first, second] = [quoted(rates, from, pivot), quoted(rates, pivot, to)];
    if (first !== undefined && second !== undefined) return first * second;
  }
  return undefined;
}

function quoted(rates: DayRates, from: string, to: string): number | undefined {
  const [direct, inverse] = [rates[`${from}/${to}`], rates[`${to}/${from}`]];
  if (direct !== undefined && isRate(direct)) return direct;
  return inverse !== undefined && isRate(inverse) ? 1 / inverse : undefined;
}

export const currenciesIn = (rates: DayRates): string[] =>
  [...new Set(Object.keys(rates).flatMap((pair) => pair.split("/")))].sort();

/** An amount in another currency, rounded half away from zero to the decimals of that currency, two at most. */
export const converted = (amount: number, rate: number, currency: string): number =>
  Math.sign(amount) * rounded(Math.abs(amount) * rate, decimalsOf(currency));

/** A rate as it is shown: ten significant digits. */
export const shownRate = (rate: number): number => Number(rate.toPrecision(10));

/** Fifteen significant digits first: what a binary fraction is off by must not decide about half a cent. */
const rounded = (value: number, decimals: number): number =>
  Math.round(Number((value * 10 ** decimals).toPrecision(15))) / 10 ** decimals;

const decimalsOf = (currency: string): number =>
  Math.min(2, new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits!);
