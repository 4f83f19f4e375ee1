import { scores } from "./scores.ts";
import type { Gazetteer, GazetteerPlace } from "../lexicon/gazetteer.ts";
import type { DistrictNumbers } from "./town-names.ts";
import type { PlaceValue, DocumentLocale } from "./entity.ts";
import type { ValueSpan, Line } from "./line-spans.ts";
import { countryAfter, countryBefore, placeWords, precedingSettlementWord, type PlaceWord } from "./place-words.ts";
import { townForms } from "./town-forms.ts";

const MOST_WORDS = 4;
/** Minimum population of a town that is recognised without its code or country. */
const LARGE = 100_000;
const WORD_SEPARATOR = /^(?:[ '-]|\. )$/;

/**
 * Finds towns without a postal code: any town next to its country ("Gdynia, PL", "Mulhouse (France)"), and larger towns
 * alone.
 */
export function findTownsWithoutCode(
  line: Line,
  context: DocumentLocale,
  gazetteer: Gazetteer,
  districts: DistrictNumbers,
): ValueSpan<PlaceValue>[] {
  const words = placeWords(line.plain);
  const beside = countriesIn(line.plain);
  const found: ValueSpan<PlaceValue>[] = [];
  for (let at = 0; at < words.length;) {
    const town = townAt(line, words, at, beside, context, gazetteer, districts);
    if (town) found.push(town.found);
    at += town?.words ?? 1;
  }
  return found;
}

/** Countries directly after and before an offset, cached because many word sequences share an offset. */
interface Countries {
  after: (offset: number) => ReturnType<typeof countryAfter>;
  before: (offset: number) => ReturnType<typeof countryBefore>;
}

function countriesIn(text: string): Countries {
  const once = <Answer>(ask: (text: string, offset: number) => Answer) => {
    const known = new Map<number, Answer>();
    return (offset: number): Answer => {
      if (!known.has(offset)) known.set(offset, ask(text, offset));
      return known.get(offset)!;
    };
  };
  return { after: once(countryAfter), before: once(countryBefore) };
}

function townAt(
  line: Line,
  words: PlaceWord[],
  at: number,
  beside: Countries,
  context: DocumentLocale,
  gazetteer: Gazetteer,
  districts: DistrictNumbers,
): { found: ValueSpan<PlaceValue>; words: number } | undefined {
  const first = words[at]!;
  if (/\d/.test(first.text) || first.text.length < 2) return undefined;
  const capital = /^\p{Lu}/u.test(first.text);
  const begins = beginsStretch(line.plain, first.start);
  if (!capital && !begins) return undefined;
  for (let count = Math.min(MOST_WORDS, words.length - at); count > 0; count -= 1) {
    const last = words[at + count - 1]!;
    if (!together(line.plain, words, at, count) || !districts.mayEnd(last)) continue;
    const printed = line.plain.slice(first.start, last.end);
    const after = beside.after(last.end);
    const before = after ? undefined : beside.before(first.start);
    const country = after?.country ?? before?.country;
    const town = townNamed(printed, country, context, gazetteer);
    if (!town) continue;
    const score = scoreOf(line, first, last, town, country, { capital, begins });
    if (score === 0) continue;
    const start = before && before.country === town.country ? before.start : first.start;
    const value: PlaceValue = {
      country: town.country,
      city: line.source.slice(line.at(first.start), line.at(last.end)),
      normalizedCity: town.name,
      coordinates: { latitude: town.latitude, longitude: town.longitude },
    };
    if (town.region) value.region = town.region;
    return { found: { start, end: after?.end ?? last.end, score, value }, words: count };
  }
  const formed = capital ? townFormed(line, first, context, gazetteer) : undefined;
  return formed && { found: formed, words: 1 };
}

/**
 * Minimum population of a town that is recognised in a case form. For smaller towns, another meaning of the word is
 * more likely.
 */
const KNOWN = 40_000;

function townFormed(
  line: Line,
  word: PlaceWord,
  { languages }: DocumentLocale,
  gazetteer: Gazetteer,
): ValueSpan<PlaceValue> | undefined {
  const { forms, near } = townForms(word.text, line.plain.slice(Math.max(0, word.start - 16), word.start), languages);
  const towns = forms
    .flatMap((form) => gazetteer.lookupCity(form)[0] ?? [])
    .filter(({ population }) => population >= KNOWN);
  const [town] = towns.toSorted((one, other) => other.population - one.population);
  if (!town) return undefined;
  const { country, name, latitude, longitude, region } = town;
  const value: PlaceValue = { country, city: name, normalizedCity: name, coordinates: { latitude, longitude } };
  return {
    start: word.start,
    end: word.end,
    score: near ? scores.townAlone.near : scores.townAlone.caseForm,
    value: region ? { ...value, region } : value,
  };
}

function townNamed(
  printed: string,
  country: string | undefined,
  context: DocumentLocale,
  gazetteer: Gazetteer,
): GazetteerPlace | undefined {
  const world = gazetteer.lookupCity(printed);
  if (country) return gazetteer.lookupCity(printed, country)[0] ?? world.find((place) => place.country === country);
  return (
    world.find((place) => context.countries.includes(place.country)) ??
    (world[0] && world[0].population >= LARGE ? world[0] : undefined)
  );
}

function scoreOf(
  line: Line,
  first: PlaceWord,
  last: PlaceWord,
  town: GazetteerPlace,
  country: string | undefined,
  { capital, begins }: { capital: boolean; begins: boolean },
): number {
  const closed = /^(?:\s*$|\s*[,;|/)\n]|\s[-–]|\s{2})/.test(line.plain.slice(last.end));
  if (country) return scores.townAlone.withCountry;
  const settlementScore = precedingSettlementWord(line.plain, first.start) ? scores.townAlone.afterSettlementType : 0;
  if (!capital || last.end - first.start < 4) return settlementScore;
  const { base, apart, large } = scores.townAlone;
  return Math.max(settlementScore, base + (begins && closed ? apart : 0) + (town.population >= LARGE ? large : 0));
}

function beginsStretch(text: string, offset: number): boolean {
  const before = text.slice(0, offset).trimEnd();
  return /[:,|(]$/.test(before) || /^[\s\p{P}]*$/u.test(before);
}

function together(text: string, words: PlaceWord[], at: number, count: number): boolean {
  for (let index = at; index < at + count - 1; index += 1) {
    if (!WORD_SEPARATOR.test(text.slice(words[index]!.end, words[index + 1]!.start))) return false;
  }
  return true;
}
