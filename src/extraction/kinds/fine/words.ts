import { fold } from "../../lexicon/fold.ts";
import fineWords from "../../lexicon/fine-words.json" with { type: "json" };
import type { Segment } from "../../layout/layout.ts";
import { indexAt, lineAbove, lineBelow } from "../../layout/page-index.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import authorityWords from "../../lexicon/authority-words.json" with { type: "json" };
import offenceWords from "../../lexicon/offence-words.json" with { type: "json" };
import { FieldValue } from "../../fields/confidence/field-value.ts";
import { entitiesOfType } from "../../fields/labels/annotations.ts";
import { findLabelledTexts, textAfter, type LabelledText } from "../../fields/labels/labelled-text.ts";
import { trimmedSpan, type TextSpan } from "../../layout/text-span.ts";
import { plain } from "../../fields/parties/party.ts";
import type { CompanyFacts } from "../../document/extraction-result.ts";

/** What the words around an amount, date or speed say about it. */
export type Cue = keyof typeof fineWords;

/** Minimum length of a stem to be searched inside longer words: many languages form compounds. */
const telling = 9;

const finders = new Map(
  (Object.keys(fineWords) as Cue[]).map((cue) => {
    const words = fineWords[cue].map((word) => fold(word).text.replace(/[.*+?^$()[\]{}|\\]/gu, "\\$&"));
    const ahead = `(?<!\\p{L})(?:${words.join("|")})`;
    const within = words.filter(({ length }) => length >= telling);
    return [cue, new RegExp([ahead, ...within].join("|"), "gu")] as const;
  }),
);

/** Whether the text has the cue, in any language and inflection. */
export const mentions = (cue: Cue, text: string): boolean => fold(text).text.search(finders.get(cue)!) >= 0;

/** First and last position of the cue; undefined where it is missing. */
export function rangeOf(cue: Cue, text: string): { first: number; last: number } | undefined {
  const matches = [...fold(text).text.matchAll(finders.get(cue)!)];
  const [one, other] = [matches[0], matches.at(-1)];
  return one && other && { first: one.index, last: other.index + other[0].length };
}

/** Where one sentence or half of it ends and the next begins. */
const ends = /(?<=(?:[\p{Ll}\d)%€]|\p{Lu}{3})[.!?])\s+(?=\p{Lu})|;\s/gu;

/** A clause of a sentence or a labelled line. */
export interface Clause {
  segment: Segment;
  start: number;
  end: number;
  /** With the words that belong to it: those to the left in a row, and the line it goes on from or to. */
  text: string;
  /** The segments these words are in, its own first. */
  segments: readonly Segment[];
}

/** The clause at a position of the text. */
export function clauseAt({ annotations: marks, prose }: DocumentContext, segment: Segment, at: number): Clause {
  const { start, end } = boundsOf(segment.text, at);
  const own = segment.text.slice(start, end);
  const left = indexAt(marks.layout, segment)
    .rowOf(segment)
    .filter((other) => other.box.x1 <= segment.box.x0 && other.text.length < maxCaptionLength && !prose.has(other));
  const listed = /^[^:]{3,40}:/u.test(segment.text);
  const above = start === 0 && left.length === 0 && !listed ? lineAbove(marks, segment) : undefined;
  const before = above && lastClause(above.text);
  const below = end === segment.text.length && !/[.!?]$/u.test(own) ? lineBelow(marks, segment) : undefined;
  const after =
    below && /^\p{Ll}(?![^:]{2,40}:)/u.test(below.text) ? below.text.slice(0, boundsOf(below.text, 0).end) : undefined;
  const goesOn = before !== undefined && /^[\p{Ll}\d]/u.test(own);
  const segments = [
    segment,
    ...left,
    ...(goesOn && above ? [above] : []),
    ...(after !== undefined && below ? [below] : []),
  ];
  const text = [...left.map((each) => each.text), goesOn ? before : "", own, after ?? ""].filter(Boolean).join(" ");
  return { segment, start, end, text, segments };
}

const maxCaptionLength = 70;

function boundsOf(text: string, at: number): { start: number; end: number } {
  const breaks = [...text.matchAll(ends)];
  const start = breaks.findLast((match) => match.index + match[0].length <= at);
  const end = breaks.find((match) => match.index >= at);
  return { start: start ? start.index + start[0].length : 0, end: end?.index ?? text.length };
}

/** The part of a line after its last full stop. */
function lastClause(text: string): string | undefined {
  return /[.!?:;]$/u.test(text) ? undefined : text.slice(boundsOf(text, text.length - 1).start);
}

const whole = new Set(authorityWords.whole.map((word) => fold(word).text));
const stems = authorityWords.stems.map((word) => fold(word).text);
const headPart = 0.4;
const maxTextLength = 90;

/**
 * Who fines: behind its label, else the first line of the page's head that an authority's word stands in. Never the company
 * that reads: the notice is sent to it.
 */
export function authorityOf(
  document: DocumentContext,
  { names }: Pick<CompanyFacts, "names">,
): FieldValue<string> | undefined {
  const own = names.map(plain).filter(Boolean);
  const isOwn = (text: string) => own.some((name) => plain(text).includes(name));
  const [labelled] = findLabelledTexts(document, ["authority"], {
    opening: true,
    fits: (text) => /\p{L}{3}/u.test(text) && text.length < maxTextLength && !/\d{4}/u.test(text) && !isOwn(text),
  });
  if (labelled && labelled.score >= surelyLabelled && isMeant(labelled))
    return new FieldValue(labelled.text, labelled.score, labelled.span);
  const lines = document.annotations.layout.segments.filter(
    (segment) => isHead(document, segment) && !hasSum(document, segment) && !isOwn(segment.text),
  );
  const named = lines.flatMap((line) => authorityIn(line) ?? []);
  const [first] = named.sort((a, b) => b.points - a.points);
  if (!first) return collectorOf(document, lines);
  return first && new FieldValue(first.span.text, 0.5 + 0.1 * Math.min(3, first.points), first.span);
}

const surelyLabelled = 0.45;

/** A word for an authority alone on its line may be the authority: what stands below it need not be its name. */
const isMeant = ({ span, label }: LabelledText): boolean =>
  span.segment.row === label.segment.row ||
  /^\s*:/u.test(label.segment.text.slice(label.end)) ||
  pointsOf(span.text) > 0;

function isHead({ annotations: marks, prose }: DocumentContext, segment: Segment): boolean {
  const page = marks.layout.pages[0];
  const titles = (marks.labelsIn[segment.index] ?? []).some(
    (label) => label.standing !== "Loose" && label.meanings.some(({ concept }) => concept.startsWith("title")),
  );
  return (
    segment.page === 1 &&
    page !== undefined &&
    (segment.box.y0 < page.height * headPart || segment.row < 14) &&
    !prose.has(segment) &&
    !titles
  );
}

/** A firm that collects for an authority, by its letterhead. */
function collectorOf(document: DocumentContext, lines: readonly Segment[]): FieldValue<string> | undefined {
  const [firm] = entitiesOfType(
    document.annotations,
    "Company",
    lines.filter(({ row }) => row < letterhead),
  ).filter(({ entity, segment }) => entity.score >= 0.5 && segment.row === lines[0]?.row);
  if (!firm) return undefined;
  const { segment, entity } = firm;
  return new FieldValue(entity.value, 0.45, { segment, start: entity.start, end: entity.end });
}

const letterhead = 2;

/** "Administrative costs    9.00": a line of the reckoning names nobody. */
function hasSum({ annotations: marks }: DocumentContext, segment: Segment): boolean {
  const row = indexAt(marks.layout, segment).rowOf(segment);
  return entitiesOfType(marks, "Amount", row).some(({ entity }) => entity.value.currency !== undefined);
}

/** The part of a line of a letterhead that names the authority. */
function authorityIn(segment: Segment): { span: TextSpan; points: number } | undefined {
  let at = 0;
  for (const part of segment.text.split(/\s[·•|–—-]\s|\s{2,}|;/u)) {
    const start = segment.text.indexOf(part, at);
    at = start + part.length;
    const span = trimmedSpan(segment, start, at);
    const cut = /,\s*(?=[^,]*\d)/u.exec(span.text);
    const named = cut ? trimmedSpan(segment, span.start, span.start + cut.index) : span;
    const points = pointsOf(named.text);
    if (points > 0 && named.text.length < maxTextLength && !/[:@]|\d{4}/u.test(named.text))
      return { span: named, points: points + (segment.row < 3 ? 0.5 : 0) - segment.row * 0.05 };
  }
  return undefined;
}

function pointsOf(text: string): number {
  const words = fold(text).text.split(/[^\p{L}]+/u);
  return words.filter((word, at) => {
    const pair = `${word} ${words[at + 1] ?? ""}`;
    return whole.has(word) || whole.has(pair) || (word.length > 5 && stems.some((stem) => word.startsWith(stem)));
  }).length;
}

const longWord = 8;

/** Finds a word: a long one anywhere, for it may end a compound, a shorter one where a word begins, a code only as a whole. */
function finder(word: string): RegExp {
  const { text } = fold(word);
  if (text.length >= longWord) return new RegExp(text, "u");
  return new RegExp(`(?<!\\p{L})${text}${text.length <= 3 ? "(?!\\p{L})" : ""}`, "u");
}

const offences = Object.entries(offenceWords).map(([type, words]) => ({ type, finders: words.map(finder) }));

/** What kind of offence most of the words speak of; speeds make it speeding. */
export function offenceTypeOf(document: DocumentContext, hasSpeed: boolean): FieldValue<string> | undefined {
  if (hasSpeed) return new FieldValue("Speeding", 0.9, undefined, "Computed");
  const labelled = textAfter(document, ["offenceKind"], { lines: 3, least: 0.2 });
  const segments = document.annotations.layout.segments.filter((segment) => segment.page === 1);
  const { text } = fold(labelled?.value ?? segments.map((segment) => segment.text).join(" "));
  const counted = offences.map(({ type, finders }) => ({
    type,
    hits: finders.filter((each) => each.test(text)).length,
  }));
  const [first] = counted.sort((one, other) => other.hits - one.hits);
  if (!first || first.hits === 0) return undefined;
  return new FieldValue(first.type, labelled ? 0.75 : 0.5, labelled?.span, "Computed");
}
