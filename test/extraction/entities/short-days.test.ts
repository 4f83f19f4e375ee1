import { describe, expect, test } from "vitest";
import { findDates } from "../../../src/extraction/entities/dates.ts";
import { findTimes } from "../../../src/extraction/entities/times.ts";
import type { DocumentLocale } from "../../../src/extraction/entities/entity.ts";
import { fold } from "../../../src/extraction/lexicon/fold.ts";

const today = { year: 2026, month: 11, day: 20 };
const plain: DocumentLocale = { decimal: ",", dateOrder: "DMY", today, languages: [], countries: [] };

function seen(type: "Date" | "Time", text: string, context: Partial<DocumentLocale> = {}) {
  const line = fold(text);
  const dates = findDates(line, { ...plain, ...context });
  return (type === "Date" ? dates : findTimes(line, dates))[0]?.value;
}

/** Splits a template into its texts, which are separated by bars or line breaks. */
const each = (texts: TemplateStringsArray) =>
  texts[0]!
    .split(/[|\n]/)
    .map((text) => text.trim())
    .filter((text) => text !== "");

describe("dates beside a weekday or an hour", () => {
  test.each(each`
    Di. 24.11 | wtorek 24.11 | terça-feira 24-11 | MARTES 24-11 de 6 a 14 h | 24.11 (wt.) | 24/11 salı | 24/11 08:00 | 24.11 kell 9-15 | 24/11, 0900 til 1500
    Tuesday 24 | martes 24, 9 h | le mardi 24 à 16 h | dimarts 24, 8-10 h | torek, 24. ob 8. uri
  `)("%s is a date", (text) => expect(seen("Date", text)).toEqual({ month: 11, day: 24 }));

  test.each(each`csütörtök 8-12 | Friday 24 | 24/11 | 8.30 Uhr | czwartek 8 - 12 | mardi 24 h`)("%s is none", (text) =>
    expect(seen("Date", text)).toBeUndefined(),
  );

  test("the weekday decides between two orders of day and month", () =>
    expect(seen("Date", "Thu 3/12, 04:00", { dateOrder: "MDY" })).toEqual({ month: 12, day: 3 }));
});

describe("hours after a day", () => {
  test.each(
    each`24.11.2026 8-16 | 24.11.26 08–16 | Thu 24.11, 8-16, their PO | 24.11. (wt) 8-16 | 24 d. 11 mėn. 8-16 val. | g. 8–16 h | 24 Nov, 8a–4p`,
  )("%s has a time window", (text) => expect(seen("Time", text)).toEqual({ from: 480, to: 960 }));

  test.each(each`24.11.2026 8-16 pal | Hauptstr. 8a - 16 | 24.11.2026 8-16 t`)("%s has none", (text) =>
    expect(seen("Time", text)).toBeUndefined(),
  );
});
