import { expect, test } from "vitest";
import { chanceOf, forestOf } from "../../../../../src/extraction/kinds/order/labeller/forest.ts";
import { guessedDays } from "../../../../../src/extraction/kinds/order/labeller/guessed-days.ts";
import { guessedHours } from "../../../../../src/extraction/kinds/order/labeller/guessed-hours.ts";

const base64 = (numbers: Int16Array | Float32Array): string => Buffer.from(numbers.buffer).toString("base64");

test("A forest adds up the leaves that its tests lead to", () => {
  const forest = forestOf({
    // away <= 3 ? (owned <= 0 ? -1 : 2) : -3, and a tree of one leaf
    tests: base64(Int16Array.of(0, 4, 1, 2, -1, 0, -1, 0, -1, 0, -1, 0)),
    values: base64(Float32Array.of(3, 0, -1, 2, -3, 0.5)),
    sizes: base64(Int16Array.of(5, 1)),
  });
  const odds = (...measures: number[]) => {
    const chance = chanceOf(forest, measures);
    return Math.log(chance / (1 - chance));
  };
  expect(odds(1, 0)).toBeCloseTo(-0.5);
  expect(odds(1, 1)).toBeCloseTo(2.5);
  expect(odds(9, 1)).toBeCloseTo(-2.5);
});

const locale = {
  decimal: "," as const,
  dateOrder: "DMY" as const,
  today: { year: 2026, month: 4, day: 15 },
  languages: ["es"],
  countries: ["ES"],
};

test.each([
  ["Carga viernes 17, entre las 8 y las 13", "2026-04-17"],
  ["24/04", "2026-04-24"],
  ["vezti 18d", "2026-04-18"],
  ["luni", "2026-04-20"],
])("%s may mean %s", (text, day) => {
  expect(guessedDays(text, [], locale)[0]?.day).toBe(day);
});

test("A range of hours has a begin and an end", () => {
  expect(guessedHours("czw 8–12, lub 15", []).map(({ hour, part }) => `${part} ${hour}`)).toEqual([
    "From 08:00",
    "To 12:00",
    "From 15:00",
  ]);
});
