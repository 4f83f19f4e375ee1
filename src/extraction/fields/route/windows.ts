import type { DateValue, DocumentLocale, TimeValue } from "../../entities/entity.ts";
import { scores } from "../../entities/scores.ts";
import { isoDay, resolveRelativeDate } from "../../entities/calendar.ts";
import type { LocatedEntity } from "../labels/annotations.ts";
import { FieldValue } from "../confidence/field-value.ts";

/** A date or time of a stop. `limit` is set if a label marks it as one end of the window. */
export interface Moment {
  sighting: LocatedEntity<"Date"> | LocatedEntity<"Time">;
  limit?: "From" | "To";
  confidence: number;
}

/** Time window of a stop in local time without a zone: "2026-11-24T08:00:00". */
export interface Window {
  start?: FieldValue<string>;
  end?: FieldValue<string>;
}

interface Day {
  date: DateValue;
  moment: Moment;
  times: Moment[];
}

/** Combines dates and times into one window: "24.11. 08:00-14:00", "24.11. 22:00 - 25.11. 06:00", "until 18:00". */
export function windowOf(moments: readonly Moment[], context: DocumentLocale): Window {
  const all = daysOf(dated(moments));
  const days = all.slice(0, all[0] && closes(all[0]) ? 1 : 2);
  const [first, second] = days;
  if (!first) return {};
  const start = completed(first.date, context);
  const last = second
    ? completed(second.date, context)
    : first.date.until
      ? completed(first.date.until, context)
      : undefined;
  const { from, to } = hoursOf(days);
  if (last && last > start) {
    return {
      start: at(start, from, first.moment),
      end: at(last, to ?? (second ? undefined : from), second?.moment ?? first.moment),
    };
  }
  return sameDay(start, first, from, to);
}

/** Whether the hours of a day are complete: "24.11. 8:00-14:00, 25.11. 6:00" tells of two stops. */
function closes({ times }: Day): boolean {
  return times.some(({ sighting }) => {
    const { from, to } = sighting.entity.value as TimeValue;
    return from !== undefined && to !== undefined;
  });
}

function sameDay(date: string, { moment }: Day, from?: Hour, to?: Hour): Window {
  if (moment.limit === "To") return { end: at(date, to ?? from, moment) };
  if (from && to) {
    const overnight = to.minutes <= from.minutes;
    return { start: at(date, from, moment), end: at(overnight ? dayAfter(date) : date, to, moment) };
  }
  if (to) return { start: at(date, undefined, moment), end: at(date, to, moment) };
  return { start: at(date, from, moment) };
}

/** Drops dates without a year if others have one, because "1.2." is then the number of a clause. */
function dated(moments: readonly Moment[]): Moment[] {
  const yearOf = ({ sighting: { entity } }: Moment) => (entity.type === "Date" ? entity.value.year : undefined);
  if (!moments.some((moment) => yearOf(moment) !== undefined)) return [...moments];
  return moments.filter((moment) => moment.sighting.entity.type === "Time" || yearOf(moment) !== undefined);
}

function daysOf(moments: readonly Moment[]): Day[] {
  const days: Day[] = [];
  const early: Moment[] = [];
  for (const moment of moments) {
    const { entity } = moment.sighting;
    if (entity.type === "Time") (days.at(-1)?.times ?? early).push(moment);
    else if (!days.some((day) => day.date.day === entity.value.day && day.date.month === entity.value.month)) {
      days.push({ date: entity.value, moment, times: [] });
    }
  }
  days[0]?.times.unshift(...early);
  return days.map((day) => ({ ...day, times: exactOf(day.times) }));
}

/** "Friday morning, by 10": the hour is more exact than the part of the day. */
function exactOf(times: Moment[]): Moment[] {
  const exact = times.filter(({ sighting }) => sighting.entity.score > scores.time.partOfDay);
  return exact.length > 0 ? exact : times;
}

interface Hour {
  minutes: number;
  moment: Moment;
}

function hoursOf(days: readonly Day[]): { from?: Hour; to?: Hour } {
  const hours = days.map((day) =>
    day.times.map((moment) => ({ moment, value: moment.sighting.entity.value as TimeValue })),
  );
  const all = hours.flat();
  const whole = all.find(({ value }) => value.from !== undefined && value.to !== undefined);
  if (whole && days.length < 2)
    return { from: hour(whole.value.from, whole.moment), to: hour(whole.value.to, whole.moment) };
  const opening = all.find(({ value, moment }) => value.from !== undefined && moment.limit !== "To");
  const closings = all.filter((each) => each !== opening || each.value.to !== undefined);
  const closing = days.length > 1 ? (hours[1]?.at(-1) ?? (whole ? whole : undefined)) : closings.at(-1);
  return {
    from: opening && hour(opening.value.from, opening.moment),
    to: closing && hour(closing.value.to ?? closing.value.from, closing.moment),
  };
}

function hour(minutes: number | undefined, moment: Moment): Hour | undefined {
  return minutes === undefined ? undefined : { minutes, moment };
}

function at(date: string, time: Hour | undefined, day: Moment): FieldValue<string> {
  const moment = time?.moment ?? day;
  const confidence = Math.min(day.confidence, moment.confidence);
  const { segment, entity } = (time ? moment : day).sighting;
  const minutes = time?.minutes ?? 0;
  const shown =
    minutes >= 1440 ? `${dayAfter(date)}T00:00:00` : `${date}T${two(Math.floor(minutes / 60))}:${two(minutes % 60)}:00`;
  return new FieldValue(shown, confidence, { segment, start: entity.start, end: entity.end });
}

const two = (value: number) => String(value).padStart(2, "0");

function dayAfter(date: string): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
}

/** Formats a date in ISO format. A date without a year is the one nearest to the day of writing. */
export function completed({ year, month, day, anchor }: DateValue, { today }: Pick<DocumentLocale, "today">): string {
  if (year !== undefined) return isoDay({ year, month, day });
  const resolved = resolveRelativeDate({ kind: "DayOfYear", month, day }, anchor ?? today);
  return isoDay(resolved?.from ?? { year: today.year, month, day });
}
