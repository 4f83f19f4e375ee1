import { freightRow } from "../src/areas/freights/search.ts";
import type { Freight } from "../src/areas/freights/model.ts";
import { vehicleRow } from "../src/areas/vehicles/search.ts";
import type { Vehicle } from "../src/areas/vehicles/model.ts";
import type { Versioned } from "../src/platform/archive/archive.ts";
import { scattered } from "./archive-rows.ts";

const day = 24 * 60 * 60 * 1000;
const trailers = [1, 2, 3, 6, 10];

/** The centre of all measured searches. */
export const center = { latitude: 51.34, longitude: 12.37 };
/**
 * Number of vehicles near the centre, and also number of freights. They are the same ones, however many there are in
 * total.
 */
const here = 1000;
/**
 * Half the side of two squares around the centre, in degrees of latitude. The small one contains the vehicles and
 * freights near the centre, the large one contains all.
 */
const [near, far] = [1.4, 6.3];

/**
 * Generates the archive rows of `count` vehicles and `count` freights, spread over a year around `now`. A thousand of
 * each are in a square that reaches about 155 km from the centre in each direction. The others are in a larger square
 * around it.
 */
export function* fleetRows(company: string, count: number, now: number): Generator<Versioned> {
  for (let index = 0; index < count; index++) {
    const id = (kind: string) => `01a1f8ce-96ba-7fa1-${kind}-${index.toString(16).padStart(12, "0")}`;
    yield { version: 1, row: vehicleRow(vehicleOf(index, count, now), company, id("b074")) };
    yield { version: 1, row: freightRow(freightOf(index, count, now), company, id("b075"), 1) };
  }
}

/** Computes a pseudorandom number below `most`, which is always the same for the same `number` and `kind`. */
const any = (number: number, kind: number, most: number) => scattered(number * 32 + kind) % most;

/** Numbers the vehicles and freights. Those with a number below a thousand are near the centre. */
const numberOf = (index: number, count: number) => {
  const every = count / here;
  return index % every === 0 ? index / every : here + index;
};

const addressOf = (number: number, kind: number) => ({
  countryCode: ["DE", "PL", "CZ", "FR"][any(number, kind, 4)]!,
  city: `Town${any(number, kind, 500)}`,
  coordinates: placeOf(number, kind),
});

/** Degrees of longitude that are as long as one degree of latitude at the centre. */
const east = 1 / Math.cos((center.latitude * Math.PI) / 180);

function placeOf(number: number, kind: number): { latitude: number; longitude: number } {
  const side = number < here ? near : far;
  const away = (which: number) => ((any(number, which, 20_001) - 10_000) / 10_000) * side;
  const [north, aside] = [away(kind + 1), away(kind + 2)];
  const isOutside = number < here || Math.abs(north) > near || Math.abs(aside) > near;
  if (!isOutside) return placeOf(number + 1_000_003, kind);
  return { latitude: center.latitude + north, longitude: center.longitude + aside * east };
}

function createdAt(index: number, count: number, now: number): string {
  return new Date(now - 365 * day + Math.floor((index / count) * 365 * day)).toISOString();
}

function vehicleOf(index: number, count: number, now: number): Vehicle {
  const number = numberOf(index, count);
  const begins = now + (any(number, 4, 365) - 330) * day;
  const [from, to] = [new Date(begins).toISOString(), new Date(begins + 2 * day).toISOString()];
  const made = createdAt(index, count, now);
  return {
    given: {
      licensePlate: `WGM${index}`,
      requirements: { trailerType: trailers[any(number, 5, 5)]!, capacity: 24, ldm: 13.6, capabilities: undefined },
      loading: { address: addressOf(number, 0), period: { startDate: from, endDate: to }, from, to },
      range: 50 + any(number, 6, 3) * 50,
      assignments: undefined,
    },
    createdAt: made,
    updatedAt: made,
  };
}

/** Makes a freight. One in ten is open. */
function freightOf(index: number, count: number, now: number): Freight {
  const number = numberOf(index, count);
  const isLive = any(number, 7, 10) === 0;
  const begins = isLive ? now + (1 + any(number, 8, 20)) * day : Date.parse(createdAt(index, count, now));
  const [startsAt, endsAt] = [new Date(begins).toISOString(), new Date(begins + day / 3).toISOString()];
  const made = createdAt(index, count, now);
  const stop = (sequence: number, kind: number) => ({
    sequence,
    type: sequence === 1 ? ("Loading" as const) : ("Unloading" as const),
    address: addressOf(number, kind),
    period: { startDate: startsAt, endDate: endsAt },
    startsAt,
    endsAt,
  });
  return {
    status: isLive ? "Published" : "Booked",
    said: {
      externalNumber: `FR-${index}`,
      sources: [1],
      locations: [stop(1, 9), stop(2, 12)],
      requirements: { trailerTypes: [trailers[any(number, 15, 5)]!], capacity: 20 },
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
