import { wordsByLanguage } from "../../lexicon/languages.ts";
import { fold } from "../../lexicon/fold.ts";
import { anyOf } from "../../entities/line-spans.ts";

/** An order number in a text. */
export interface NamedOrder {
  number: string;
  start: number;
  end: number;
  /** Offset of the word for "order" before the number. */
  wordStart: number;
}

type Word = "order" | "journey";

const words: Record<Word, Record<string, readonly string[]>> = {
  order: wordsByLanguage("orderWords"),
  journey: wordsByLanguage("journeyWords"),
};

const number = "(?:nr|no|num|nro|numer|nummer|n[°º]|№|#|c|cislo|st|br|broj|szam|id|ref)";
const patterns = new Map<string, RegExp>();

function wordsFor(languages: readonly string[], kinds: readonly Word[]): string {
  const spoken = [...languages.slice(0, mostLanguages), "en"].filter((language) => language in words.order);
  return anyOf(kinds.flatMap((kind) => spoken.flatMap((language) => words[kind][language]!)));
}

const wordsBehind = new Map<string, RegExp>();

/**
 * Whether a word for an order or journey follows a number: "the 5567-120 load", "a 2026-4471 számú megbízás".
 * @param text the text after the number
 */
export function isBeforeOrderWord(text: string, languages: readonly string[]): boolean {
  const key = languages.slice(0, mostLanguages).join();
  let pattern = wordsBehind.get(key);
  if (!pattern) {
    const any = wordsFor(languages, ["order", "journey"]);
    pattern = new RegExp(`^ (?:sz(?:amu|\\.)? )?(?:${any})(?![\\p{L}\\p{N}.])`, "u");
    wordsBehind.set(key, pattern);
  }
  return pattern.test(fold(text.slice(0, longestWord)).text);
}

function orderWords(languages: readonly string[], kinds: readonly Word[]): RegExp {
  const key = [...languages.slice(0, mostLanguages), ...kinds].join();
  const known = patterns.get(key);
  if (known) return known;
  const any = wordsFor(languages, kinds);
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}/])(?:${any})(?:[-. ]{0,2}${number}(?![\\p{L}/]))?[.:]{0,2} ?(?:${number}(?![\\p{L}/])[.:]{0,2} ?)?(?<![\\p{L}\\d])(?=[\\p{L}\\d])`,
    "gu",
  );
  patterns.set(key, pattern);
  return pattern;
}

const mostLanguages = 2;
const longestWord = 40;
const code = /^(?=[\p{L}\d/._-]*\d{2})[\p{Lu}\d][\p{L}\d/_-]*(?:[._][\p{L}\d/_-]+)*(?![\p{L}\p{N}]|[.,]\d)/u;
const more = /^\s?(?:[,;+&]|\p{Ll}{1,3}(?=\s))\s?(?=[\p{Lu}\d])/u;
export const shortest = 4;
/** Matches dates, years, amounts and numbers of up to three digits, which are not order numbers. */
const noCode = /^(?:\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|20\d\d|\d+[.,]\d{1,2}|\d{1,3}|\d{4}-\d\d-\d\d)$/u;
export const isOtherThanCode = (printed: string) => noCode.test(printed);

/**
 * Finds numbers directly after a word for an order, also within a sentence: "zlec. Z/7718", "против заявки 118-К".
 * Words for a journey or load ("Tour 77-2210") count only if `kinds` includes them.
 */
export function findNamedOrders(
  text: string,
  languages: readonly string[],
  kinds: readonly Word[] = ["order"],
): NamedOrder[] {
  if (!/\d{2}/.test(text)) return [];
  const line = fold(text);
  const found: NamedOrder[] = [];
  for (const match of line.text.matchAll(orderWords(languages, kinds))) {
    const wordStart = line.at(match.index);
    let at = line.at(match.index + match[0].length);
    for (let first = true; ; first = false) {
      const printed = code.exec(text.slice(at))?.[0].replace(/[._/-]+$/u, "");
      const sameForm = first || (found.at(-1) && formOf(printed) === formOf(found.at(-1)?.number));
      if (!printed || printed.length < shortest || isOtherThanCode(printed) || !sameForm) break;
      if (isCount(printed, text.slice(at + printed.length))) break;
      found.push({ number: printed, start: at, end: at + printed.length, wordStart });
      const next = more.exec(text.slice(at + printed.length));
      if (!next) break;
      at += printed.length + next[0].length;
    }
  }
  return found;
}

const unit = /^\s?(?:kg|t|to|km|eur|€|pln|pal|ldm|m3|h|kč|czk|ft|huf|lei|ron|kr|sek|dkk|%)(?!\p{L})/iu;

/**
 * Whether the number is a count and not a code: few digits without a letter, or digits before a unit ("load 24000 kg").
 */
const isCount = (printed: string, behind: string) =>
  /^\d+$/u.test(printed) && (printed.length < 5 || unit.test(behind));

/** The numbers of one list have the same shape: "Z/7718" and "Z/7719" are both "a/0". */
const formOf = (printed: string | undefined) => printed?.replace(/\d+/gu, "0").replace(/\p{L}+/gu, "a");
