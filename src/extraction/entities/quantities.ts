import { scores } from "./scores.ts";
import units from "../lexicon/units.json" with { type: "json" };
import { foldText } from "../lexicon/fold.ts";
import type { Entity, EntityOf, DocumentLocale, Unit } from "./entity.ts";
import { anyOf, printedSpan, withoutOverlaps } from "./line-spans.ts";
import type { Line } from "./line-spans.ts";
import { NUMBER, readNumber } from "./numbers.ts";

export const kilogramsPerPound = 0.45359237;
export const kilometresPerMile = 1.609344;

type QuantityEntity = EntityOf<"Quantity">;
type TemperatureEntity = EntityOf<"Temperature">;
type DimensionsEntity = EntityOf<"Dimensions">;

/**
 * Removes full stops and replaces dashes and slashes with spaces, so that spellings of a unit agree: "EUR-Paletten",
 * "k. d.", "м.п.".
 */
const plainForm = (folded: string) => folded.replace(/[-/]/g, " ").replaceAll(".", "").trim();
const unitOf = new Map(
  Object.entries(units).flatMap(([unit, words]) =>
    words.map((word): [string, Unit] => [plainForm(foldText(word)), unit as Unit]),
  ),
);

/**
 * Largest plausible value on one line of an order, by unit. It decides whether the point in "24.500" separates a
 * fraction or thousands.
 */
const LARGEST: Record<Unit, number> = {
  kg: 100_000,
  t: 100,
  lb: 200_000,
  ldm: 60,
  pallets: 999,
  pieces: 999_999,
  m3: 300,
  km: 9_999,
  mi: 9_999,
  days: 365,
  m: 999,
  cm: 9_999,
  mm: 99_999,
};
/**
 * Units that are also prepositions, abbreviations in dates or single letters. They get a lower score if a space is
 * between the number and the unit.
 */
const DOUBTFUL = new Set([
  "to",
  "d",
  "j",
  "st",
  "m",
  "t",
  "d",
  "mb",
  "ml",
  "mp",
  "pp",
  "fp",
  "ep",
  "mi",
  "mc",
  "tn",
  "k d",
  "metru",
]);

/** A type of pallet, with or without a word for "pieces", before a word for pallets: "EUR pallets", "db EUR raklap". */
const PALLET_MAKE = /^(?:(?:db|szt|buc|ks|st|vnt|gab|tk|шт) )?(?:eur|euro|epal|dd|chep)[ -]?/;

/** "blokpallets", "Chep-Paletten", "euroraklap": compounds that end in a word for pallets. */
const PALLET_SORT =
  /^\p{L}{3,12} ?(?:pallets?|paletten?|palett?es?|raklap(?:os)?|lavaa|pall(?:ar|er)|alust|palet[yė]?|bancali|pedane)$/u;

/** "33 x EUR": a multiplier before EUR makes it a count of pallets, not money. */
const EUR_PALLETS = /^eur(?!\p{L})/u;

const QUANTITY = new RegExp(
  `(?<![\\d\\p{L}.,/_]|\\d[-:])(${NUMBER})( ?x)?( ?|-(?=days?(?!\\p{L})))(\\p{L}[\\p{L}\\d.]*(?:[ /-]\\p{L}[\\p{L}.]*){0,3})`,
  "gu",
);
const UNIT_FIRST = new RegExp(
  `(?<![\\p{L}\\d])(kgs?|ldm|cbm|m3|km|lbs|kg brutto|kg netto|кг)[ .:=]{1,3}(${NUMBER})(?![\\d\\p{L}]|[.,:/-]\\d| ?(?:[€$£%x]|eur|pln))`,
  "gu",
);

/** Finds numbers with a unit: weights, loading metres, pallets, pieces, distances, days. */
export function findQuantities(line: Line, context: DocumentLocale): QuantityEntity[] {
  const found: QuantityEntity[] = [];
  for (const match of line.text.matchAll(QUANTITY)) {
    const [whole, number = "", times, blank = "", words = ""] = match;
    const unit =
      times && EUR_PALLETS.test(words)
        ? { unit: "pallets" as const, length: 3, doubtful: true }
        : longestUnit(words, blank === "");
    if (unit?.unit === "m" && SETTLEMENT.test(line.plain.slice(match.index + whole.length - words.length))) continue;
    if (!unit || (unit.unit === "t" && isMetres(words.slice(0, unit.length), context))) continue;
    if (unit.unit === "ldm" && Number(number) > LARGEST.ldm) continue;
    if (BRITISH.test(line.plain.slice(Math.max(0, match.index - 5), match.index + 4))) continue;
    const end = match.index + whole.length - words.length + unit.length;
    if (/[\p{L}\d]/u.test(line.text[end] ?? " ")) continue;
    found.push(
      quantity(
        line,
        match.index,
        end,
        number,
        unit.unit,
        unit.doubtful ? scores.quantity.doubtfulUnit : scores.quantity.unit,
        context,
      ),
    );
  }
  for (const match of line.text.matchAll(UNIT_FIRST)) {
    found.push(
      quantity(
        line,
        match.index,
        match.index + match[0].length,
        match[2]!,
        unitOf.get(match[1]!.split(" ")[0]!)!,
        scores.quantity.unitFirst,
        context,
      ),
    );
  }
  return withoutOverlaps(found);
}

/** "78200 м. Коломия": "м." begins the name of a town, it does not mean metres. */
const SETTLEMENT = /^м\.\s?\p{Lu}\p{Ll}/u;

/** "L21 4PZ": "4PZ" is the second half of a postal code, not a number of pieces. */
const BRITISH = /(?<![A-Z\d])[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}(?![\p{L}\d])/u;

/** Whether the unit "mt" means metres, as in "13,60 mt". It does in southern Europe; elsewhere it means tonnes. */
const isMetres = (word: string, { languages }: DocumentLocale) =>
  word === "mt" && ["it", "es", "pt", "ro", "fr"].includes(languages[0] ?? "");

/** Returns the unit that the words name. Undefined if they contain anything else. */
export function unitNamed(words: string): Unit | undefined {
  const unit = longestUnit(foldText(words), true);
  return unit && unit.length === words.length ? unit.unit : undefined;
}

function longestUnit(words: string, tight: boolean): { unit: Unit; length: number; doubtful: boolean } | undefined {
  for (let phrase = words; phrase !== ""; phrase = phrase.replace(/(?:^|[ /-])[^ /-]*$/, "")) {
    const form = plainForm(phrase);
    const unit = unitOf.get(form);
    if (unit) return { unit, length: phrase.length, doubtful: DOUBTFUL.has(form) && !tight };
    if (unitOf.get(form.replace(PALLET_MAKE, "")) === "pallets")
      return { unit: "pallets", length: phrase.length, doubtful: false };
    if (PALLET_SORT.test(form)) return { unit: "pallets", length: phrase.length, doubtful: false };
  }
  return undefined;
}

function quantity(
  line: Line,
  start: number,
  end: number,
  number: string,
  unit: Unit,
  score: number,
  context: DocumentLocale,
): QuantityEntity {
  const { likely, other } = readNumber(number, context.decimal);
  return {
    type: "Quantity",
    ...printedSpan(line, start, end, score),
    value: { amount: plausible(likely, other, unit), unit },
  };
}

/** Picks the plausible value: kilograms have thousands ("24.500 kg"), tonnes and metres have fractions. */
function plausible(likely: number, other: number | undefined, unit: Unit): number {
  if (other === undefined) return likely;
  const larger = Math.max(likely, other);
  const smaller = Math.min(likely, other);
  if (unit === "kg" || unit === "lb" || unit === "km" || unit === "pieces")
    return larger <= LARGEST[unit] ? larger : smaller;
  return larger <= LARGEST[unit] && likely === larger ? larger : smaller;
}

const DEGREES = "(?: ?(?:°|deg\\.?|degrees|st\\.?|stopni|grad|º|o)? ?[cс](?:elsius|elsjusza)?(?![\\p{L}\\d])|°|℃)";
const SIGNED = "((?:[+-]|minus|plus)? ?\\d{1,2}(?:[.,]\\d)?)";
const CONNECTING = [
  "to",
  "do",
  "bis",
  "till",
  "until",
  "und",
  "and",
  "a",
  "à",
  "au",
  "et",
  "až",
  "ate",
  "até",
  "iki",
  "ir",
  "līdz",
  "un",
  "kuni",
  "ja",
  "la",
  "și",
  "tot",
  "en",
  "e",
  "y",
  "i",
  "és",
  "до",
  "та",
  "и",
  "і",
  "til",
  "og",
  "till",
  "och",
];
const RANGE = new RegExp(
  `(?<![\\d.,:\\p{L}])${SIGNED}${DEGREES}? ?(?:\\/|-|(?<=[c°℃] ?):|\\.\\.\\.?|~|±|${anyOf(CONNECTING)}) ?${SIGNED}${DEGREES}`,
  "gu",
);
const SINGLE = new RegExp(`(?<![\\d.,:\\p{L}])${SIGNED}${DEGREES}`, "gu");
/** "+2 / +6": two signed numbers are temperatures. */
const BOTH_SIGNED = /(?<![\d.,:\p{L}/-])([+-] ?\d{1,2}) ?(?:\/|-) ?([+-] ?\d{1,2})(?![\d\p{L}]|[.,:/-]\d)/gu;
const TOLERANCE = new RegExp(
  `(?<![\\d.,:\\p{L}])${SIGNED}${DEGREES}? ?(?:\\+ ?\\/ ?-|±|\\+-) ?(\\d{1,2}(?:[.,]\\d)?)${DEGREES}`,
  "gu",
);

/** "-10 °F", "28 F to 30 F". A bare F needs a word for temperatures on its line. */
const FAHRENHEIT = " ?(?:°|º|deg\\.?|degrees)? ?f(?:ahrenheit)?(?![\\p{L}\\d])";
const IN_FAHRENHEIT = new RegExp(
  `(?<![\\d.,:\\p{L}])${SIGNED}(?:${FAHRENHEIT})?(?: ?(?:\\/|-|to|and) ?${SIGNED})?${FAHRENHEIT}`,
  "gu",
);
const ABOUT_COLD = /[°º] ?f|temp|reefer|refrigerat|frozen|froze|fresh|chill|cool|continuous|degrees/u;

const celsius = (fahrenheit: number) => Math.round((fahrenheit - 32) * (50 / 9)) / 10;

/** Finds temperatures in degrees Celsius: "+2 do +6 °C", "-18°C", "2/6 C", "+4 °C +/- 2 °C". Fahrenheit is converted. */
export function findTemperatures(line: Line): TemperatureEntity[] {
  const { text } = line;
  const found: TemperatureEntity[] = [];
  for (const match of ABOUT_COLD.test(text) ? text.matchAll(IN_FAHRENHEIT) : []) {
    const [one, other] = [celsius(degrees(match[1]!)), celsius(degrees(match[2] ?? match[1]!))];
    found.push(temperature(line, match, scores.temperature.range, Math.min(one, other), Math.max(one, other)));
  }
  for (const match of text.matchAll(TOLERANCE)) {
    const middle = degrees(match[1]!);
    const off = degrees(match[2]!);
    found.push(temperature(line, match, scores.temperature.tolerance, middle - off, middle + off));
  }
  for (const match of text.matchAll(RANGE)) {
    const [one, other] = [degrees(match[1]!), degrees(match[2]!)];
    found.push(temperature(line, match, scores.temperature.range, Math.min(one, other), Math.max(one, other)));
  }
  for (const match of text.matchAll(BOTH_SIGNED)) {
    const [one, other] = [degrees(match[1]!), degrees(match[2]!)];
    found.push(temperature(line, match, scores.temperature.signedPair, Math.min(one, other), Math.max(one, other)));
  }
  for (const match of text.matchAll(SINGLE))
    found.push(temperature(line, match, scores.temperature.single, degrees(match[1]!), degrees(match[1]!)));
  return withoutOverlaps(found);
}

function degrees(printed: string): number {
  const minus = /^\s*(?:-|minus)/.test(printed);
  const size = Number(printed.replace(/[^\d.,]/g, "").replace(",", "."));
  return minus ? 0 - size : size;
}

function temperature(line: Line, match: RegExpExecArray, score: number, from: number, to: number): TemperatureEntity {
  return {
    type: "Temperature",
    ...printedSpan(line, match.index, match.index + match[0].length, score),
    value: { from, to },
  };
}

const MEASURE = "(\\d{1,5}(?:[.,]\\d{1,3})?)";
const TIMES = " ?(?:(cm|mm|m|mtr) ?)?[x*×хX] ?";
const DIMENSIONS = new RegExp(
  `(?<![\\d.,\\p{L}])${MEASURE}${TIMES}${MEASURE}(?:${TIMES}${MEASURE})?(?: ?(cm|mm|m)(?![\\p{L}\\d]))?(?!\\d)`,
  "gu",
);

/** Finds dimensions: "120x80x140 cm", "1,2 x 0,8 m". If no unit is printed, the unit is derived from the magnitude. */
export function findDimensions(line: Line): DimensionsEntity[] {
  return Array.from(line.text.matchAll(DIMENSIONS)).flatMap((match): DimensionsEntity[] => {
    const [, first = "", unit1, second = "", unit2, third, unit3] = match;
    const [length, width, height] = [first, second, third].map((each) =>
      each === undefined ? undefined : Number(each.replace(",", ".")),
    );
    if (!length || !width) return [];
    const printed = unit3 ?? unit2 ?? unit1;
    if (printed === undefined && third === undefined && (Math.max(length, width) < 40 || Math.min(length, width) < 10))
      return [];
    const value = { length, width, ...(height ? { height } : {}), units: unitFor(printed, Math.max(length, width)) };
    return [
      {
        type: "Dimensions",
        ...printedSpan(
          line,
          match.index,
          match.index + match[0].length,
          printed ? scores.dimensions.unit : scores.dimensions.bare,
        ),
        value,
      },
    ];
  });
}

function unitFor(printed: string | undefined, largest: number): "mm" | "cm" | "m" {
  if (printed === "mtr") return "m";
  if (printed === "mm" || printed === "cm" || printed === "m") return printed;
  return largest >= 1400 ? "mm" : largest >= 20 ? "cm" : "m";
}

const PERCENT = /(?<![\d.,\p{L}])(\d{1,3}(?:[.,]\d{1,3})?) ?(?:%|proc(?:ent)?\b|percent\b)/gu;

export function findPercents(line: Line): Extract<Entity, { type: "Percent" }>[] {
  return Array.from(line.text.matchAll(PERCENT), (match) => ({
    type: "Percent",
    ...printedSpan(line, match.index, match.index + match[0].length, scores.percent),
    value: Number(match[1]!.replace(",", ".")),
  }));
}
