import type { CompanyFacts } from "../../document/extraction-result.ts";
import { FieldValue } from "../../fields/confidence/field-value.ts";
import { entitiesOfType } from "../../fields/labels/annotations.ts";
import { findLabelledTexts, type LabelledText } from "../../fields/labels/labelled-text.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import { plain } from "../../fields/parties/party.ts";
import type { Segment } from "../../layout/layout.ts";
import { indexAt, lineBelow } from "../../layout/page-index.ts";
import { trimmedSpan, type TextSpan } from "../../layout/text-span.ts";
import authorityWords from "../../lexicon/authority-words.json" with { type: "json" };
import { conceptOf } from "../../lexicon/concepts.ts";
import { fold } from "../../lexicon/fold.ts";
import { entityValue } from "../field-values.ts";
import { thresholds } from "../scores.ts";
import { scores } from "./scores.ts";

const whole = new Set(authorityWords.whole.map((word) => fold(word).text));
const folded = (words: readonly string[]) => words.map((word) => fold(word).text);
const stems = folded([...authorityWords.stems, ...authorityWords.offices]);
const departments = folded(authorityWords.departments);
const subordinate = folded(authorityWords.subordinate);
const higher = folded(authorityWords.higher);
const letterheadRows = 14;
const maxNameLength = 90;

/**
 * Finds the authority: after its label, otherwise in the letterhead. The user's company is excluded, because it
 * receives the notice.
 */
export function authorityOf(
  document: DocumentContext,
  { names }: Pick<CompanyFacts, "names">,
): FieldValue<string> | undefined {
  const own = names.map(plain).filter(Boolean);
  const isOwn = (text: string) => own.some((name) => plain(text).includes(name));
  const [labelled] = findLabelledTexts(document, ["authority"], {
    opening: true,
    fits: (text) =>
      /^["'«„“]?\p{Lu}/u.test(text) && text.length < maxNameLength && !/\d{2}/u.test(text) && !isOwn(text),
  });
  if (labelled && labelled.score >= scores.authority.minLabelled && isName(labelled)) {
    const span = nameAt(document, labelled.span.segment, labelled.span.start);
    return new FieldValue(span?.text ?? labelled.text, labelled.score, span ?? labelled.span);
  }
  const lines = document.annotations.layout.segments.filter(
    (segment) =>
      isLetterhead(document, segment) &&
      !hasSum(document, segment) &&
      !isField(document, segment) &&
      !isOwn(segment.text),
  );
  const named = lines.flatMap((line) => authorityIn(document, line) ?? []);
  const [first] = named.sort((a, b) => b.points - a.points);
  if (!first) return collectorOf(document, lines);
  const { base, perWord } = scores.authority.letterhead;
  const text = first.span.text + departmentBelow(document, first.span);
  return new FieldValue(text, base + perWord * Math.min(3, first.points), first.span);
}

/**
 * A label such as "Police of Vilnius" may be the name of the authority itself. The text below it is then the name only
 * if the label ends with a colon or the text has a word for an authority.
 */
const isName = ({ span, label }: LabelledText): boolean =>
  span.segment.row === label.segment.row ||
  /^\s*:/u.test(label.segment.text.slice(label.end)) ||
  pointsOf(span.text) > 0;

function isLetterhead({ annotations, prose }: DocumentContext, segment: Segment): boolean {
  const page = annotations.layout.pages[0];
  const titles = (annotations.labelsIn[segment.index] ?? []).some(
    (label) => label.standing !== "Loose" && label.meanings.some(({ concept }) => concept.startsWith("title")),
  );
  return (
    segment.page === 1 &&
    page !== undefined &&
    (segment.box.y0 < page.height * scores.authority.letterheadHeight || segment.row < letterheadRows) &&
    !prose.has(segment) &&
    !titles
  );
}

/** A company in the first row of the letterhead, or whoever else is named there, collects fines for an authority. */
function collectorOf(document: DocumentContext, lines: readonly Segment[]): FieldValue<string> | undefined {
  const top = lines.filter(({ row }) => row < collectorRows && row === lines[0]?.row);
  const [firm] = entitiesOfType(document.annotations, "Company", top).filter(
    ({ entity }) => entity.score >= thresholds.entity,
  );
  if (firm) return entityValue(firm.entity.value, firm, scores.authority.collector);
  const [line] = top.filter(({ text }) => /^\p{Lu}[^\d:@]{5,}(?<!,)$/u.test(text));
  const span = line && nameAt(document, line, 0);
  return span && new FieldValue(span.text, scores.authority.firstLine, span);
}

const collectorRows = 2;

/** A row with a sum, as in "Administrative costs    9.00", does not name an authority. */
function hasSum({ annotations }: DocumentContext, segment: Segment): boolean {
  const row = indexAt(annotations.layout, segment).rowOf(segment);
  return entitiesOfType(annotations, "Amount", row).some(({ entity }) => entity.value.currency !== undefined);
}

/** The caption of a field of the notice, such as "N° de l'avis de contravention", does not name an authority. */
const isField = ({ annotations }: DocumentContext, { index }: Segment): boolean =>
  (annotations.labelsIn[index] ?? []).some(
    ({ standing, start, meanings }) =>
      standing === "Head" &&
      start < 3 &&
      meanings.some(({ concept }) => concept !== "authority" && conceptOf(concept).about === "Fine"),
  );

function authorityIn(document: DocumentContext, segment: Segment): { span: TextSpan; points: number } | undefined {
  const { rank } = scores.authority;
  const whole = nameAt(document, segment, 0);
  const start =
    whole && pointsOf(whole.text) > 0 && /^["'«„“]?\p{Lu}/u.test(whole.text)
      ? 0
      : [...segment.text.matchAll(breaks)]
          .map((match) => match.index + match[0].length)
          .find((at) => pointsOf(segment.text.slice(at).split(breaks)[0] ?? "") > 0);
  const span = start === undefined ? undefined : nameAt(document, segment, start);
  const points = span ? pointsOf(span.text) : 0;
  if (!span || points === 0) return undefined;
  const above =
    higher.some((word) => fold(span.text).text.startsWith(word)) || isSubordinate(span.text) ? rank.higher : 0;
  return { span, points: points + (segment.row < 3 ? rank.firstRows : 0) - segment.row * rank.perRow - above };
}

/** Between the parts of a line such as "City of Venlo · Team Fines · PO Box 12". */
const breaks = /\s?[·•|]\s?|\s[–—/-]\s|;\s|,\s/gu;

/** Returns the name that begins here: all parts of the line up to one with a number, an address or a town. */
function nameAt(document: DocumentContext, segment: Segment, from: number): TextSpan | undefined {
  const rest = segment.text.slice(from);
  const ends = [...rest.matchAll(breaks)].map(({ index }) => index);
  let end = 0;
  for (const [at, stop] of [...ends, rest.length].entries()) {
    const part = rest.slice(at === 0 ? 0 : end, stop);
    const isAddress = at > 0 && /^\s?[,·•|]/u.test(part) && isTown(document, segment, part);
    if (/\d|@/u.test(part) || stop > maxNameLength || isAddress) break;
    end = stop;
  }
  const span = trimmedSpan(segment, from, from + end);
  return /\p{L}{3}/u.test(span.text) && !/:/u.test(span.text) ? span : undefined;
}

function isTown({ annotations }: DocumentContext, segment: Segment, part: string): boolean {
  const name = part.replace(breaks, "").trim();
  return entitiesOfType(annotations, "Place", [segment]).some(({ entity }) =>
    segment.text.slice(entity.start, entity.end).startsWith(name),
  );
}

/** The line below if it goes on with the name, or names a department: "Team Fines" below "City of Venlo". */
function departmentBelow(document: DocumentContext, { segment, end }: TextSpan): string {
  const below = /^[\s\p{P}]*$/u.test(segment.text.slice(end)) ? lineBelow(document.annotations, segment) : undefined;
  const span = below && !document.prose.has(below) ? nameAt(document, below, 0) : undefined;
  if (!below || !span || span.end < below.text.length) return "";
  if (segment.text.endsWith("-")) return span.text;
  if (isDepartment(span.text)) return `, ${span.text}`;
  return /^\p{Ll}/u.test(span.text) ? ` ${span.text}` : "";
}

const isDepartment = (name: string): boolean => hasWord(name, departments);

/** Whether the name, without its further parts, is that of a department: the body is then above it. */
const isSubordinate = (name: string): boolean =>
  hasWord(name.split(breaks)[0] ?? name, [...departments, ...subordinate]);

const hasWord = (name: string, stems: readonly string[]): boolean =>
  fold(name)
    .text.split(/[^\p{L}]+/u)
    .some((word) => stems.some((each) => word.startsWith(each)));

function pointsOf(text: string): number {
  const words = fold(text).text.split(/[^\p{L}]+/u);
  return words.filter((word, at) => {
    const pair = `${word} ${words[at + 1] ?? ""}`;
    return whole.has(word) || whole.has(pair) || (word.length > 5 && stems.some((stem) => word.startsWith(stem)));
  }).length;
}
