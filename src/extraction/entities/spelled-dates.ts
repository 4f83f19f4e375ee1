import { scores } from "./scores.ts";
import type { DateValue, DocumentLocale } from "./entity.ts";
import { fullYear, monthOf } from "./calendar.ts";
import type { ValueSpan, Line } from "./line-spans.ts";

/** A number or word of the line; the span of a number includes its ordinal ending. */
interface DateToken {
  start: number;
  end: number;
  digits?: string;
  word?: string;
}

const PIECES = /(\d+)(?:(?:st|nd|rd|th|er|re|eme|st[ae]|d[ae]|[aeo]|г?о|е|লা|ই)(?![\p{L}\p{N}]))?|\p{L}+/gu;
/** Separators between the parts of a date: "24. November, 2026", "24-Nov-26", "[Sept] 04". */
const BETWEEN = /^[ .,\-/'[\]()]{0,4}$/;
/** Words between the parts of a date: "24 de noviembre de 2026", "2026 m. lapkričio 24 d.", "24th of November". */
const FILLERS = new Set([
  "de",
  "del",
  "of",
  "the",
  "m",
  "d",
  "г",
  "года",
  "год",
  "р",
  "року",
  "r",
  "roku",
  "god",
  "gada",
  "gads",
  "men",
  "menesio",
  "menesi",
  "ev",
  "წლის",
  "ano",
  "den",
  "dnia",
  "dne",
  "do",
  "e",
]);

/** Finds dates with the name of the month, in any order of day, month and year. */
export function findDatesInWords({ text }: Line, context: DocumentLocale): ValueSpan<DateValue>[] {
  const tokens = dateTokens(text);
  return tokens.flatMap((token, index) => {
    const month = token.word === undefined ? undefined : monthOf(token.word, context.languages);
    return month === undefined ? [] : (around(text, tokens, index, month, context) ?? []);
  });
}

function around(
  text: string,
  tokens: DateToken[],
  index: number,
  month: number,
  context: DocumentLocale,
): ValueSpan<DateValue> | undefined {
  const before = numberBeside(text, tokens, index, -1);
  const after = numberBeside(text, tokens, index, 1);
  const first = before === undefined ? undefined : tokens[before];
  const second = after === undefined ? undefined : tokens[after];
  if (before !== undefined && first && isDay(first))
    return dayThenMonth(text, tokens, before, index, after, month, context);
  if (after === undefined || !second || !isDay(second) || /^[./]\d/.test(text.slice(second.end))) return undefined;
  if (first && isYear(first))
    return found(first, second, scores.spelledDate.withYear, {
      year: Number(first.digits),
      month,
      day: Number(second.digits),
    });
  return monthThenDay(text, tokens, index, after, month, context);
}

function dayThenMonth(
  text: string,
  tokens: DateToken[],
  before: number,
  index: number,
  after: number | undefined,
  month: number,
  context: DocumentLocale,
): ValueSpan<DateValue> {
  const dayToken = tokens[before]!;
  const day = Number(dayToken.digits);
  const last = after === undefined ? undefined : tokens[after]!;
  const year = last && yearAfter(text, tokens[index]!, last, context);
  if (last && year !== undefined) return found(dayToken, last, scores.spelledDate.withYear, { year, month, day });
  const earlier = numberBeside(text, tokens, before, -1);
  if (earlier !== undefined && isYear(tokens[earlier]!))
    return found(tokens[earlier]!, tokens[index]!, scores.spelledDate.yearBefore, {
      year: Number(tokens[earlier]!.digits),
      month,
      day,
    });
  return found(dayToken, tokens[index]!, scores.spelledDate.dayThenMonth, { month, day });
}

function monthThenDay(
  text: string,
  tokens: DateToken[],
  index: number,
  after: number,
  month: number,
  context: DocumentLocale,
): ValueSpan<DateValue> {
  const day = Number(tokens[after]!.digits);
  const next = numberBeside(text, tokens, after, 1);
  const last = next === undefined ? undefined : tokens[next]!;
  const year = last && yearAfter(text, tokens[after]!, last, context);
  if (last && year !== undefined) return found(tokens[index]!, last, scores.spelledDate.withYear, { year, month, day });
  return found(tokens[index]!, tokens[after]!, scores.spelledDate.monthThenDay, { month, day });
}

/**
 * Reads the year after a date. A year of two digits must be adjacent ("Nov-26", "Nov '26") or near the current year
 * ("24 nov 26"). Therefore "24 Nov 20 pallets" has no year.
 */
function yearAfter(text: string, before: DateToken, year: DateToken, context: DocumentLocale): number | undefined {
  const full = fullYear(year.digits!, context.today);
  if (full === undefined || year.digits!.length === 4) return full;
  if (text[year.end] === ":" || (text[year.end] === "." && /\d/.test(text[year.end + 1] ?? ""))) return undefined;
  const close = /^(?:[-/.]| ?')$/.test(text.slice(before.end, year.start));
  return close || Math.abs(full - context.today.year) <= 1 ? full : undefined;
}

function numberBeside(text: string, tokens: DateToken[], index: number, direction: 1 | -1): number | undefined {
  for (let at = index + direction, skipped = 0; skipped <= 2; at += direction, skipped += 1) {
    const token = tokens[at];
    const near = tokens[at - direction]!;
    if (!token) return undefined;
    const [left, right] = direction === 1 ? [near, token] : [token, near];
    if (!BETWEEN.test(text.slice(left.end, right.start))) return undefined;
    if (token.digits !== undefined) return at;
    if (!FILLERS.has(token.word!)) return undefined;
  }
  return undefined;
}

function dateTokens(text: string): DateToken[] {
  return Array.from(text.matchAll(PIECES), (match) => {
    const place = { start: match.index, end: match.index + match[0].length };
    return match[1] === undefined ? { ...place, word: match[0] } : { ...place, digits: match[1] };
  });
}

function isDay(token: DateToken): boolean {
  return token.digits!.length <= 2 && Number(token.digits) >= 1 && Number(token.digits) <= 31;
}

function isYear(token: DateToken): boolean {
  return token.digits!.length === 4 && Number(token.digits) >= 1900 && Number(token.digits) <= 2100;
}

function found(first: DateToken, last: DateToken, score: number, value: DateValue): ValueSpan<DateValue> {
  return { start: Math.min(first.start, last.start), end: Math.max(first.end, last.end), score, value };
}
