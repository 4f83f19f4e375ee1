import type { Entity } from "./entity.ts";
import type { Line } from "./line-spans.ts";
import type { PlaceWord } from "./place-words.ts";

const NUMBER = /^\d+$/;
/** Districts of Paris, Prague, Vienna: "Lyon 03", "Praha 5", "Wien 23". */
const DISTRICT = /^(?:0?[1-9]|[12]\d)$/;
/** A clock time, a range, a fraction, or a word that says what is counted: "8:00", "8-12", "2,4", "12 places". */
const GOES_ON = /^(?:[:/–-]|[.,]\d| ?\p{Ll})/u;

/** Tells a district's number from other figures behind a town: "Praha 5", and "Wroclaw 33 pallets". */
export interface DistrictNumbers {
  /** Whether a town's name may end with this word: it is no number, or a district's. */
  mayEnd(word: PlaceWord): boolean;
}

/** @param measured the quantities, amounts, dates and times of the line: their figures belong to no town */
export function districtNumbers(line: Line, measured: readonly Entity[]): DistrictNumbers {
  const taken = measured.filter((entity) => entity.type !== "Amount" || entity.value.currency !== undefined);
  return {
    mayEnd({ text, start, end }) {
      if (!NUMBER.test(text)) return true;
      if (!DISTRICT.test(text) || GOES_ON.test(line.plain.slice(end, end + 2))) return false;
      return !taken.some((entity) => entity.start <= line.at(start) && line.at(start) < entity.end);
    },
  };
}
