import { scores } from "./scores.ts";
import timeWords from "../lexicon/time-words.json" with { type: "json" };
import { findClocks } from "./clocks.ts";
import type { Clock } from "./clocks.ts";
import type { DateEntity } from "./dates.ts";
import type { EntityOf, TimeValue } from "./entity.ts";
import { BARE_HOURS, ONLY_HOURS } from "./weekdays.ts";
import { anyOf, overlaps, printedSpan, withoutOverlaps } from "./line-spans.ts";
import type { Line } from "./line-spans.ts";

type TimeEntity = EntityOf<"Time">;

const CLOCK_WORD = `(?:${anyOf(timeWords.clock)})\\.?`;
const UNTIL = `(?:${anyOf(timeWords.until)})`;
const FROM = `(?:${anyOf(timeWords.from)})`;
const BETWEEN = new RegExp(`^\\.? ?(?:[-/]|(?<= )(?:${anyOf(timeWords.joint)})(?= )(?: ${CLOCK_WORD})?) ?$`);
const ENDS_IN_UNTIL = new RegExp(`(?<!\\p{L})${UNTIL}(?: ${CLOCK_WORD})?[ :]*$`, "u");
const ENDS_IN_TIME_WORD = new RegExp(
  `(?<!\\p{L})(?:(?:${UNTIL}|${FROM})(?: ${CLOCK_WORD})?|${CLOCK_WORD})[ :.]*$`,
  "u",
);
const ENDS_IN_CLOCK_WORD = new RegExp(`(?<!\\p{L})${ONLY_HOURS}\\.?[ :]*$`, "u");
const BARE_WINDOW = new RegExp(`^${BARE_HOURS}`, "u");
/** Separators, possibly with the weekday or part of the day: "24.11. (wt), ", "24 d. ". */
const BETWEEN_DAY_AND_HOURS = /^[\s,.@;:()/–—-]{0,4}(?:(?:\p{L}\.?){1,14}[\s,;:()–—-]{1,3})?$/u;
const REACH = 30;

/**
 * Finds times of day and time windows. Numbers that may mean something else count only next to a time word, a date or
 * an unambiguous time.
 */
export function findTimes(line: Line, dates: DateEntity[]): TimeEntity[] {
  const clocks = findClocks(line).filter(
    (clock) => !dates.some((date) => overlaps(printedSpan(line, clock.start, clock.end, 1), date)),
  );
  const found: TimeEntity[] = [];
  for (let index = 0; index < clocks.length; index += 1) {
    const clock = clocks[index]!;
    const next = clocks[index + 1];
    const window = next && windowOf(line, clock, next, dates);
    if (window) {
      found.push(window);
      index += 1;
      continue;
    }
    const single = singleOf(line, clock, dates);
    if (single) found.push(single);
  }
  return withoutOverlaps(found);
}

function windowOf(line: Line, first: Clock, second: Clock, dates: DateEntity[]): TimeEntity | undefined {
  const between = line.text.slice(first.end, second.start);
  if (!BETWEEN.test(between) && !(first.ending === "From" && between.trim() === "")) return undefined;
  const isUnambiguous = first.kind === "Sure" || second.kind === "Sure";
  const alike = first.kind === second.kind && first.kind !== "Bare";
  const worded = ENDS_IN_TIME_WORD.test(before(line, first));
  const isSupported = isUnambiguous || worded || first.ending === "From" || afterDate(line, first, dates);
  if (!isSupported && !alike && !bareAfterDay(line, first, dates)) return undefined;
  const bare = first.kind === "Bare" && second.kind === "Bare" && !worded && second.ending === undefined;
  if (bare && !bareAfterDay(line, first, dates)) return undefined;
  // "between 8 and 2 pm" begins in the morning; "1 - 3 pm" does not.
  const from = second.half && !first.half && first.minutes + 720 < second.minutes ? first.minutes + 720 : first.minutes;
  if (second.minutes < from && !(isUnambiguous && from >= 12 * 60)) return undefined;
  const score = isUnambiguous
    ? scores.time.window
    : isSupported
      ? scores.time.likelyWindow
      : scores.time.possibleWindow;
  return { type: "Time", ...printedSpan(line, first.start, second.end, score), value: { from, to: second.minutes } };
}

function singleOf(line: Line, clock: Clock, dates: DateEntity[]): TimeEntity | undefined {
  const lead = before(line, clock);
  const worded = ENDS_IN_TIME_WORD.test(lead);
  const isSupported = worded || clock.ending !== undefined || afterDate(line, clock, dates);
  if (clock.kind === "Dotted" && !isSupported) return undefined;
  if (clock.kind === "Compact" && !dayBefore(line, clock, dates) && !(isSupported && clock.ending)) return undefined;
  const closing = clock.kind === "Bare" && closesDay(line, clock, dates, lead);
  if (clock.kind === "Bare" && !clock.ending && !closing && !ENDS_IN_CLOCK_WORD.test(lead)) return undefined;
  if (clock.lasting && !isSupported) return undefined;
  const until = clock.ending ? clock.ending === "To" : ENDS_IN_UNTIL.test(lead);
  const value: TimeValue = until ? { to: clock.minutes } : { from: clock.minutes };
  return {
    type: "Time",
    ...printedSpan(line, clock.start, clock.end, clock.kind === "Sure" ? scores.time.single : scores.time.likelySingle),
    value,
  };
}

function before(line: Line, clock: Clock): string {
  return line.text.slice(Math.max(0, clock.start - REACH), clock.start);
}

/** "24.11. 8-16", "24.11. (wt) 8-16": hours without a word directly after a day. */
function bareAfterDay(line: Line, clock: Clock, dates: DateEntity[]): boolean {
  if (!BARE_WINDOW.test(line.text.slice(clock.start))) return false;
  const start = line.at(clock.start);
  return dates.some((date) => date.end <= start && BETWEEN_DAY_AND_HOURS.test(line.source.slice(date.end, start)));
}

/** "26.11.2026 do 16", "24.11. from 8": a bare number at the end of the line or sentence, after a date and a time word. */
function closesDay(line: Line, clock: Clock, dates: DateEntity[], lead: string): boolean {
  if (!ENDS_IN_TIME_WORD.test(lead) || !/^ ?(?:$|[,;)]|\.(?!\d))/.test(line.text.slice(clock.end))) return false;
  return dayBeforeIs(line, clock, dates);
}

/** "24 November at 1330": a time on a quarter of an hour, shortly after a date. */
function dayBefore(line: Line, clock: Clock, dates: DateEntity[]): boolean {
  return clock.minutes % 15 === 0 && dayBeforeIs(line, clock, dates);
}

function dayBeforeIs(line: Line, clock: Clock, dates: DateEntity[]): boolean {
  const start = line.at(clock.start);
  return dates.some((date) => date.end <= start && /^[\p{L} .,@;-]{0,14}$/u.test(line.source.slice(date.end, start)));
}

function afterDate(line: Line, clock: Clock, dates: DateEntity[]): boolean {
  const start = line.at(clock.start);
  return dates.some((date) => date.end <= start && /^[ .,@;-]{0,4}$/.test(line.source.slice(date.end, start)));
}
