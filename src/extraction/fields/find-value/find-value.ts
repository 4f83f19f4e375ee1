import type { Annotations } from "../labels/annotations.ts";
import { dayExists, type PartialDay } from "../../entities/calendar.ts";
import type { DocumentLocale } from "../../entities/entity.ts";
import type { Segment } from "../../layout/layout.ts";
import { countryOfCode, countryOfName } from "../../lexicon/countries.ts";
import { fold } from "../../lexicon/fold.ts";
import { currencyOf } from "../../entities/amounts.ts";
import { findIbans } from "../../entities/ibans.ts";
import { hasVatCheck, isVatValid } from "../../entities/vat.ts";
import { findLetters, lettersIn, lettersOf, wantedOf } from "./letters.ts";
import { stretchOf, type NumberedLine, findRecognised, type ValueMatch, type SearchScope } from "./numbered-lines.ts";
import type { TextRange } from "../../layout/text-span.ts";
import { findNumber } from "./find-number.ts";

type Finder = (value: string, scope: SearchScope) => ValueMatch | undefined;

/** Finds the value of a field in the lines of the scope. */
export function findValue(field: string, value: string | number, scope: SearchScope): ValueMatch | undefined {
  if (typeof value === "number") return findNumber(field, value, scope);
  return finderFor(field, value)(value, scope);
}

/** Finds every occurrence of a field's value in the lines. */
export function findOccurrences(
  field: string,
  value: string | number,
  lines: readonly NumberedLine[],
  { annotations, locale }: { annotations: Annotations; locale: DocumentLocale },
): TextRange[] {
  const entities = (segment: Segment) => annotations.entitiesIn[segment.index] ?? [];
  const name = field.split("/").at(-1) ?? "";
  return lines.flatMap((line) => {
    const parts = line.parts.map((part) => ({ id: line.id, text: part.segment.text, parts: [{ ...part, start: 0 }] }));
    const wanted = isMoment(value) && String(value).includes("T00:00") ? String(value).slice(0, 10) : value;
    return parts.flatMap((part) => {
      const scope = { cited: true, lines: [part], entities, languages: locale.languages };
      return (
        findValue(name, wanted, scope) ??
        (isMoment(value) ? (findValue(name, String(value).slice(0, 10), scope) ?? []) : [])
      );
    });
  });
}

/** Whether a value is a date or date-time. */
export const isMoment = (value: unknown): boolean => typeof value === "string" && moment.test(value);

/** Whether a value passes its check digits or the calendar; true for values without such a check. */
export function isValid(field: string, value: unknown): boolean {
  if (typeof value !== "string") return true;
  if (isVat(field)) return !hasVatCheck(value) || isVatValid(value);
  if (isIban(field)) return findIbans(fold(value)).length > 0;
  const day = moment.exec(value);
  return !day || dayExists({ year: Number(day[1]), month: Number(day[2]), day: Number(day[3]) });
}

const isVat = (field: string) => /vat(?:code|number|id|no)?$/i.test(field) && !/rate|amount/i.test(field);
const isIban = (field: string) => /iban$/i.test(field);
const moment = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::\d{2})?)?$/;

function finderFor(field: string, value: string): Finder {
  if (moment.test(value)) return findMoment;
  if (/country(?:code)?$|^territory$/i.test(field) && /^[A-Z]{2}$/.test(value)) return findCountry;
  if (/currency$/i.test(field)) return findCurrency;
  if (isVat(field) || isIban(field)) return findPrefixed;
  if (/phone$|mobile$|fax$/i.test(field)) return findPhone;
  return findText;
}

const longestJoined = 20;

function findText(value: string, scope: SearchScope): ValueMatch | undefined {
  const whole = inOneLine(value, scope.lines);
  if (whole) return { ...whole, recognised: true };
  const parts = value.split(/[,;]\s+/).filter(Boolean);
  if (parts.length > 1) {
    const each = parts.map((part) => inOneLine(part, scope.lines));
    if (each[0] && each.every(Boolean)) return { ...each[0], recognised: true };
  }
  return acrossLines(value, scope.lines);
}

function inOneLine(value: string, lines: readonly NumberedLine[]): TextRange | undefined {
  const wanted = wantedOf(value);
  for (const line of lines) {
    const found = findLetters(line, wanted);
    if (found) return stretchOf(line, found.start, found.end);
  }
  return undefined;
}

function acrossLines(value: string, lines: readonly NumberedLine[]): ValueMatch | undefined {
  if (lines.length < 2 || lines.length > longestJoined) return undefined;
  const sought = lettersOf(value);
  const run = consecutiveLines(lines).find((each) => each.map(lettersIn).join("").includes(sought));
  const first = run?.find((line) => lettersIn(line) !== "" && sought.startsWith(lettersIn(line)));
  const segment = first?.parts[0]?.segment;
  return segment && { segment, start: 0, end: segment.text.length, recognised: true };
}

function consecutiveLines(lines: readonly NumberedLine[]): NumberedLine[][] {
  const placed = lines.map((line) => ({ line, place: line.id.split(":").map(Number) }));
  placed.sort((a, b) => a.place[0]! - b.place[0]! || a.place[1]! - b.place[1]!);
  const runs: NumberedLine[][] = [];
  for (const [at, { line, place }] of placed.entries()) {
    const before = placed[at - 1]?.place;
    const follows = before !== undefined && before[0] === place[0] && before[1]! + 1 === place[1];
    if (follows) runs.at(-1)!.push(line);
    else runs.push([line]);
  }
  return runs;
}

function findPrefixed(value: string, scope: SearchScope): ValueMatch | undefined {
  const bare = value.replace(/^[A-Z]{2,3}(?=.{7})/, "");
  const found = inOneLine(value, scope.lines) ?? inOneLine(bare, scope.lines);
  return found && { ...found, recognised: true };
}

function findPhone(value: string, scope: SearchScope): ValueMatch | undefined {
  const digits = value.replace(/\D/g, "").replace(/^00/, "");
  if (digits.length < 6) return undefined;
  const recognised = findRecognised(
    scope,
    (entity) => entity.type === "Phone" && entity.value.replace(/\D/g, "").endsWith(digits),
  );
  const printed = recognised ?? findText(digits, scope) ?? findText(`00${digits}`, scope);
  return printed && { ...printed, recognised: true };
}

function findCountry(value: string, scope: SearchScope): ValueMatch | undefined {
  for (const { parts } of scope.lines)
    for (const { segment } of parts) {
      const word = countryWord(segment.text, value);
      if (word) return { segment, ...word, recognised: true };
    }
  return findRecognised(
    scope,
    (entity) =>
      (entity.type === "Place" && entity.value.country === value) ||
      (entity.type === "Vat" && entity.value.country === value),
  );
}

const word = /\p{L}[\p{L}\p{M}.]*/gu;
const longestName = 3;

function countryWord(text: string, country: string): { start: number; end: number } | undefined {
  const words = Array.from(text.matchAll(word), ({ 0: token, index }) => ({
    token,
    start: index,
    end: index + token.length,
  }));
  for (const [at, { token, start, end }] of words.entries()) {
    const isCode = token === token.toUpperCase() && (token.length > 1 || text[end] === "-");
    if (isCode && countryOfCode(token) === country) return { start, end };
    for (const last of words.slice(at, at + longestName))
      if (last.end - start > 3 && countryOfName(text.slice(start, last.end)) === country)
        return { start, end: last.end };
  }
  return undefined;
}

function findCurrency(value: string, scope: SearchScope): ValueMatch | undefined {
  for (const { parts } of scope.lines)
    for (const { segment } of parts)
      for (const { 0: token, index } of segment.text.matchAll(/\p{Sc}|[\p{L}\p{M}.]+/gu))
        if (currencyOf(token, scope.languages) === value)
          return { segment, start: index, end: index + token.length, recognised: true };
  return findRecognised(scope, (entity) => entity.type === "Amount" && entity.value.currency === value);
}

function findMoment(value: string, scope: SearchScope): ValueMatch | undefined {
  const [, year, month, day, hour = 0, minute = 0] = (moment.exec(value) ?? []).map((part) => Number(part ?? 0));
  const same = (date: PartialDay) => (date.year ?? year) === year && date.month === month && date.day === day;
  const found = findRecognised(
    scope,
    (entity) => entity.type === "Date" && (same(entity.value) || (!!entity.value.until && same(entity.value.until))),
  );
  const minutes = hour * 60 + minute;
  if (!found || minutes === 0) return found;
  const time = findRecognised(
    scope,
    (entity) =>
      entity.type === "Time" &&
      [entity.value.from, entity.value.to].some((each) => each === minutes || each === minutes + 1),
  );
  if (!time) return undefined;
  const end = time.segment === found.segment ? Math.max(found.end, time.end) : found.end;
  const start = time.segment === found.segment ? Math.min(found.start, time.start) : found.start;
  return { ...found, start, end };
}
