import authorityWords from "../../lexicon/authority-words.json" with { type: "json" };
import { fold } from "../../lexicon/fold.ts";
import offenceWords from "../../lexicon/offence-words.json" with { type: "json" };
import { FieldValue } from "../../fields/confidence/field-value.ts";
import type { Segment } from "../../layout/layout.ts";
import { entitiesOfType } from "../../fields/labels/annotations.ts";
import { indexAt } from "../../layout/page-index.ts";
import { textAfter, findLabelledTexts, type LabelledText } from "../../fields/labels/labelled-text.ts";
import { trimmedSpan, type TextSpan } from "../../layout/text-span.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import { plain } from "../../fields/parties/party.ts";
import type { CompanyFacts } from "../../document/reading.ts";

const whole = new Set(authorityWords.whole.map((word) => fold(word).text));
const stems = authorityWords.stems.map((word) => fold(word).text);
const headPart = 0.4;
const longest = 90;

/**
 * Who fines: behind its label, else the first line of the page's head that an authority's word stands in. Never the company
 * that reads: the notice is sent to it.
 */
export function authorityOf(
  around: DocumentContext,
  { names }: Pick<CompanyFacts, "names">,
): FieldValue<string> | undefined {
  const own = names.map(plain).filter(Boolean);
  const isOwn = (text: string) => own.some((name) => plain(text).includes(name));
  const [labelled] = findLabelledTexts(around, ["authority"], {
    opening: true,
    fits: (text) => /\p{L}{3}/u.test(text) && text.length < longest && !/\d{4}/u.test(text) && !isOwn(text),
  });
  if (labelled && labelled.score >= surelyLabelled && isMeant(labelled))
    return new FieldValue(labelled.text, labelled.score, labelled.span);
  const lines = around.annotations.layout.segments.filter(
    (segment) => isHead(around, segment) && !hasSum(around, segment) && !isOwn(segment.text),
  );
  const named = lines.flatMap((line) => authorityIn(line) ?? []);
  const [first] = named.sort((a, b) => b.points - a.points);
  if (!first) return collectorOf(around, lines);
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
function collectorOf(around: DocumentContext, lines: readonly Segment[]): FieldValue<string> | undefined {
  const [firm] = entitiesOfType(
    around.annotations,
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
    if (points > 0 && named.text.length < longest && !/[:@]|\d{4}/u.test(named.text))
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
export function offenceTypeOf(around: DocumentContext, hasSpeed: boolean): FieldValue<string> | undefined {
  if (hasSpeed) return new FieldValue("Speeding", 0.9, undefined, "Computed");
  const told = textAfter(around, ["offenceKind"], { lines: 3, least: 0.2 });
  const segments = around.annotations.layout.segments.filter((segment) => segment.page === 1);
  const { text } = fold(told?.value ?? segments.map((segment) => segment.text).join(" "));
  const counted = offences.map(({ type, finders }) => ({
    type,
    hits: finders.filter((each) => each.test(text)).length,
  }));
  const [first] = counted.sort((one, other) => other.hits - one.hits);
  if (!first || first.hits === 0) return undefined;
  return new FieldValue(first.type, told ? 0.75 : 0.5, told?.span, "Computed");
}
