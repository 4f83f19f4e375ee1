import type { GazetteerPlace } from "../lexicon/gazetteer.ts";
import type { PlaceValue } from "./entity.ts";
import type { Line } from "./line-spans.ts";
import type { PostalCodeMatch } from "./place-codes.ts";

/** Countries whose own post writes the letters as a part of the code. */
const KEEPS_LETTERS = new Set(["LV", "MD"]);

/** As printed; the letters that belong to the code itself ("LV-1010", "MD-2012") stay with it. */
export function printedCode(line: Line, code: PostalCodeMatch): string {
  const bare = textBetween(line, code.end - code.code.length, code.end);
  return code.marked && KEEPS_LETTERS.has(code.marked) && code.letters === code.marked
    ? `${code.marked}-${bare}`
    : bare;
}

/** The words between two offsets, without what only sets them off. */
export function textBetween(line: Line, start: number, end: number): string {
  return line.source.slice(line.at(start), line.at(end)).replace(/[\s,.;-]+$/, "");
}

/** What a place says, its town as the gazetteer knows it. */
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
