import type { DateValue, DocumentLocale, Entity, TimeValue, Unit } from "../../../entities/entity.ts";
import { kilogramsPerPound } from "../../../entities/quantities.ts";
import { readNumber } from "../../../entities/numbers.ts";
import type { Label } from "../../../fields/labels/annotations.ts";
import type { DocumentContext } from "../../../fields/labels/values.ts";
import { cleanedText } from "../../../fields/route/stop-details.ts";
import { completed } from "../../../fields/route/windows.ts";
import { trimmedSpan } from "../../../layout/text-span.ts";
import type { Segment } from "../../../layout/layout.ts";
import { guessedDays } from "./guessed-days.ts";
import { guessedHours } from "./guessed-hours.ts";

/** Kind of a value that may fill a field. */
export type Sort = "Day" | "Hour" | "Number" | "Money" | "Warmth" | "Size" | "Code" | "Words" | "Place" | Contact;
type Contact = "Phone" | "Email" | "Vat" | "Plate" | "Incoterm";

/** A place in the text that may give the value of a field. */
export interface Candidate {
  segment: Segment;
  start: number;
  end: number;
  sort: Sort;
  /** The entity that was recognised here, if any. */
  entity?: Entity;
  value: string | number;
  /** The value in other units or readings: "1.200" is 1.2 or 1200. */
  other?: number;
  unit?: Unit;
  /** Which part of its entity: the end of a range of days or hours. */
  part?: "From" | "To";
  /** Of a guessed hour: whether it is one end of "7-14". */
  isRange?: boolean;
}

/** Whether a supposed reference is a date or a time. */
const isMoment = ({ start, end }: Entity, all: readonly Entity[]) =>
  all.some(
    (other) =>
      (other.type === "Date" || other.type === "Time") && other.score >= 0.4 && other.start < end && other.end > start,
  );

const scales: Partial<Record<Unit, number>> = { kg: 1, t: 1000, lb: kilogramsPerPound };
const least = 0.15;
/** Longest text of a name or of goods. */
const longest = 80;
const longestProse = 500;

/** Finds everything in the document that may be the value of a field, in reading order. */
export function candidatesOf({ annotations }: DocumentContext, locale: DocumentLocale): Candidate[] {
  return annotations.layout.segments.flatMap((segment) => {
    const all = (annotations.entitiesIn[segment.index] ?? []).filter(({ score }) => score > least);
    const entities = all.filter((entity) => entity.type !== "Reference" || !isMoment(entity, all));
    const labels = annotations.labelsIn[segment.index] ?? [];
    return [
      ...entities.flatMap((entity) => ofEntity(segment, entity, locale)),
      ...guessedDays(segment.text, entities, locale).map(({ start, end, day }): Candidate => ({
        segment,
        start,
        end,
        sort: "Day",
        value: day,
      })),
      ...guessedHours(segment.text, entities).map(({ start, end, hour, part, isRange }): Candidate => ({
        segment,
        start,
        end,
        sort: "Hour",
        value: hour,
        part,
        isRange,
      })),
      ...figuresIn(segment, entities, locale),
      ...codesIn(segment, entities),
      ...wordsIn(segment, entities, labels),
    ];
  });
}

function ofEntity(segment: Segment, entity: Entity, locale: DocumentLocale): Candidate[] {
  const { start, end } = entity;
  const made = (sort: Sort, value: string | number, more: Partial<Candidate> = {}): Candidate => ({
    segment,
    start,
    end,
    sort,
    entity,
    value,
    ...more,
  });
  switch (entity.type) {
    case "Date":
      return daysOf(entity.value, locale).map((day, at) => made("Day", day, { part: at === 0 ? "From" : "To" }));
    case "Time":
      return hoursOf(entity.value).map(({ hour, part }) => made("Hour", hour, { part }));
    case "Amount":
      return [made("Money", entity.value.amount)];
    case "Quantity": {
      const { amount, unit } = entity.value;
      return [made("Number", Math.round(amount * (scales[unit] ?? 1) * 100) / 100, { unit })];
    }
    case "Temperature":
      return [made("Warmth", `${entity.value.from}/${entity.value.to}`)];
    case "Dimensions": {
      const { length, width, height, units } = entity.value;
      return [made("Size", [length, width, height ?? "", units].join("/"))];
    }
    case "Vat":
      return [made("Vat", entity.value.code)];
    case "Plate":
      return [made("Plate", entity.value.plate)];
    case "Phone":
      return [made("Phone", cleanedText(segment.text.slice(start, end)))];
    case "Email":
    case "Incoterm":
      return [made(entity.type, entity.value)];
    case "Reference":
    case "Container":
    case "Vin":
      return [made("Code", entity.value)];
    case "Place": {
      const { country = "", postalCode = "", city = "" } = entity.value;
      return [made("Place", [country, postalCode, city].join("/"))];
    }
    case "Company":
    case "Street":
      return [made("Words", cleanedText(segment.text.slice(start, end)))];
    case "Iban":
    case "Link":
    case "Percent":
    case "UnNumber":
      return [];
  }
}

function daysOf(date: DateValue, locale: DocumentLocale): string[] {
  const last = date.until && completed(date.until, locale);
  return [completed(date, locale), ...(last ? [last] : [])];
}

/** Minutes of a day. 24:00 is left to the rules. */
const midnight = 1440;
const clock = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;

function hoursOf({ from, to }: TimeValue): { hour: string; part: "From" | "To" }[] {
  return [
    ...(from === undefined || from >= midnight ? [] : [{ hour: clock(from), part: "From" as const }]),
    ...(to === undefined || to >= midnight ? [] : [{ hour: clock(to), part: "To" as const }]),
  ];
}

const figure =
  /(?<![\p{L}\d.,/:-])\d{1,3}(?:[ .,']\d{3})+(?:[.,]\d{1,2})?(?![\p{L}\d/:-])|(?<![\p{L}\d.,/:-])\d{1,6}(?:[.,]\d{1,3})?(?![\d/:]|[-.]\d)/gu;

/** Numbers without a unit. */
function figuresIn(segment: Segment, entities: readonly Entity[], { decimal }: DocumentLocale): Candidate[] {
  return [...segment.text.matchAll(figure)].flatMap((match): Candidate[] => {
    const [start, end] = [match.index, match.index + match[0].length];
    const taken = entities.some(
      (entity) => entity.start < end && entity.end > start && !unsure.has(entity.type) && entity.score >= 0.4,
    );
    if (taken) return [];
    const { likely, other } = readNumber(match[0], decimal);
    return [{ segment, start, end, sort: "Number", value: likely, ...(other !== undefined && { other }) }];
  });
}

/** Types of entities that a plain number is often taken for. */
const unsure: ReadonlySet<string> = new Set(["Reference", "Phone", "Place", "Street", "Company", "Plate"]);
const noCodes: ReadonlySet<string> = new Set(["Date", "Time", "Email", "Link", "Iban", "Vat", "Reference"]);

/** Words with a digit, which may be references. */
function codesIn(segment: Segment, entities: readonly Entity[]): Candidate[] {
  return [...segment.text.matchAll(/[\p{L}\d][\p{L}\d./_#-]*/gu)].flatMap((match): Candidate[] => {
    const word = match[0].replace(/[./_-]+$/u, "");
    const [start, end] = [match.index, match.index + word.length];
    if (word.length < 3 || word.length > 30 || !/\d/.test(word)) return [];
    const within = entities.filter((entity) => entity.start < end && entity.end > start);
    if (within.some(({ type, score }) => noCodes.has(type) && score >= 0.4)) return [];
    return [{ segment, start, end, sort: "Code", value: word }];
  });
}

const separator = /\s*[,;|•·–—]\s*|\s+[-/]\s+|\t|:\s+|\s*[()]\s*/gu;
/** Like `separator`, without the comma. */
const breaks = /\s*[;|•·–—]\s*|\s+[-/]\s+|\t|:\s+|\s*[()]\s*/gu;
const whole: ReadonlySet<string> = new Set(["Quantity", "Date", "Time", "Amount", "Place", "Phone", "Email", "Vat"]);

/** Text without a type: names and goods. It ends at labels, at punctuation, or at values of other types. */
function wordsIn(segment: Segment, entities: readonly Entity[], labels: readonly Label[]): Candidate[] {
  const { text } = segment;
  if (text.length > longestProse) return [];
  const byLabels = labels.filter(({ standing }) => standing !== "Loose").flatMap(({ start, end }) => [start, end]);
  const byMarks = [...text.matchAll(separator)].flatMap((mark) => [mark.index, mark.index + mark[0].length]);
  const byValues = entities
    .filter(({ type, score }) => whole.has(type) && score >= 0.4)
    .flatMap(({ start, end }) => [start, end]);
  const byBreaks = [...text.matchAll(breaks)].flatMap((mark) => [mark.index, mark.index + mark[0].length]);
  const cuts = [
    byLabels,
    [...byLabels, ...byBreaks],
    [...byLabels, ...byMarks],
    [...byLabels, ...byValues],
    [...byLabels, ...byMarks, ...byValues],
  ];
  const known = new Set<string>();
  return cuts.flatMap((each) => {
    const edges = [0, ...each, text.length].sort((a, b) => a - b);
    return edges.slice(1).flatMap((end, at): Candidate[] => {
      const span = trimmedSpan(segment, edges[at]!, end);
      const key = `${span.start} ${span.end}`;
      if (known.has(key) || span.text.length > longest || !/\p{L}{2}/u.test(span.text)) return [];
      known.add(key);
      return [{ segment, start: span.start, end: span.end, sort: "Words", value: cleanedText(span.text) }];
    });
  });
}
