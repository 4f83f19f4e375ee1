import { instantOf, localTimeIn, zoneOf } from "../../domain/places/zones.ts";

/** The fields of a fine that are deadlines. */
export const deadlineKinds = ["discountUntil", "appealUntil", "driverStatementUntil", "dueDate"] as const;
export type DeadlineKind = (typeof deadlineKinds)[number];

/** Reminders are sent this many days before a deadline. */
export const reminders = [7, 3, 1] as const;

const dayMilliseconds = 24 * 60 * 60 * 1000;

/** The deadlines of a fine, and the country whose time zone they refer to. */
export type Dated = Partial<Record<DeadlineKind, string>> & { countryCode?: string | undefined };

/** For each deadline, the last reminder that was sent: its number of days before the deadline. */
export type SentReminders = Partial<Record<DeadlineKind, number>>;

/** A reminder that is sent `days` days before a deadline. `due`: when it is due, in milliseconds since 1970. */
export interface Reminder {
  deadline: DeadlineKind;
  date: string;
  days: number;
  due: number;
}

/**
 * Finds the next reminder of each deadline. If several reminders of a deadline are due, only the last one is returned.
 * A deadline that has passed gets no reminder.
 * @param at ISO 8601, UTC
 */
export function nextReminders(fine: Dated, told: SentReminders, at: string): Reminder[] {
  const now = Date.parse(at);
  return deadlineKinds.flatMap((deadline) => {
    const date = fine[deadline];
    if (date === undefined || !isDay(date) || dueAt(date, -1, fine) <= now) return [];
    const left = reminders.filter((days) => days < (told[deadline] ?? Infinity));
    const all = left.map((days) => ({ deadline, date, days, due: dueAt(date, days, fine) }));
    return all.findLast(({ due }) => due <= now) ?? all[0] ?? [];
  });
}

/** Finds the deadlines that have passed. @param now milliseconds since 1970 */
export const deadlinesOver = (fine: Dated, now: number): { deadline: DeadlineKind; date: string }[] =>
  deadlineKinds.flatMap((deadline) => {
    const date = fine[deadline];
    return date !== undefined && isDay(date) && dueAt(date, -1, fine) <= now ? [{ deadline, date }] : [];
  });

/** Whether the text is a valid date: `2026-11-24`. */
const isDay = (date: string): boolean => /^\d{4}-\d\d-\d\d$/.test(date) && !Number.isNaN(Date.parse(date));

/** Returns the number of days from today until a date, in the time zone of the country. */
export function daysLeft(date: string, { countryCode }: Dated, at: string): number {
  const today = localTimeIn(at, zoneAt(countryCode)).slice(0, 10);
  return Math.round((Date.parse(date) - Date.parse(today)) / dayMilliseconds);
}

/** In milliseconds since 1970: the start of the day that is `days` before the date. */
function dueAt(date: string, days: number, { countryCode }: Dated): number {
  const day = new Date(Date.parse(date) - days * dayMilliseconds).toISOString().slice(0, 10);
  return Date.parse(instantOf(day, zoneAt(countryCode)));
}

const zoneAt = (countryCode: string | undefined) => zoneOf({ countryCode }) ?? "UTC";
