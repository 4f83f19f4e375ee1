import { scores } from "./scores.ts";
import { foldName } from "../lexicon/fold.ts";
import type { Gazetteer, GazetteerPlace } from "../lexicon/gazetteer.ts";
import { countriesOfLanguage } from "../lexicon/countries.ts";
import { isDistinctive } from "../lexicon/postal-patterns.ts";
import {
  TOWN_LETTERS,
  districtNumbers,
  knownTown,
  matchTown,
  provinceBehind,
  wholeName,
  withDistrict,
  type DistrictNumbers,
  type TownMatch,
} from "./town-names.ts";
import type { Entity, EntityOf, PlaceValue, DocumentLocale } from "./entity.ts";
import { printedSpan, withoutOverlaps, type Line, type ValueSpan } from "./line-spans.ts";
import { findPostalCodes, placeValue, printedCode, textBetween, type PostalCodeMatch } from "./place-codes.ts";
import {
  WordsAfterCode,
  countryAfter,
  countryBefore,
  namesSettlement,
  settledAt,
  townLength,
  wordGroupsBefore,
  type PlaceWord,
} from "./place-words.ts";
import { findNorthAmericanPlaces } from "./north-american-places.ts";
import { findTownsWithoutCode } from "./towns-without-code.ts";

type PlaceEntity = EntityOf<"Place">;

/**
 * Finds postal codes with their towns, towns with their countries, and larger towns alone.
 * @param measured other entities to which digits of the line belong, such as quantities
 */
export function findPlaces(
  line: Line,
  context: DocumentLocale,
  gazetteer: Gazetteer,
  measured: readonly Entity[],
): PlaceEntity[] {
  const districts = districtNumbers(line, measured);
  const american = findNorthAmericanPlaces(line, gazetteer);
  const coded = findPostalCodes(line).flatMap((code) => bestReading(line, code, context, gazetteer, districts) ?? []);
  const sure = [...american, ...coded].filter((found) => found.score >= scores.place.sure);
  const alone = findTownsWithoutCode(line, context, gazetteer, districts).filter(
    (town) => !sure.some((found) => town.start < found.end && found.start < town.end),
  );
  return withoutOverlaps(
    [...american, ...coded, ...alone].map(({ start, end, score, value }): PlaceEntity => ({
      type: "Place",
      ...printedSpan(line, start, end, score),
      value,
    })),
  );
}

function bestReading(
  line: Line,
  code: PostalCodeMatch,
  context: DocumentLocale,
  gazetteer: Gazetteer,
  districts: DistrictNumbers,
): ValueSpan<PlaceValue> | undefined {
  let best: ValueSpan<PlaceValue> | undefined;
  let bestWeight = 0;
  const named = countryAfter(line.plain, code.end);
  const behind = new WordsAfterCode(line.plain, code.end);
  const behindName = named && new WordsAfterCode(line.plain, named.end);
  for (const country of code.countries) {
    const after = behindName && named?.country === country ? behindName : behind;
    const reading = readAs(line, code, country, after, gazetteer, districts);
    if (!reading) continue;
    const weight =
      reading.score +
      likelihood(country, context, gazetteer) +
      (code.marked === country ? scores.country.marked : 0) +
      (eastern.has(country) && namesSettlement(line.plain, code.end) ? scores.country.settlementType : 0);
    if (weight > bestWeight) [best, bestWeight] = [reading, weight];
  }
  return best;
}

/** Countries that print the type of settlement before a town: "м. Київ". */
const eastern = new Set(["UA", "RU", "BY", "KZ", "MD"]);

function likelihood(country: string, context: DocumentLocale, gazetteer: Gazetteer): number {
  const rank = context.countries.indexOf(country);
  const home = context.languages.slice(0, 2).some((each) => countriesOfLanguage(each).includes(country));
  const { first, perRank, language, rare } = scores.country;
  return (
    (rank < 0 ? 0 : first - Math.min(rank, 5) * perRank) +
    (home ? language : 0) +
    (gazetteer.hasPostal(country) ? scores.country.gazetteer : 0) -
    (seldom.has(country) ? rare : 0)
  );
}

/** Countries with little freight traffic, whose postal codes have the same shape as those of many other countries. */
const seldom = new Set(["AL", "AM", "CY", "GE", "LI"]);

function readAs(
  line: Line,
  code: PostalCodeMatch,
  country: string,
  behind: WordsAfterCode,
  gazetteer: Gazetteer,
  districts: DistrictNumbers,
): ValueSpan<PlaceValue> | undefined {
  const { plain } = line;
  const rows = gazetteer.lookupPostal(country, code.code);
  const after = behind.words;
  const known = matchTown(after, rows, districts) ?? knownTown(after, country, gazetteer);
  const matched =
    known &&
    !goesOnBelow(plain, after[known.words - 1]!.end) &&
    wholeName(known, after, rows.length === 0, provinceBehind(plain, after));
  if (matched) {
    const end = after[matched.words - 1]!.end;
    const whole = withDistrict(plain, end, country);
    const following = countryAfter(plain, whole);
    const isNext = code.marked === country && following?.country !== country;
    const printedCountry = isNext ? undefined : following;
    if (printedCountry && printedCountry.country !== country) return undefined;
    const lettered = TOWN_LETTERS[country]?.exec(plain.slice(end, end + 5))?.[0].length ?? 0;
    const name = textBetween(line, after[0]!.start, end);
    const printed = textBetween(line, after[0]!.start, end + lettered);
    const town = ownTown(name, matched.place, gazetteer);
    return place(
      line,
      code,
      country,
      printedCountry?.end ?? whole,
      scoreWithTown(code, country, rows, matched, printedCountry !== undefined, gazetteer),
      printed,
      town,
      printedCountry !== undefined,
    );
  }
  const before =
    townBefore(line, code, country, rows, gazetteer, districts) ?? settledBefore(line, code, country, gazetteer);
  if (before) return before;
  return withoutTown(line, code, country, rows, behind, gazetteer);
}

/** Whether the name continues on the next line: "10120 SAINT-ANDRÉ-LES-". */
const goesOnBelow = (text: string, end: number) => /^-\s*$/u.test(text.slice(end));

const ENDS_IN_NUMBER_WORD =
  /(?<!\p{L})(?:ref|nr|no|n|num|number|nummer|numer|tel|fax|mob|po|id|order|load|auftrag|zlecenie|zlecenia|commande|ordine|pedido|#|№)[.:# ]*$/u;

function scoreWithTown(
  code: PostalCodeMatch,
  country: string,
  rows: readonly GazetteerPlace[],
  matched: TownMatch,
  countryPrinted: boolean,
  gazetteer: Gazetteer,
): number {
  if (rows.includes(matched.place)) return scores.place.codeAndTown;
  if (rows.length > 0 || !gazetteer.hasPostal(country)) return scores.place.codeAndOtherTown;
  return countryPrinted || code.marked === country ? scores.place.unknownCodeWithCountry : scores.place.unknownCode;
}

/** Takes the name of the printed town if the gazetteer's row of the code is only a district ("Bratislava-Ružinov"). */
function ownTown(printed: string, row: GazetteerPlace, gazetteer: Gazetteer): GazetteerPlace {
  if (foldName(printed) === foldName(row.name)) return row;
  const town = gazetteer.lookupCity(printed, row.country)[0];
  return town ? { ...row, name: town.name } : row;
}

/** A code without a matching town in the gazetteer: the capitalised words after it count as its town. */
function withoutTown(
  line: Line,
  code: PostalCodeMatch,
  country: string,
  rows: readonly GazetteerPlace[],
  { words: after, town: count }: WordsAfterCode,
  gazetteer: Gazetteer,
): ValueSpan<PlaceValue> | undefined {
  const end = count > 0 ? withDistrict(line.plain, after[count - 1]!.end, country) : code.end;
  const printedCountry = countryAfter(line.plain, end) ?? countryBefore(line.plain, code.start);
  const telling = isDistinctive(country, code.code);
  const marked = code.marked === country || printedCountry?.country === country;
  if (printedCountry && printedCountry.country !== country && !code.marked) return undefined;
  // "OC-20261": the digits follow a prefix that is not a country.
  if (code.letters && code.marked === undefined && line.plain[code.start - 1] === "-") return undefined;
  if (count === 0 && !marked && ENDS_IN_NUMBER_WORD.test(line.text.slice(0, code.start))) return undefined;
  // Most numbers of four or five digits are a code in some country, so a match in the gazetteer is weak evidence.
  const backed = marked || (count > 0 && standsApart(line.plain, code.start, end));
  const { countryPrinted, distinctiveShape, capitalisedWords, noWords, least, most } = scores.codeAlone;
  const base = baseOfCode(rows.length > 0, backed, gazetteer.hasPostal(country));
  const score =
    base + (marked ? countryPrinted : 0) + (telling ? distinctiveShape : 0) + (count > 0 ? capitalisedWords : noWords);
  if (score < least) return undefined;
  const stop = printedCountry && "end" in printedCountry ? printedCountry.end : end;
  const first =
    count === 0 && TOWN_FIRST.has(country) && (marked || telling || rows.length > 0)
      ? townWordsBefore(line, code)
      : undefined;
  if (first)
    return {
      start: first.start,
      end: stop,
      score: marked ? scores.place.unknownTownWithCountry : scores.place.unknownTown,
      value: placeValue(country, printedCode(line, code), textBetween(line, first.start, first.end), undefined),
    };
  return place(
    line,
    code,
    country,
    stop,
    Math.min(score, most),
    count > 0 ? textBetween(line, after[0]!.start, after[count - 1]!.end) : undefined,
    rows.length > 0 ? { ...rows[0]!, name: "" } : undefined,
    false,
  );
}

function baseOfCode(isKnown: boolean, isBacked: boolean, hasGazetteer: boolean): number {
  const { known, knownInText, unknown, countryWithoutGazetteer } = scores.codeAlone;
  if (isKnown) return isBacked ? known : knownInText;
  return hasGazetteer ? unknown : countryWithoutGazetteer;
}

function standsApart(text: string, start: number, end: number): boolean {
  return (
    /(?:^|[,;|])\s*$/u.test(text.slice(Math.max(0, start - 3), start)) && /^\s*(?:$|[,;|(])/u.test(text.slice(end))
  );
}

const TOWN_FIRST = new Set(["LV", "GB", "IE", "BG"]);

function townWordsBefore(line: Line, code: PostalCodeMatch): { start: number; end: number } | undefined {
  const [stretch = []] = wordGroupsBefore(line.plain, code.start, 1);
  const words = /^(?:гр|с)$/u.test(stretch[0]?.text.replace(".", "") ?? "") ? stretch.slice(1) : stretch;
  const [first, last] = [words[0], words.at(-1)];
  const apart = /^,? $/.test(line.plain.slice(last?.end ?? 0, code.start));
  if (!first || !last || !apart || words.some(({ text }) => /\d/.test(text)) || townLength(words) !== words.length)
    return undefined;
  return { start: first.start, end: last.end };
}

/** Removes a district number at the end: "Dublin 2". */
function withoutDistrict(words: PlaceWord[]): PlaceWord[] {
  return /^\d{1,2}$/.test(words.at(-1)?.text ?? "") ? words.slice(0, -1) : words;
}

/** Finds a town before its code: "Sofia 1000", "London, EC1N 8QX", "Eastbourne, East Sussex BN23 6QD". */
function townBefore(
  line: Line,
  code: PostalCodeMatch,
  country: string,
  rows: readonly GazetteerPlace[],
  gazetteer: Gazetteer,
  districts: DistrictNumbers,
): ValueSpan<PlaceValue> | undefined {
  if (rows.length === 0 && gazetteer.hasPostal(country) && !isDistinctive(country, code.code)) return undefined;
  for (const words of wordGroupsBefore(line.plain, code.start, isDistinctive(country, code.code) ? 2 : 1)) {
    for (let from = Math.max(0, words.length - 4); from < words.length; from += 1) {
      const name = withoutDistrict(words.slice(from));
      if (name.length === 0 || /\d/.test(name[0]!.text) || !/^\p{Lu}/u.test(name[0]!.text)) continue;
      const matched = matchTown(name, rows, districts, true) ?? knownTown(name, country, gazetteer, true);
      if (!matched || matched.words !== name.length) continue;
      const printedCountry = countryAfter(line.plain, code.end);
      if (printedCountry && printedCountry.country !== country) return undefined;
      const value: PlaceValue = placeValue(
        country,
        printedCode(line, code),
        textBetween(line, name[0]!.start, name.at(-1)!.end),
        matched.place,
      );
      return {
        start: name[0]!.start,
        end: printedCountry?.end ?? code.end,
        score: rows.includes(matched.place) ? scores.place.townBeforeCode : scores.place.otherTownBeforeCode,
        value,
      };
    }
  }
  return undefined;
}

/** Finds a town before its street, with the code after it: "м. Ковель, вул. Варшавська, 12, 45000". */
function settledBefore(
  line: Line,
  code: PostalCodeMatch,
  country: string,
  gazetteer: Gazetteer,
): ValueSpan<PlaceValue> | undefined {
  if (!eastern.has(country)) return undefined;
  const [, name] = settledAt.exec(line.plain.slice(0, code.start)) ?? [];
  const town = name && gazetteer.lookupCity(name, country)[0];
  if (!town) return undefined;
  return {
    start: code.start,
    end: code.end,
    score: scores.place.townBeforeStreet,
    value: placeValue(country, printedCode(line, code), name, town),
  };
}

function place(
  line: Line,
  code: PostalCodeMatch,
  country: string,
  end: number,
  score: number,
  city: string | undefined,
  row: GazetteerPlace | undefined,
  countryPrinted: boolean,
): ValueSpan<PlaceValue> {
  const before = code.marked ? undefined : countryBefore(line.plain, code.start);
  const start = before?.country === country ? before.start : code.start;
  const confirmed = countryPrinted || code.marked === country || before?.country === country;
  return {
    start,
    end,
    score: confirmed ? Math.min(scores.confirmed.most, score + scores.confirmed.step) : score,
    value: placeValue(country, printedCode(line, code), city, row),
  };
}
