/** The rates of one day by currency pair. `EUR/PLN` → 4.2512 means that one euro is worth 4.2512 zloty. */
export type DayRates = Readonly<Record<string, number>>;

export const leastRate = 1e-9;
export const mostRate = 1e9;
export const isRate = (rate: number): boolean => rate >= leastRate && rate <= mostRate;

/**
 * Returns the value of one unit of a currency in another one: published, inverted, or through a third currency.
 * Undefined if none of these is possible.
 */
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

/** Converts an amount. The result is rounded half away from zero to the decimals of the currency, at most two. */
export const converted = (amount: number, rate: number, currency: string): number =>
  Math.sign(amount) * rounded(Math.abs(amount) * rate, decimalsOf(currency));

/** Rounds a rate to the ten significant digits that are shown. */
export const shownRate = (rate: number): number => Number(rate.toPrecision(10));

/**
 * Rounds first to 15 significant digits, so that half a cent is rounded up even if its binary representation is
 * slightly too small.
 */
const rounded = (value: number, decimals: number): number =>
  Math.round(Number((value * 10 ** decimals).toPrecision(15))) / 10 ** decimals;

const decimalsOf = (currency: string): number =>
  Math.min(2, new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits!);
