import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  criteria,
  scoreOf,
  weights,
  type Criterion,
  type Score,
  type Free,
  type Load,
} from "../../../src/areas/matches/score.ts";
import { ranked } from "../../../src/areas/matches/find.ts";

const at = "2027-03-20T00:00:00.000Z";
const leipzig = {
  countryCode: "DE",
  postalCode: "04158",
  city: "Leipzig",
  coordinates: { latitude: 51.34, longitude: 12.37 },
};
const wroclaw = {
  countryCode: "PL",
  postalCode: "53-609",
  city: "Wrocław",
  coordinates: { latitude: 51.11, longitude: 17 },
};

const load = (
  requirements: Load["requirements"] = {},
  period = { startDate: "2027-03-24T08:00Z", endDate: "2027-03-24T12:00Z" },
): Load => ({
  locations: [
    { address: leipzig, period },
    { address: wroclaw, period: {} },
  ],
  requirements,
});

const free = (more: Partial<Free> = {}): Free => ({
  loading: { address: leipzig, period: { startDate: "2027-03-24T00:00Z", endDate: "2027-03-25T00:00Z" } },
  ...more,
});
/** Makes a vehicle that is free this many kilometres north of Leipzig. */
const north = (km: number): Partial<Free> => ({
  loading: {
    address: { ...leipzig, coordinates: { latitude: 51.34 + km / 111.195, longitude: 12.37 } },
    period: { startDate: "2027-03-24T00:00Z", endDate: "2027-03-25T00:00Z" },
  },
});
const during = (startDate: string, endDate?: string): Partial<Free> => ({
  loading: { address: leipzig, period: { startDate, endDate } },
});

const reason = (fit: Score | undefined, criterion: Criterion) =>
  fit?.reasons.find((one) => one.criterion === criterion);
const judged = (fit: Score | undefined, criterion: Criterion) => {
  const found = reason(fit, criterion);
  return found && [found.fits, Number(found.score.toFixed(3))];
};

test("the weights add up to one, and each criterion has one", () => {
  expect(Object.keys(weights)).toEqual([...criteria]);
  expect(Object.values(weights).reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 12);
});

describe.each<[Criterion, [what: string, Load, Free, [boolean, number] | undefined][]]>([
  [
    "distance",
    [
      ["at the place", load(), free(), [true, 1]],
      ["half of its range away", load(), free({ ...north(50) }), [true, 0.5]],
      ["farther than its range", load(), free({ ...north(50), range: 49 }), undefined],
      ["at the end of its range", load(), free({ ...north(49.99), range: 50 }), [true, 0]],
      ["without a range", load(), free({ range: 0 }), [true, 1]],
      [
        "in the same region, position unknown",
        load(),
        free({ loading: { address: { countryCode: "DE", postalCode: "04-1" } } }),
        [true, 0.5],
      ],
      [
        "in another region, position unknown",
        load(),
        free({ loading: { address: { countryCode: "DE", postalCode: "05158" } } }),
        undefined,
      ],
      [
        "in another country, position unknown",
        load(),
        free({ loading: { address: { countryCode: "PL", postalCode: "04158" } } }),
        undefined,
      ],
      ["without a place", load(), { requirements: {} }, undefined],
    ],
  ],
  [
    "dates",
    [
      ["free during the whole loading period", load(), free(), [true, 1]],
      [
        "free during half of the loading period",
        load(),
        free(during("2027-03-24T10:00Z", "2027-03-24T20:00Z")),
        [true, 0.75],
      ],
      ["free until the loading begins", load(), free(during("2027-03-23", "2027-03-24T09:00+01:00")), [true, 0.5]],
      ["free until before the loading begins", load(), free(during("2027-03-23", "2027-03-24T08:59+01:00")), undefined],
      ["free after the loading ends", load(), free(during("2027-03-24T12:01Z")), undefined],
      [
        "free on the local day",
        load({}, { startDate: "2027-03-24T23:30", endDate: "2027-03-24T23:45" }),
        free(during("2027-03-24")),
        [true, 1],
      ],
      [
        "a loading period without length",
        load({}, { startDate: "2027-03-24T10:00Z", endDate: "2027-03-24T10:00Z" }),
        free(),
        [true, 1],
      ],
      ["unknown period", load(), free({ loading: { address: leipzig } }), [true, 0.5]],
    ],
  ],
  [
    "trailer",
    [
      ["the requested type", load({ trailerTypes: [1, 3] }), free({ requirements: { trailerType: 3 } }), [true, 1]],
      ["another type", load({ trailerTypes: [1, 3] }), free({ requirements: { trailerType: 2 } }), undefined],
      [
        "any type offered, specific types requested",
        load({ trailerTypes: [1, 3] }),
        free({ requirements: { trailerType: 10 } }),
        [true, 0.8],
      ],
      [
        "another type, any type requested too",
        load({ trailerTypes: [1, 10] }),
        free({ requirements: { trailerType: 2 } }),
        [true, 0.8],
      ],
      [
        "a specific type, any type requested",
        load({ trailerTypes: [10] }),
        free({ requirements: { trailerType: 2 } }),
        [true, 1],
      ],
      ["a specific type, none requested", load(), free({ requirements: { trailerType: 2 } }), [true, 1]],
      ["unknown type", load({ trailerTypes: [1] }), free(), [true, 0.5]],
    ],
  ],
  [
    "vehicle",
    [
      ["the requested type", load({ vehicleTypes: [1, 5] }), free({ requirements: { vehicleType: 5 } }), [true, 1]],
      ["another type", load({ vehicleTypes: [1] }), free({ requirements: { vehicleType: 4 } }), undefined],
      ["unknown type", load({ vehicleTypes: [1] }), free(), [true, 0.5]],
      ["a specific type, none requested", load(), free({ requirements: { vehicleType: 4 } }), [true, 1]],
    ],
  ],
  [
    "load",
    [
      ["full", load({ capacity: 24, ldm: 13.6 }), free({ requirements: { capacity: 24, ldm: 13.6 } }), [true, 1]],
      ["half full", load({ capacity: 12 }), free({ requirements: { capacity: 24 } }), [true, 0.75]],
      ["too heavy", load({ capacity: 24.1, ldm: 1 }), free({ requirements: { capacity: 24, ldm: 13.6 } }), undefined],
      ["too long", load({ ldm: 13.7 }), free({ requirements: { ldm: 13.6 } }), undefined],
      ["too many pallets", load({ pallets: 34 }), free({ requirements: { pallets: 33 } }), undefined],
      [
        "unknown weight capacity of the vehicle",
        load({ capacity: 24, pallets: 33 }),
        free({ requirements: { pallets: 33 } }),
        [true, 0.75],
      ],
      ["unknown size of the load", load(), free({ requirements: { pallets: 33 } }), [true, 1]],
      ["no pallets for no places", load({ pallets: 0 }), free({ requirements: { pallets: 0 } }), [true, 1]],
    ],
  ],
  [
    "capabilities",
    [
      [
        "all requested ones",
        load({ capabilities: [1, 7] }),
        free({ requirements: { capabilities: ["gps", "adr", "lift"] } }),
        [true, 1],
      ],
      [
        "one of two requested ones",
        load({ capabilities: [1, 7] }),
        free({ requirements: { capabilities: ["gps"] } }),
        [false, 0.5],
      ],
      ["none offered", load({ capabilities: [1] }), free(), [false, 0]],
      ["none requested", load(), free({ requirements: { capabilities: ["gps"] } }), [true, 1]],
    ],
  ],
  [
    "unloading",
    [
      ["no preference of the vehicle", load(), free(), [true, 1]],
      [
        "the country",
        load(),
        free({ unloading: { address: [{ countryCode: "CZ" }, { countryCode: "PL" }] } }),
        [true, 1],
      ],
      ["the region", load(), free({ unloading: { address: [{ countryCode: "PL", postalCode: "53" }] } }), [true, 1]],
      [
        "another region",
        load(),
        free({ unloading: { address: [{ countryCode: "PL", postalCode: "54" }] } }),
        [false, 0.4],
      ],
      ["the town", load(), free({ unloading: { address: [{ countryCode: "PL", city: "WROCLAW" }] } }), [true, 1]],
      [
        "a town near it",
        load(),
        free({
          unloading: {
            address: [{ countryCode: "PL", city: "Oława", coordinates: { latitude: 50.95, longitude: 17.3 } }],
          },
        }),
        [true, 1],
      ],
      [
        "a place far from it",
        load(),
        free({ unloading: { address: [{ countryCode: "PL", coordinates: { latitude: 54.35, longitude: 18.65 } }] } }),
        [false, 0.4],
      ],
      ["another country", load(), free({ unloading: { address: [{ countryCode: "CZ" }] } }), [false, 0]],
    ],
  ],
  [
    "partLoad",
    [
      ["part loads wanted", load({ ftl: false }), free({ requirements: { interestedInLtl: true } }), [true, 1]],
      ["part loads not wanted", load({ ftl: false }), free({ requirements: { interestedInLtl: false } }), [false, 0]],
      ["unknown preference", load({ ftl: false }), free(), [true, 0.5]],
      ["a full load", load({ ftl: true }), free({ requirements: { interestedInLtl: false } }), [true, 1]],
    ],
  ],
])("the criterion %s", (criterion, rows) => {
  test.each(rows)("is scored: %s", (_, wanted, offered, expected) =>
    expect(judged(scoreOf(wanted, offered, at), criterion)).toEqual(expected),
  );
});

test("the past part of the loading period does not count", () => {
  const early = free(during("2027-03-24T08:00Z", "2027-03-24T10:00Z"));
  expect(judged(scoreOf(load(), early, "2027-03-24T09:00:00.000Z"), "dates")).toEqual([true, 0.667]);
  expect(scoreOf(load(), early, "2027-03-24T10:30:00.000Z")).toBeUndefined();
});

describe("any load and vehicle", () => {
  const perhaps = <Value>(some: fc.Arbitrary<Value>) => fc.option(some, { nil: undefined });
  const coordinates = fc.record({
    latitude: fc.double({ min: 50.5, max: 52, noNaN: true }),
    longitude: fc.double({ min: 11.5, max: 13, noNaN: true }),
  });
  const address = fc.record({
    countryCode: fc.constantFrom("DE", "PL"),
    postalCode: perhaps(fc.constantFrom("04158", "04-109", "53-609", "1")),
    city: perhaps(fc.constantFrom("Leipzig", "Wrocław")),
    coordinates: perhaps(coordinates),
  });
  const times = fc.constantFrom("2027-03-23", "2027-03-24T08:00", "2027-03-24T10:00Z", "2027-03-25");
  const period = fc.record({ startDate: times, endDate: perhaps(times) });
  const size = perhaps(fc.constantFrom(0, 1, 12, 24, 33));
  const anyLoad: fc.Arbitrary<Load> = fc.record({
    locations: fc.tuple(fc.record({ address, period }), fc.record({ address, period: fc.constant({}) })),
    requirements: fc.record({
      trailerTypes: perhaps(fc.subarray([1, 2, 3, 10])),
      vehicleTypes: perhaps(fc.subarray([1, 2])),
      capacity: size,
      ldm: size,
      pallets: size,
      ftl: perhaps(fc.boolean()),
      capabilities: perhaps(fc.subarray([1, 7, 10])),
    }),
  });
  const anyFree: fc.Arbitrary<Free> = fc.record({
    requirements: perhaps(
      fc.record({
        trailerType: perhaps(fc.constantFrom(1, 2, 3, 10)),
        vehicleType: perhaps(fc.constantFrom(1, 2)),
        capacity: size,
        ldm: size,
        pallets: size,
        interestedInLtl: perhaps(fc.boolean()),
        capabilities: perhaps(fc.subarray(["adr", "gps", "lift"])),
      }),
    ),
    loading: perhaps(fc.record({ address, period: perhaps(period) })),
    unloading: perhaps(fc.record({ address: fc.array(address, { maxLength: 3 }) })),
    range: perhaps(fc.constantFrom(0, 20, 150)),
  });

  test("scores are between 0 and 1, each criterion has a reason, and required criteria fit", () => {
    fc.assert(
      fc.property(anyLoad, anyFree, (wanted, offered) => {
        const fit = scoreOf(wanted, offered, at);
        if (!fit) return;
        expect(fit.reasons.map(({ criterion }) => criterion)).toEqual([...criteria]);
        for (const { score, detail } of fit.reasons) {
          expect(score).toBeGreaterThanOrEqual(0);
          expect(score).toBeLessThanOrEqual(1);
          expect(detail).toMatch(/\.$/);
        }
        expect(fit.score).toBeLessThanOrEqual(1 + 1e-9);
        for (const one of ["distance", "dates", "trailer", "vehicle", "load"] as const)
          expect(reason(fit, one)!.fits).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  test("a candidate that is better in one criterion and no worse in the others never ranks lower", () => {
    const wanted = load({ trailerTypes: [3], capacity: 24, capabilities: [1, 7], ftl: false });
    const fitting = fc
      .record({
        km: fc.nat(95),
        ends: fc.constantFrom("2027-03-24T09:00Z", "2027-03-24T11:00Z", "2027-03-25"),
        trailerType: perhaps(fc.constantFrom(3, 10)),
        capacity: perhaps(fc.constantFrom(24, 30, 40)),
        capabilities: perhaps(fc.subarray(["adr", "gps"])),
        interestedInLtl: perhaps(fc.boolean()),
        goesTo: perhaps(fc.constantFrom("PL", "CZ")),
      })
      .map(({ km, ends, goesTo, ...requirements }): Free => ({
        loading: { ...north(km).loading!, period: { startDate: "2027-03-24T08:00Z", endDate: ends } },
        requirements,
        ...(goesTo && { unloading: { address: [{ countryCode: goesTo }] } }),
      }));
    let compared = 0;
    fc.assert(
      fc.property(fc.array(fitting, { minLength: 2, maxLength: 15 }), (some) => {
        const found = ranked(
          some.map((thing, id) => ({ thing, id: String.fromCodePoint(97 + id) })),
          ({ thing }) => scoreOf(wanted, thing, at),
          ({ id }) => id,
        );
        expect(found).toHaveLength(some.length);
        for (const [place, lower] of found.entries())
          for (const higher of found.slice(0, place)) {
            const differences = lower.reasons.map(({ score }, index) => score - higher.reasons[index]!.score);
            const isBetter = differences.every((one) => one >= 0) && differences.some((one) => one > 0);
            expect(isBetter).toBe(false);
            compared += 1;
          }
      }),
    );
    expect(compared).toBeGreaterThan(1000);
  });

  test("the ranking does not depend on the order of the candidates", () => {
    fc.assert(
      fc.property(anyLoad, fc.array(anyFree, { maxLength: 12 }), fc.infiniteStream(fc.nat()), (wanted, some, turns) => {
        const things = some.map((thing, id) => ({ id: `${id}`, thing }));
        const fit = ({ thing }: { thing: Free }) => scoreOf(wanted, thing, at);
        const order = (of: typeof things) => ranked(of, fit, ({ id }) => id).map(({ thing }) => thing.id);
        const shuffled = things
          .map((thing) => ({ thing, turn: turns.next().value }))
          .toSorted((a, b) => a.turn - b.turn);
        expect(order(shuffled.map(({ thing }) => thing))).toEqual(order(things));
      }),
    );
  });

  test.each<[string, Partial<Free>, Partial<Free>]>([
    ["nearer", north(10), north(20)],
    [
      "free for longer",
      during("2027-03-24T08:00Z", "2027-03-24T12:00Z"),
      during("2027-03-24T08:00Z", "2027-03-24T09:00Z"),
    ],
    ["of the requested trailer type", { requirements: { trailerType: 3 } }, { requirements: { trailerType: 10 } }],
    ["used more fully", { requirements: { capacity: 24 } }, { requirements: { capacity: 40 } }],
    ["equipped as requested", { requirements: { capabilities: ["gps"] } }, { requirements: { capabilities: [] } }],
    [
      "going to the country of unloading",
      { unloading: { address: [{ countryCode: "PL" }] } },
      { unloading: { address: [{ countryCode: "CZ" }] } },
    ],
  ])("a vehicle that is %s scores higher", (_, better, worse) => {
    const wanted = load({ trailerTypes: [3], capacity: 24, capabilities: [7] });
    const [one, other] = [better, worse].map((more) => scoreOf(wanted, free(more), at)!.score);
    expect(one).toBeGreaterThan(other!);
  });
});
