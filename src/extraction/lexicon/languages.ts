import type { ConceptId } from "./concepts.ts";
import bg from "./languages/bg.json" with { type: "json" };
import bgCountries from "i18n-iso-countries/langs/bg.json" with { type: "json" };
import cs from "./languages/cs.json" with { type: "json" };
import csCountries from "i18n-iso-countries/langs/cs.json" with { type: "json" };
import da from "./languages/da.json" with { type: "json" };
import daCountries from "i18n-iso-countries/langs/da.json" with { type: "json" };
import de from "./languages/de.json" with { type: "json" };
import deCountries from "i18n-iso-countries/langs/de.json" with { type: "json" };
import el from "./languages/el.json" with { type: "json" };
import elCountries from "i18n-iso-countries/langs/el.json" with { type: "json" };
import en from "./languages/en.json" with { type: "json" };
import enCountries from "i18n-iso-countries/langs/en.json" with { type: "json" };
import es from "./languages/es.json" with { type: "json" };
import esCountries from "i18n-iso-countries/langs/es.json" with { type: "json" };
import et from "./languages/et.json" with { type: "json" };
import etCountries from "i18n-iso-countries/langs/et.json" with { type: "json" };
import fi from "./languages/fi.json" with { type: "json" };
import fiCountries from "i18n-iso-countries/langs/fi.json" with { type: "json" };
import fr from "./languages/fr.json" with { type: "json" };
import frCountries from "i18n-iso-countries/langs/fr.json" with { type: "json" };
import hr from "./languages/hr.json" with { type: "json" };
import hrCountries from "i18n-iso-countries/langs/hr.json" with { type: "json" };
import hu from "./languages/hu.json" with { type: "json" };
import huCountries from "i18n-iso-countries/langs/hu.json" with { type: "json" };
import it from "./languages/it.json" with { type: "json" };
import itCountries from "i18n-iso-countries/langs/it.json" with { type: "json" };
import lt from "./languages/lt.json" with { type: "json" };
import ltCountries from "i18n-iso-countries/langs/lt.json" with { type: "json" };
import lv from "./languages/lv.json" with { type: "json" };
import lvCountries from "i18n-iso-countries/langs/lv.json" with { type: "json" };
import nl from "./languages/nl.json" with { type: "json" };
import nlCountries from "i18n-iso-countries/langs/nl.json" with { type: "json" };
import no from "./languages/no.json" with { type: "json" };
import noCountries from "i18n-iso-countries/langs/no.json" with { type: "json" };
import pl from "./languages/pl.json" with { type: "json" };
import plCountries from "i18n-iso-countries/langs/pl.json" with { type: "json" };
import pt from "./languages/pt.json" with { type: "json" };
import ptCountries from "i18n-iso-countries/langs/pt.json" with { type: "json" };
import ro from "./languages/ro.json" with { type: "json" };
import roCountries from "i18n-iso-countries/langs/ro.json" with { type: "json" };
import ru from "./languages/ru.json" with { type: "json" };
import ruCountries from "i18n-iso-countries/langs/ru.json" with { type: "json" };
import sk from "./languages/sk.json" with { type: "json" };
import skCountries from "i18n-iso-countries/langs/sk.json" with { type: "json" };
import sl from "./languages/sl.json" with { type: "json" };
import slCountries from "i18n-iso-countries/langs/sl.json" with { type: "json" };
import sr from "./languages/sr.json" with { type: "json" };
import srCountries from "i18n-iso-countries/langs/sr.json" with { type: "json" };
import sv from "./languages/sv.json" with { type: "json" };
import svCountries from "i18n-iso-countries/langs/sv.json" with { type: "json" };
import tr from "./languages/tr.json" with { type: "json" };
import trCountries from "i18n-iso-countries/langs/tr.json" with { type: "json" };
import uk from "./languages/uk.json" with { type: "json" };
import ukCountries from "i18n-iso-countries/langs/uk.json" with { type: "json" };
import { withCyrillic } from "./serbian-cyrillic.ts";

/**
 * Words of one language, from `languages/<code>.json`. A new language needs its file, its two imports here, its row in
 * `languages` and its OCR model (`workers/ocr/models.ts`).
 */
export interface Language {
  /** ISO 639-1. */
  language: string;
  /** Rank among languages that fit a text equally well, from 1. */
  rank: number;
  /** Countries in which it is spoken (ISO 3166-1 alpha-2), most likely first. */
  countries: readonly string[];
  /** Whether compound nouns are written as one word: "Abholnummer". */
  compounds?: boolean;
  /** Words for "number" in labels: nr, no, n°. */
  number: string[];
  /** Short frequent words that identify the language, separated by spaces. */
  smallWords: string;
  months: readonly (readonly string[])[];
  /** An asterisk matches any ending. Weekdays start with Monday. */
  days: DayWords;
  /** One or two letters for each weekday, from Monday. */
  weekdayLetters?: readonly string[];
  /** Pairs of letters for loading and unloading in lists of stops, such as "BE" for "Beladen" and "Entladen". */
  stopTypeCodes: readonly string[];
  /** Verbs; an asterisk matches any ending. */
  loadingVerbs: LoadingWords;
  /** Verb forms and nouns that mean loading or unloading only before an address. */
  loadingForms: LoadingWords;
  vehicleWords: readonly string[];
  orderWords: readonly string[];
  journeyWords: readonly string[];
  /** Words before the addressee of a letter, such as "To:". */
  addresseeWords: readonly string[];
  /** Phrases of each concept, with their weights (1 if not stated). "{no}" stands for any word in `number`. */
  labels: Partial<Record<ConceptId, (string | [string, number])[]>>;
  /** Country names by alpha-2 code, from `i18n-iso-countries`. */
  countryNames: Readonly<Record<string, string | string[]>>;
}

export interface DayWords {
  weekdays: readonly (readonly string[])[];
  today: readonly string[];
  tomorrow: readonly string[];
  overmorrow: readonly string[];
  soon: readonly string[];
  next: readonly string[];
  nextWeek: readonly string[];
  forenoon: readonly string[];
  afternoon: readonly string[];
  evening: readonly string[];
}

export interface LoadingWords {
  loading: string[];
  unloading: string[];
}

/** Serbian words whose Cyrillic spelling means something else in Russian, Ukrainian or Bulgarian documents. */
const srOnlyLatin = ["direktor", "karta {no}", "list", "nalog", "pošta", "strana", "vrata"];

/** All languages, sorted by code. */
export const languages: readonly Language[] = [
  [bg, bgCountries],
  [cs, csCountries],
  [da, daCountries],
  [de, deCountries],
  [el, elCountries],
  [en, enCountries],
  [es, esCountries],
  [et, etCountries],
  [fi, fiCountries],
  [fr, frCountries],
  [hr, hrCountries],
  [hu, huCountries],
  [it, itCountries],
  [lt, ltCountries],
  [lv, lvCountries],
  [nl, nlCountries],
  [no, noCountries],
  [pl, plCountries],
  [pt, ptCountries],
  [ro, roCountries],
  [ru, ruCountries],
  [sk, skCountries],
  [sl, slCountries],
  [withCyrillic(sr, srOnlyLatin), srCountries],
  [sv, svCountries],
  [tr, trCountries],
  [uk, ukCountries],
].map(
  ([words, names]) => ({ ...words, countryNames: (names as { countries: unknown }).countries }) as unknown as Language,
);

/** All languages, sorted by rank. */
export const rankedLanguages: readonly Language[] = languages.toSorted((one, other) => one.rank - other.rank);

/** Returns one property of all languages, by language code. */
export const wordsByLanguage = <Name extends keyof Language>(name: Name): Record<string, NonNullable<Language[Name]>> =>
  Object.fromEntries(
    rankedLanguages.flatMap((each) => (each[name] === undefined ? [] : [[each.language, each[name]] as const])),
  ) as Record<string, NonNullable<Language[Name]>>;
