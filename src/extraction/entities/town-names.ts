import { foldName } from "../lexicon/fold.ts";
import type { Gazetteer, GazetteerPlace } from "../lexicon/gazetteer.ts";
import { editDistance } from "../lexicon/near-words.ts";
import { townLength, type PlaceWord } from "./place-words.ts";
import type { Entity } from "./entity.ts";
import type { Line } from "./line-spans.ts";

/** A gazetteer place that matches printed words, and the number of words in its name. */
export interface TownMatch {
  place: GazetteerPlace;
  words: number;
}

/**
 * Finds the longest sequence of leading words that is the name of one of the rows. With `whole`, only all words
 * together can match.
 */
export function matchTown(
  words: PlaceWord[],
  rows: readonly GazetteerPlace[],
  districts: DistrictNumbers,
  whole = false,
): TownMatch | undefined {
  let best: TownMatch | undefined;
  for (const row of rows) {
    const name = foldName(row.name);
    for (let count = Math.min(words.length, 6); count > (whole ? words.length - 1 : 0); count -= 1) {
      if (best && count <= best.words) break;
      if (!districts.mayEnd(words[count - 1]!)) continue;
      const printed = foldName(
        words
          .slice(0, count)
          .map((word) => word.text)
          .join(" "),
      );
      if (sameTown(printed, name)) best = { place: row, words: count };
    }
  }
  return best;
}

/**
 * Whether a printed name is that of a town: "Frankfurt" matches "Frankfurt am Main", "Praha 5" matches "Praha", and
 * both "Muenchen" and "Munchen" match "München". One wrong letter is accepted.
 */
function sameTown(printed: string, name: string): boolean {
  if (printed === name) return true;
  if (
    printed.length >= 4 &&
    (name.startsWith(`${printed} `) ||
      (printed.startsWith(`${name} `) && /^\d{1,2}$/.test(printed.slice(name.length + 1))))
  )
    return true;
  if (printed.length < 5) return false;
  const bare = printed.replace(/([aou])e/g, "$1");
  return (
    bare === name ||
    bare === name.replace(/([aou])e/g, "$1") ||
    (printed[0] === name[0] && editDistance(printed, name, 1) <= 1)
  );
}

export function knownTown(
  words: PlaceWord[],
  country: string,
  gazetteer: Gazetteer,
  whole = false,
): TownMatch | undefined {
  for (let count = Math.min(words.length, 5); count > (whole ? words.length - 1 : 0); count -= 1) {
    const last = words[count - 1]!;
    if (/^\d+$/.test(last.text) || !/^[\p{Lu}'’]/u.test(words[0]!.text)) continue;
    const found =
      gazetteer.lookupCity(
        words
          .slice(0, count)
          .map((word) => word.text)
          .join(" "),
        country,
      )[0] ??
      gazetteer
        .lookupCity(
          words
            .slice(0, count)
            .map((word) => word.text)
            .join(" "),
        )
        .find((each) => each.country === country);
    if (found) return { place: found, words: count };
  }
  return undefined;
}

const WITHIN_NAME = /^(?:am|an|bei|im|ob|nad|pod|sur|sous|les|del|della|di|do|da|dos|das|upon|op|aan)$/;

const ARTICLE = /^(?:der|den|dem|la|le|les|los|las|el)$/;

/** Whether the code of an Italian province follows the words: "31050 Ponzano Veneto (TV)". */
export function provinceBehind(text: string, words: readonly PlaceWord[]): boolean {
  const last = words.at(-1);
  return last !== undefined && /^ ?\([A-Z]{2}\)/.test(text.slice(last.end, last.end + 5));
}

/**
 * Extends a match to the whole name of a smaller town that begins with the name of a larger one: "Steinbach am Wald".
 */
export function wholeName(match: TownMatch, words: PlaceWord[], isUnknown: boolean, ends: boolean): TownMatch {
  if (ends && townLength(words) === words.length) return { ...match, words: words.length };
  if (!isUnknown) return match;
  let count = match.words;
  for (;;) {
    const small = WITHIN_NAME.test(words[count]?.text ?? "") ? (ARTICLE.test(words[count + 1]?.text ?? "") ? 2 : 1) : 0;
    if (small === 0 || !/^\p{Lu}\p{Ll}/u.test(words[count + small]?.text ?? "")) break;
    count += small + 1;
  }
  return count > match.words ? { ...match, words: count } : match;
}

/** Letters printed as part of a town's name: Swiss cantons, Danish postal districts. */
export const TOWN_LETTERS: Record<string, RegExp> = {
  CH: /^ (?:AG|AI|AR|BE|BL|BS|FR|GE|GL|GR|JU|LU|NE|NW|OW|SG|SH|SO|SZ|TG|TI|UR|VD|VS|ZG|ZH)(?![\p{L}\d])/u,
  DK: /^ [CEKMNOSVØ](?:[OVØ]|W)?(?![\p{L}\d])/u,
};

/**
 * Returns the end of a town with its district, postal addition or province: "Praha 5", "Lyon Cedex 07",
 * "Wrocław-Fabryczna", an Italian "(FI)".
 */
export function withDistrict(text: string, end: number, country: string): number {
  const province =
    country === "IT" ? /^ ?(?:\([A-Z]{2}\)|(?<= )[A-Z]{2}(?![\p{L}\d]))/u.exec(text.slice(end, end + 6)) : null;
  if (province) return end + province[0].length;
  const part = TOWN_LETTERS[country]?.exec(text.slice(end, end + 5));
  if (part) return end + part[0].length;
  const match = /^(?:-\p{Lu}\p{L}+| cedex(?: \d{1,2})?| (?:[1-9]|[12]\d)(?![\d.,:/-]|\s?\p{L}))/iu.exec(
    text.slice(end, end + 40),
  );
  return match ? end + match[0].length : end;
}

const NUMBER = /^\d+$/;
const DISTRICT = /^(?:0?[1-9]|[12]\d)$/;
/** Text after a number that is not a district: "8:00", "8-12", "2,4", "12 places". */
const GOES_ON = /^(?:[:/–-]|[.,]\d| ?\p{Ll})/u;

/** Distinguishes district numbers from other numbers after a town: "Praha 5", but not "Wroclaw 33 pallets". */
export interface DistrictNumbers {
  /** Whether a town's name may end with this word. A number is only accepted if it is a district number. */
  mayEnd(word: PlaceWord): boolean;
}

/** @param measured the quantities, amounts, dates and times of the line; their digits belong to no town */
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
