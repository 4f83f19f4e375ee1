import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fillArchive } from "../../bench/archive-fill.ts";
import { everyone, type Versioned } from "../../src/platform/archive/archive.ts";
import { cells, distanceKm, type Point } from "../../src/domain/places/cells.ts";
import { openService, type TestService } from "../support/service.ts";

/** A freight on the board, as the tests model it. */
interface Kept {
  loading?: Point;
  unloading?: Point;
  day: string;
  trailer: number;
}

const count = 1200;
const seed = 20_261_122;
const degrees = (most: number) => fc.integer({ min: -most * 8, max: most * 8 }).map((eighths) => eighths / 8);
/**
 * Generates places. Half of them are around one place; the others are anywhere, also at the poles and the date line.
 */
const place = fc.oneof(
  fc.record({ latitude: degrees(3).map((north) => 51 + north), longitude: degrees(4).map((east) => 12 + east) }),
  fc.record({ latitude: degrees(90), longitude: degrees(180) }),
);
const day = fc.integer({ min: 10, max: 28 }).map((date) => `2026-12-${date}`);
const perhaps = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });

const generated: fc.Arbitrary<Kept> = fc.record(
  { loading: place, unloading: place, day, trailer: fc.integer({ min: 1, max: 3 }) },
  { requiredKeys: ["day", "trailer"] },
);
const circle = fc.record({ point: place, km: fc.constantFrom(0, 14, 40, 150, 400, 1000) });
const question = fc.record({
  loading: perhaps(circle),
  unloading: perhaps(circle),
  from: perhaps(day),
  trailer: perhaps(fc.integer({ min: 1, max: 3 })),
  sort: fc.constantFrom("createdAt", "-createdAt", "loadingDate", "-loadingDate"),
  limit: fc.integer({ min: 20, max: 200 }),
});
type Circle = typeof circle extends fc.Arbitrary<infer Value> ? Value : never;
type Question = typeof question extends fc.Arbitrary<infer Value> ? Value : never;

const rows = fc.sample(generated, { numRuns: count, seed });

let state: string;
let service: TestService;

beforeAll(async () => {
  state = await mkdtemp(join(tmpdir(), "lorry-"));
  await fillArchive(state, rows.map(archived));
  service = await openService({ state });
});

afterAll(async () => {
  await service.stop();
  await rm(state, { recursive: true });
});

function archived({ loading, unloading, day: loadingDate, trailer }: Kept, at: number): Versioned {
  const createdAt = new Date(Date.UTC(2026, 10, 1) + Math.floor(at / 3) * 1000).toISOString();
  const cellsOf = (end: string, point?: Point) => (point ? cells(point).map((cell) => `${end}Cell:${cell}`) : []);
  return {
    version: 1,
    row: {
      table: "board",
      company: everyone,
      id: `${at}`,
      createdAt,
      updatedAt: createdAt,
      terms: [`trailerType:${trailer}`, ...cellsOf("loading", loading), ...cellsOf("unloading", unloading)],
      text: "",
      columns: {
        loadingDate,
        unloadingDate: loadingDate,
        ...(loading && { loadingLatitude: loading.latitude, loadingLongitude: loading.longitude }),
        ...(unloading && { unloadingLatitude: unloading.latitude, unloadingLongitude: unloading.longitude }),
      },
      view: { shown: { freightId: `${at}` }, expiresAt: "2999-01-01T00:00:00.000Z" },
    },
  };
}

interface Page {
  items: { freightId: string }[];
  nextCursor?: string;
}

/** Reads the numbers of the freights on all pages of the board. */
async function listed({ loading, unloading, from, trailer, sort, limit }: Question): Promise<number[]> {
  const near = ({ point, km }: Circle) => `${point.latitude},${point.longitude},${km}`;
  const found: number[] = [];
  for (let cursor: string | undefined = ""; cursor !== undefined;) {
    const query = new URLSearchParams({
      sort,
      limit: `${limit}`,
      ...(loading && { loadingNear: near(loading) }),
      ...(unloading && { unloadingNear: near(unloading) }),
      ...(from && { loadingFrom: from }),
      ...(trailer && { trailerType: `${trailer}` }),
      ...(cursor && { cursor }),
    });
    const answer = await service.fetch(`/board/freights.json?${query.toString()}`);
    expect(answer.status).toBe(200);
    const page = await answer.json<Page>();
    found.push(...page.items.map(({ freightId }) => Number(freightId)));
    cursor = page.nextCursor;
  }
  return found;
}

/** Computes the expected numbers from the distance of every freight. */
function measured({ loading, unloading, from, trailer, sort }: Question): number[] {
  const within = (point: Point | undefined, asked: Circle | undefined) =>
    !asked || (point !== undefined && distanceKm(point, asked.point) <= asked.km);
  const found = rows.flatMap((row, at) =>
    within(row.loading, loading) &&
    within(row.unloading, unloading) &&
    (!from || row.day >= from) &&
    (!trailer || row.trailer === trailer)
      ? [at]
      : [],
  );
  const place = (at: number) => `${sort.endsWith("loadingDate") ? rows[at]!.day : ""} ${String(at).padStart(6, "0")}`;
  const ascending = found.toSorted((one, other) => (place(one) < place(other) ? -1 : 1));
  return sort.startsWith("-") ? ascending.toReversed() : ascending;
}

test("searches around both ends, with days and trailers, match a full scan", async () => {
  const property = fc.asyncProperty(question, async (asked) => {
    expect(await listed(asked)).toEqual(measured(asked));
  });
  await fc.assert(property, { numRuns: 150, seed });
});

test("the searches of the sweep do find freights", () => {
  const found = fc
    .sample(question, { numRuns: 150, seed })
    .filter(({ loading }) => loading)
    .map(measured);
  expect(found.filter((numbers) => numbers.length > 0).length).toBeGreaterThan(20);
});
