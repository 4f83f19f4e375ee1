import { scores } from "./scores.ts";
import type { DateValue, DocumentLocale } from "./entity.ts";
import { dayExists } from "./calendar.ts";
import type { ValueSpan, Line } from "./line-spans.ts";

const JOINT =
  / ?(?:-|\/|\+|bis(?: zum)?|do|to|till|until|thru|through|au|al|a|ate|tot|t\/m|iki|lidz|kuni|az|pana la|og|og med|до|по|und|and|oraz) ?/;
const ONLY_JOINT = new RegExp(`^\\.?${JOINT.source}$`);
/**
 * The first day of a range, without a year and possibly without a month, directly before the date at which the range
 * ends: "24.-", "24.11. - ", "24/11-", "24 to ", "24./".
 */
const FIRST_END =
  /(?<![\d.,/:-]|(?<!\p{L})(?:h|ore|ora|kl|godz|saat|klo)[.:]? ?)(\d{1,2})(?:[./] ?(\d{1,2}))?(?:\.? ?- ?|\.? (?:bis|do|to|till|until|au|al|tot|iki|lidz|kuni|до|по) |\. ?[/+] ?|\. (?:und|and|i|et|e|y) )$/u;
/** The first day of a range, which a slash separates from a date with points: "24/26.11.2026". */
const FIRST_DAY = /(?<![\p{L}\d.,/:-])(\d{1,2}) ?\/ ?$/u;
/** The last day of a range, after a date that begins with the year: "2026-11-24/26", "2026.11.24-26." */
const LAST_DAY = /^ ?[-/] ?(\d{1,2})\.?(?=\s*(?:$|[,;)|]|\s\d{1,2}[:.]\d\d))/;
const REACH = 24;
/** Maximum number of days of a range. Dates further apart are two separate dates, not a loading period. */
const MOST_DAYS = 62;

/**
 * Joins two dates to a range if a dash or a word such as "until" is between them, and completes a shortened range such
 * as "24.-26.11.2026".
 */
export function joinDateRanges(
  line: Line,
  dates: ValueSpan<DateValue>[],
  context: DocumentLocale,
): ValueSpan<DateValue>[] {
  const sorted = dates.toSorted((one, other) => one.start - other.start || other.end - one.end);
  const joined: ValueSpan<DateValue>[] = [];
  for (const date of sorted) {
    const previous = joined.at(-1);
    if (previous && previous.end <= date.start && ONLY_JOINT.test(line.text.slice(previous.end, date.start))) {
      const range = rangeOf(previous.value, date.value, context);
      if (range) {
        joined[joined.length - 1] = {
          start: previous.start,
          end: date.end,
          score: Math.min(previous.score, date.score) + scores.confirmed.step,
          value: range,
        };
        continue;
      }
    }
    joined.push(withOtherEnd(line, date, context));
  }
  return joined;
}

/** Extends a date to a range if a day without a month or year stands next to it: "24.-26.11.2026". */
function withOtherEnd(line: Line, date: ValueSpan<DateValue>, context: DocumentLocale): ValueSpan<DateValue> {
  const printed = line.text.slice(date.start, date.end);
  const last = /^\d{4}/.test(printed) ? LAST_DAY.exec(line.text.slice(date.end, date.end + REACH)) : null;
  const until = last && rangeOf(date.value, { ...date.value, day: Number(last[1]) }, context);
  if (last && until && dayExists(until.until!)) return { ...date, end: date.end + last[0].length, value: until };
  const from = Math.max(0, date.start - REACH);
  const lead = line.text.slice(from, date.start);
  const match = FIRST_END.exec(lead) ?? (printed.includes("/") ? null : FIRST_DAY.exec(lead));
  if (!match) return date;
  const first = { month: match[2] === undefined ? date.value.month : Number(match[2]), day: Number(match[1]) };
  const range = rangeOf(first, date.value, context);
  return range ? { ...date, start: from + match.index, value: range } : date;
}

function rangeOf(first: DateValue, last: DateValue, context: DocumentLocale): DateValue | undefined {
  if (first.until || last.until || !dayExists(first)) return undefined;
  const { month, day } = last;
  const turns = first.month > month;
  const year = last.year ?? (first.year !== undefined && turns ? first.year + 1 : first.year);
  const begin = first.year ?? (year !== undefined && turns ? year - 1 : year);
  const base = begin ?? context.today.year;
  const days =
    (dayNumber({ month, day, year: year ?? (turns ? base + 1 : base) }) - dayNumber({ ...first, year: base })) /
    86_400_000;
  if (days < 0 || days > MOST_DAYS) return undefined;
  const until = year === undefined ? { month, day } : { year, month, day };
  return begin === undefined
    ? { month: first.month, day: first.day, until }
    : { year: begin, month: first.month, day: first.day, until };
}

function dayNumber({ year, month, day }: DateValue): number {
  return Date.UTC(year ?? 0, month - 1, day);
}
