import regions from "../lexicon/regions.json" with { type: "json" };
import { startsCountryName, countryKeys, countryOfVatPrefix, countriesOfLanguage } from "../lexicon/countries.ts";
import { foldName, fold } from "../lexicon/fold.ts";
import type { Gazetteer, GazetteerShards } from "../lexicon/gazetteer.ts";
import { findLabels } from "../lexicon/lexicon.ts";
import { parsePhoneNumberFromString } from "libphonenumber-js/min";
import type { DocumentLocale } from "./entity.ts";
import { findPostalCodes } from "./place-codes.ts";
import { placeWords, wordsAfter } from "./place-words.ts";
import { daysBetween, fullYear, type Day } from "./calendar.ts";
import { detectDecimal } from "./numbers.ts";

/** Further lines hardly change the result. */
const MOST_LINES = 600;
const LONGEST_LINE = 400;
const MOST_COUNTRIES = 12;

/** Detects the number format, date order, languages and countries of a document. */
export function detectLocale(lines: string[], today: DocumentLocale["today"]): DocumentLocale {
  const read = lines.slice(0, MOST_LINES).map((line) => line.slice(0, LONGEST_LINE));
  const text = read.join("\n");
  const languages = detectLanguages(read);
  const countries = detectCountries(read, languages);
  return {
    decimal: detectDecimal(text),
    dateOrder: detectDateOrder(text, languages, countries, today),
    today,
    languages,
    countries,
  };
}

/** Adds the countries of the document's postal codes to the locale, then loads the gazetteer of all its countries. */
export async function prepareGazetteer(
  shards: GazetteerShards,
  lines: string[],
  context: DocumentLocale,
): Promise<{ gazetteer: Gazetteer; context: DocumentLocale }> {
  const world = await shards.prepare([]);
  const votes = new Map(context.countries.map((country, index) => [country, context.countries.length - index]));
  for (const line of lines.slice(0, MOST_LINES))
    for (const country of townCountries(line.slice(0, LONGEST_LINE), world)) vote(votes, country, 1);
  const countries = ranked(votes).slice(0, MOST_COUNTRIES);
  return { gazetteer: await shards.prepare(countries), context: { ...context, countries } };
}

function townCountries(line: string, gazetteer: Gazetteer): string[] {
  const folded = fold(line);
  return findPostalCodes(folded).flatMap((code) => {
    const words = wordsAfter(folded.plain, code.end);
    for (let count = Math.min(3, words.length); count > 0; count -= 1) {
      const towns = gazetteer.lookupCity(
        words
          .slice(0, count)
          .map((word) => word.text)
          .join(" "),
      );
      const fitting = towns.filter((town) => code.countries.includes(town.country));
      if (fitting.length > 0) return [fitting[0]!.country];
    }
    return code.marked ? [code.marked] : [];
  });
}

/** Detects the languages of the lines from the labels they contain. Returns the most likely language first. */
export function detectLanguages(lines: string[]): string[] {
  const votes = new Map<string, number>();
  for (const line of lines) {
    for (const { languages, weight, start, end } of findLabels(line)) {
      // A word shared by many languages is weak evidence for each; a longer phrase is stronger.
      for (const language of languages)
        vote(votes, language, (weight * Math.min(3, (end - start) / 6)) / languages.length ** 2);
    }
  }
  const all = ranked(votes);
  const most = votes.get(all[0] ?? "") ?? 0;
  return all.filter((language) => votes.get(language)! >= most / 6).slice(0, 4);
}

const VAT_LIKE = /(?<![\p{L}\p{N}])([A-Z]{2,3})[ -]?(?=[A-Z]?\d)[A-Z]?\d[\dA-Z .-]{6,14}/gu;
const PHONE_LIKE = /(?:\+|(?<![\d-])00)[1-9][\d ()/.-]{7,18}/g;

/**
 * Towns with a US state or Canadian province: "Portland, OR 97218", "AURORA CO 80017". State codes that are also
 * European country codes do not count.
 */
const AMERICAN = /(?<=\p{L}),? ([A-Z]{2}),? (?:(\d{5}(?:-\d{4})?)|[A-Z]\d[A-Z] ?\d[A-Z]\d)(?![\p{L}\d])/gu;
const EUROPEAN_TOO = new Set(["DE", "AL", "MD", "ME", "MT"]);

/** Weight of a vote for a country, by kind of evidence. The values are set by hand. */
const countryVotes = {
  vatPrefix: 2,
  postalCodePrefix: 1.5,
  phonePrefix: 1,
  firstCountryOfLanguage: 1,
  postalCodeShape: 0.7,
  secondCountryOfLanguage: 0.4,
};

function detectCountries(lines: string[], languages: string[]): string[] {
  const votes = new Map<string, number>();
  for (const language of languages.slice(0, 2))
    countriesOfLanguage(language)
      .slice(0, 2)
      .forEach((country, index) =>
        vote(votes, country, index === 0 ? countryVotes.firstCountryOfLanguage : countryVotes.secondCountryOfLanguage),
      );
  for (const line of lines) {
    const { plain } = fold(line);
    for (const match of plain.matchAll(VAT_LIKE)) vote(votes, countryOfVatPrefix(match[1]!), countryVotes.vatPrefix);
    for (const match of plain.matchAll(PHONE_LIKE))
      vote(votes, parsePhoneNumberFromString(match[0].replace(/^00/, "+"))?.country, countryVotes.phonePrefix);
    for (const code of findPostalCodes(fold(line))) {
      vote(votes, code.marked, countryVotes.postalCodePrefix);
      if (code.countries.length === 1) vote(votes, code.countries[0], countryVotes.postalCodeShape);
    }
    for (const [, region = "", digits] of plain.matchAll(AMERICAN))
      vote(
        votes,
        digits
          ? !EUROPEAN_TOO.has(region) && region in regions.US
            ? "US"
            : undefined
          : region in regions.CA
            ? "CA"
            : undefined,
        1.5,
      );
    for (const country of countriesNamed(plain)) vote(votes, country, 1);
  }
  return ranked(votes).slice(0, MOST_COUNTRIES);
}

function countriesNamed(plain: string): string[] {
  const words = placeWords(plain);
  const found: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    if (!/^\p{Lu}/u.test(words[at]!.text) || !startsCountryName(words[at]!.text)) continue;
    for (let count = Math.min(3, words.length - at); count > 0; count -= 1) {
      const country = countryKeys().get(foldName(plain.slice(words[at]!.start, words[at + count - 1]!.end)));
      if (!country) continue;
      found.push(country);
      break;
    }
  }
  return found;
}

const FIGURES = /(?<![\d./-])(\d{1,4})([/.-])(\d{1,2})\2(\d{2,4})(?![\d])/g;
const MONTH_FIRST_COUNTRIES = new Set(["US"]);

/**
 * Weight of "24.11." as a vote for "day first". It is low, because dates with points are day first even in documents
 * with another order. An unambiguous date has the weight 1.
 */
const POINTED_DATE = 0.2;
/** A date that may be read in both orders is likely to be in the weeks around the day of extraction. */
const NEARBY_DAYS = 40;
const NEARBY_DATE = 0.6;
const ENOUGH_FOR_DAY_FIRST = 0.5;

function detectDateOrder(
  text: string,
  [language]: string[],
  countries: string[],
  today: Day,
): DocumentLocale["dateOrder"] {
  let dayFirst = 0;
  let monthFirst = 0;
  let yearFirst = 0;
  const mayBeMonthFirst = language === "en" || countries.some((country) => MONTH_FIRST_COUNTRIES.has(country));
  const isNear = (years: string, month: string, day: string) => {
    const year = fullYear(years, today);
    const away = year === undefined ? Number.NaN : daysBetween(today, { year, month: Number(month), day: Number(day) });
    return Math.abs(away) <= NEARBY_DAYS;
  };
  for (const [, first = "", separator, second = "", third = ""] of text.matchAll(FIGURES)) {
    if (first.length === 4) yearFirst += 1;
    else if (separator === ".") dayFirst += POINTED_DATE;
    else if (Number(first) > 12 && Number(first) <= 31) {
      if (isNear(first, second, third) && !isNear(third, second, first)) yearFirst += 2;
      else dayFirst += 1;
    } else if (Number(second) > 12) monthFirst += 1;
    else {
      const [dayMonth, monthDay] = [isNear(third, second, first), isNear(third, first, second)];
      if (dayMonth && !monthDay) dayFirst += NEARBY_DATE;
      if (monthDay && !dayMonth && mayBeMonthFirst) monthFirst += NEARBY_DATE;
    }
  }
  if (monthFirst > dayFirst) return "MDY";
  if (dayFirst > ENOUGH_FOR_DAY_FIRST) return "DMY";
  if (yearFirst > 1 && dayFirst === 0) return "YMD";
  return countries[0] !== undefined && MONTH_FIRST_COUNTRIES.has(countries[0]) ? "MDY" : "DMY";
}

function vote(votes: Map<string, number>, key: string | undefined, weight: number): void {
  if (key !== undefined) votes.set(key, (votes.get(key) ?? 0) + weight);
}

function ranked(votes: Map<string, number>): string[] {
  return [...votes].toSorted((one, other) => other[1] - one[1]).map(([key]) => key);
}
