import type { Entity, EntityOf, EntityType, SeeingContext } from "../see/entity.ts";
import { conceptOf, type ConceptId } from "../know/concepts.ts";
import type { Gazetteer } from "../know/gazetteer.ts";
import type { Budget } from "../problem.ts";
import { findLabels, type LabelHit } from "../know/lexicon.ts";
import { see } from "../see/see.ts";
import type { Layout, Segment } from "./layout.ts";
import { spokenActs } from "./spoken.ts";

/**
 * How a label stands in its segment: `Head` opens it and has a colon or nothing after it, `Lead` opens it and runs on
 * into its value, `Inline` comes later but behind a separator or before a colon, `Tail` ends a few words ("date raised
 * by our office", "22 pallets total"), `Loose` is a word in a sentence.
 */
export type Standing = "Head" | "Lead" | "Inline" | "Tail" | "Loose";

/** A label of the trade where it stands on the page. Bilingual doubles ("Nakládka / Loading") are one label. */
export interface Label {
  index: number;
  segment: Segment;
  start: number;
  end: number;
  meanings: { concept: ConceptId; weight: number }[];
  standing: Standing;
  /** "Delivery 2", "Załadunek nr 1": the number that belongs to the label. */
  number?: number;
}

export interface OnPage<Kind> {
  segment: Segment;
  entity: Kind;
}

/** An entity where it stands on the page. */
export type Sighting<T extends EntityType = EntityType> = OnPage<EntityOf<T>>;

export interface Marks {
  layout: Layout;
  labels: Label[];
  /** By segment index. */
  labelsIn: Label[][];
  /** By segment index. */
  entitiesIn: Entity[][];
}

/** Looks at every segment once. */
export function mark(layout: Layout, context: SeeingContext, gazetteer: Gazetteer, budget: Budget): Marks {
  const marks: Marks = { layout, labels: [], labelsIn: [], entitiesIn: [] };
  for (const segment of layout.segments) {
    budget.check();
    const seen = see(segment.text, context, gazetteer);
    const labels = labelsOf(segment, seen, context.languages);
    const more = [
      ...calledNumbers(segment.text, labels, seen),
      ...shortDates(segment.text, labels, seen),
      ...daysBeforeClock(segment.text, seen),
      ...bareHours(segment.text, labels, seen),
    ];
    marks.entitiesIn.push(settled([...seen, ...more], labels));
    for (const label of labels) label.index = marks.labels.push(label) - 1;
    marks.labelsIn.push(labels);
  }
  return marks;
}

/** Every entity of a type in reading order, once the marks are complete: all stops ask for the same ones. */
export function sightings<T extends EntityType>(
  marks: Marks,
  type: T,
  segments?: readonly Segment[],
): readonly Sighting<T>[] {
  if (segments) return seenIn(marks, type, segments);
  const known = seenBefore.get(marks) ?? new Map<EntityType, readonly Sighting[]>();
  seenBefore.set(marks, known);
  const all = known.get(type) ?? seenIn(marks, type, marks.layout.segments);
  known.set(type, all);
  return all as readonly Sighting<T>[];
}

const seenBefore = new WeakMap<Marks, Map<EntityType, readonly Sighting[]>>();

function seenIn<T extends EntityType>(marks: Marks, type: T, segments: readonly Segment[]): Sighting<T>[] {
  return segments.flatMap((segment) =>
    (marks.entitiesIn[segment.index] ?? [])
      .filter((entity): entity is EntityOf<T> => entity.type === type)
      .map((entity) => ({ segment, entity })),
  );
}

/** How much the label means one of the concepts, 0..1. */
export function meaning(label: Label, concepts: ReadonlySet<ConceptId>): number {
  return Math.max(0, ...label.meanings.filter((each) => concepts.has(each.concept)).map((each) => each.weight));
}

const callable: ReadonlySet<ConceptId> = new Set([
  "phone",
  "mobile",
  "driverPhone",
  "driver",
  "contactPerson",
  "loadingContact",
  "unloadingContact",
]);
const callNumber = /(?<![\p{L}\p{N}/-])(?:\+|00|\(?0)\d(?:[ ().-]?\d){7,13}(?![\p{N}/])/gu;

/** Numbers of no known plan are telephone numbers all the same behind a label for them. */
function calledNumbers(text: string, labels: readonly Label[], seen: readonly Entity[]): Entity[] {
  const label = labels.find((each) => each.meanings.some(({ concept }) => callable.has(concept)));
  if (!label || seen.some((entity) => entity.type === "Phone" && entity.score > 0.4)) return [];
  return [...text.matchAll(callNumber)]
    .filter((match) => match.index >= label.end)
    .map((match) => ({
      type: "Phone",
      value: match[0],
      start: match.index,
      end: match.index + match[0].length,
      score: 0.6,
    }));
}

const dayMonth = /^\s*[:.]?\s*(?:\p{L}{2,3}\.?,?\s+)?(\d{1,2})[./](\d{1,2})\.?(?=[\s,;]|$)/u;
const daysIn = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

const beforeClock = /(?<![\d.,])(\d{1,2})\.(\d{1,2})\.(?=\s{1,3}\d{1,2}[:.]\d{2})/gu;

/** "24.11. 08:00": a day and a month before a clock time. */
function daysBeforeClock(text: string, seen: readonly Entity[]): Entity[] {
  return [...text.matchAll(beforeClock)].flatMap((match): Entity[] => {
    const [day, month] = [Number(match[1]), Number(match[2])];
    const [start, end] = [match.index, match.index + match[0].length];
    const known = seen.some((entity) => entity.type === "Date" && entity.start < end && entity.end > start);
    return known || day < 1 || day > (daysIn[month - 1] ?? 0)
      ? []
      : [{ type: "Date", value: { day, month }, start, end, score: 0.8 }];
  });
}

/** "Loading: 24.11 8-15": behind the label of a stop or a date two figures are a day and a month. */
function shortDates(text: string, labels: readonly Label[], seen: readonly Entity[]): Entity[] {
  return labels.flatMap((label): Entity[] => {
    const when =
      label.standing !== "Loose" &&
      label.meanings.some(({ concept }) => ["Stop", "Loading", "Unloading"].includes(conceptOf(concept).about));
    const match = when ? dayMonth.exec(text.slice(label.end)) : null;
    const [day, month] = [Number(match?.[1]), Number(match?.[2])];
    if (!match || day < 1 || day > (daysIn[month - 1] ?? 0)) return [];
    const end = label.end + match[0].length;
    const start = end - match[0].trimStart().replace(/^[^\d]*/u, "").length;
    return seen.some((entity) => entity.type === "Date" && entity.start < end && entity.end > start)
      ? []
      : [{ type: "Date", value: { day, month }, start, end, score: 0.7 }];
  });
}

const hourAlone = /^[\s.:]{0,3}(\d{1,2})(?=[\s,;)]|\.?$)(?!\s*[:.]\s*\d)/u;

/** "godz. 14", "kl 9": behind the word for the hour one figure is one. */
function bareHours(text: string, labels: readonly Label[], seen: readonly Entity[]): Entity[] {
  return labels.flatMap((label): Entity[] => {
    const match = label.meanings.some(({ concept, weight }) => concept === "time" && weight >= 0.5)
      ? hourAlone.exec(text.slice(label.end))
      : null;
    const hour = Number(match?.[1]);
    if (!match || hour > 24) return [];
    const end = label.end + match[0].length;
    const start = end - (match[1]?.length ?? 0);
    const other = seen.some(
      (entity) => entity.start < end && entity.end > start && entity.score > 0.3 && entity.type !== "Amount",
    );
    return other ? [] : [{ type: "Time", value: { from: hour * 60 }, start, end, score: 0.6 }];
  });
}

/** Types that claim their letters for themselves; names, streets and references may share theirs. */
const claims: Partial<Record<EntityType, number>> = {
  Email: 1,
  Link: 1,
  Iban: 0.9,
  Container: 0.9,
  Vat: 0.6,
  Date: 0.55,
  Temperature: 0.5,
  Quantity: 0.45,
  Amount: 0.3,
  Time: 0.3,
  Phone: 0.25,
  Place: 0.25,
  Dimensions: 0.6,
  Percent: 0.2,
};

/** Two readings of the same letters: the surer one stays, a label before them that asks for it making it surer. */
function settled(entities: readonly Entity[], labels: readonly Label[]): Entity[] {
  const sureness = (entity: Entity) => {
    const label = labels.findLast((each) => each.end <= entity.start && entity.start - each.end < 6);
    const asked =
      label?.meanings.some((each) => (conceptOf(each.concept).expects as readonly string[])[0] === entity.type) ??
      false;
    if (entity.type === "Place" && entity.value.city === undefined && entity.score < 0.6 && !asked) return entity.score;
    const town = entity.type === "Place" && entity.value.city !== undefined && entity.score > 0.9 ? 0.35 : 0;
    return entity.score + (claims[entity.type] ?? 0) + town + (asked ? 0.6 : 0);
  };
  return entities.filter((entity) => {
    if (
      entity.type === "Time" &&
      entities.some(
        (name) => name.type === "Company" && name.score >= 0.7 && name.start <= entity.start && name.end >= entity.end,
      )
    )
      return false;
    if (labels.some((label) => label.number !== undefined && entity.start > label.start && entity.start < label.end))
      return false;
    if (claims[entity.type] === undefined) return true;
    return !entities.some(
      (other) =>
        other.type !== entity.type &&
        claims[other.type] !== undefined &&
        other.start < entity.end &&
        other.end > entity.start &&
        sureness(other) > sureness(entity),
    );
  });
}

function labelsOf(segment: Segment, seen: readonly Entity[], languages: readonly string[]): Label[] {
  const scanned = segment.tokens.some((token) => token.source === "Ocr");
  const labels: Label[] = [];
  const written = findLabels(segment.text, { fuzzy: scanned }).flatMap((hit) => inContext(hit, languages) ?? []);
  const spoken = spokenActs(segment.text, written, seen, languages);
  for (const hit of [...written, ...spoken].sort((a, b) => a.start - b.start)) {
    if (partOfName(hit, seen, segment.text)) continue;
    const last = labels.at(-1);
    if (last && last.start === hit.start) addMeaning(last, hit);
    else if (last && doubles(last, hit, segment.text)) {
      last.end = hit.end;
      addMeaning(last, hit);
    } else labels.push({ index: -1, segment, start: hit.start, end: hit.end, meanings: [hit], standing: "Loose" });
  }
  for (const label of labels) Object.assign(label, numbered(label));
  for (const label of labels) label.standing = standingOf(label, labels);
  return labels;
}

const foreignDoubt = 0.5;
const shortestForeign = 4;

/**
 * A word of a language the document is not written in is hardly a label: "del" is Spanish before it is a delivery.
 * "FIX" is said everywhere.
 */
function inContext(hit: LabelHit, languages: readonly string[]): LabelHit | undefined {
  if (languages.length === 0 || hit.languages.some((language) => languages.includes(language))) return hit;
  return hit.end - hit.start < shortestForeign && hit.concept !== "fixedTime"
    ? undefined
    : { ...hit, weight: hit.weight * foreignDoubt };
}

/** "Spedition" in the name of a company, "Am" in that of a street and "DE" before a postcode are no labels. */
function partOfName(hit: LabelHit, seen: readonly Entity[], text: string): boolean {
  if (colon.test(text.slice(hit.end))) return false;
  return seen.some((entity) => {
    if (hit.start === 0 && entity.start === 0 && entity.end - hit.end <= 4) return false;
    const figures = /\d/.test(text.slice(entity.start, entity.end));
    const names = entity.type === "Company" || ((entity.type === "Street" || entity.type === "Place") && figures);
    return names && entity.score >= 0.75 && entity.start <= hit.start && entity.end >= hit.end;
  });
}

function addMeaning(label: Label, { concept, weight }: LabelHit): void {
  const known = label.meanings.find((each) => each.concept === concept);
  if (known) known.weight = Math.max(known.weight, weight);
  else label.meanings.push({ concept, weight });
}

/** The same said again in another language: only a slash, a bracket or a dash between. */
function doubles(label: Label, hit: LabelHit, text: string): boolean {
  const between = text.slice(label.end, hit.start);
  return /^\s*[/|(–-]\s*$/u.test(between) && label.meanings.some((each) => each.concept === hit.concept);
}

const numberAfter = /^\s*(?:n[ro°º]?\.?\s*|#\s*)?(\d{1,2})(?=\s*(?:$|[:.)\]–—-](?!\d)|\s[–—-]\s|\s+\p{L}))/u;

function numbered(label: Label): { number?: number; end?: number } {
  const stops = label.meanings.some(
    ({ concept }) =>
      ["Stop", "Loading", "Unloading"].includes(conceptOf(concept).about) && conceptOf(concept).stands === "Heading",
  );
  const match = stops && numberAfter.exec(label.segment.text.slice(label.end));
  return match ? { number: Number(match[1]), end: label.end + match[0].length } : {};
}

const enumeration =
  /^[\s\p{P}\p{S}]*(?:(?:\d{1,2}(?:\.\d{1,2}){0,2}|[A-Za-z]|[IVX]{1,4})\s*[.)·:–—-]+|\d{1,2}(?=\s))?[\s\p{P}\p{S}]*$/u;
const colon = /^\s*\.?\s*(?:\([^)]{0,30}\)\s*)?[:：=]/u;
const nothing = /^[\s\p{P}]*$/u;

function standingOf(label: Label, labels: readonly Label[]): Standing {
  const { text } = label.segment;
  const [before, after] = [text.slice(0, label.start), text.slice(label.end)];
  const opens = enumeration.test(before) || coveredByLabels(label, labels);
  const closes = colon.test(after) || nothing.test(uncovered(label, labels));
  if (opens) return closes ? "Head" : "Lead";
  if (colon.test(after) || /[,;|•·–—(/]\s*$|\s[-]\s*$/u.test(before) || opensSentence(label)) return "Inline";
  return closes && text.length < 40 ? "Tail" : "Loose";
}

/** "… Berlin. Reference 80424122.": a word for a number, the first of its sentence. */
function opensSentence({ segment: { text }, start, meanings }: Label): boolean {
  if (!meanings.some(({ concept }) => conceptOf(concept).expects[0] === "Reference")) return false;
  return /(?:\p{Ll}{3}|\d|\))[.!?]\s+$/u.test(text.slice(0, start)) && /^\p{Lu}/u.test(text.slice(start));
}

/** What follows the label and is no label itself, up to a colon. */
function uncovered(label: Label, labels: readonly Label[]): string {
  const { text } = label.segment;
  let rest = "";
  let at = label.end;
  for (const next of labels.filter((other) => other.start >= label.end)) {
    rest += text.slice(at, next.start);
    at = next.end;
  }
  return (rest + text.slice(at)).split(":")[0]?.replace(/\b\p{Ll}{1,3}\b/gu, "") ?? "";
}

/** "Loading place and date": the second label of a heading opens it as much as the first does. */
function coveredByLabels(label: Label, labels: readonly Label[]): boolean {
  const earlier = labels.filter((other) => other.end <= label.start);
  const letters = label.segment.text.slice(0, label.start).replace(/[^\p{L}]/gu, "").length;
  const covered = earlier.reduce((sum, other) => sum + other.end - other.start, 0);
  return earlier.length > 0 && letters - covered < 6 && !/[:,.;]/u.test(label.segment.text.slice(0, label.start));
}
