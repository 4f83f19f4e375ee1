const TOKENS = /'[^']*'|yyyy|yy|MMMM|MMM|MM|M|EEEE|EE|(?<!\p{L})d{1,2}(?!\p{L})/gu;

/** Formats an ISO day. The pattern may contain `yyyy yy MMMM MMM MM M dd d EEEE EE`; text in single quotes is kept. */
export function dateIn(pattern: string, day: string, locale: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  const [year = "", month = "", number = ""] = day.split("-");
  const values: Record<string, () => string> = {
    yyyy: () => year,
    yy: () => year.slice(2),
    MMMM: () => named(date, locale, { day: "numeric", month: "long" }, "month"),
    MMM: () => named(date, locale, { day: "numeric", month: "short" }, "month"),
    MM: () => month,
    M: () => String(Number(month)),
    dd: () => number,
    d: () => String(Number(number)),
    EEEE: () => named(date, locale, { weekday: "long" }, "weekday"),
    EE: () => named(date, locale, { weekday: "short" }, "weekday"),
  };
  return pattern.replaceAll(TOKENS, (token) => values[token]?.() ?? token.slice(1, -1));
}

/** Formats minutes after midnight as one of `HH:mm H:mm HH.mm HHhmm Hh HHmm "h:mm a"`. */
export function clock(pattern: string, minutes: number): string {
  const hour = Math.floor(minutes / 60);
  const two = (value: number): string => String(value).padStart(2, "0");
  const rest = minutes % 60;
  if (pattern === "h:mm a") return `${hour % 12 || 12}:${two(rest)} ${hour < 12 ? "AM" : "PM"}`;
  if (pattern === "Hh") return `${hour}h${rest === 0 ? "" : two(rest)}`;
  return pattern.replace("HH", two(hour)).replace("H", String(hour)).replace("mm", two(rest));
}

function named(date: Date, locale: string, options: Intl.DateTimeFormatOptions, part: string): string {
  const parts = new Intl.DateTimeFormat(locale, { ...options, timeZone: "UTC" }).formatToParts(date);
  return parts.find(({ type }) => type === part)?.value ?? "";
}
