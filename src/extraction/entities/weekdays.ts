import timeWords from "../lexicon/time-words.json" with { type: "json" };
import { languages } from "../lexicon/languages.ts";
import { dayExists, resolveRelativeDate, type Day, type PartialDay } from "./calendar.ts";
import type { DateValue, DocumentLocale } from "./entity.ts";
import { anyOf, type Line, type ValueSpan } from "./line-spans.ts";
import { scores } from "./scores.ts";

/*
 * Finds dates without a year whose weekday or hour is printed beside them. Without it, "24/11" may be anything.
 */

const NAMES = languages.flatMap(({ days }) => days.weekdays.flat());
const LETTERS = languages.flatMap(({ weekdayLetters = [] }) => weekdayLetters);
const longName = 4;

const oneOf = (words: readonly string[]) => {
  const stems = words.flatMap((word) => (word.endsWith("*") ? word.slice(0, -1) : []));
  return `(?:(?:${anyOf(stems)})\\p{L}*|${anyOf(words.filter((word) => !word.endsWith("*")))})`;
};
const WEEKDAY = oneOf([...NAMES, ...LETTERS]);
const LONG_WEEKDAY = oneOf(NAMES.filter((word) => word.length >= longName));
const DAY_AND_MONTH = "(?<date>(?<first>\\d{1,2})(?<mark>[./])(?<second>\\d{1,2}))";
const ARTICLE = "(?:(?:den|the|le|el|il|dnia|dia|dne|am|em|on) )?";

/** "lundi 23/11", "MARTEDI' 24/11", "Di. 24.11": a day and month after a weekday. */
const BEHIND_WEEKDAY = new RegExp(
  `(?<![\\p{L}\\d])(?<name>${WEEKDAY})['’.]?,? ${ARTICLE}(?<date>(?<first>\\d{1,2}) ?(?<mark>[./-]) ?(?<second>\\d{1,2}))(?!\\d|[.,:/-]\\d)`,
  "gu",
);
/** "5.12 (piątek)", "09/23 (Wed)", "13.03 cuma": a day and month before a weekday. */
const BEFORE_WEEKDAY = new RegExp(
  `(?<![\\p{L}\\d.,:/-])${DAY_AND_MONTH}(?!\\d)\\.?,? (?:\\((?<name>${WEEKDAY})\\.?\\)|(?<long>${LONG_WEEKDAY})(?!\\p{L}))`,
  "gu",
);

/** "8-16" without a word, but not "8-16 t". */
export const BARE_HOURS =
  "(?:[01]?\\d|2[0-4]) ?- ?(?:[01]?\\d|2[0-4])(?![\\d%°/]|[.,:-]\\d| ?(?:t|to|ton|tons|kg|ldm|lm|m|cm|mm|pal\\p{L}*|plt|ep|epal|pcs|szt|stk|x|c|k|eur|€)(?!\\p{L}))";
/** Words before an hour that have no other meaning. */
export const ONLY_HOURS =
  "(?:godz(?:in[aey]|inach|inie)?|uhrzeit|ore|ora|orele|kl|klo|kell[a]?|plkst|pulksten|hod|val|h|saat|час|год|wra)";
const TIME_WORD = `(?:${anyOf([...timeWords.clock, ...timeWords.from, ...timeWords.until])})\\.? ?`;
const HOUR_WORD = `(?:${anyOf(timeWords.hour)})(?!\\p{L})`;
const HOURS = `\\d{1,2}[:h][0-5]\\d|[0-2]\\d[0-5]\\d ?(?:-|to|til|till) ?[0-2]\\d[0-5]\\d|\\d{1,2} ?${HOUR_WORD}|${ONLY_HOURS}\\.? ?\\d{1,2}(?!\\d)|${BARE_HOURS}`;
/** "13/02 - 10:00", "03.12 kell 9-15", "28/04, 0900 til 1500": a day and month before an hour. */
const BEFORE_HOUR = new RegExp(
  `(?<![\\p{L}\\d.,:/-])${DAY_AND_MONTH}(?!\\d)\\.?(?= ?[,;(-]? ?(?:(?:${TIME_WORD}){0,2}(?:${HOURS})|(?:${TIME_WORD}){1,2}\\d{1,2} ?-|${TIME_WORD}\\d{1,2} ?(?:$|[,;.)](?!\\d))))`,
  "gu",
);

/**
 * Finds days and months beside a weekday or before an hour. The weekday decides between "2/3" in March and in February, and
 * between "Tue 8-12" in December and two hours.
 */
export function findDatesBeside({ text }: Line, { dateOrder, today }: DocumentLocale): ValueSpan<DateValue>[] {
  if (!/\d ?[./-] ?\d/.test(text)) return [];
  return [BEHIND_WEEKDAY, BEFORE_WEEKDAY, BEFORE_HOUR].flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap(({ index, 0: whole, groups = {} }) => {
      const { date = "", first, mark, second, name, long } = groups;
      const weekday = weekdayNamed(name ?? long);
      const turned = dateOrder === "MDY" && mark === "/";
      const dayFirst = { day: Number(first), month: Number(second) };
      const monthFirst = { day: Number(second), month: Number(first) };
      const readings = turned ? [monthFirst, dayFirst] : [dayFirst, ...(mark === "/" ? [monthFirst] : [])];
      const fitting = readings.find((day) => weekday !== undefined && fallsOn(day, weekday, today));
      const value = fitting ?? (mark === "-" && dayFirst.day <= lastHour ? undefined : readings[0]);
      const start = index + whole.lastIndexOf(date);
      return value ? [{ start, end: start + date.length, score: scores.date.behindWeekday, value }] : [];
    }),
  );
}

const lastHour = 24;

function fallsOn({ month, day }: PartialDay, weekday: number, today: Day): boolean {
  const nearest = dayExists({ month, day }) && resolveRelativeDate({ kind: "DayOfYear", month, day }, today);
  return nearest ? weekdayOf(nearest.from) === weekday : false;
}

/** "Friday 16", "martes 17, 8-12": the number of a day after its weekday, without a month. */
const DAY_NUMBER = new RegExp(
  `(?<![\\p{L}\\d])(${LONG_WEEKDAY})['’]?,? ${ARTICLE}(\\d{1,2})(?:st|nd|rd|th|\\.)?(?![\\d\\p{L}%°]|[.,:/-]\\d| ?-| ?(?:${HOUR_WORD}|[ap]\\.?m\\b)| (?:to|do|bis|al|i|y|e|and|und) \\d)`,
  "gu",
);
const [farthestBehind, farthestAhead] = [14, 60];

/** Finds days of the month whose weekday is printed. A weekday on which the next such days do not fall rules them out. */
export function findDayNumbers({ text }: Line, { today }: DocumentLocale): ValueSpan<DateValue>[] {
  if (!/\p{L}.? (?:.{2,4} )?\d/u.test(text)) return [];
  return [...text.matchAll(DAY_NUMBER)].flatMap((match) => {
    const [whole, name = "", number = ""] = match;
    const weekday = weekdayNamed(name);
    const day = daysAround(today).find((each) => each.day === Number(number) && weekdayOf(each) === weekday);
    if (!day) return [];
    const start = match.index + whole.lastIndexOf(number);
    const value = { month: day.month, day: day.day };
    return [{ start, end: start + number.length, score: scores.date.behindWeekday, value }];
  });
}

/** The weekday from 1, Monday. Undefined for its letters alone, which languages do not share. */
function weekdayNamed(name = ""): number | undefined {
  const at = weekdays.findIndex((names) => names.test(name));
  return at < 0 ? undefined : at + 1;
}

const weekdays = Array.from(
  { length: 7 },
  (_, at) => new RegExp(`^${oneOf(languages.flatMap(({ days }) => days.weekdays[at] ?? []))}$`, "u"),
);

function daysAround(today: Day): Day[] {
  const away = Array.from({ length: farthestAhead + farthestBehind + 1 }, (_, at) => at - farthestBehind);
  return away
    .toSorted((one, other) => Math.abs(one) - Math.abs(other))
    .map((days) => resolveRelativeDate({ kind: "Days", days }, today)!.from);
}

const weekdayOf = ({ year, month, day }: Day): number => new Date(Date.UTC(year, month - 1, day)).getUTCDay() || 7;
