import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  amountOf,
  countSteps,
  errorsInPrice,
  priceAt,
  priceOf,
  parseDuration,
  startClock,
  stepAt,
  stepBegins,
  type Clock,
} from "../../../src/areas/freights/price.ts";

const start = Date.parse("2026-11-23T10:00:00.000Z");
const minute = 60_000;
const at = (time: string) => `2026-11-23T${time}:00.000Z`;

/** Starts a price clock at 10:00. The prices are in whole currency units. */
const clockOf = (from: number, growTo: number, until: string, rate: string): Clock =>
  startClock({ from: from * 100, growTo: growTo * 100, until: at(until), rate: parseDuration(rate) }, at("10:00"))!;

const pricesOf = (clock: Clock) =>
  Array.from({ length: countSteps(clock) }, (_, step) => amountOf(priceAt(clock, start + step * clock.rate)));

test.each([
  [1000, 1300, "16:00", "01:00:00", [1000, 1060, 1120, 1180, 1240, 1300]],
  [1000, 1100, "13:30", "01:00:00", [1000, 1033.33, 1066.67, 1100]],
  [1000, 1001, "14:00", "01:00:00", [1000, 1000.33, 1000.67, 1001]],
  [850, 1000, "11:00", "00:15:00", [850, 900, 950, 1000]],
  [1000, 1300, "10:30", "01:00:00", [1000]],
])("a price from %d to %d until %s, every %s, has the expected steps", (from, growTo, until, rate, prices) => {
  expect(pricesOf(clockOf(from, growTo, until, rate))).toEqual(prices);
});

test("half a cent is rounded up", () => {
  expect(pricesOf(clockOf(10, 10.01, "13:00", "01:00:00"))).toEqual([10, 10.01, 10.01]);
});

test.each([
  ["just before the step", 60 * minute - 1, 1000],
  ["at the step", 60 * minute, 1060],
])("the price changes exactly at its step: %s", (_, passed, price) => {
  expect(amountOf(priceAt(clockOf(1000, 1300, "16:00", "01:00:00"), start + passed))).toBe(price);
});

/** Generates any clock that a freight may have: with at most 2000 steps, each at least a minute long. */
const clocks = fc
  .record({
    from: fc.integer({ min: 1, max: 1_000_000_000 }),
    growth: fc.integer({ min: 1, max: 1_000_000_000 }),
    rate: fc.integer({ min: minute, max: 7 * 24 * 60 * minute }),
    commands: fc.integer({ min: 1, max: 2000 }),
    short: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
  })
  .map(({ from, growth, rate, commands, short }): Clock => ({
    startedAt: new Date(start).toISOString(),
    from,
    growTo: from + growth,
    until: new Date(start + commands * rate - Math.floor(short * rate)).toISOString(),
    rate,
  }));

const within = (clock: Clock, share: number) =>
  start + Math.floor(share * Math.max(0, Date.parse(clock.until) - start - 1));
const shares = fc.double({ min: 0, max: 1, noNaN: true });

describe("any growing price", () => {
  test("starts at `from` and never falls", () => {
    fc.assert(
      fc.property(clocks, shares, shares, (clock, one, other) => {
        const [earlier, later] = [within(clock, Math.min(one, other)), within(clock, Math.max(one, other))];
        expect(priceAt(clock, start)).toBe(clock.from);
        expect(priceAt(clock, earlier)).toBeLessThanOrEqual(priceAt(clock, later));
        expect(priceAt(clock, earlier)).toBeGreaterThanOrEqual(clock.from);
        expect(priceAt(clock, later)).toBeLessThanOrEqual(clock.growTo);
      }),
    );
  });

  test("is exactly `growTo` in the last of several steps", () => {
    fc.assert(
      fc.property(clocks, (clock) => {
        const last = priceAt(clock, Date.parse(clock.until) - 1);
        expect(last).toBe(countSteps(clock) > 1 ? clock.growTo : clock.from);
      }),
    );
  });

  test("has whole cents, and its steps differ by at most one cent", () => {
    fc.assert(
      fc.property(clocks, (clock) => {
        const prices = Array.from({ length: Math.min(50, countSteps(clock)) }, (_, step) => priceOf(clock, step));
        const added = prices.slice(1).map((price, step) => price - prices[step]!);
        expect(prices.every(Number.isSafeInteger)).toBe(true);
        expect(added.length === 0 || Math.max(...added) - Math.min(...added) <= 1).toBe(true);
      }),
    );
  });

  test("changes only at the start of a step", () => {
    fc.assert(
      fc.property(clocks, shares, (clock, share) => {
        const step = stepAt(clock, within(clock, share));
        const begins = stepBegins(clock, step)!;
        expect(stepAt(clock, begins)).toBe(step);
        expect(stepAt(clock, begins - 1)).toBe(Math.max(0, step - 1));
        expect(stepBegins(clock, countSteps(clock))).toBeUndefined();
      }),
    );
  });

  test("is constant after its end and before its start", () => {
    fc.assert(
      fc.property(clocks, fc.integer({ min: 0, max: 1e12 }), (clock, far) => {
        expect(priceAt(clock, Date.parse(clock.until) + far)).toBe(priceOf(clock, countSteps(clock) - 1));
        expect(priceAt(clock, start - far)).toBe(clock.from);
      }),
    );
  });
});

test("a fixed price has no clock", () => {
  for (const growTo of [undefined, 100_000])
    expect(startClock({ from: 100_000, growTo, until: at("16:00"), rate: minute }, at("10:00"))).toBeUndefined();
});

test.each([
  ["00:01:00", 60_000],
  ["01:30:15", 5_415_000],
  ["48:00:00", 172_800_000],
  ["1.02:00:00", 93_600_000],
])("the duration %s is parsed", (text, milliseconds) => {
  expect(parseDuration(text)).toBe(milliseconds);
});

const terms = { from: 100_000, growTo: 130_000, until: at("16:00"), rate: 60 * minute };
const loadingEnds = Date.parse(at("18:00"));

test.each([
  ["valid terms", {}, []],
  ["a fixed price", { growTo: undefined, until: undefined, rate: undefined }, []],
  ["growTo below from", { growTo: 99_999 }, ["growTo grow_to_below_from"]],
  ["no end", { until: undefined }, ["until required"]],
  ["no rate", { rate: undefined }, ["updateRate required"]],
  ["an end without a rate at a fixed price", { growTo: undefined, rate: undefined }, ["updateRate required"]],
  ["growth without a start price", { from: undefined }, ["from required"]],
  ["a rate below a minute", { rate: minute - 1000 }, ["updateRate too_small"]],
  ["a rate above a week", { rate: 7 * 24 * 60 * minute + 1000 }, ["updateRate too_big"]],
  ["an end in the past", { until: at("10:00") }, ["until in_the_past"]],
  ["an end after the loading", { until: at("18:01") }, ["until until_after_loading"]],
  ["an end at the end of loading", { until: at("18:00") }, []],
])("a payment with %s has the expected errors", (_, other, faults) => {
  const found = errorsInPrice({ ...terms, ...other }, at("10:00"), loadingEnds);
  expect(found.map(({ field, code }) => `${field.replace("payment.", "")} ${code}`)).toEqual(faults);
});

test("2000 steps are allowed and one more is not", () => {
  const until = (minutes: number) => new Date(start + minutes * minute).toISOString();
  const codes = (minutes: number) =>
    errorsInPrice({ ...terms, until: until(minutes), rate: minute }, at("10:00"), undefined).map(({ code }) => code);
  expect(codes(2000)).toEqual([]);
  expect(codes(2001)).toEqual(["update_rate_too_small"]);
});
