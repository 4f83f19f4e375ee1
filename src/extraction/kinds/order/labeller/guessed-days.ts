import { dayExists, daysBetween, isoDay, resolveRelativeDate, type Day } from "../../../entities/calendar.ts";
import type { DocumentLocale, Entity } from "../../../entities/entity.ts";
import { fold, foldText } from "../../../lexicon/fold.ts";
import { rankedLanguages } from "../../../lexicon/languages.ts";

/** A day that the text may mean, although it is too short to be recognised as a date. */
export interface GuessedDay {
  start: number;
  end: number;
  day: string;
}

const dayAndMonth = /(?<![\d./-])(\d{1,2})([./-])(\d{1,2})(?!\d|[./-]\d|[.,]\d|\s?%)/gu;
const word = /\p{L}[\p{L}\p{M}]*(?:-\p{L}+)?/gu;
const behind =
  /^\.?,?\s{0,2}(?:(?:the|den|der|dnia|le|el|il|em|de|d\.)\s)?(\d{1,2})(?!\d|[:/%]|\s?[-–]\s?\d|[.,]\d|\s?(?:h|uhr|kg|t|am|pm|pal)\b)/iu;
/** "30d.", "the 17th", "17-ого": a day without a month. */
const numberedDay = /(?<![\d.,:/-])(\d{1,2})(?:\s?d\.?(?!\p{L})|th\b|st\b|nd\b|rd\b|-?(?:го|ого|е|те)(?!\p{L}))/giu;
const furthest = 45;
const shortest = 3;

let weekdays: Map<string, number> | undefined;

/** Weekdays of all languages, with stems and abbreviations. */
function weekdayTable(): Map<string, number> {
  const table = new Map<string, number>();
  for (const { days } of rankedLanguages)
    for (const [index, names] of days.weekdays.entries())
      for (const name of names) table.set(foldText(name).replace(/\*$/u, ""), index + 1);
  return table;
}

function weekdayNamed(name: string): number | undefined {
  weekdays ??= weekdayTable();
  const folded = foldText(name);
  for (let length = folded.length; length >= Math.max(shortest, folded.length - 4); length--) {
    const found = weekdays.get(folded.slice(0, length));
    if (found !== undefined && (length > 3 || length === folded.length)) return found;
  }
  return undefined;
}

/** Finds days such as "24/09", "viernes 17" and "Thursday" outside the dates that were recognised. */
export function guessedDays(text: string, seen: readonly Entity[], { today, dateOrder }: DocumentLocale): GuessedDay[] {
  const dates = seen.filter(({ type, score }) => type === "Date" && score >= 0.3);
  const isFree = (start: number, end: number) => dates.every((date) => date.end <= start || date.start >= end);
  const found: GuessedDay[] = [];
  for (const match of text.matchAll(dayAndMonth)) {
    const [start, end] = [match.index, match.index + match[0].length];
    const [one, other] = [Number(match[1]), Number(match[3])];
    const [day, month] = dateOrder === "MDY" ? [other, one] : [one, other];
    const resolved =
      isFree(start, end) && dayExists({ day, month })
        ? resolveRelativeDate({ kind: "DayOfYear", month, day }, today)
        : undefined;
    if (resolved) found.push({ start, end, day: isoDay(resolved.from) });
  }
  for (const match of fold(text).text.length === text.length ? text.matchAll(word) : []) {
    const weekday = weekdayNamed(match[0]);
    if (weekday === undefined || !isFree(match.index, match.index + match[0].length + 1)) continue;
    const number = behind.exec(text.slice(match.index + match[0].length));
    const end = match.index + match[0].length + (number?.[0].length ?? 0);
    const day = number ? dayOfMonth(Number(number[1]), weekday, today) : undefined;
    const meant = day ?? resolveRelativeDate({ kind: "Weekday", weekday }, today)?.from;
    if (meant) found.push({ start: match.index, end: day ? end : match.index + match[0].length, day: isoDay(meant) });
  }
  for (const match of text.matchAll(numberedDay)) {
    const day = isFree(match.index, match.index + match[0].length) && dayOfMonth(Number(match[1]), undefined, today);
    if (day) found.push({ start: match.index, end: match.index + match[0].length, day: isoDay(day) });
  }
  return found;
}

/** The nearest such day of a month that is this weekday. */
function dayOfMonth(day: number, weekday: number | undefined, today: Day): Day | undefined {
  const near = [0, 1, -1, 2].flatMap((ahead): Day[] => {
    const first = new Date(Date.UTC(today.year, today.month - 1 + ahead, 1));
    const date = { year: first.getUTCFullYear(), month: first.getUTCMonth() + 1, day };
    const fits =
      dayExists(date) &&
      (weekday === undefined
        ? daysBetween(today, date) >= -1
        : (new Date(`${isoDay(date)}T00:00:00Z`).getUTCDay() || 7) === weekday);
    return fits && Math.abs(daysBetween(today, date)) <= furthest ? [date] : [];
  });
  return near[0];
}
