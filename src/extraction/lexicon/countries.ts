import { wordsByLanguage } from "./languages.ts";
import { foldName } from "./fold.ts";
import aliases from "./country-aliases.json" with { type: "json" };
import alphaCodes from "i18n-iso-countries/codes.json" with { type: "json" };

/**
 * Countries as freight documents write them: names in the languages of Europe, ISO codes, and vehicle registration
 * codes. Names come from i18n-iso-countries (MIT). The aliases and registration codes are maintained here.
 */

const countryByVehicleCode: Record<string, string> = {
  A: "AT",
  B: "BE",
  D: "DE",
  E: "ES",
  F: "FR",
  H: "HU",
  I: "IT",
  L: "LU",
  M: "MT",
  N: "NO",
  P: "PT",
  S: "SE",
  V: "VA",
  BIH: "BA",
  CYM: "GB",
  EST: "EE",
  FIN: "FI",
  FL: "LI",
  GBZ: "GI",
  GR: "GR",
  IRL: "IE",
  KSA: "SA",
  LAR: "LY",
  MNE: "ME",
  NMK: "MK",
  ROK: "KR",
  RSM: "SM",
  RUS: "RU",
  SLO: "SI",
  SRB: "RS",
  UK: "GB",
  USA: "US",
  KZ: "KZ",
  MGL: "MN",
  SCG: "RS",
  RKS: "XK",
  CDN: "CA",
  MEX: "MX",
};

const VAT_PREFIXES: Record<string, string> = { EL: "GR", XI: "GB", CHE: "CH" };

const countriesByLanguage: Record<string, readonly string[]> = Object.fromEntries(
  Object.entries(wordsByLanguage("countries")).toSorted(([one], [other]) => (one < other ? -1 : 1)),
);

let byCode: Map<string, string> | undefined;
let byName: Map<string, string> | undefined;
let firstWords: Set<string> | undefined;
let lastWords: Set<string> | undefined;

/** Returns the alpha-2 code for a printed country code ("PL", "POL", "D", "UK"); undefined for other words. */
export function countryOfCode(code: string): string | undefined {
  byCode ??= codesOf(countryNames.codes);
  return byCode.get(code.toUpperCase());
}

/** Returns the alpha-2 code for a country name in any language: "Niemcy", "Holland". Ignores case and diacritics. */
export function countryOfName(name: string): string | undefined {
  byName ??= namesOf();
  return byName.get(foldName(name));
}

/** Returns the alpha-2 code for a printed country code or name. */
export function countryOf(text: string): string | undefined {
  return countryOfCode(text.replace(/[^\p{L}]/gu, "")) ?? countryOfName(text);
}

/** Returns the alpha-2 codes of countries, by folded name (see `foldName`). */
export function countryKeys(): ReadonlyMap<string, string> {
  byName ??= namesOf();
  return byName;
}

/** Whether any country name begins with the first word of this text. This is a cheap test before a look-up. */
export function startsCountryName(word: string): boolean {
  firstWords ??= new Set([...countryKeys().keys()].map((key) => key.split(" ")[0]!));
  return firstWords.has(foldName(word).split(" ")[0]!);
}

/** Whether any country name ends with the last word of this text. */
export function endsCountryName(word: string): boolean {
  lastWords ??= new Set([...countryKeys().keys()].map((key) => key.split(" ").at(-1)!));
  return lastWords.has(foldName(word).split(" ").at(-1)!);
}

/** Returns the country (alpha-2) of the prefix of a VAT number. */
export function countryOfVatPrefix(prefix: string): string | undefined {
  const letters = prefix.toUpperCase();
  return VAT_PREFIXES[letters] ?? (letters.length === 2 ? countryOfCode(letters) : undefined);
}

/** Returns the countries (alpha-2) in which a language is spoken. */
export function countriesOfLanguage(language: string): readonly string[] {
  return countriesByLanguage[language] ?? [];
}

/** Returns the languages of a country (alpha-2). */
export function languagesOfCountry(country: string): string[] {
  return Object.keys(countriesByLanguage).filter((language) => countriesOfLanguage(language).includes(country));
}

function codesOf(alpha3: Record<string, string>): Map<string, string> {
  const codes = new Map(Object.entries(countryByVehicleCode));
  for (const [three, two] of Object.entries(alpha3)) codes.set(three, two).set(two, two);
  return codes;
}

/** Shorter names of the library are left out because they are also ordinary words ("Man", "Čad", "U.S."). */
const SHORTEST_NAME = 4;

function namesOf(): Map<string, string> {
  const names = new Map<string, string>();
  for (const [code, list] of Object.entries(aliases)) for (const name of list) names.set(foldName(name), code);
  for (const [code, list] of countryNames.names) {
    for (const key of list.map(foldName)) if (key.length >= SHORTEST_NAME && !names.has(key)) names.set(key, code);
  }
  return names;
}

const namesByLanguage: Record<string, Readonly<Record<string, string | string[]>>> = wordsByLanguage("countryNames");
/** If a name means different countries in two languages, the language that comes first here decides. */
const languageOrder = [
  "en",
  ...Object.keys(namesByLanguage)
    .filter((language) => language !== "en")
    .toSorted(),
];

const countryNames: { codes: Record<string, string>; names: [string, string[]][] } = {
  codes: Object.fromEntries(alphaCodes.map(([two, three]) => [three as string, two as string])),
  names: languageOrder.flatMap((language) =>
    Object.entries(namesByLanguage[language]!).map(([code, names]): [string, string[]] => [code, [names].flat()]),
  ),
};
