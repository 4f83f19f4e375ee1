import { countryOfCode } from "../lexicon/countries.ts";
import { countriesOfPostalCode } from "../lexicon/postal-patterns.ts";
import type { Line } from "./line-spans.ts";
import type { GazetteerPlace } from "../lexicon/gazetteer.ts";
import type { PlaceValue } from "./entity.ts";

/** A match with the shape of a postal code, and the countries that use this shape. */
export interface PostalCodeMatch {
  /** Offset of the country letters if `marked` is set, otherwise of the code. */
  start: number;
  end: number;
  code: string;
  /** Country whose letters precede the code. */
  marked?: string;
  /** The letters printed before the code. After a town, "CA" in "CA 94303" is California, otherwise Canada. */
  letters?: string;
  countries: string[];
}

const SHAPES = [
  "\\d{2} ?- ?\\d{3}",
  "\\d{5}-\\d{4}",
  "\\d{4} ?- ?\\d{3}",
  "[1-9]\\d{3} ?[A-Z]{2}(?![\\p{L}\\d])",
  "\\d{6}",
  "\\d{5}",
  "\\d{4}",
  "\\d{3} \\d{2}",
  "\\d{2} \\d{3}",
  "[ABCEGHJ-NPRSTVXY]\\d[A-Z] ?\\d[A-Z]\\d",
  "(?:D6W|[AC-FHKNPRTV-Y]\\d{2}) ?[\\dAC-FHKNPRTV-Y]{4}",
  "AD ?\\d{3}",
  "[A-Z]{3} ?\\d{4}",
];
const MARKER = "(?:\\(?([A-Z]{1,3})\\)?(?: ?[-–:,] ?| |(?=\\d)))?";
const UNITS = "kg km ldm mm cm m3 pal szt pcs eur pln usd czk huf gbp chf tage days dni".split(" ");
const NO_CODE_BEFORE = UNITS.flatMap((unit) => [unit, unit.toUpperCase(), unit[0]!.toUpperCase() + unit.slice(1)]).join(
  "|",
);
/** British postal codes. They are so distinctive that any text may follow: "HX3 6TX 26/11/2026". */
const BRITISH = "[A-Z]{1,2}\\d[A-Z\\d]? ?\\d[ABD-HJLNP-UW-Z]{2}";
const GOES_ON = "[\\d\\p{L}]|-\\d|[.,:/]\\d";
const CODES = new RegExp(
  `(?<![\\p{L}\\d/_]|\\d[.,:-])${MARKER}((?:${BRITISH})(?!${GOES_ON})|(?:${SHAPES.join("|")})(?!${GOES_ON}| \\d{2,4}[ /-]\\d| ?(?:[€%°$£]|(?:${NO_CODE_BEFORE})(?!\\p{L})|x ?\\d)))`,
  "gu",
);
/** Countries whose short postal codes count only if the country letters are printed before them. */
const NEEDS_MARK = new Set(["FO", "IS", "AM", "GE", "AZ"]);

/** Limits the number of look-ups for hostile input. */
const MOST_CODES = 40;

/** Finds postal code candidates in a line, left to right, without overlaps. */
export function findPostalCodes(line: Line): PostalCodeMatch[] {
  const found: PostalCodeMatch[] = [];
  if (!/\d/.test(line.plain)) return found;
  for (const match of line.plain.matchAll(CODES)) {
    if (found.length >= MOST_CODES) break;
    const [whole, letters, code = ""] = match;
    found.push(...readings(match.index, whole, letters, code));
  }
  return found;
}

function readings(start: number, whole: string, letters: string | undefined, code: string): PostalCodeMatch[] {
  const end = start + whole.length;
  const bare = start + whole.length - code.length;
  const marked = letters && countryOfCode(letters);
  const fitting = countriesOfPostalCode(code);
  if (letters && marked && fitting.includes(marked))
    return [{ start, end, code, marked, letters, countries: [marked] }];
  const possible = fitting.filter((country) => !NEEDS_MARK.has(country));
  const found: PostalCodeMatch = { start: bare, end, code, countries: possible };
  return possible.length === 0 ? [] : [letters ? { ...found, letters } : found];
}

/** Countries whose postal codes include the country letters. */
const KEEPS_LETTERS = new Set(["LV", "MD"]);

/** Returns the code as printed, including letters that belong to it ("LV-1010", "MD-2012"). */
export function printedCode(line: Line, code: PostalCodeMatch): string {
  const bare = textBetween(line, code.end - code.code.length, code.end);
  return code.marked && KEEPS_LETTERS.has(code.marked) && code.letters === code.marked
    ? `${code.marked}-${bare}`
    : bare;
}

/** Returns the text between two offsets without trailing separators. */
export function textBetween(line: Line, start: number, end: number): string {
  return line.source.slice(line.at(start), line.at(end)).replace(/[\s,.;-]+$/, "");
}

/** Builds the value of a place. The normalised name of the town is taken from the gazetteer. */
export function placeValue(
  country: string,
  postalCode: string,
  city: string | undefined,
  row: GazetteerPlace | undefined,
): PlaceValue {
  const value: PlaceValue = { country, postalCode };
  if (city) value.city = city;
  if (row && row.name !== "") value.normalizedCity = row.name;
  if (row) value.coordinates = { latitude: row.latitude, longitude: row.longitude };
  return value;
}
