import { wordsByLanguage } from "../lexicon/languages.ts";
import otherMonths from "../lexicon/other-months.json" with { type: "json" };
import { foldText } from "../lexicon/fold.ts";

/** A day of the calendar. */
export interface Day extends PartialDay {
  year: number;
}

/** A day whose year may be missing. */
export interface PartialDay {
  year?: number;
  month: number;
  day: number;
}

/** A date given relative to the day of writing. */
export type RelativeDate =
  /** "12.4.": the nearest such day; a day in the past counts as twice as far away. */
  | { kind: "DayOfYear"; month: number; day: number }
  /** "KW 15": Monday to Sunday of the nearest ISO week with this number. */
  | { kind: "Week"; week: number }
  /** "Thursday": the first one after the day of writing; with `next`, that of the following week. 1 is Monday. */
  | { kind: "Weekday"; weekday: number; next?: boolean }
  /** "tomorrow": this many days after the day of writing. */
  | { kind: "Days"; days: number }
  /** "next week": Monday to Sunday. */
  | { kind: "NextWeek" };

interface ResolvedDate {
  from: Day;
  until?: Day;
}

const dayMilliseconds = 86_400_000;
/** From 29 February 2096 to 29 February 2104: 2100 is not a leap year. */
const mostYears = 8;
/** A past day counts as this many times as far away, because orders and requests usually refer to the future. */
const weightBehind = 2;

/**
 * Resolves a date that has no year or is relative to the day of writing.
 * @param anchor the day on which the text was written
 * @returns undefined if no year near the anchor has this day or week
 */
export function resolveRelativeDate(date: RelativeDate, anchor: Day): ResolvedDate | undefined {
  const written = timeOf(anchor);
  if (date.kind === "DayOfYear") {
    const times = yearsAround(anchor).flatMap((year) => existing({ ...date, year }));
    const nearest = nearestTo(written, times);
    return nearest === undefined ? undefined : { from: dayOf(nearest) };
  }
  if (date.kind === "Week") {
    const monday = nearestTo(
      written,
      yearsAround(anchor).flatMap((year) => mondayOf(year, date.week) ?? []),
    );
    return monday === undefined ? undefined : weekFrom(monday);
  }
  const weekday = new Date(written).getUTCDay() || 7;
  if (date.kind === "NextWeek") return weekFrom(written + (8 - weekday) * dayMilliseconds);
  if (date.kind === "Days") return { from: dayOf(written + date.days * dayMilliseconds) };
  const ahead = ((date.weekday - weekday + 6) % 7) + 1;
  const isThisWeek = weekday + ahead <= 7;
  return { from: dayOf(written + (date.next && isThisWeek ? ahead + 7 : ahead) * dayMilliseconds) };
}

/** Returns the Monday and Sunday of an ISO week; undefined if the year has no such week. */
export function daysOfWeek(year: number, week: number): ResolvedDate | undefined {
  const monday = mondayOf(year, week);
  return monday === undefined ? undefined : weekFrom(monday);
}

/** Returns the number of days from one day to another; negative if the second is earlier. */
export const daysBetween = (from: Day, to: Day): number => (timeOf(to) - timeOf(from)) / dayMilliseconds;

/** Returns the number of days from one ISO date to another. */
export const daysBetweenDates = (from: string, to: string): number =>
  (Date.parse(to) - Date.parse(from)) / dayMilliseconds;

/** Returns the ISO date of a day: `2026-11-24`. */
export const isoDay = ({ year, month, day }: Day): string => `${year}-${two(month)}-${two(day)}`;

/** Reads the day of an ISO date or date-time as it is written, without conversion to another time zone. */
export function dayFromIso(iso: string): Day {
  const [year = 0, month = 1, day = 1] = iso.slice(0, 10).split("-").map(Number);
  return { year, month, day };
}

const two = (figure: number) => String(figure).padStart(2, "0");
const timeOf = ({ year, month, day }: Day): number => Date.UTC(year, month - 1, day);

function dayOf(time: number): Day {
  const date = new Date(time);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

const weekFrom = (monday: number): ResolvedDate => ({
  from: dayOf(monday),
  until: dayOf(monday + 6 * dayMilliseconds),
});

const yearsAround = ({ year }: Day): number[] =>
  Array.from({ length: 2 * mostYears + 1 }, (_, at) => year - mostYears + at);

function existing(day: Day): number[] {
  const time = timeOf(day);
  return dayOf(time).month === day.month && dayOf(time).day === day.day ? [time] : [];
}

function mondayOf(year: number, week: number): number | undefined {
  const fourth = Date.UTC(year, 0, 4);
  const weekday = new Date(fourth).getUTCDay() || 7;
  const monday = fourth + ((week - 1) * 7 + 1 - weekday) * dayMilliseconds;
  const thursday = monday + 3 * dayMilliseconds;
  return week < 1 || dayOf(thursday).year !== year ? undefined : monday;
}

function nearestTo(written: number, times: readonly number[]): number | undefined {
  const away = (time: number) => (time < written ? (written - time) * weightBehind : time - written);
  return times.toSorted((one, other) => away(one) - away(other))[0];
}

/** Month names by language. They include languages for which the lexicon has no other words. */
export const monthsByLanguage: Record<string, readonly (readonly string[])[]> = {
  ...wordsByLanguage("months"),
  ...otherMonths,
};

/** "listopad" is October in Croatian and November in Polish. */
const byWord = new Map<string, { language: string; month: number }[]>();
for (const [language, rows] of Object.entries(monthsByLanguage)) {
  rows.forEach((words, index) => {
    for (const word of words) {
      const key = foldText(word).replace(/[^\p{L}]/gu, "");
      const meanings = byWord.get(key) ?? [];
      if (!meanings.some((meaning) => meaning.language === language)) meanings.push({ language, month: index + 1 });
      byWord.set(key, meanings);
    }
  });
}

/**
 * Returns the month that a folded word names. If it names different months in different languages, the first of
 * `languages` that has the word decides.
 */
export function monthOf(word: string, languages: readonly string[]): number | undefined {
  const meanings = byWord.get(word);
  if (!meanings) return undefined;
  for (const language of languages) {
    const meant = meanings.find((meaning) => meaning.language === language);
    if (meant) return meant.month;
  }
  return meanings[0]!.month;
}

export function dayExists({ year, month, day }: PartialDay): boolean {
  if (month < 1 || month > 12 || day < 1) return false;
  // A missing year counts as a leap year.
  return day <= new Date(Date.UTC(year ?? 2024, month, 0)).getUTCDate();
}

/**
 * Reads a year of four or two digits. Two digits mean a year at most ten years after today: in 2026, "36" is 2036, "37"
 * 1937.
 */
export function fullYear(digits: string, today: Day): number | undefined {
  const number = Number(digits);
  if (digits.length === 4) return number >= 1900 && number <= 2100 ? number : undefined;
  if (digits.length !== 2) return undefined;
  const century = today.year - (today.year % 100);
  return century + number <= today.year + 10 ? century + number : century - 100 + number;
}
