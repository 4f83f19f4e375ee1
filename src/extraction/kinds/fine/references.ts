import { findCodes } from "../../fields/labels/codes.ts";
import { FieldValue } from "../../fields/confidence/field-value.ts";
import { findLabelledTexts } from "../../fields/labels/labelled-text.ts";
import type { Segment } from "../../layout/layout.ts";
import { numbersIn, wholeNumber } from "../../fields/labels/numbered.ts";
import type { TextSpan } from "../../layout/text-span.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";

const least = 0.3;

/** The authority's number of the case: the one in the title, else behind its label, else one without a label of its own. */
export function referenceOf(around: DocumentContext): FieldValue<string> | undefined {
  const [sure] = findCodes(around, ["fineReference"]).filter(({ score }) => score >= least);
  const titled = numberBehindTitle(around);
  if (titled && (!sure || sure.label.meanings.every(({ concept }) => concept !== "titleFine"))) return titled;
  if (sure) return foundWhole(around, sure.span, sure.score);
  const bare = numberOfTitle(around);
  if (bare) return bare;
  const [best] = findCodes(around, ["reference", "orderNumber", "customerReference", "invoiceNumber"]).filter(
    ({ score, label }) => score >= 0.4 && label.meanings.every((each) => each.concept !== "paymentReference"),
  );
  return best && foundWhole(around, best.span, best.score);
}

/** "Penalty order no. 4711/26": the number right behind what the paper calls itself. */
function numberBehindTitle(around: DocumentContext): FieldValue<string> | undefined {
  for (const label of around.annotations.labels) {
    const { segment, end } = label;
    const isTitle = label.meanings.some(({ concept, weight }) => concept === "titleFine" && weight >= 0.6);
    if (!isTitle || segment.page > 1 || around.prose.has(segment)) continue;
    const number = numbersIn(segment.text).find(({ start }) => start >= end) ?? numberAt(segment, end);
    if (number && hasFigures(number.text) && !isAddressed(around, segment, number.start))
      return foundWhole(around, { segment, ...number }, 0.8);
  }
  return undefined;
}

const numberLike = /^[\s:–-]*((?:\p{Lu}{1,4} ?)?\d[\p{Lu}\d ./-]{4,})$/u;

/** A number alone behind the title, with no word for one. */
function numberAt({ text }: Segment, from: number): { text: string; start: number; end: number } | undefined {
  const match = numberLike.exec(text.slice(from));
  return match?.[1] ? { text: match[1], start: text.length - match[1].length, end: text.length } : undefined;
}

const figuresOf = (text: string): number => text.replace(/\D/gu, "").length;
const hasFigures = (text: string): boolean => figuresOf(text) >= fewestFigures;

const headPart = 0.5;
const fewestFigures = 3;

/** "Decision no. 4711/26": the first number behind a bare word for it, in the lines above the text. */
function numberOfTitle(around: DocumentContext): FieldValue<string> | undefined {
  const page = around.annotations.layout.pages[0];
  for (const segment of around.annotations.layout.segments) {
    if (segment.page !== 1 || segment.box.y0 > (page?.height ?? 0) * headPart || around.prose.has(segment)) continue;
    const number = numbersIn(segment.text).find(
      ({ text, start }) => hasFigures(text) && !isAddressed(around, segment, start),
    );
    if (number) return foundWhole(around, { segment, ...number }, 0.7);
  }
  return undefined;
}

function isAddressed({ annotations: marks }: DocumentContext, { index }: Segment, at: number): boolean {
  const other = new Set(["Street", "Place", "Phone", "Vat", "Iban", "Date"]);
  return (marks.entitiesIn[index] ?? []).some(
    ({ type, score, start, end }) =>
      start <= at && end > at && ((other.has(type) && score >= 0.5) || (type === "Plate" && start < at)),
  );
}

function foundWhole(
  around: DocumentContext,
  span: Pick<TextSpan, "segment" | "start" | "end">,
  score: number,
): FieldValue<string> {
  const whole = wholeNumber(around, span);
  return new FieldValue(whole.text, score, whole);
}

const structured = /\+{3}\s?\d{3}\/\d{4}\/\d{5}\s?\+{3}|\*{3}\s?\d{3}\/\d{4}\/\d{5}\s?\*{3}/u;
const creditor = /(?<![\p{L}\p{N}])RF\d{2}(?: ?[A-Z0-9]{1,4}){1,6}(?![\p{L}\p{N}])/u;

/** What the payment must quote: a structured communication, a creditor reference, or the words behind its label. */
export function paymentReferenceOf(around: DocumentContext): FieldValue<string> | undefined {
  for (const segment of around.annotations.layout.segments) {
    const match = structured.exec(segment.text) ?? checkedCreditor(segment);
    if (match)
      return new FieldValue(match[0].replace(/[+*\s]/gu, ""), 0.9, {
        segment,
        start: match.index,
        end: match.index + match[0].length,
      });
  }
  const [words] = findLabelledTexts(around, ["paymentReference"], { fits: (text) => /\d{2}/u.test(text) });
  if (!words || words.score < least) return spokenReference(around);
  const { segment, start } = words.span;
  const from = start + captionAhead(around, words.span);
  const text = upToSentence(segment.text.slice(from, words.span.end));
  return new FieldValue(text, words.score, { segment, start: from, end: from + text.length });
}

/** "to account ... quoting reference 4471 2077 8263": in a sentence, right behind the words for it. */
function spokenReference(around: DocumentContext): FieldValue<string> | undefined {
  const [spoken] = findCodes(around, ["paymentReference"]).filter(
    ({ score, span, label }) =>
      score >= least && span.segment === label.segment && figuresOf(span.text) >= fewestSpoken,
  );
  return spoken && foundWhole(around, spoken.span, spoken.score * 0.9);
}

const fewestSpoken = 5;

function checkedCreditor({ text }: Segment): RegExpExecArray | undefined {
  const match = creditor.exec(text);
  return match && isCreditorReference(match[0].replace(/ /gu, "")) ? match : undefined;
}

/** ISO 11649: modulo 97 like an account. */
export function isCreditorReference(code: string): boolean {
  let remainder = 0;
  for (const letter of code.slice(4) + code.slice(0, 4)) {
    const value = Number.parseInt(letter, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder === 1;
}

/** "UIN 40 1188 22": a caption before the figures is not quoted with them. */
function captionAhead({ annotations: marks }: DocumentContext, { segment, start, end }: TextSpan): number {
  const label = (marks.labelsIn[segment.index] ?? []).find((each) => each.start === start && each.end < end);
  const behind = label && /^[\s.:]*(?=\d)/u.exec(segment.text.slice(label.end, end));
  return label && behind ? label.end + behind[0].length - start : 0;
}

/** The reference ends where words in small letters begin. */
function upToSentence(text: string): string {
  const end = /[\s(,;]+(?:\p{Ll}{2,}|\p{Lu}\p{Ll}+(?!\S))|\.\s+(?=\p{Lu})/u.exec(text);
  const cut = end && /\d/u.test(text.slice(0, end.index)) ? text.slice(0, end.index) : text;
  return cut.replace(/[\s.,;]+$/u, "");
}
