import type { PublicFreight } from "../../areas/freights/views.ts";
import { lastSecondOf } from "../../domain/periods.ts";
import { instantOf, localTimeIn, zoneOf } from "../../domain/places/zones.ts";
import { formatPeriod, type LocalPeriod } from "../frame/format.ts";
import type { FreightLanguage } from "../../i18n/language.ts";

type Stop = PublicFreight["locations"][number];

/** Formats an amount as `€1,250` or `€1,033.33`: with cents only if they are not zero. */
export const moneyOf = (amount: number, currency: string, { locale }: FreightLanguage): string =>
  new Intl.NumberFormat(locale, {
    style: "currency",
    currency,
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
    trailingZeroDisplay: "stripIfInteger",
  }).format(amount);

/** Formats an amount as the value of a form field, for {@link parseAmount}. */
export const amountForField = (amount: number, { locale }: FreightLanguage): string =>
  new Intl.NumberFormat(locale, { useGrouping: false, maximumFractionDigits: 2 }).format(amount);

/**
 * Parses an amount as people write it: `1250`, `1.250,50`, `1 250.5`. The last separator is the decimal separator,
 * unless three digits follow it or it occurs more than once.
 * @returns NaN if the text is not an amount
 */
export function parseAmount(text: string): number {
  const bare = text.replace(/[\s'’]|\p{Sc}|[A-Za-z]{3}$/gu, "");
  const [, whole, cents] = /^([\d.,]*?)(?:[.,](\d{1,2}))?$/.exec(bare) ?? [];
  if (whole === undefined || !/^\d+$|^\d{1,3}(?:,\d{3})+$|^\d{1,3}(?:\.\d{3})+$/.test(whole)) return NaN;
  return Number(`${whole.replace(/[.,]/g, "")}.${cents ?? 0}`);
}

/** Formats a quantity, with a non-breaking space between number and unit. */
export function unitOf(amount: number, unit: "kilometer" | "meter", { locale }: FreightLanguage): string {
  const digits = unit === "meter" ? 2 : 0;
  const format = new Intl.NumberFormat(locale, { style: "unit", unit, maximumFractionDigits: digits });
  return format.format(amount).replaceAll(" ", "\u00a0");
}

export const numberOf = (amount: number, { locale }: FreightLanguage): string =>
  new Intl.NumberFormat(locale, { maximumFractionDigits: 3 }).format(amount);

/** Formats a temperature range; undefined if both ends are. */
export function temperatureOf(
  { min, max }: { min?: number | undefined; max?: number | undefined },
  { locale }: FreightLanguage,
): string | undefined {
  const format = new Intl.NumberFormat(locale, { style: "unit", unit: "celsius" });
  if (min !== undefined && max !== undefined && min < max) return format.formatRange(min, max);
  const one = min ?? max;
  return one === undefined ? undefined : format.format(one);
}

export function timeZoneAt({ address: { countryCode, postalCode, coordinates } }: Stop): string {
  return zoneOf({ countryCode, postalCode, ...coordinates }) ?? "UTC";
}

/** Formats the period of a stop in its local time. */
export function periodAt(stop: Stop, { locale }: FreightLanguage, how?: { year: boolean }): string | undefined {
  return formatPeriod(stretchOf(stop), { locale }, how);
}

/** Formats the first day of a stop. */
export function dayAt(stop: Stop, { locale }: FreightLanguage): string | undefined {
  return formatPeriod({ ...stretchOf(stop), endDate: undefined, isDays: true }, { locale }, { year: false });
}

function stretchOf(stop: Stop): LocalPeriod {
  const { startDate, endDate } = stop.period;
  const timeZone = timeZoneAt(stop);
  const isDays = [startDate, endDate].every((date) => date === undefined || date.length === 10);
  return {
    ...(startDate && { startDate: instantOf(startDate, timeZone) }),
    ...(endDate && { endDate: instantOf(isDays ? endDate : lastSecondOf(endDate), timeZone) }),
    timeZone,
    isDays,
  };
}

/** Formats a time as the value of a date field, in the local time of a stop; undefined for a time in the past. */
export const dateForField = (instant: string, stop: Stop): string | undefined =>
  Date.parse(instant) > Date.now() ? localTimeIn(instant, timeZoneAt(stop)).slice(0, 16) : undefined;

/** Formats a time in the local time of a stop. */
export const localTimeOf = (instant: string, stop: Stop, { locale }: FreightLanguage): string =>
  new Intl.DateTimeFormat(locale, {
    timeZone: timeZoneAt(stop),
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).format(new Date(instant));
