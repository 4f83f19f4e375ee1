import { scores } from "./scores.ts";
import type { DateValue, EntityOf, DocumentLocale } from "./entity.ts";
import { dayExists, daysOfWeek, fullYear, resolveRelativeDate, type PartialDay } from "./calendar.ts";
import { isWordAt, overlaps, printedSpan, withoutOverlaps, type Line, type ValueSpan } from "./line-spans.ts";
import { findDatesBeside, findDayNumbers } from "./weekdays.ts";
import { findDatesInWords } from "./spelled-dates.ts";
import { joinDateRanges } from "./date-ranges.ts";

export type DateEntity = EntityOf<"Date">;

/**
 * Finds dates and date ranges: in digits, with month names of more than 40 languages, and as calendar weeks. Days that
 * do not exist are dropped.
 */
export function findDates(line: Line, context: DocumentLocale): DateEntity[] {
  const found = [
    ...findDatesInDigits(line, context),
    ...findDatesBeside(line, context),
    ...findDatesInWords(line, context),
    ...findWeeks(line, context),
  ].filter(possible);
  const numbers = findDayNumbers(line, context).filter((number) => !found.some((date) => overlaps(date, number)));
  const joined = joinDateRanges(line, [...found, ...numbers], context);
  return withoutOverlaps(
    joined.map(({ start, end, score, value }): DateEntity => ({
      type: "Date",
      ...printedSpan(line, start, end, score),
      value,
    })),
  );
}

function possible({ value }: ValueSpan<DateValue>): boolean {
  return dayExists(value) && (!value.until || dayExists(value.until));
}

const YEAR_FIRST = /(?<!\d)((?:19|20)\d{2}) ?([-./]) ?(\d{1,2}) ?\2 ?(\d{1,2})(?!\d)/g;
const YEAR_LAST = /(?<!\d)(\d{1,2}) ?([./-]) ?(\d{1,2}) ?\2 ?((?:19|20)\d{2}|(?<! )\d{2}(?!:\d))(?!\d)/g;
/**
 * "25/11-2026", "25.11-2026", "25/11. 2026": Nordic notation with a dash or a full stop before the year. With a slash,
 * the match may be part of a reference number instead.
 */
const YEAR_BEHIND_DASH = /(?<![\d.,/:-])(\d{1,2})([./])(\d{1,2})(?:\.? ?-|\. )((?:19|20)\d{2})(?![\d/-])/g;
const WORD_FOR_NUMBER = /(?:(?<!\p{L})(?:n[ro]|num|number|nummer|numer|numero)|n[º°]|[#№])[.:]{0,2} ?$/u;
const YEAR_FIRST_APART = /(?<![\p{L}\d.,/:-])(20\d{2}) (0[1-9]|1[0-2]) ([0-3]\d)(?![\d\p{L}]|[ .,:/-]\d)/gu;
const NO_YEAR = /(?:(?<![\d.,/:-])|(?<=\d\. ?- ?))(\d{1,2})\. ?(\d{1,2})\.(?! ?\d)/g;
const COMPACT = /(?<![\p{L}\d./-])(20\d{2})(0[1-9]|1[0-2])([0-3]\d)(?![\p{L}\d/-])/gu;
const ROMAN = /(?<!\d)(\d{1,2})[ .\-/]{1,2}(x|xi{0,2}|i[xv]|vi{0,3}|i{1,3})[ .\-/]{1,2}((?:19|20)\d{2})(?!\d)/g;
const EAST_ASIAN = /(\d{4})年 ?(\d{1,2})月 ?(\d{1,2})日/g;
const ROMAN_MONTHS = ["i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii"];

function findDatesInDigits(line: Line, context: DocumentLocale): ValueSpan<DateValue>[] {
  const { text } = line;
  const found: ValueSpan<DateValue>[] = [];
  for (const match of text.matchAll(YEAR_FIRST)) {
    const [, year = "", , month, day] = match;
    if (standsAlone(text, match))
      found.push(at(match, scores.date.complete, { year: Number(year), month: Number(month), day: Number(day) }));
  }
  for (const match of text.matchAll(YEAR_LAST)) found.push(...dayFirstOrLast(text, match, context));
  for (const match of text.matchAll(YEAR_BEHIND_DASH)) {
    const [, day, separator, month, year] = match;
    const slashed = separator === "/";
    if (slashed && WORD_FOR_NUMBER.test(text.slice(0, match.index).slice(-10))) continue;
    found.push(
      at(match, slashed ? scores.date.doubtful : scores.date.unusual, {
        year: Number(year),
        month: Number(month),
        day: Number(day),
      }),
    );
  }
  for (const match of text.matchAll(NO_YEAR)) {
    const [first, second] = [Number(match[1]), Number(match[2])];
    found.push(
      at(match, scores.date.doubtful, second > 12 ? { month: first, day: second } : { month: second, day: first }),
    );
  }
  for (const match of text.matchAll(YEAR_FIRST_APART))
    found.push(
      at(match, scores.date.doubtful, { year: Number(match[1]), month: Number(match[2]), day: Number(match[3]) }),
    );
  for (const match of text.matchAll(COMPACT))
    found.push(
      at(match, scores.date.compact, { year: Number(match[1]), month: Number(match[2]), day: Number(match[3]) }),
    );
  for (const match of text.matchAll(ROMAN))
    found.push(
      at(match, scores.date.unusual, {
        year: Number(match[3]),
        month: ROMAN_MONTHS.indexOf(match[2]!) + 1,
        day: Number(match[1]),
      }),
    );
  for (const match of text.matchAll(EAST_ASIAN))
    found.push(
      at(match, scores.date.complete, { year: Number(match[1]), month: Number(match[2]), day: Number(match[3]) }),
    );
  return found;
}

function dayFirstOrLast(text: string, match: RegExpExecArray, context: DocumentLocale): ValueSpan<DateValue>[] {
  const [, first = "", separator = "", second = "", yearDigits = ""] = match;
  const year = fullYear(yearDigits, context.today);
  if (year === undefined || !standsAlone(text, match)) return [];
  const score = yearDigits.length === 4 ? scores.date.complete : scores.date.twoDigitYear;
  const dayFirst: PartialDay = { year, month: Number(second), day: Number(first) };
  const monthFirst: PartialDay = { year, month: Number(first), day: Number(second) };
  const yearFirst =
    yearDigits.length === 2 && first.length === 2
      ? { year: fullYear(first, context.today), month: Number(second), day: Number(yearDigits) }
      : undefined;
  if (context.dateOrder === "YMD" && separator !== "." && yearFirst && dayExists(yearFirst))
    return [at(match, scores.date.shortYearFirst, yearFirst)];
  const [preferred, other] =
    context.dateOrder === "MDY" && separator !== "." ? [monthFirst, dayFirst] : [dayFirst, monthFirst];
  if (!dayExists(preferred)) return separator !== "." && dayExists(other) ? [at(match, score, other)] : [];
  const ambiguous = separator !== "." && preferred.day !== preferred.month && dayExists(other);
  return [at(match, score, ambiguous ? { ...preferred, ambiguous } : preferred)];
}

/** Whether the match is not part of a longer number, a reference such as "ABC/24/11/2026", or an IP address. */
function standsAlone(text: string, match: RegExpExecArray): boolean {
  const start = match.index;
  const end = start + match[0].length;
  const separator = match[2]!;
  const before = text[start - 1] ?? " ";
  if (/[.,:]/.test(before) && /\d/.test(text[start - 2] ?? "")) return false;
  if (/[\p{L}_]/u.test(before)) return false;
  if (before === separator && isWordAt(text, start - 2)) return false;
  if (/[-/]/.test(before) && /\p{L}/u.test(text[start - 2] ?? "")) return false;
  const goesOn = separator === "." ? /^\.\d/ : /^[-/][\p{L}\d]/u;
  return (
    !(text[end] === separator && goesOn.test(text.slice(end, end + 2))) &&
    !/^(?:[_%]|[.,]\d{3})/.test(text.slice(end, end + 4))
  );
}

const WEEK =
  /(?<![\p{L}\p{N}])(?:kw|cw|kalenderwoche|week|wk|tydz|tydzien|tygodnia|tyg|semaine|semana|settimana|tyden|tyzden|savaite|nedela|het|vecka|uge|uke|viikko|nadal|saptamana|тиждень|неделя)\.? ?(\d{1,2})(?: ?[/.\- ] ?(20\d{2}|\d{2}))?(?!\d)/gu;

/** "47. KW", "47. hét": the full stop distinguishes a week number from a count of weeks. */
const WEEK_BEHIND =
  /(?<![\p{L}\d.,/:-])(\d{1,2})(?:\. ?(?:kw|kalenderwoche|het|tyden|tyzden|tydzien|savaite|nedela|nadal|teden|tjedan|uge|uke|vecka|viikko)| kw)(?![\p{L}\d])(?: ?[/.\- ] ?(20\d{2}))?/gu;

function findWeeks({ text }: Line, context: DocumentLocale): ValueSpan<DateValue>[] {
  return [...text.matchAll(WEEK), ...text.matchAll(WEEK_BEHIND)].flatMap((match) => {
    const week = Number(match[1]);
    const year = match[2] === undefined ? undefined : fullYear(match[2], context.today);
    if (match[2] !== undefined && year === undefined) return [];
    const days =
      year === undefined ? resolveRelativeDate({ kind: "Week", week }, context.today) : daysOfWeek(year, week);
    return days
      ? [at(match, scores.date.week, { ...days.from, until: days.until, ...(year === undefined && { week }) })]
      : [];
  });
}

function at(match: RegExpExecArray, score: number, value: DateValue): ValueSpan<DateValue> {
  return { start: match.index, end: match.index + match[0].length, score, value };
}
