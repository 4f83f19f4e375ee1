import { wordsByLanguage } from "./languages.ts";
import { foldName } from "./fold.ts";
import aliases from "./country-aliases.json" with { type: "json" };
import alphaCodes from "i18n-iso-countries/codes.json" with { type: "json" };
import el from "i18n-iso-countries/langs/el.json" with { type: "json" };
import no from "i18n-iso-countries/langs/no.json" with { type: "json" };
import sr from "i18n-iso-countries/langs/sr.json" with { type: "json" };
import tr from "i18n-iso-countries/langs/tr.json" with { type: "json" };

/**
 * Countries as freight documents write them: names in the languages of Europe, ISO codes, the letters on cars.
 * Names come from i18n-iso-countries (MIT); aliases and car letters are our own table.
 */

/** Letters on cars that are no ISO code of the same country. */
const CAR_LETTERS: Record<string, string> = {
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

/** Prefixes of VAT numbers that are no ISO code. */
const VAT_PREFIXES: Record<string, string> = { EL: "GR", XI: "GB", CHE: "CH" };

/** Countries of languages whose papers the engine meets without reading the language. */
const otherHomes: Record<string, readonly string[]> = { el: ["GR"], no: ["NO"], sr: ["RS"], tr: ["TR"] };

/** Where each language is spoken, by code. */
const HOMES: Record<string, readonly string[]> = Object.fromEntries(
  Object.entries({ ...wordsByLanguage("countries"), ...otherHomes }).toSorted(([one], [other]) =>
    one < other ? -1 : 1,
  ),
);

let byCode: Map<string, string> | undefined;
let byName: Map<string, string> | undefined;
let firstWords: Set<string> | undefined;
let lastWords: Set<string> | undefined;

/** Alpha-2 of a country's code as printed alone: "PL", "POL", "D", "UK". Nothing for a word that is no code. */
export function countryOfCode(code: string): string | undefined {
  byCode ??= codesOf(countryNames.codes);
  return byCode.get(code.toUpperCase());
}

/** Alpha-2 of a country's name in any of the languages, marks and capitals ignored: "Niemcy", "Holland", "Czechia". */
export function countryOfName(name: string): string | undefined {
  byName ??= namesOf();
  return byName.get(foldName(name));
}

/** A code or a name. */
export function countryOf(text: string): string | undefined {
  return countryOfCode(text.replace(/[^\p{L}]/gu, "")) ?? countryOfName(text);
}

/** All names as keys (folded, see `foldName`), for those who search a text for them. */
export function countryKeys(): ReadonlyMap<string, string> {
  byName ??= namesOf();
  return byName;
}

/** Whether any country's name begins with a word: tells most words of a text apart without asking for every stretch of them. */
export function startsCountryName(word: string): boolean {
  firstWords ??= new Set([...countryKeys().keys()].map((key) => key.split(" ")[0]!));
  return firstWords.has(foldName(word).split(" ")[0]!);
}

/** Whether any country's name ends with a word. */
export function endsCountryName(word: string): boolean {
  lastWords ??= new Set([...countryKeys().keys()].map((key) => key.split(" ").at(-1)!));
  return lastWords.has(foldName(word).split(" ").at(-1)!);
}

/** Country of a VAT number's two or three letters. */
export function countryOfVatPrefix(prefix: string): string | undefined {
  const letters = prefix.toUpperCase();
  return VAT_PREFIXES[letters] ?? (letters.length === 2 ? countryOfCode(letters) : undefined);
}

/** Where a language is at home. */
export function countriesOfLanguage(language: string): readonly string[] {
  return HOMES[language] ?? [];
}

/** What is spoken in a country (alpha-2), as far as is known here. */
export function languagesOfCountry(country: string): string[] {
  return Object.keys(HOMES).filter((language) => countriesOfLanguage(language).includes(country));
}

function codesOf(alpha3: Record<string, string>): Map<string, string> {
  const codes = new Map(Object.entries(CAR_LETTERS));
  for (const [three, two] of Object.entries(alpha3)) codes.set(three, two).set(two, two);
  return codes;
}

/** Below this length the languages' names are words as well ("Man", "Čad", "U.S."); our aliases may be shorter. */
const SHORTEST_NAME = 4;

function namesOf(): Map<string, string> {
  const names = new Map<string, string>();
  for (const [code, list] of Object.entries(aliases)) for (const name of list) names.set(foldName(name), code);
  for (const [code, list] of countryNames.names) {
    for (const key of list.map(foldName)) if (key.length >= SHORTEST_NAME && !names.has(key)) names.set(key, code);
  }
  return names;
}

const namesByLanguage: Record<string, Readonly<Record<string, string | string[]>>> = {
  ...wordsByLanguage("countryNames"),
  ...Object.fromEntries([el, no, sr, tr].map(({ locale, countries }) => [locale, countries])),
};
/** English first: where languages name two countries alike, its name counts. */
const languageOrder = [
  "en",
  ...Object.keys(namesByLanguage)
    .filter((language) => language !== "en")
    .toSorted(),
];

/** Alpha-3 to alpha-2, and [alpha-2, names] of every language. */
const countryNames: { codes: Record<string, string>; names: [string, string[]][] } = {
  codes: Object.fromEntries(alphaCodes.map(([two, three]) => [three as string, two as string])),
  names: languageOrder.flatMap((language) =>
    Object.entries(namesByLanguage[language]!).map(([code, names]): [string, string[]] => [code, [names].flat()]),
  ),
};
