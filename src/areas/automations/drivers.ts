import { covers, overlaps, type Occurred, type Window } from "./time-windows.ts";

export interface Driver {
  name: string;
  phone?: string | undefined;
  email?: string | undefined;
}

/** The period in which a driver was assigned to a vehicle: ISO 8601, UTC. Without `to`, the assignment has no end. */
export interface Assignment {
  driver: Driver;
  from: string;
  to?: string | undefined;
}

/** The drivers who were assigned to a vehicle at the time of an offence. */
export interface Drove {
  drivers: Driver[];
  /** Whether a single driver was assigned for the whole time window of the offence. */
  isSure: boolean;
}

/**
 * Finds the drivers who were assigned at the time of the offence, each once. If an offence happened exactly when the
 * driver changed, the later driver counts.
 */
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

/** In milliseconds since 1970. A period that ends at 59.999 seconds is taken to end at the next full minute. */
const endOf = (to: string) => Date.parse(to) + (to.endsWith("59.999Z") ? 1 : 0);

/** Whether the periods together cover the window without a gap. */
function isCovered(window: Window, spans: readonly Window[]): boolean {
  let { from } = window;
  for (const span of [...spans].sort((a, b) => a.from - b.from)) if (span.from <= from) from = Math.max(from, span.to);
  return covers({ from: window.from, to: from }, window);
}

/** Normalizes a name for comparison. */
export const nameKey = (name: string): string => name.normalize("NFKC").trim().replace(/\s+/g, " ").toLowerCase();
