import type { Chance } from "./chance.ts";
import { clock, dateIn } from "./figures/dates.ts";
import { NumberFormat } from "./figures/numbers.ts";
import type { Label, Sentence, Words } from "./words/words.ts";
import { locale, words } from "./words/words.ts";
import type { Window } from "./world/order.ts";
import type { Place } from "./world/places.ts";

type PhraseList = { [Key in keyof Words]: Words[Key] extends string[] ? Key : never }[keyof Words];
type CountryStyle = "Name" | "Dash" | "Space" | "Brackets" | "None";

const CITY_BEFORE_CODE = ["GB", "IE", "LV"];
const CITY_FIRST_LANGUAGES = ["hu", "uk", "ru"];
const CITY_MARKS: Record<string, string> = { UA: "м. ", RU: "г. " };

/** The style of one document: its labels, phrases and formats, which stay the same throughout. */
export class Voice {
  readonly language: string;
  readonly figures: NumberFormat;
  readonly countryStyle: CountryStyle;
  /** Whether the town precedes the street, as in Hungarian. */
  readonly cityFirst: boolean;
  /** Whether tractor and trailer are printed on one line. */
  readonly platesTogether: boolean;
  /** Whether postal code, town and country are separate fields. */
  readonly placesApart: boolean;
  readonly #chance: Chance;
  readonly #words: Words;
  readonly #second: Words | undefined;
  readonly #labels = new Map<string, string>();
  readonly #phrases = new Map<string, string>();
  readonly #dates: string;
  readonly #stopDates: string;
  readonly #clock: string;
  readonly #upperCities: boolean;
  readonly #cityMarks: boolean;
  readonly #joint: string;

  /**
   * `second` is the language in which a bilingual form repeats its labels. If all stops are `near`, within a week, the
   * document may name only their weekdays.
   */
  constructor(
    chance: Chance,
    language: string,
    { second, abroad, near = false }: { second?: string; abroad: boolean; near?: boolean },
  ) {
    this.#chance = chance;
    this.language = language;
    this.#words = words(language);
    this.#second = second === undefined ? undefined : words(second);
    this.figures = new NumberFormat(chance, language);
    this.#dates = chance.pick(this.#words.dates);
    const short = this.#dates.replace(/(?:[/-]|(?<=\.)|(?:,| de)? )yyyy$/u, "");
    const style = chance.weighted({ whole: 80, short: 15, weekday: near ? 12 : 0 });
    this.#stopDates = { whole: this.#dates, short, weekday: chance.pick(["EE", "EEEE"]) }[style];
    this.#clock = chance.pick(this.#words.times);
    this.#upperCities = chance.happens(0.12);
    this.platesTogether = chance.happens(0.4);
    this.placesApart = chance.happens(0.15);
    this.#cityMarks = chance.happens(0.4);
    this.cityFirst = CITY_FIRST_LANGUAGES.includes(language) && chance.happens(0.5);
    this.countryStyle =
      language === "us"
        ? "None"
        : chance.weighted({ Name: 40, Dash: 22, Space: 18, Brackets: 10, None: abroad ? 3 : 40 });
    this.#joint = chance.pick([" / ", " / ", "/", " | "]);
  }

  /** Returns the text that the document prints for a label. */
  label(of: Label): string {
    return kept(this.#labels, of, () => {
      const first = this.#chance.pick(this.#words.labels[of]);
      return this.#second ? first + this.#joint + this.#chance.pick(this.#second.labels[of]) : first;
    });
  }

  /** Returns the shortest wording of a label. */
  shortLabel(of: Label): string {
    return this.#words.labels[of].toSorted((one, other) => one.length - other.length)[0]!;
  }

  /** Returns a phrase in the language, always the same one within the document. */
  phrase(of: PhraseList): string {
    return kept(this.#phrases, of, () => this.#chance.pick(this.#words[of]));
  }

  trailer(id: string): string {
    return kept(this.#phrases, `trailer ${id}`, () => this.#chance.pick(this.#words.trailers[id]!));
  }

  sentence(of: Sentence, values: Record<string, string | undefined> = {}): string {
    return filled(this.#chance.pick(this.#words.prose[of]), values);
  }

  clauses(): string[] {
    return this.#chance.shuffled(this.#words.clauses);
  }

  title(): string {
    return kept(this.#phrases, "title", () => this.#chance.pick(this.#words.title));
  }

  answer(yes: boolean): string {
    return this.phrase(yes ? "yes" : "no");
  }

  date(day: string): string {
    return dateIn(this.#dates, day, locale(this.language));
  }

  /** Formats the times without the day. Returns "" if the stop has no times, or if the window ends on another day. */
  hours({ kind, from, to, lastDay }: Window): string {
    if (lastDay !== undefined) return "";
    const values = { from: this.#time(from), to: this.#time(to), time: this.#time(from ?? to) };
    if (kind === "Range") return filled(this.phrase("range"), values);
    if (kind === "Single") return filled(this.phrase("single"), values);
    if (kind === "Fixed") return filled(this.phrase("fixed"), values);
    return kind === "Until" ? filled(this.phrase("until"), values) : "";
  }

  /** Formats the day of a stop. If the window ends on another day, formats both days with their times. */
  days({ day, from, to, lastDay }: Window): string {
    if (lastDay === undefined) return this.#stopDate(day);
    const moment = (date: string, minutes?: number): string =>
      [this.#stopDate(date), this.#time(minutes)].filter(Boolean).join(" ");
    return `${moment(day, from)} - ${moment(lastDay, to)}`;
  }

  when(window: Window): string {
    const comma = kept(this.#phrases, "comma", () => this.#chance.pick([" ", ", ", " "]));
    return [this.days(window), this.hours(window)].filter(Boolean).join(comma);
  }

  /** Formats postal code and town on one line, with the country code if the document prints it there. */
  town(place: Place): string {
    const { country, postalCode, region } = place;
    const name = this.city(place);
    if (region) return `${name}, ${region} ${postalCode}`;
    const code =
      { Dash: `${country}-${postalCode}`, Space: `${country} ${postalCode}` }[this.countryStyle as string] ??
      postalCode;
    const line = CITY_BEFORE_CODE.includes(country) ? `${name}, ${code}` : `${code} ${name}`;
    return this.countryStyle === "Brackets" ? `${line} (${country})` : line;
  }

  city({ country, city }: Place): string {
    const mark = this.#cityMarks ? (CITY_MARKS[country] ?? "") : "";
    return mark + (this.#upperCities ? city.toUpperCase() : city);
  }

  /** Returns the country's name, if the document prints it. */
  country({ country }: Place): string | undefined {
    if (this.countryStyle !== "Name") return undefined;
    return new Intl.DisplayNames(locale(this.language), { type: "region" }).of(country);
  }

  get tellsCountries(): boolean {
    return this.countryStyle !== "None";
  }

  /** Formats the day of a stop, in some documents without the year or as a weekday. */
  #stopDate(day: string): string {
    return dateIn(this.#stopDates, day, locale(this.language));
  }

  #time(minutes: number | undefined): string {
    return minutes === undefined ? "" : clock(this.#clock, minutes);
  }
}

function kept(store: Map<string, string>, key: string, make: () => string): string {
  const there = store.get(key) ?? make();
  store.set(key, there);
  return there;
}

/** Fills the `{names}` of a template. */
export function filled(template: string, values: Record<string, string | undefined>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "");
}
