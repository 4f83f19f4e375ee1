import { freightRow, type Freight } from "../src/areas/freights/index.ts";
import { vehicleRow, type Vehicle } from "../src/areas/vehicles/index.ts";
import type { Versioned } from "../src/kit/archive.ts";

const day = 24 * 60 * 60 * 1000;
const trailers = [1, 2, 3, 6, 10];

/** The archive's rows of so many vehicles and as many freights, all over central Europe and in a year about `now`. */
export function* fleetRows(company: string, count: number, now: number): Generator<Versioned> {
  for (let index = 0; index < count; index++) {
    const id = (kind: string) => `01a1f8ce-96ba-7fa1-${kind}-${index.toString(16).padStart(12, "0")}`;
    yield { version: 1, row: vehicleRow(vehicleOf(index, count, now), company, id("b074")) };
    yield { version: 1, row: freightRow(freightOf(index, count, now), company, id("b075"), 1) };
  }
}

/** Without a rule, and always the same. */
const any = (index: number, kind: number, most: number) =>
  (Math.imul((index + 1) * 16 + kind, 2_654_435_761) >>> 0) % most;

const addressOf = (index: number, kind: number) => ({
  countryCode: ["DE", "PL", "CZ", "FR"][any(index, kind, 4)]!,
  city: `Town${any(index, kind, 500)}`,
  coordinates: { latitude: 46 + any(index, kind, 8000) / 1000, longitude: 4 + any(index, kind + 1, 16_000) / 1000 },
});

function createdAt(index: number, count: number, now: number): string {
  return new Date(now - 365 * day + Math.floor((index / count) * 365 * day)).toISOString();
}

function vehicleOf(index: number, count: number, now: number): Vehicle {
  const begins = now + (any(index, 4, 365) - 330) * day;
  const [from, to] = [new Date(begins).toISOString(), new Date(begins + 2 * day).toISOString()];
  const made = createdAt(index, count, now);
  return {
    given: {
      licensePlate: `WGM${index}`,
      requirements: { trailerType: trailers[any(index, 5, 5)]!, capacity: 24, ldm: 13.6, capabilities: undefined },
      loading: { address: addressOf(index, 0), period: { startDate: from, endDate: to }, from, to },
      range: 50 + any(index, 6, 4) * 50,
      assignments: undefined,
    },
    createdAt: made,
    updatedAt: made,
  };
}

/** One of ten is live. */
function freightOf(index: number, count: number, now: number): Freight {
  const isLive = any(index, 7, 10) === 0;
  const begins = isLive ? now + (1 + any(index, 8, 20)) * day : Date.parse(createdAt(index, count, now));
  const [startsAt, endsAt] = [new Date(begins).toISOString(), new Date(begins + day / 3).toISOString()];
  const made = createdAt(index, count, now);
  const stop = (sequence: number, kind: number) => ({
    sequence,
    type: sequence === 1 ? ("Loading" as const) : ("Unloading" as const),
    address: addressOf(index, kind),
    period: { startDate: startsAt, endDate: endsAt },
    startsAt,
    endsAt,
  });
  return {
    status: isLive ? "Published" : "Booked",
    said: {
      externalNumber: `FR-${index}`,
      sources: [1],
      locations: [stop(1, 9), stop(2, 11)],
      requirements: { trailerTypes: [trailers[any(index, 13, 5)]!], capacity: 20 },
      payment: { currency: "EUR", from: 100_000 },
    },
    createdAt: made,
    updatedAt: made,
    publishedAt: made,
    ...(!isLive && { archivedAt: endsAt, archiveReason: "Booked" as const }),
    prices: [],
    offers: [],
    shares: [],
    publications: [],
  };
}
