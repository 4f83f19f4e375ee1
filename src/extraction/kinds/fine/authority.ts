import type { CompanyFacts } from "../../document/extraction-result.ts";
import { FieldValue } from "../../fields/confidence/field-value.ts";
import { entitiesOfType } from "../../fields/labels/annotations.ts";
import { findLabelledTexts, type LabelledText } from "../../fields/labels/labelled-text.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import { plain } from "../../fields/parties/party.ts";
import type { Segment } from "../../layout/layout.ts";
import { indexAt } from "../../layout/page-index.ts";
import { trimmedSpan, type TextSpan } from "../../layout/text-span.ts";
import authorityWords from "../../lexicon/authority-words.json" with { type: "json" };
import { fold } from "../../lexicon/fold.ts";
import { entityValue } from "../field-values.ts";
import { thresholds } from "../scores.ts";
import { scores } from "./scores.ts";

const whole = new Set(authorityWords.whole.map((word) => fold(word).text));
const stems = authorityWords.stems.map((word) => fold(word).text);
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
    fits: (text) => /\p{L}{3}/u.test(text) && text.length < maxNameLength && !/\d{4}/u.test(text) && !isOwn(text),
  });
  if (labelled && labelled.score >= scores.authority.minLabelled && isName(labelled))
    return new FieldValue(labelled.text, labelled.score, labelled.span);
  const lines = document.annotations.layout.segments.filter(
    (segment) => isLetterhead(document, segment) && !hasSum(document, segment) && !isOwn(segment.text),
  );
  const named = lines.flatMap((line) => authorityIn(line) ?? []);
  const [first] = named.sort((a, b) => b.points - a.points);
  if (!first) return collectorOf(document, lines);
  const { base, perWord } = scores.authority.letterhead;
  return new FieldValue(first.span.text, base + perWord * Math.min(3, first.points), first.span);
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

/** A company in the first row of the letterhead collects fines for an authority. */
function collectorOf(document: DocumentContext, lines: readonly Segment[]): FieldValue<string> | undefined {
  const [firm] = entitiesOfType(
    document.annotations,
    "Company",
    lines.filter(({ row }) => row < collectorRows),
  ).filter(({ entity, segment }) => entity.score >= thresholds.entity && segment.row === lines[0]?.row);
  return firm && entityValue(firm.entity.value, firm, scores.authority.collector);
}

const collectorRows = 2;

/** A row with a sum, as in "Administrative costs    9.00", does not name an authority. */
function hasSum({ annotations }: DocumentContext, segment: Segment): boolean {
  const row = indexAt(annotations.layout, segment).rowOf(segment);
  return entitiesOfType(annotations, "Amount", row).some(({ entity }) => entity.value.currency !== undefined);
}

function authorityIn(segment: Segment): { span: TextSpan; points: number } | undefined {
  const { rank } = scores.authority;
  let at = 0;
  for (const part of segment.text.split(/\s[·•|–—-]\s|\s{2,}|;/u)) {
    const start = segment.text.indexOf(part, at);
    at = start + part.length;
    const span = trimmedSpan(segment, start, at);
    const cut = /,\s*(?=[^,]*\d)/u.exec(span.text);
    const named = cut ? trimmedSpan(segment, span.start, span.start + cut.index) : span;
    const points = pointsOf(named.text);
    if (points > 0 && named.text.length < maxNameLength && !/[:@]|\d{4}/u.test(named.text))
      return { span: named, points: points + (segment.row < 3 ? rank.firstRows : 0) - segment.row * rank.perRow };
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
