import { foldName } from "../lexicon/fold.ts";
import { memoize } from "./memoize.ts";
import vocabulary from "./statement-words.json" with { type: "json" };

/** What a column of a statement contains. */
export type Field = keyof typeof vocabulary.columns;

export const kinds = ["Fuel", "AdBlue", "Toll", "Ferry", "Parking", "Wash", "Other"] as const;
export type Kind = (typeof kinds)[number];

export const types = ["Purchase", "Void", "Refund"] as const;
export type Type = (typeof types)[number];

export const fuels = ["Diesel", "Petrol", "Lng", "Cng", "Lpg", "Electric", "Hydrogen"] as const;
export type Fuel = (typeof fuels)[number];

class Phrases<Name extends string> {
  private readonly byText = new Map<string, Name>();
  private readonly byFirst = new Map<string, { phrase: string; name: Name }[]>();

  constructor(entries: readonly (readonly [Name, readonly string[]])[]) {
    for (const [name, phrases] of entries) {
      for (const each of phrases) {
        const phrase = foldName(each);
        if (phrase === "" || this.byText.has(phrase)) continue;
        this.byText.set(phrase, name);
        const first = phrase.split(" ", 1)[0]!;
        this.byFirst.set(first, [...(this.byFirst.get(first) ?? []), { phrase, name }]);
      }
    }
  }

  /** Returns the name of the phrase that equals the text. */
  whole(folded: string): Name | undefined {
    return this.byText.get(folded);
  }

  within(folded: string): { phrase: string; name: Name }[] {
    const padded = ` ${folded} `;
    return [...new Set(folded.split(" "))].flatMap((word) =>
      (this.byFirst.get(word) ?? []).filter(({ phrase }) => padded.includes(` ${phrase} `)),
    );
  }

  words(): { phrase: string; name: Name }[] {
    return [...this.byText].flatMap(([phrase, name]) => (phrase.includes(" ") ? [] : [{ phrase, name }]));
  }
}

const entriesOf = <Name extends string>(table: Record<Name, string[]>) => Object.entries(table) as [Name, string[]][];

/** "data" belongs to several fields: it means a date in some languages, and data in others. */
const headings = new Map<Field | "other", Phrases<Field | "other">>([
  ...entriesOf(vocabulary.columns).map(
    ([field, phrases]) => [field, new Phrases<Field | "other">([[field, phrases]])] as const,
  ),
  ["other", new Phrases<Field | "other">([["other", vocabulary.others]])],
]);

/** A cell without any of these phrases need not be compared with each field. */
const anyHeading = new Phrases([["any", [...Object.values(vocabulary.columns).flat(), ...vocabulary.others]]]);

/**
 * Scores of a phrase that equals the heading (`whole`), equals one of its parts (`part`: "Date" in "Date / time"), or
 * is inside a part (`within`, plus `perShare` × its share of the length).
 */
const headingScore = { whole: 1.1, part: 1, within: 0.35, perShare: 0.6 };

/** Rates from 0 to 1.1 how well a heading names each field. */
export function headingScores(heading: string): Map<Field | "other", number> {
  const whole = foldName(heading);
  const scores = new Map<Field | "other", number>();
  if (whole === "" || whole.length > maxHeadingLength) return scores;
  if (heading.includes("%")) return scores.set("other", 1);
  const segments = new Set(
    heading
      .split(/[/|()[\]\n\r]+/)
      .map(foldName)
      .filter(Boolean),
  );
  if (![whole, ...segments].some((text) => anyHeading.within(text).length > 0)) return scores;
  for (const [field, phrases] of headings) {
    const score = Math.max(
      phrases.whole(whole) ? headingScore.whole : 0,
      ...[whole, ...segments].map((text) => likeness(phrases, text)),
    );
    if (score > 0) scores.set(field, score);
  }
  return scores;
}

const maxHeadingLength = 120;

function likeness(phrases: Phrases<string>, text: string): number {
  if (phrases.whole(text)) return headingScore.part;
  const longest = Math.max(0, ...phrases.within(text).map(({ phrase }) => phrase.length));
  return longest === 0 ? 0 : headingScore.within + (headingScore.perShare * longest) / text.length;
}

const sums = new Phrases([["sum", vocabulary.sums]]);

/** Whether a cell marks its row as a total. */
export function isSum(cell: string): boolean {
  const folded = foldName(cell);
  return sums.whole(folded) !== undefined || sums.within(folded).some(({ phrase }) => folded.startsWith(phrase));
}

const kindPhrases = new Phrases<Kind>([...entriesOf(vocabulary.kinds), ...entriesOf(vocabulary.kindNames)] as [
  Kind,
  string[],
][]);
const kindOrder: Kind[] = ["AdBlue", "Ferry", "Toll", "Parking", "Wash", "Fuel"];
const fuelPhrases = new Phrases<Fuel>(entriesOf(vocabulary.fuels));
const typePhrases = new Phrases<Type>(entriesOf(vocabulary.types));
const litres = new Set(vocabulary.litre.map(foldName));

/** A word of at least this length is also found at the start or end of a compound: "Diesel" in "Dieselkraftstoff". */
const minAffixLength = 6;

function namedIn<Name extends string>(
  phrases: Phrases<Name>,
  folded: string,
  order: readonly Name[],
): Name | undefined {
  const names = new Set(phrases.within(folded).map(({ name }) => name));
  const plain = order.find((name) => names.has(name));
  if (plain) return plain;
  const words = folded.split(" ").filter((word) => word.length > minAffixLength);
  const joined = new Set(
    phrases
      .words()
      .filter(({ phrase }) => phrase.length >= minAffixLength && words.some((word) => isAffix(word, phrase)))
      .map(({ name }) => name),
  );
  return order.find((name) => joined.has(name));
}

const isAffix = (word: string, phrase: string) => word.startsWith(phrase) || word.endsWith(phrase);

/** Returns the kind of a product with this name. */
export const kindOfProduct = memoize((text: string): Kind | undefined =>
  namedIn(kindPhrases, foldName(text), [...kindOrder, "Other"]),
);

/** Returns the fuel of a product with this name. */
export const fuelOf = memoize((text: string): Fuel | undefined =>
  namedIn(fuelPhrases, foldName(text), ["Lng", "Cng", "Lpg", "Hydrogen", "Diesel", "Electric", "Petrol"]),
);

/** Returns the type of transaction that a text names. */
export const typeIn = memoize((text: string): Type | undefined =>
  namedIn(typePhrases, foldName(text), ["Void", "Refund", "Purchase"]),
);

export const isLitre = memoize((unit: string): boolean => litres.has(foldName(unit)));
