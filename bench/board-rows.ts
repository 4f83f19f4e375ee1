import { boardRow } from "../src/areas/freights/board/board.ts";
import type { Freight } from "../src/areas/freights/model.ts";
import type { Versioned } from "../src/platform/archive/archive.ts";
import { scattered } from "./archive-rows.ts";

const day = 24 * 60 * 60 * 1000;
const countries = ["DE", "DE", "DE", "PL", "PL", "FR", "NL", "CZ", "IT", "ES"];
const goods = [
  "Printing paper",
  "Steel coils",
  "Frozen food",
  "Tyres",
  "Furniture",
  "Glass",
  "Cement",
  "Machine parts",
];

/**
 * Generates the board rows of `count` open freights, which are all loaded within the next month. Their values depend
 * only on the arguments.
 */
export function* boardRows(count: number, now: number): Generator<Versioned> {
  for (let index = 0; index < count; index++)
    yield { version: 2, row: boardRow(freightOf(index, count, now), idOf(index))! };
}

function freightOf(index: number, count: number, now: number): Freight {
  const any = (kind: number, most: number) => scattered(index * 16 + kind) % most;
  const publishedAt = new Date(now - Math.floor(((count - index) / count) * 10 * day)).toISOString();
  const loads = now + day + any(0, 28 * 24) * (day / 24);
  const stop = (kind: number, type: "Loading" | "Unloading", at: number) => ({
    sequence: type === "Loading" ? 1 : 2,
    type,
    address: {
      countryCode: countries[any(kind, 10)]!,
      postalCode: String(10_000 + any(kind + 1, 80_000)),
      city: `Town${String(any(kind + 1, 500)).padStart(3, "0")}`,
      coordinates: { latitude: 40 + any(kind + 2, 15_000) / 1000, longitude: -5 + any(kind + 3, 30_000) / 1000 },
    },
    period: { startDate: new Date(at).toISOString() },
    startsAt: new Date(at).toISOString(),
    endsAt: new Date(at + day / 3).toISOString(),
  });
  // Three freights, at 10, 50 and 90 % of the list, have a word that no other freight has.
  const isChosen = [0.1, 0.5, 0.9].some((part) => index === Math.floor(part * count));
  return {
    status: "Published",
    said: {
      sources: [1],
      locations: [stop(2, "Loading", loads), stop(6, "Unloading", loads + day)],
      requirements: { trailerTypes: [1 + any(10, 8)], capacity: 24, ldm: 13.6 },
      payment: { from: 50_000 + any(11, 200_000), currency: "EUR", term: 30 },
      comments: `${goods[any(12, goods.length)]!} on pallets${isChosen ? ", Nightingale" : ""}`,
    },
    createdAt: publishedAt,
    updatedAt: publishedAt,
    publishedAt,
    prices: [],
    offers: [],
    shares: [],
    publications: [],
  };
}

const idOf = (index: number) => `01a1f8ce-96ba-7fa1-b075-${index.toString(16).padStart(12, "0")}`;
