import { isMoment } from "../fields/find-value/find-value.ts";
import type { PartialDay } from "../entities/calendar.ts";
import { lettersOf } from "../fields/find-value/letters.ts";
import { countryOfCode, countryOfName } from "../lexicon/countries.ts";
import { currencyOf } from "../entities/amounts.ts";
import type { Entity, EntityOf } from "../entities/entity.ts";
import { NUMBER, readNumber } from "../entities/numbers.ts";
import { trimmedSpan, type TextRange } from "../layout/text-span.ts";
import { completed } from "../fields/route/windows.ts";
import type { AnnotatedPage, Form, Scalar } from "./lesson.ts";

/** A parsed value and its position. */
export interface ParsedValue extends TextRange {
  value: Scalar;
}

const word = /\S+/g;
/** A full stop is a separator only before a capital letter. */
const comma = /[,;|(]|\s\/\s|\.\s+(?=\p{Lu})/u;

/**
 * Describes how a value is written in the range after its label. Returns undefined if the value could not be parsed
 * again from this form.
 */
export function describeForm(
  value: string | number,
  hit: TextRange,
  from: TextRange,
  page: AnnotatedPage,
): Form | undefined {
  if (typeof value === "number") return numberForm(value, from, page);
  if (isMoment(value)) return dayForm(value, from, page);
  if (/^\d\d:\d\d$/.test(value)) return timeForm(value, from, page);
  const printed = hit.segment.text.slice(hit.start, hit.end);
  if (/^[A-Z]{2}$/.test(value) && lettersOf(printed) !== lettersOf(value))
    return countryOfWords(printed) === value ? { as: "Country" } : undefined;
  if (/^[A-Z]{3}$/.test(value) && lettersOf(printed) !== lettersOf(value))
    return currencyIn(printed, page) === value ? { as: "Currency" } : undefined;
  return textForm(value, hit, from);
}

function textForm(value: string, hit: TextRange, { segment, start, end }: TextRange): Form | undefined {
  const printed = segment.text.slice(hit.start, hit.end);
  const tight = value !== printed && value === tightened(value);
  const prefix = tight && !tightened(printed).startsWith(value.slice(0, 2)) ? value.slice(0, 2) : "";
  if (lettersOf(prefix + printed) !== lettersOf(value)) return undefined;
  const skip = segment.text.slice(start, hit.start).match(word)?.length ?? 0;
  const hasFigures = /\d/.test(printed);
  const after = segment.text.slice(hit.end, end);
  const next = after.match(word)?.[0] ?? "";
  const ending = (): Extract<Form, { as: "Text" }>["end"] => {
    if (hasFigures && !/\s/.test(printed)) return 1;
    if (!/[\p{L}\p{N}]/u.test(after)) return comma.test(printed) ? "Rest" : "Comma";
    if (comma.exec(after.trimStart())?.index === 0 && !comma.test(printed)) return "Comma";
    if (!hasFigures && /\d/.test(next)) return "Figures";
    return printed.match(word)?.length ?? 1;
  };
  return { as: "Text", skip, end: ending(), tight, prefix, hasFigures };
}

const tightened = (text: string) => text.toUpperCase().replace(/[^\p{L}\p{N}]/gu, "");

/** Parses a value of the given form in a range; undefined if there is none. */
export function parseForm(form: Form, stretch: TextRange, page: AnnotatedPage): ParsedValue | undefined {
  if (form.as === "Text") return readText(form, stretch, page);
  if (form.as === "Number") {
    const found = numbersIn(stretch, page)[form.nth];
    return found && { ...found, value: rounded(found.value * form.factor) };
  }
  if (form.as === "Day" || form.as === "Time") return readMoment(form, stretch, page);
  const { segment, start, end } = trimmedSpan(stretch.segment, stretch.start, stretch.end);
  const words = segment.text.slice(start, end);
  const value = form.as === "Country" ? countryOfWords(words) : currencyIn(words, page);
  return value === undefined ? undefined : { segment, start, end, value };
}

const longestText = 300;

function readText(
  form: Extract<Form, { as: "Text" }>,
  { segment, start, end }: TextRange,
  { annotations }: AnnotatedPage,
): ParsedValue | undefined {
  const words = Array.from(segment.text.slice(start, end).matchAll(word), ({ 0: text, index }) => ({
    text,
    start: start + index,
    end: start + index + text.length,
  })).slice(form.skip);
  const first = words[0];
  if (!first) return undefined;
  const span = trimmedSpan(segment, first.start, endOf(form, words, segment.text, end));
  const value = form.prefix + (form.tight ? tightened(span.text) : span.text);
  const isLabel = (annotations.labelsIn[segment.index] ?? []).some(
    (label) => label.start <= span.start && label.end >= span.end,
  );
  const fits = !isLabel && span.text.length <= longestText && /\d/.test(span.text) === form.hasFigures;
  return fits && /[\p{L}\p{N}]/u.test(span.text) ? { segment, start: span.start, end: span.end, value } : undefined;
}

function endOf(
  { end }: Extract<Form, { as: "Text" }>,
  words: { text: string; start: number; end: number }[],
  text: string,
  whole: number,
): number {
  if (end === "Rest") return whole;
  if (typeof end === "number") return words[Math.min(end, words.length) - 1]!.end;
  const from = words[0]!.start;
  const at = text.slice(from, whole).search(end === "Comma" ? comma : /\S*\d/);
  return at < 0 ? whole : from + at;
}

const number = new RegExp(`(?<![\\d.,])${NUMBER}`, "gu");

const otherFigures = new Set<Entity["type"]>(["Date", "Time", "Phone", "Email", "Link", "Vat", "Iban", "Plate"]);
const sureScore = 0.5;

function numbersIn(
  { segment, start, end }: TextRange,
  { annotations, locale }: AnnotatedPage,
): (TextRange & { value: number })[] {
  const others = (annotations.entitiesIn[segment.index] ?? []).filter(
    ({ type, score }) => otherFigures.has(type) && score >= sureScore,
  );
  return Array.from(segment.text.slice(start, end).matchAll(number)).flatMap(({ 0: printed, index }) => {
    const from = start + index;
    if (others.some((other) => other.start < from + printed.length && other.end > from)) return [];
    const minus = /(?<![\p{L}\d]\s?)[-−]\s?$/u.test(segment.text.slice(start, from)) ? -1 : 1;
    const value = minus * readNumber(printed, locale.decimal).likely;
    return [{ segment, start: from, end: from + printed.length, value }];
  });
}

const factors = [1, 1000, 0.001, 100, 0.01];
const rounded = (value: number) => Math.round(value * 1000) / 1000;

function numberForm(value: number, from: TextRange, page: AnnotatedPage): Form | undefined {
  const numbers = numbersIn(from, page);
  for (const factor of factors) {
    const nth = numbers.findIndex((each) => Math.abs(each.value * factor - value) < 0.005);
    if (nth >= 0) return { as: "Number", nth, factor };
  }
  return undefined;
}

const typed = <Type extends Entity["type"]>(
  type: Type,
  { segment, start, end }: TextRange,
  { annotations }: AnnotatedPage,
) =>
  (annotations.entitiesIn[segment.index] ?? []).filter(
    (entity): entity is EntityOf<Type> => entity.type === type && entity.end > start && entity.end <= end,
  );

/** A period has a first and a last day. */
const daysOf = ({ value }: EntityOf<"Date">, { locale }: AnnotatedPage): string[] =>
  [value, ...(value.until ? [value.until] : [])].map((day: PartialDay) => completed(day, locale));

const two = (figure: number) => String(figure).padStart(2, "0");
const clockOf = (minutes: number) => `${two(Math.floor(minutes / 60) % 24)}:${two(minutes % 60)}`;
const timesOf = ({ value: { from, to } }: EntityOf<"Time">): string[] =>
  [from, to].flatMap((minutes) => (minutes === undefined ? [] : [clockOf(minutes)]));

function dayForm(value: string, from: TextRange, page: AnnotatedPage): Form | undefined {
  const [date] = typed("Date", from, page);
  const nth = date ? daysOf(date, page).indexOf(value) : -1;
  return nth < 0 ? undefined : { as: "Day", nth };
}

function timeForm(value: string, from: TextRange, page: AnnotatedPage): Form | undefined {
  const [time] = typed("Time", from, page);
  const nth = time ? timesOf(time).indexOf(value) : -1;
  return nth < 0 ? undefined : { as: "Time", nth };
}

function readMoment(
  { as, nth }: Extract<Form, { nth: number }>,
  stretch: TextRange,
  page: AnnotatedPage,
): ParsedValue | undefined {
  const [found] = as === "Day" ? typed("Date", stretch, page) : typed("Time", stretch, page);
  if (!found) return undefined;
  const all = found.type === "Date" ? daysOf(found, page) : timesOf(found);
  const value = all[nth];
  return value === undefined ? undefined : { segment: stretch.segment, start: found.start, end: found.end, value };
}

function countryOfWords(words: string): string | undefined {
  const bare = words.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, "");
  return countryOfName(bare) ?? (/^[A-Z]{1,3}$/.test(bare) ? countryOfCode(bare) : undefined);
}

function currencyIn(words: string, { locale }: AnnotatedPage): string | undefined {
  for (const [symbol] of words.matchAll(/\p{Sc}|[\p{L}\p{M}.]+/gu)) {
    const currency = currencyOf(symbol, locale.languages);
    if (currency) return currency;
  }
  return undefined;
}
