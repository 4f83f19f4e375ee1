import type { DateValue, DocumentLocale } from "./entity.ts";
import { fullYear, monthOf } from "./calendar.ts";
import type { ValueSpan, Line } from "./line-spans.ts";

/** A number or a word of the line; an ordinal ending belongs to its number. */
interface Piece {
  start: number;
  end: number;
  digits?: string;
  word?: string;
}

const PIECES = /(\d+)(?:(?:st|nd|rd|th|er|re|eme|st[ae]|d[ae]|[aeo]|г?о|е|লা|ই)(?![\p{L}\p{N}]))?|\p{L}+/gu;
/** Between the parts of a date: "24. November, 2026", "24-Nov-26", "[Sept] 04". */
const BETWEEN = /^[ .,\-/'[\]()]{0,4}$/;
/** Words people put between the parts: "24 de noviembre de 2026", "2026 m. lapkričio 24 d.", "24th of November". */
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

/** Dates with the month's name: day, month and year in any of the orders people write them. */
export function findDatesInWords({ text }: Line, context: DocumentLocale): ValueSpan<DateValue>[] {
  const pieces = piecesOf(text);
  return pieces.flatMap((piece, index) => {
    const month = piece.word === undefined ? undefined : monthOf(piece.word, context);
    return month === undefined ? [] : (around(text, pieces, index, month, context) ?? []);
  });
}

function around(
  text: string,
  pieces: Piece[],
  index: number,
  month: number,
  context: DocumentLocale,
): ValueSpan<DateValue> | undefined {
  const before = numberBeside(text, pieces, index, -1);
  const after = numberBeside(text, pieces, index, 1);
  const first = before === undefined ? undefined : pieces[before];
  const second = after === undefined ? undefined : pieces[after];
  if (before !== undefined && first && isDay(first))
    return dayThenMonth(text, pieces, before, index, after, month, context);
  if (after === undefined || !second || !isDay(second) || /^[./]\d/.test(text.slice(second.end))) return undefined;
  if (first && isYear(first))
    return found(first, second, 0.95, { year: Number(first.digits), month, day: Number(second.digits) });
  return monthThenDay(text, pieces, index, after, month, context);
}

/** "24 November 2026", "24-Nov-26", "1978, 1 Feb", "24 Nov". */
function dayThenMonth(
  text: string,
  pieces: Piece[],
  before: number,
  index: number,
  after: number | undefined,
  month: number,
  context: DocumentLocale,
): ValueSpan<DateValue> {
  const dayPiece = pieces[before]!;
  const day = Number(dayPiece.digits);
  const last = after === undefined ? undefined : pieces[after]!;
  const year = last && yearAfter(text, pieces[index]!, last, context);
  if (last && year !== undefined) return found(dayPiece, last, 0.95, { year, month, day });
  const earlier = numberBeside(text, pieces, before, -1);
  if (earlier !== undefined && isYear(pieces[earlier]!))
    return found(pieces[earlier]!, pieces[index]!, 0.8, { year: Number(pieces[earlier]!.digits), month, day });
  return found(dayPiece, pieces[index]!, 0.65, { month, day });
}

/** "November 24, 2026", "Nov 24". */
function monthThenDay(
  text: string,
  pieces: Piece[],
  index: number,
  after: number,
  month: number,
  context: DocumentLocale,
): ValueSpan<DateValue> {
  const day = Number(pieces[after]!.digits);
  const next = numberBeside(text, pieces, after, 1);
  const last = next === undefined ? undefined : pieces[next]!;
  const year = last && yearAfter(text, pieces[after]!, last, context);
  if (last && year !== undefined) return found(pieces[index]!, last, 0.95, { year, month, day });
  return found(pieces[index]!, pieces[after]!, 0.6, { month, day });
}

/** A year written short stands close ("Nov-26", "Nov '26") or is about now ("24 nov 26"); "24 Nov 20 pallets" has none. */
function yearAfter(text: string, before: Piece, year: Piece, context: DocumentLocale): number | undefined {
  const full = fullYear(year.digits!, context);
  if (full === undefined || year.digits!.length === 4) return full;
  if (text[year.end] === ":" || (text[year.end] === "." && /\d/.test(text[year.end + 1] ?? ""))) return undefined;
  const close = /^(?:[-/.]| ?')$/.test(text.slice(before.end, year.start));
  return close || Math.abs(full - context.today.year) <= 1 ? full : undefined;
}

function numberBeside(text: string, pieces: Piece[], index: number, direction: 1 | -1): number | undefined {
  for (let at = index + direction, skipped = 0; skipped <= 2; at += direction, skipped += 1) {
    const piece = pieces[at];
    const near = pieces[at - direction]!;
    if (!piece) return undefined;
    const [left, right] = direction === 1 ? [near, piece] : [piece, near];
    if (!BETWEEN.test(text.slice(left.end, right.start))) return undefined;
    if (piece.digits !== undefined) return at;
    if (!FILLERS.has(piece.word!)) return undefined;
  }
  return undefined;
}

function piecesOf(text: string): Piece[] {
  return Array.from(text.matchAll(PIECES), (match) => {
    const place = { start: match.index, end: match.index + match[0].length };
    return match[1] === undefined ? { ...place, word: match[0] } : { ...place, digits: match[1] };
  });
}

function isDay(piece: Piece): boolean {
  return piece.digits!.length <= 2 && Number(piece.digits) >= 1 && Number(piece.digits) <= 31;
}

function isYear(piece: Piece): boolean {
  return piece.digits!.length === 4 && Number(piece.digits) >= 1900 && Number(piece.digits) <= 2100;
}

function found(first: Piece, last: Piece, score: number, value: DateValue): ValueSpan<DateValue> {
  return { start: Math.min(first.start, last.start), end: Math.max(first.end, last.end), score, value };
}
