import { scores } from "./scores.ts";
import currencies from "../lexicon/currencies.json" with { type: "json" };
import { foldText } from "../lexicon/fold.ts";
import type { EntityOf, DocumentLocale } from "./entity.ts";
import { printedSpan, withoutOverlaps } from "./line-spans.ts";
import type { Line } from "./line-spans.ts";
import { NUMBER, readMoney } from "./numbers.ts";

type AmountEntity = EntityOf<"Amount">;

const byWord = new Map(
  Object.entries(currencies).flatMap(([code, words]) => words.map((word): [string, string] => [foldText(word), code])),
);
/** Currency that "kr", "kronor" and "kroner" stand for, by language of the document. */
const CROWNS: [string, string][] = [
  ["sv", "SEK"],
  ["da", "DKK"],
  ["no", "NOK"],
];

/**
 * Words with another meaning in other languages, and the language in which they are a currency: "53 ft" are feet, "din 1998"
 * is "since 1998". In other languages they are one only after a number of at least `minDoubtful`: "450 000 Ft".
 */
const doubtful: Readonly<Record<string, string>> = { ft: "hu", din: "sr" };
const minDoubtful = 1000;

const crowns = ["kr", "kr.", "kronor", "kroner"];
const words = [...byWord.keys(), ...crowns]
  .toSorted((one, other) => other.length - one.length)
  .map((word) => word.replace(/[.$*+?^|()[\]{}\\]/g, "\\$&"));
const CURRENCY = `(?:${words.join("|")})`;
const PLAIN = new RegExp(`(?<![\\d\\p{L}.,:/_-])(-? ?)(${NUMBER})(?!\\d|[.,:/-]\\d|[\\p{L}_]| ?%)`, "gu");
const BEFORE = new RegExp(
  `(?<![\\p{L}\\d])(${CURRENCY})\\.?[ :]{0,2}\\*{0,12}(-? ?${NUMBER})(?!\\d|[.,]\\d| ?%)`,
  "gu",
);
const AFTER = new RegExp(
  `(?<![\\d\\p{L}]|\\d[.,:/-])(-? ?${NUMBER})(?:,-{1,2}|\\.-{1,2}|,--)? ?(${CURRENCY})(?![\\p{L}\\d])`,
  "gu",
);
/** Text after "EUR" that shows that it is a type of pallet, not a currency: "33 EUR pallets", "EUR 120x80". */
const PALLET_AFTER = /^[ /-]?(?:pal|epal|palet|raklap|paliet|1?\d{2} ?[x*])/;

/**
 * Finds amounts of money. A number without a currency gets a low score: it counts as a price only if a label says so.
 */
export function findAmounts(line: Line, context: DocumentLocale): AmountEntity[] {
  return withoutOverlaps([...withCurrency(line, context), ...bare(line, context)]);
}

/** Returns the ISO 4217 code for the code, symbol or name of a currency. */
export function currencyOf(word: string, languages: readonly string[] = []): string | undefined {
  const key = foldText(word).trim();
  if (crowns.includes(key)) return CROWNS.find(([language]) => languages.includes(language))?.[1] ?? "SEK";
  return byWord.get(key);
}

function withCurrency(line: Line, context: DocumentLocale): AmountEntity[] {
  const { text } = line;
  const before = Array.from(text.matchAll(BEFORE), (match) => ({
    match,
    number: match[2] ?? "",
    word: match[1] ?? "",
    score: scores.amount.currencyBefore,
  })).filter(({ match, word }) => !PALLET_AFTER.test(text.slice(match.index + word.length)));
  const behind = Array.from(text.matchAll(AFTER), (match) => ({
    match,
    number: match[1] ?? "",
    word: match[2] ?? "",
    score: scores.amount.currencyBehind,
  }));
  return [...before, ...behind].flatMap(({ match, number, word, score }) => {
    const [whole] = match;
    const currency = currencyOf(word, context.languages);
    const language = doubtful[word];
    if (
      language &&
      !context.languages.includes(language) &&
      (score === scores.amount.currencyBefore || readMoney(number, context.decimal) < minDoubtful)
    )
      return [];
    const isPallet = PALLET_AFTER.test(text.slice(match.index + whole.length));
    return currency && !isPallet ? [amount(line, match.index, whole, number, currency, score, context)] : [];
  });
}

function bare(line: Line, context: DocumentLocale): AmountEntity[] {
  return Array.from(line.text.matchAll(PLAIN), (match) => {
    const number = match[2]!;
    const cents = /[.,]\d{2}$/.test(number);
    return amount(
      line,
      match.index,
      match[0],
      match[1] + number,
      undefined,
      cents ? scores.amount.cents : scores.amount.bare,
      context,
    );
  });
}

function amount(
  line: Line,
  index: number,
  whole: string,
  number: string,
  currency: string | undefined,
  score: number,
  context: DocumentLocale,
): AmountEntity {
  const lead = whole.length - whole.trimStart().length;
  const isBullet = number.startsWith("- ") && index === 0 && /\p{L}{3}/u.test(line.text.slice(whole.length + 1));
  const negative = number.startsWith("-") && !isBullet;
  const value = readMoney(number.replace(/^-? ?/, ""), context.decimal);
  const signed = negative ? -value : value;
  return {
    type: "Amount",
    ...printedSpan(line, index + lead, index + whole.length, score),
    value: currency ? { amount: signed, currency } : { amount: signed },
  };
}
