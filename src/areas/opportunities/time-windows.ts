/** A stay at a stop: from when on, in milliseconds since 1970. */
export interface Stay {
  from: number;
}

export interface Window {
  startDate: string;
  endDate: string;
}

const hour = 60 * 60 * 1000;
const day = 24 * hour;
/** When gates are open where nobody says so. */
const [opens, closes, lastMinute] = ["08:00:00", "18:00:00", "23:59:00"];
/** Who gets there later is unloaded the next day. */
const lastArrival = "16:00:00";
/** A window is widened by so much on either side; one without an end stays open so long. */
const [margin, stay] = [hour, 4 * hour];
/** Kilometres an hour on the road; hours a day a driver drives, and rests; at most so many without a break. */
const [speed, dailyDriving, dailyRest, untilBreak, pause] = [65, 9, 11, 4.5, 0.75];
/** Getting loaded. */
const loadingHours = 2;

/** How long a lorry with one driver takes for a way; where nobody knows the way, a day. */
export function transitMilliseconds(km: number | undefined): number {
  if (km === undefined) return day;
  const driving = km / speed;
  const rests = Math.max(0, Math.ceil(driving / dailyDriving) - 1) * dailyRest;
  const pauses = Math.floor(driving / untilBreak) * pause;
  return Math.round((loadingHours + driving + rests + pauses) * 60) * 60_000;
}

/** A span as `hh:mm:ss`. */
export function shownSpan(milliseconds: number): string {
  const two = (figure: number) => `${figure}`.padStart(2, "0");
  const minutes = Math.round(milliseconds / 60_000);
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}:00`;
}

/** What is known of the stop beside its own period; `earliest` is what the clock at the stop shows then. */
export interface Around {
  /** A window that ends before this is of no use, in milliseconds since 1970. */
  over: number;
  earliest: string;
  isFirst: boolean;
  instant: (local: string) => number;
}

/** When to be at a stop, by the clock there: what was asked for, widened; else the first working day it can be reached. */
export function fittingWindow(
  period: { startDate?: string | undefined; endDate?: string | undefined } | undefined,
  { over, earliest, isFirst, instant }: Around,
): Window {
  const asked = period?.startDate ? widened(period.startDate, period.endDate) : undefined;
  if (asked && instant(asked.endDate) > over) return asked;
  const date = nextWorkingDay(earliest, isFirst);
  return { startDate: `${date}T${opens}`, endDate: `${date}T${closes}` };
}

/** A day alone is its working hours; an hour alone stays open for some; a window gains a little on either side. */
const widened = (start: string, end: string | undefined): Window => ({
  startDate: hasHour(start) ? within(dayOf(start), shifted(start, -margin)) : `${dayOf(start)}T${opens}`,
  endDate: closing(start, end),
});

function closing(start: string, end: string | undefined): string {
  if (end !== undefined && hasHour(end)) return within(dayOf(end), shifted(end, margin));
  if (end === undefined && hasHour(start)) return within(dayOf(start), shifted(start, stay));
  const date = dayOf(end ?? start);
  const isLate = hasHour(start) && dayOf(start) === date && shown(plain(start)) > `${date}T${closes}`;
  return `${date}T${isLate ? lastMinute : closes}`;
}

const dayOf = (text: string) => text.slice(0, 10);
const hasHour = (text: string) => text.length > 10;
const plain = (text: string) => Date.parse(`${text.slice(0, 19)}Z`);
const shown = (milliseconds: number) => new Date(milliseconds).toISOString().slice(0, 19);
const shifted = (text: string, by: number) => shown(plain(text) + by);

/** Within its day. */
const within = (date: string, moment: string) =>
  moment.slice(0, 10) < date ? `${date}T00:00:00` : moment.slice(0, 10) > date ? `${date}T${lastMinute}` : moment;

/** The first loading is never asked for on the day itself. */
function nextWorkingDay(earliest: string, isFirst: boolean): string {
  const tooLate = isFirst || earliest.slice(11, 19) > lastArrival;
  let at = Date.parse(earliest.slice(0, 10)) + (tooLate ? day : 0);
  while ([0, 6].includes(new Date(at).getUTCDay())) at += day;
  return shown(at).slice(0, 10);
}
