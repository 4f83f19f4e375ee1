import type { EntityOf } from "./entity.ts";
import { printedSpan } from "./line-spans.ts";
import type { Line } from "./line-spans.ts";

type PlateEntity = EntityOf<"Plate">;

interface PlateShape {
  country: string;
  /** Regular expression source for plates in capitals without diacritics. Allows common spaces and dashes. */
  shape: string;
  trailer?: boolean;
  score: number;
}

/**
 * Shapes of licence plates by country. References and postal codes have the same shapes, so scores stay low until a
 * label, a driver or a second plate confirms the plate.
 */
const shapes: PlateShape[] = [
  { country: "PL", shape: "[A-Z]{2,3} ?(?=[A-Z]{0,4}\\d)[A-Z0-9]{4,5}", score: 0.3 },
  { country: "DE", shape: "[A-Z]{1,3}[- ] ?[A-Z]{1,2} ?-?\\d{1,4}[EH]?", score: 0.35 },
  { country: "LT", shape: "[A-Z]{3} ?\\d{3}", score: 0.3 },
  { country: "LT", shape: "[A-Z]{2} ?\\d{3}", trailer: true, score: 0.25 },
  { country: "LV", shape: "[A-Z]{1,2}[- ]?\\d{3,4}", score: 0.22 },
  { country: "EE", shape: "\\d{3} ?[A-Z]{3}", score: 0.3 },
  { country: "EE", shape: "\\d{3} ?[A-Z]{2}", trailer: true, score: 0.22 },
  { country: "CZ", shape: "\\d[A-Z][A-Z0-9] ?\\d{4}", score: 0.35 },
  { country: "SK", shape: "[A-Z]{2}[ -]?\\d{3} ?[A-Z]{2}", score: 0.35 },
  { country: "HU", shape: "[A-Z]{3}-\\d{3}", score: 0.33 },
  { country: "HU", shape: "[A-Z]{2} ?[A-Z]{2}[- ]?\\d{3}", score: 0.33 },
  { country: "RO", shape: "(?:B|[A-Z]{2})[ -]?\\d{2,3}[ -]?[A-Z]{3}", score: 0.36 },
  { country: "BG", shape: "[ABEKMHOPCTYX]{1,2} ?\\d{4} ?[ABEKMHOPCTYX]{2}", score: 0.36 },
  { country: "AT", shape: "[A-Z]{1,2}[- ]\\d{1,5} ?[A-Z]{1,3}", score: 0.3 },
  { country: "FR", shape: "[A-HJ-NP-TV-Z]{2}[- ]?\\d{3}[- ]?[A-HJ-NP-TV-Z]{2}", score: 0.37 },
  { country: "ES", shape: "\\d{4}[ -]?[BCDFGHJ-NPRSTVWXYZ]{3}", score: 0.37 },
  { country: "ES", shape: "R[ -]?\\d{4}[ -]?[BCDFGHJ-NPRSTVWXYZ]{3}", trailer: true, score: 0.4 },
  { country: "IE", shape: "\\d{2,3}-[A-Z]{1,2}-\\d{3,6}", score: 0.36 },
  { country: "IT", shape: "(?!X)[A-HJ-NPR-TV-Z]{2} ?\\d{3} ?[A-HJ-NPR-TV-Z]{2}", score: 0.36 },
  { country: "IT", shape: "X[A-Z] ?\\d{3} ?[A-Z]{2}", trailer: true, score: 0.38 },
  {
    country: "NL",
    shape:
      "(?:\\d{2}-[A-Z]{3}-\\d|\\d-[A-Z]{3}-\\d{2}|[A-Z]-\\d{3}-[A-Z]{2}|[A-Z]{2}-\\d{3}-[A-Z]|\\d{2}-[A-Z]{2}-[A-Z]{2}|[A-Z]{2}-\\d{2}-[A-Z]{2}|[A-Z]{2}-[A-Z]{2}-\\d{2}|\\d{3}-[A-Z]{2}-\\d)",
    score: 0.38,
  },
  { country: "NL", shape: "O[A-Z]-\\d{2}-[A-Z]{2}", trailer: true, score: 0.4 },
  { country: "BE", shape: "[12]-[A-Z]{3}-\\d{3}", score: 0.4 },
  { country: "BE", shape: "Q-?[A-Z]{3}-?\\d{3}", trailer: true, score: 0.4 },
  { country: "DK", shape: "[A-Z]{2} ?\\d{2} ?\\d{3}", score: 0.3 },
  { country: "SE", shape: "[A-Z]{3} ?\\d{2}[A-Z0-9]", score: 0.28 },
  { country: "FI", shape: "[A-Z]{2,3}-\\d{1,3}", score: 0.28 },
  { country: "SI", shape: "[A-Z]{2} ?[A-Z0-9]{2}-?[A-Z0-9]{3}", score: 0.25 },
  { country: "HR", shape: "[A-Z]{2} ?\\d{3,4} ?-?[A-Z]{1,2}", score: 0.33 },
  { country: "PT", shape: "(?:[A-Z]{2}-\\d{2}-[A-Z]{2}|\\d{2}-[A-Z]{2}-\\d{2}|\\d{2}-\\d{2}-[A-Z]{2})", score: 0.38 },
  { country: "PT", shape: "[A-Z]{1,2}-\\d{5,6}", trailer: true, score: 0.3 },
  { country: "GB", shape: "[A-Z]{2}\\d{2} ?[A-Z]{3}", score: 0.37 },
  { country: "GB", shape: "C\\d{7}", trailer: true, score: 0.3 },
  {
    country: "CH",
    shape: "(?:AG|AI|AR|BE|BL|BS|FR|GE|GL|GR|JU|LU|NE|NW|OW|SG|SH|SO|SZ|TG|TI|UR|VD|VS|ZG|ZH) ?\\d{3,6}",
    score: 0.28,
  },
  { country: "UA", shape: "[A-ZІАВЕКМНОРСТХ]{2} ?\\d{4} ?[A-ZІАВЕКМНОРСТХ]{2}", score: 0.38 },
  { country: "TR", shape: "\\d{2} ?[A-Z]{1,3} ?\\d{2,4}", score: 0.3 },
  { country: "RS", shape: "[A-Z]{2} ?\\d{3,4}-?[A-Z]{2}", score: 0.33 },
];

const compiled = shapes.map((each) => ({ ...each, pattern: new RegExp(`^(?:${each.shape})$`) }));
/** A run of capitals and digits. A plate consists of one to three runs; all three lengths are tried. */
const RUN = /(?<![\p{L}\p{N}])[\p{Lu}\d]{1,8}(?![\p{L}\p{N}])/gu;
const MOST_LETTERS = 12;
/** "500 EUR" and "GBP 612" are amounts. */
const SUM =
  /^(?:\d+ ?(?:EUR|PLN|CZK|HUF|RON|LEI|BGN|SEK|DKK|NOK|CHF|GBP|USD|UAH|RUB|TRY|RSD|BAM|ALL|MKD)|(?:EUR|PLN|CZK|HUF|RON|SEK|DKK|NOK|CHF|GBP|USD|UAH) \d+)$/;
const CYRILLIC_TWINS: Record<string, string> = {
  А: "A",
  В: "B",
  Е: "E",
  І: "I",
  К: "K",
  М: "M",
  Н: "H",
  О: "O",
  Р: "P",
  С: "C",
  Т: "T",
  Х: "X",
  У: "Y",
};

/** Whether a printed plate has a shape of one of these countries. Several countries may have the same shape. */
export function isPlateOf(countries: readonly string[], printed: string): boolean {
  return compiled.some(({ country, pattern }) => countries.includes(country) && pattern.test(printed));
}

/** Finds licence plates by shape, returned in capitals without spaces or dashes. "WGM 12345 / WGM 9AK2" yields two. */
export function findPlates(line: Line): PlateEntity[] {
  const runs = Array.from(line.plain.matchAll(RUN), (match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }));
  const found: PlateEntity[] = [];
  for (let at = 0; at < runs.length;) {
    const plate = plateFrom(line, runs, at);
    if (plate) found.push(plate.entity);
    at += plate?.runs ?? 1;
  }
  return found;
}

function plateFrom(
  line: Line,
  runs: { start: number; end: number }[],
  at: number,
): { entity: PlateEntity; runs: number } | undefined {
  let best: { entity: PlateEntity; runs: number } | undefined;
  for (let count = Math.min(3, runs.length - at); count > 0; count -= 1) {
    const { start } = runs[at]!;
    const { end } = runs[at + count - 1]!;
    const printed = line.plain.slice(start, end);
    if (
      printed.length > MOST_LETTERS ||
      !joined(line, runs, at, count) ||
      !/\d/.test(printed) ||
      !/\p{L}/u.test(printed) ||
      SUM.test(printed)
    )
      continue;
    if (
      /[/\-.,]/.test(line.plain[start - 1] ?? "") ||
      /[/-]/.test(line.plain[end] ?? "") ||
      (line.plain[end] === "." && /\d/.test(line.plain[end + 1] ?? ""))
    ) {
      if (!(line.plain[start - 1] === "/" || line.plain[end] === "/") || !isPair(line.plain, start, end)) continue;
    }
    const shape = bestShape(printed.replace(/[А-ЯІ]/g, (letter) => CYRILLIC_TWINS[letter] ?? letter));
    if (shape && (!best || shape.score > best.entity.score))
      best = { entity: plateOf(line, start, end, shape), runs: count };
  }
  return best;
}

/** Whether a slash separates two plates ("WGM 12345/WGM9AK2") rather than parts of a reference ("AB123/45"). */
function isPair(text: string, start: number, end: number): boolean {
  const after = /^\/ ?([\p{Lu}\d]{2,3}[ -]?[\p{Lu}\d]{2,5})(?![\p{L}\d/])/u.exec(text.slice(end, end + 14));
  const before = /(?<![\p{L}\d/])[\p{Lu}\d]{2,3}[ -]?[\p{Lu}\d]{2,5}\/$/u.exec(
    text.slice(Math.max(0, start - 14), start),
  );
  return text[end] === "/" ? after !== null && /\d/.test(after[0]) : before !== null && /\d/.test(before[0]);
}

function joined(line: Line, runs: { start: number; end: number }[], at: number, count: number): boolean {
  for (let index = at; index < at + count - 1; index += 1) {
    if (!/^[ -]$/.test(line.plain.slice(runs[index]!.end, runs[index + 1]!.start))) return false;
  }
  return true;
}

function bestShape(printed: string): (typeof compiled)[number] | undefined {
  let best: (typeof compiled)[number] | undefined;
  for (const shape of compiled) if (shape.pattern.test(printed) && (!best || shape.score > best.score)) best = shape;
  return best;
}

function plateOf(line: Line, start: number, end: number, { country, trailer, score }: PlateShape): PlateEntity {
  const plate = line.source
    .slice(line.at(start), line.at(end))
    .toUpperCase()
    .replace(/[\s\p{P}]/gu, "");
  return {
    type: "Plate",
    ...printedSpan(line, start, end, score),
    value: trailer ? { plate, country, trailer } : { plate, country },
  };
}
