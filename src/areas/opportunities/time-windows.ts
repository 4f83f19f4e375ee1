/** The start of a stop. `from`: milliseconds since 1970. */
export interface Stay {
  from: number;
}

export interface Window {
  startDate: string;
  endDate: string;
}

const hour = 60 * 60 * 1000;
const day = 24 * hour;
const [opens, closes, lastMinute] = ["08:00:00", "18:00:00", "23:59:00"];
/** A lorry that arrives later is loaded or unloaded on the next day. */
const latestArrival = "16:00:00";
/** A requested window is widened by `margin` on both sides. A window without an end has the default length. */
const [margin, defaultLength] = [hour, 4 * hour];
/** `speed` in km/h, the others in hours; `dailyDriving` and `dailyRest` are per day. */
const [speed, dailyDriving, dailyRest, drivingUntilBreak, breakLength] = [65, 9, 11, 4.5, 0.75];
const loadingHours = 2;

/** Computes the transit time of a lorry with one driver, in milliseconds: one day if the distance is unknown. */
export function transitMilliseconds(km: number | undefined): number {
  if (km === undefined) return day;
  const driving = km / speed;
  const rests = Math.max(0, Math.ceil(driving / dailyDriving) - 1) * dailyRest;
  const breaks = Math.floor(driving / drivingUntilBreak) * breakLength;
  return Math.round((loadingHours + driving + rests + breaks) * 60) * 60_000;
}

/** Formats a duration as `hh:mm:ss`. */
export function formatDuration(milliseconds: number): string {
  const twoDigits = (figure: number) => `${figure}`.padStart(2, "0");
  const minutes = Math.round(milliseconds / 60_000);
  return `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}:00`;
}

interface WindowConstraints {
  /** Milliseconds since 1970. */
  after: number;
  /** Local time. */
  earliest: string;
  isFirst: boolean;
  /** Converts local time to milliseconds since 1970. */
  instant: (local: string) => number;
}

/**
 * Returns the time window of a stop in local time: the requested window, widened. If there is none or it is too early,
 * the working hours of the first working day on which the stop can be reached.
 */
export function timeWindowOf(
  period: { startDate?: string | undefined; endDate?: string | undefined } | undefined,
  { after, earliest, isFirst, instant }: WindowConstraints,
): Window {
  const requested = period?.startDate ? widened(period.startDate, period.endDate) : undefined;
  if (requested && instant(requested.endDate) > after) return requested;
  const date = nextWorkingDay(earliest, isFirst);
  return { startDate: `${date}T${opens}`, endDate: `${date}T${closes}` };
}

/** Widens a period by the margin. A date without a time of day becomes the working hours of that day. */
const widened = (start: string, end: string | undefined): Window => ({
  startDate: hasTime(start) ? limitToDay(dayOf(start), addMilliseconds(start, -margin)) : `${dayOf(start)}T${opens}`,
  endDate: endOf(start, end),
});

function endOf(start: string, end: string | undefined): string {
  if (end !== undefined && hasTime(end)) return limitToDay(dayOf(end), addMilliseconds(end, margin));
  if (end === undefined && hasTime(start)) return limitToDay(dayOf(start), addMilliseconds(start, defaultLength));
  const date = dayOf(end ?? start);
  const isAfterHours = hasTime(start) && dayOf(start) === date && formatLocal(parseLocal(start)) > `${date}T${closes}`;
  return `${date}T${isAfterHours ? lastMinute : closes}`;
}

const dayOf = (text: string) => text.slice(0, 10);
const hasTime = (text: string) => text.length > 10;
const parseLocal = (text: string) => Date.parse(`${text.slice(0, 19)}Z`);
const formatLocal = (milliseconds: number) => new Date(milliseconds).toISOString().slice(0, 19);
const addMilliseconds = (text: string, by: number) => formatLocal(parseLocal(text) + by);

const limitToDay = (date: string, moment: string) =>
  moment.slice(0, 10) < date ? `${date}T00:00:00` : moment.slice(0, 10) > date ? `${date}T${lastMinute}` : moment;

function nextWorkingDay(earliest: string, isFirst: boolean): string {
  const isNextDay = isFirst || earliest.slice(11, 19) > latestArrival;
  let at = Date.parse(earliest.slice(0, 10)) + (isNextDay ? day : 0);
  while ([0, 6].includes(new Date(at).getUTCDay())) at += day;
  return formatLocal(at).slice(0, 10);
}
