import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Env } from "../../src/platform/env.ts";
import {
  alternativesOf,
  cells,
  cellsWithin,
  coordinatesOf,
  distanceKm,
  lookUpPlace,
  type Point,
} from "../../src/domain/places/places.ts";

/** The shards. Their lines are sorted as in a built shard: first the postal codes, then the names. */
const shards: Record<string, string> = {
  "world.tsv": "oslo\tOslo\tNO\t\t59.9127\t10.7461\t580000\nparis\tParis\tFR\t\t48.8534\t2.3488\t2138551\n",
  "DE.tsv": [
    "#04158\tLeipzig\tDE\t\t51.3917\t12.3228\t0",
    "#06231\tBad Dürrenberg\tDE\t\t51.2956\t12.0658\t0",
    "#06231\tKötzschau\tDE\t\t51.3000\t12.1334\t0",
    "#15230\tMitte\tDE\t\t52.34\t14.55\t0",
    "frankfurt\tFrankfurt\tDE\t\t50.1155\t8.6842\t650000",
    "frankfurt\tFrankfurt (Oder)\tDE\t\t52.3471\t14.5506\t51691",
    "halle\tHalle\tDE\t\t51.4823\t11.9706\t234107",
    "hinterdorf\tHinterdorf\tDE\t\t51.3300\t12.2000\t0",
    "leipsic\tLeipzig\tDE\t\t51.3396\t12.3713\t504971",
    "leipzig\tLeipzig\tDE\t\t51.3396\t12.3713\t504971",
    "markkleeberg\tMarkkleeberg\tDE\t\t51.2755\t12.3827\t24155",
    "merseburg\tMerseburg\tDE\t\t51.3559\t11.9945\t34000",
    "naumburg\tNaumburg\tDE\t\t51.1518\t11.8098\t30000",
    "schkeuditz\tSchkeuditz\tDE\t\t51.3968\t12.2218\t17000",
    "taucha\tTaucha\tDE\t\t51.3800\t12.4936\t14000",
    "zwenkau\tZwenkau\tDE\t\t51.2171\t12.3285\t9000",
    "",
  ].join("\n"),
};

const env = {
  ASSETS: {
    async fetch(url: string) {
      const shard = shards[url.split("/").at(-1)!];
      return new Response(shard ?? null, { status: shard === undefined ? 404 : 200 });
    },
  },
} as unknown as Env;

const leipzig = { countryCode: "DE", latitude: 51.3396, longitude: 12.3713 };

describe("coordinates of a place", () => {
  test.each([
    ["a postal code", { countryCode: "DE", postalCode: "04158" }, [51.3917, 12.3228]],
    [
      "a postal code rather than a town",
      { countryCode: "DE", postalCode: "D-04158", city: "Halle" },
      [51.3917, 12.3228],
    ],
    [
      "the place of that name among those of a postal code",
      { countryCode: "DE", postalCode: "06231", city: "KOTZSCHAU" },
      [51.3, 12.1334],
    ],
    ["the mean of the places of a postal code", { countryCode: "DE", postalCode: "06231" }, [51.2978, 12.0996]],
    [
      "the town if the postal code is unknown",
      { countryCode: "DE", postalCode: "99999", city: "Halle" },
      [51.4823, 11.9706],
    ],
    ["the larger of two towns", { countryCode: "DE", city: "Frankfurt" }, [50.1155, 8.6842]],
    ["a large town of a country without towns of its own", { countryCode: "NO", city: "Oslo" }, [59.9127, 10.7461]],
  ])("come from %s", async (_, place, [latitude, longitude]) =>
    expect(await coordinatesOf(env, place)).toEqual({ latitude, longitude }),
  );

  test.each([
    ["a town of another country", { countryCode: "DE", city: "Paris" }],
    ["an unknown town", { countryCode: "DE", city: "Musterhausen" }],
    ["a country alone", { countryCode: "DE" }],
  ])("are undefined for %s", async (_, place) => expect(await coordinatesOf(env, place)).toBeUndefined());
});

describe("the name of a place", () => {
  test.each([
    ["in the gazetteer's spelling", { countryCode: "DE", city: "LEIPSIC" }, "Leipzig"],
    ["under its postal code", { countryCode: "DE", postalCode: "06231", city: "kotzschau" }, "Kötzschau"],
    [
      "of the named town, with the postal code of another",
      { countryCode: "DE", postalCode: "04158", city: "halle" },
      "Halle",
    ],
    ["of a postal code with one place", { countryCode: "DE", postalCode: "04158" }, "Leipzig"],
    ["not of a postal code with several places", { countryCode: "DE", postalCode: "06231" }, undefined],
    ["not of an unknown town", { countryCode: "DE", postalCode: "04158", city: "Wahren" }, undefined],
    ["not of a town in another country", { countryCode: "DE", city: "Paris" }, undefined],
  ])("is known %s", async (_, place, city) => expect((await lookUpPlace(env, place)).city).toBe(city));

  test("if two towns have the same name, the one nearest to the postal code is found", async () => {
    const { city, coordinates } = await lookUpPlace(env, { countryCode: "DE", postalCode: "15230", city: "frankfurt" });
    expect({ city, coordinates }).toEqual({
      city: "Frankfurt (Oder)",
      coordinates: { latitude: 52.34, longitude: 14.55 },
    });
  });
});

describe("alternative towns", () => {
  const named = async (span: { fromKm: number; toKm: number }, not: Parameters<typeof alternativesOf>[3] = []) =>
    (await alternativesOf(env, leipzig, span, not)).map(({ city }) => city);

  test("the largest towns come first, at most five, each once", async () => {
    expect(await named({ fromKm: 0, toKm: 60 })).toEqual(["Leipzig", "Halle", "Merseburg", "Naumburg", "Markkleeberg"]);
  });

  test("no town is nearer or farther than the requested range", async () => {
    expect(await named({ fromKm: 9, toKm: 15 })).toEqual(["Schkeuditz", "Taucha", "Zwenkau"]);
    expect(await named({ fromKm: 15, toKm: 9 })).toEqual([]);
  });

  test("no town is a stop of the freight, by name or by coordinates", async () => {
    const stops = [{ ...leipzig }, { countryCode: "DE", city: "halle" }, { countryCode: "PL", city: "Taucha" }];
    expect(await named({ fromKm: 0, toKm: 35 }, stops)).toEqual([
      "Merseburg",
      "Markkleeberg",
      "Schkeuditz",
      "Taucha",
      "Zwenkau",
    ]);
  });

  test("each town has its coordinates and its distance", async () => {
    const [first] = await alternativesOf(env, leipzig, { fromKm: 20, toKm: 35 }, []);
    expect(first).toEqual({ countryCode: "DE", city: "Halle", latitude: 51.4823, longitude: 11.9706, distanceKm: 32 });
  });

  test("a country without known towns has no alternatives", async () => {
    expect(await alternativesOf(env, { ...leipzig, countryCode: "PL" }, { fromKm: 0, toKm: 100 }, [])).toEqual([]);
  });
});

describe("map cells", () => {
  const degrees = (most: number) => fc.double({ min: -most, max: most, noNaN: true });
  const anyPoint = fc.record({ latitude: degrees(90), longitude: degrees(180) });
  const shares = (one: string[], other: string[]) => one.some((cell) => other.includes(cell));

  test("distances are measured on the globe", () => {
    expect(distanceKm({ latitude: 52.52, longitude: 13.405 }, { latitude: 48.8566, longitude: 2.3522 })).toBeCloseTo(
      877.5,
      0,
    );
    expect(distanceKm({ latitude: 0, longitude: 179.5 }, { latitude: 0, longitude: -179.5 })).toBeCloseTo(111.195, 2);
    expect(distanceKm({ latitude: 90, longitude: 0 }, { latitude: -90, longitude: 77 })).toBeCloseTo(20_015.1, 0);
  });

  test("every place within a radius lies in one of the cells of the search", () => {
    fc.assert(
      fc.property(
        anyPoint,
        degrees(180),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: 1, max: 3000 }),
        (centre, bearing, far, km) => {
          const place = moved(centre, bearing, far * km);
          fc.pre(distanceKm(centre, place) <= km);
          expect(shares(cells(place), cellsWithin(centre, km))).toBe(true);
        },
      ),
      { numRuns: 5000 },
    );
  });

  test("the edge of the circle, due north, south, east and west, lies in the cells", () => {
    for (const latitude of [-89.99, -60, -0.0625, 0, 37, 52.125, 66.5, 80, 89.9])
      for (const longitude of [-180, -179.99, -0.001, 13, 179.99, 180])
        for (const km of [5, 14, 28, 50, 111, 150, 444, 500])
          for (const bearing of [0, 45, 90, 135, 180, 225, 270, 315])
            expect(
              shares(cells(moved({ latitude, longitude }, bearing, km)), cellsWithin({ latitude, longitude }, km)),
            ).toBe(true);
  });

  test("a search asks for few cells, each once", () => {
    fc.assert(
      fc.property(anyPoint, fc.integer({ min: 5, max: 1700 }), (centre, km) => {
        fc.pre(Math.abs(centre.latitude) < 75);
        const asked = cellsWithin(centre, km);
        expect(new Set(asked).size).toBe(asked.length);
        expect(asked.length).toBeLessThanOrEqual(200);
      }),
    );
  });

  test("a search excludes most of the world", () => {
    const asked = cellsWithin({ latitude: 51.34, longitude: 12.37 }, 100);
    expect(shares(cells({ latitude: 53.55, longitude: 9.99 }), asked)).toBe(false);
    expect(shares(cells({ latitude: -51.34, longitude: 12.37 }), asked)).toBe(false);
  });

  /** Computes the point that is `km` kilometres away in the direction `bearing`, in degrees from north. */
  function moved({ latitude, longitude }: Point, bearing: number, km: number): Point {
    const [lat, lng, turn] = [latitude, longitude, bearing].map((each) => (each * Math.PI) / 180) as [
      number,
      number,
      number,
    ];
    const angle = km / 6371.0088;
    const sine = Math.sin(lat) * Math.cos(angle) + Math.cos(lat) * Math.sin(angle) * Math.cos(turn);
    const north = Math.asin(Math.max(-1, Math.min(1, sine)));
    const east =
      lng +
      Math.atan2(Math.sin(turn) * Math.sin(angle) * Math.cos(lat), Math.cos(angle) - Math.sin(lat) * Math.sin(north));
    const degreesEast = (east * 180) / Math.PI;
    return { latitude: (north * 180) / Math.PI, longitude: ((((degreesEast + 180) % 360) + 360) % 360) - 180 };
  }
});
