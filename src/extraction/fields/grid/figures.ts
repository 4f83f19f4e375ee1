import { fold } from "../../lexicon/fold.ts";
import type { Box } from "../../document/document.ts";
import type { DocumentLocale } from "../../entities/entity.ts";
import { currencyOf } from "../../entities/amounts.ts";
import { NUMBER, readNumber } from "../../entities/numbers.ts";
import { boxOf, type Segment } from "../../layout/segment.ts";
import { dividedText } from "./gaps.ts";

/** A number in a table cell, with its unit and currency. */
export interface GridNumber {
  segment: Segment;
  start: number;
  end: number;
  box: Box;
  /** Possible values, most likely first; "1,000" may be 1 or 1000. */
  values: readonly number[];
  percent: boolean;
  /** Whether the number is printed with two decimals, like an amount of money. */
  cents: boolean;
  /** Letters directly after the number: "h", "szt.", "km". */
  unit?: string;
  currency?: string;
}

const figure = new RegExp(
  `(?<![\\p{L}\\d.,:/]|\\d-)([-–−] ?)?(${NUMBER})(-(?!\\d))?(?![\\d:/]|[.,-]\\d)(?:,-{1,2}|\\.-)? ?(%)?`,
  "gu",
);
const mostLetters = 9;
/** A cell with two words of at least four letters is a cell of words. Units and currencies are shorter or fewer. */
const [wordLetters, minWords] = [4, 2];
const articleNumber = /\d{9}/;
/** "02.11." is a date. */
const dayAndMonth = /^\d{1,2}\.\d{1,2}\.(?!\d)/u;

/**
 * Returns the numbers of a cell that contains only numbers with units or currencies. Returns none for a cell of words.
 */
export function numbersInCell(segment: Segment, context: DocumentLocale): GridNumber[] {
  const line = fold(dividedText(segment));
  const found = [...line.text.matchAll(figure)].filter(
    (match) => !articleNumber.test(match[0]) && !dayAndMonth.test(line.text.slice(match.index)),
  );
  if (found.length === 0 || beginsWithWord(segment.text) || calculation.test(segment.text)) return [];
  const rest = line.text.replace(figure, " ");
  const words = rest.match(/\p{L}[\p{L}\d]*/gu) ?? [];
  const wordy = words.filter((word) => word.length >= wordLetters).length >= minWords;
  if (wordy || words.join("").length > mostLetters * found.length) return [];
  return found.map((match, at) => {
    const [start, end] = [line.at(match.index), line.at(match.index + match[0].trimEnd().length)];
    const next = found[at + 1];
    const behind = segment.text.slice(end, next ? line.at(next.index) : undefined).trim();
    const before = at === 0 ? segment.text.slice(0, start).trim() : "";
    const { likely, other } = readNumber(match[2] ?? "", context.decimal);
    const sign = match[1] || match[3] ? -1 : 1;
    const currency = currencyOf(behind, context.languages) ?? currencyOf(before, context.languages);
    const unit = /^\p{L}[\p{L}\d.²³/]{0,9}$/u.test(behind) && !currency ? behind : undefined;
    return {
      segment,
      start,
      end,
      box: boxOf(segment, start, end),
      values: [likely, ...(other === undefined ? [] : [other])].map((value) => value * sign),
      percent: match[4] !== undefined,
      cents: /[.,]\d{2}$/u.test(match[2] ?? ""),
      ...(unit && { unit }),
      ...(currency && { currency }),
    };
  });
}

/** "19 % of 100.00 = 19.00" is a sentence, not cells of a table. */
const calculation = /=|%\s\p{L}/u;
const firstWord = /^\p{L}{5,}/u;

/** In "Toll 2026.10", the number belongs to the words. */
function beginsWithWord(text: string): boolean {
  const [word] = firstWord.exec(text) ?? [];
  return word !== undefined && currencyOf(word) === undefined;
}

/** Returns the most likely value. */
export const valueOf = ({ values }: GridNumber): number => values[0] ?? 0;
