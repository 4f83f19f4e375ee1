import type { Language } from "../../i18n/language.ts";

type Spoken = Pick<Language<unknown>, "locale">;

/** A period at a place. Both ends are ISO 8601: times with an offset, or dates, which are taken as UTC. */
export interface LocalPeriod {
  startDate?: string | undefined;
  endDate?: string | undefined;
  /** IANA time zone of the place. If it is unknown, times are shown in UTC and marked as such. */
  timeZone?: string | undefined;
  isDays?: boolean;
}

/** Formats a period in local time: `Tue, 24 Nov 2026, 08:00–12:00`. */
export function formatPeriod(
  { startDate, endDate, timeZone, isDays }: LocalPeriod,
  { locale }: Spoken,
  { year = true } = {},
): string | undefined {
  const start = startDate ?? endDate;
  if (start === undefined) return undefined;
  const zone = timeZone ? { timeZone } : ({ timeZone: "UTC", timeZoneName: "short" } as const);
  const [from, to] = [new Date(start), new Date(endDate ?? start)];
  const isWholeDay = isDays || (isMidnight(from, zone.timeZone) && from.getTime() === to.getTime());
  const format = clockOf(locale, {
    weekday: "short",
    day: "numeric",
    month: "short",
    ...(year && ({ year: "numeric" } as const)),
    ...(!isWholeDay && ({ hour: "2-digit", minute: "2-digit", hourCycle: "h23", ...zone } as const)),
    timeZone: zone.timeZone,
  });
  return from < to ? format.formatRange(from, to) : format.format(from);
}

/** A stop without a time of day has midnight as its time. */
function isMidnight(date: Date, timeZone: string): boolean {
  const clock = clockOf("en", { timeZone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  return clock.format(date) === "00:00";
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/** Cached, because creating a date format takes longer than rendering the rest of a page. */
function clockOf(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([locale, options]);
  const clock = clocks.get(key) ?? new Intl.DateTimeFormat(locale, options);
  if (clocks.size > 1000) clocks.clear();
  clocks.set(key, clock);
  return clock;
}

interface Town {
  countryCode?: string | undefined;
  postalCode?: string | undefined;
  city?: string | undefined;
}

/** Formats a town: `DE 04158 Leipzig`. */
export const townOf = ({ countryCode, postalCode, city }: Town) =>
  [countryCode, postalCode, city].filter(Boolean).join(" ");

/** Returns the towns of the first loading and the last unloading, or the names of stops without a town. */
export function routeEnds(stops: readonly { type: string; city?: string | undefined; name?: string }[]): string[] {
  const [first, last] = [
    stops.find(({ type }) => type === "Loading"),
    stops.findLast(({ type }) => type === "Unloading"),
  ];
  return [first, last].map((stop) => stop?.city ?? stop?.name ?? "").filter(Boolean);
}

export const listOf = (items: string[], { locale }: Spoken) =>
  new Intl.ListFormat(locale, { type: "conjunction" }).format(items);

const names = new Map<string, string>();

/** Returns the name of a language in that language. */
export function nameOfLanguage(code: string): string {
  const cached = names.get(code);
  if (cached !== undefined) return cached;
  const displayName = new Intl.DisplayNames([code], { type: "language" }).of(code) ?? code;
  const name = displayName.charAt(0).toLocaleUpperCase(code) + displayName.slice(1);
  names.set(code, name);
  return name;
}
