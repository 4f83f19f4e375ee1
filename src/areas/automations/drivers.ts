import { covers, overlaps, type Occurred, type Window } from "./time-windows.ts";

export interface Driver {
  name: string;
  phone?: string | undefined;
  email?: string | undefined;
}

/** A driver of a vehicle with a period: ISO 8601, UTC; open-ended without `to`. */
export interface Assignment {
  driver: Driver;
  from: string;
  to?: string | undefined;
}

/** The drivers at a time. */
export interface Drove {
  drivers: Driver[];
  /** One driver covers the whole possible time. */
  isSure: boolean;
}

/** All possible drivers, each once. At the moment of a change, the next driver counts. */
export function droveAt(assignments: readonly Assignment[], { windows }: Occurred): Drove {
  const spans = assignments.map(({ driver, from, to }) => ({
    driver,
    from: Date.parse(from),
    to: to === undefined ? Infinity : endOf(to),
  }));
  const then = spans.filter((span) => windows.some((window) => overlaps(span, window)));
  const found = then.length > 0 ? then : spans.filter(({ to }) => windows.some(({ from }) => from === to));
  const drivers = [...new Map(found.map(({ driver }) => [nameKey(driver.name), driver])).values()];
  return { drivers, isSure: drivers.length === 1 && windows.every((window) => isCovered(window, found)) };
}

/** The last millisecond of a day stands for the end of that day. */
const endOf = (to: string) => Date.parse(to) + (to.endsWith("59.999Z") ? 1 : 0);

/** By one after the other. */
function isCovered(window: Window, spans: readonly Window[]): boolean {
  let { from } = window;
  for (const span of [...spans].sort((a, b) => a.from - b.from)) if (span.from <= from) from = Math.max(from, span.to);
  return covers({ from: window.from, to: from }, window);
}

/** A name normalised for comparison. */
export const nameKey = (name: string): string => name.normalize("NFKC").trim().replace(/\s+/g, " ").toLowerCase();
