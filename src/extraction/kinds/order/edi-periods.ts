import { dayExists } from "../../entities/calendar.ts";

/** When something is to be done, as local wall time. */
export interface EdiPeriod {
  start?: string;
  end?: string;
}

const century = (digits: string) => `20${digits}`;

/**
 * A day of eight figures, with an hour of four or six behind it: "20261124", "202611240800". A day alone begins at midnight, one that
 * the calendar does not have is none.
 */
export function momentOf(digits: string): string | undefined {
  if (!/^\d{8}(?:\d{4}(?:\d{2})?)?$/.test(digits)) return undefined;
  const [year, month, date] = [digits.slice(0, 4), digits.slice(4, 6), digits.slice(6, 8)];
  const clock = digits.padEnd(12, "0");
  const [hour, minute] = [clock.slice(8, 10), clock.slice(10, 12)];
  const exists = dayExists({ year: Number(year), month: Number(month), day: Number(date) });
  return exists && Number(hour) < 24 && Number(minute) < 60
    ? `${year}-${month}-${date}T${hour}:${minute}:00`
    : undefined;
}

/** A date, a moment or a period of EDIFACT by the code of its format (2379). */
export function periodOf(value: string, format: string | undefined): EdiPeriod {
  const digits = value.replace(/[^\d-]/gu, "");
  if (format === "718" || format === "719") {
    const half = format === "718" ? 8 : 12;
    const bare = digits.replace("-", "");
    return period(momentOf(bare.slice(0, half)), momentOf(bare.slice(half)));
  }
  const short = format === "101" || format === "201";
  return period(momentOf(short ? century(digits) : digits), undefined);
}

function period(start: string | undefined, end: string | undefined): EdiPeriod {
  return { ...(start && { start }), ...(end && { end }) };
}
