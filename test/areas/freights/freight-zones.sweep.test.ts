import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FreightInput } from "../../../src/areas/freights/input.ts";
import { locate } from "../../../src/areas/freights/stops.ts";
import type { Env } from "../../../src/platform/env.ts";
import { apiClient, type ApiClient } from "../../support/api-client.ts";
import { aheadAt, clockChangeIn, clocksOf, HOUR } from "../../support/european-clocks.ts";
import { postVehicle } from "../../support/vehicles.ts";
import { createFreight } from "../../support/freights.ts";
import { openService, type TestService } from "../../support/service.ts";

let service: TestService;
let ask: ApiClient;

beforeAll(async () => {
  service = await openService();
  ask = apiClient(service, service.company().key);
});

afterAll(() => service.stop());

const addressOf = (place: string) => {
  const [countryCode, postalCode = "1"] = place.split(":");
  return { countryCode, postalCode };
};
const text = (shown: number) => new Date(shown).toISOString().slice(0, 19);
const iso = (instant: number) => new Date(instant).toISOString();
const stop = (type: string, place: string, startDate: string, endDate?: string) => ({
  type,
  address: addressOf(place),
  period: { startDate, ...(endDate && { endDate }) },
});

const kinds = ["union", "fixed"] as const;
const rows = kinds.flatMap((kind) => clocksOf(kind).map((row) => ({ kind, ...row })));

test.each(rows)(
  "a freight in $place with a loading until noon expires at local noon",
  async ({ kind, place, winter }) => {
    const day = new Date(Date.now() + 10 * 24 * HOUR).toISOString().slice(0, 10);
    const noon = Date.parse(`${day}T12:00Z`);
    const { expiresAt } = await createFreight(ask, {
      locations: [
        stop("Loading", place, `${day}T08:00`, `${day}T12:00`),
        stop("Unloading", place, `${day}T13:00`, `${day}T23:00`),
      ],
    });
    expect(expiresAt).toBe(iso(noon - aheadAt(kind, winter, noon)));
  },
);

/** An environment without gazetteer, so that only country and postal code determine the time zone. */
const nowhere = { ASSETS: { fetch: async () => new Response(null, { status: 404 }) } } as unknown as Env;

describe.each([2026, 2027])("at the clock changes of %i", (year) => {
  const [spring, autumn] = [clockChangeIn(year, 2), clockChangeIn(year, 9)];

  test.each(clocksOf("union"))(
    "the stops of a freight in $place have the right UTC times",
    async ({ place, winter }) => {
      const starts: [shown: number, instant: number][] = [
        [spring + winter - HOUR, spring - HOUR],
        // A local time that the change skips is read with the offset before the change.
        [spring + winter + HOUR / 2, spring + HOUR / 2],
        [spring + winter + HOUR, spring],
        [autumn + winter - HOUR, autumn - 2 * HOUR],
        // A local time that occurs twice means its first occurrence.
        [autumn + winter, autumn - HOUR],
        [autumn + winter + HOUR, autumn + HOUR],
      ];
      for (const [shown, instant] of starts) {
        const { locations, ...others } = FreightInput.parse({
          locations: [stop("Loading", place, text(shown)), stop("Unloading", place, text(shown + 9 * HOUR))],
        });
        const [loading] = await locate(nowhere, { locations, ...others });
        expect(loading!.startsAt, text(shown)).toBe(iso(instant));
      }
    },
  );

  const countries = clocksOf("union").filter(({ place }) => !place.includes(":"));
  test.each(countries)("the assignments of a vehicle of $place have the right UTC times", async ({ place, winter }) => {
    const driver = { name: "Jan Przykładowy" };
    const day = (instant: number) => iso(instant).slice(0, 10);
    const made = await postVehicle(ask, {
      countryCode: place,
      assignments: [
        { driver, from: text(spring + winter + HOUR / 2), to: text(autumn + winter) },
        { driver, from: day(spring), to: day(autumn) },
      ],
    });
    const midnight = (instant: number) => Date.parse(day(instant));
    const begins = midnight(spring) - aheadAt("union", winter, midnight(spring) - winter);
    expect(made.assignments).toEqual([
      { driver, from: iso(spring + HOUR / 2), to: iso(autumn - HOUR) },
      { driver, from: iso(begins), to: iso(midnight(autumn) + 24 * HOUR - 1 - winter) },
    ]);
  });
});
