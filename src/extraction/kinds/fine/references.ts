import { findCodes } from "../../fields/labels/codes.ts";
import { FieldValue } from "../../fields/confidence/field-value.ts";
import { findLabelledTexts } from "../../fields/labels/labelled-text.ts";
import type { Segment } from "../../layout/layout.ts";
import { numbersIn } from "../../fields/labels/numbered.ts";
import type { TextSpan } from "../../layout/text-span.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import { numberValue } from "../field-values.ts";
import { thresholds } from "../scores.ts";
import { scores } from "./scores.ts";

/**
 * Finds the authority's case number: after the title, otherwise after its label, otherwise after a word for "number",
 * otherwise after a general label such as "Reference".
 */
export function referenceOf(document: DocumentContext): FieldValue<string> | undefined {
  const { minLabelled, minGeneral } = scores.reference;
  const [labelled] = findCodes(document, ["fineReference"]).filter(({ score }) => score >= minLabelled);
  const titled = numberBehindTitle(document);
  if (titled && (!labelled || labelled.label.meanings.every(({ concept }) => concept !== "titleFine"))) return titled;
  if (labelled) return numberValue(document, labelled.span, labelled.score);
  const bare = numberInHead(document);
  if (bare) return bare;
  const [best] = findCodes(document, ["reference", "orderNumber", "customerReference", "invoiceNumber"]).filter(
    ({ score, label }) => score >= minGeneral && label.meanings.every((each) => each.concept !== "paymentReference"),
  );
  return best && numberValue(document, best.span, best.score);
}

/** Finds "4711/26" in "Penalty order no. 4711/26" or "Penalty order 4711/26". */
function numberBehindTitle(document: DocumentContext): FieldValue<string> | undefined {
  for (const label of document.annotations.labels) {
    const { segment, end } = label;
    const isTitle = label.meanings.some(
      ({ concept, weight }) => concept === "titleFine" && weight >= thresholds.ambiguousMeaning,
    );
    if (!isTitle || segment.page > 1 || document.prose.has(segment)) continue;
    const number = numbersIn(segment.text).find(({ start }) => start >= end) ?? numberAt(segment, end);
    if (number && hasFigures(number.text) && !isAddressed(document, segment, number.start))
      return numberValue(document, { segment, ...number }, scores.reference.behindTitle);
  }
  return undefined;
}

const numberLike = /^[\s:–-]*((?:\p{Lu}{1,4} ?)?\d[\p{Lu}\d ./-]{4,})$/u;

function numberAt({ text }: Segment, from: number): { text: string; start: number; end: number } | undefined {
  const match = numberLike.exec(text.slice(from));
  return match?.[1] ? { text: match[1], start: text.length - match[1].length, end: text.length } : undefined;
}

const figuresOf = (text: string): number => text.replace(/\D/gu, "").length;
const hasFigures = (text: string): boolean => figuresOf(text) >= minFigures;

const minFigures = 3;

/** Finds "4711/26" in a line such as "Decision no. 4711/26" in the upper half of the first page. */
function numberInHead(document: DocumentContext): FieldValue<string> | undefined {
  const { pages, segments } = document.annotations.layout;
  const bottom = (pages[0]?.height ?? 0) * scores.reference.headHeight;
  for (const segment of segments) {
    if (segment.page !== 1 || segment.box.y0 > bottom || document.prose.has(segment)) continue;
    const number = numbersIn(segment.text).find(
      ({ text, start }) => hasFigures(text) && !isAddressed(document, segment, start),
    );
    if (number) return numberValue(document, { segment, ...number }, scores.reference.behindNumberWord);
  }
  return undefined;
}

function isAddressed({ annotations }: DocumentContext, { index }: Segment, at: number): boolean {
  const other = new Set(["Street", "Place", "Phone", "Vat", "Iban", "Date"]);
  return (annotations.entitiesIn[index] ?? []).some(
    ({ type, score, start, end }) =>
      start <= at && end > at && ((other.has(type) && score >= thresholds.entity) || (type === "Plate" && start < at)),
  );
}

const structured = /\+{3}\s?\d{3}\/\d{4}\/\d{5}\s?\+{3}|\*{3}\s?\d{3}\/\d{4}\/\d{5}\s?\*{3}/u;
const creditor = /(?<![\p{L}\p{N}])RF\d{2}(?: ?[A-Z0-9]{1,4}){1,6}(?![\p{L}\p{N}])/u;

/**
 * Finds the reference that the payment must quote: a structured communication such as "+++090/9337/55493+++", a
 * creditor reference (ISO 11649), or the text after its label.
 */
export function paymentReferenceOf(document: DocumentContext): FieldValue<string> | undefined {
  for (const segment of document.annotations.layout.segments) {
    const match = structured.exec(segment.text) ?? checkedCreditor(segment);
    if (match)
      return new FieldValue(match[0].replace(/[+*\s]/gu, ""), scores.paymentReference.structured, {
        segment,
        start: match.index,
        end: match.index + match[0].length,
      });
  }
  const [words] = findLabelledTexts(document, ["paymentReference"], { fits: (text) => /\d{2}/u.test(text) });
  if (!words || words.score < scores.paymentReference.minLabelled) return referenceInSentence(document);
  const { segment, start } = words.span;
  const from = start + captionAhead(document, words.span);
  const text = upToSentence(segment.text.slice(from, words.span.end));
  return new FieldValue(text, words.score, { segment, start: from, end: from + text.length });
}

/** Finds "4471 2077 8263" in "to account ... quoting reference 4471 2077 8263". */
function referenceInSentence(document: DocumentContext): FieldValue<string> | undefined {
  const [candidate] = findCodes(document, ["paymentReference"]).filter(
    ({ score, span, label }) =>
      score >= scores.paymentReference.minLabelled &&
      span.segment === label.segment &&
      figuresOf(span.text) >= minFiguresInSentence,
  );
  return candidate && numberValue(document, candidate.span, candidate.score * scores.paymentReference.inSentence);
}

const minFiguresInSentence = 5;

function checkedCreditor({ text }: Segment): RegExpExecArray | undefined {
  const match = creditor.exec(text);
  return match && isCreditorReference(match[0].replace(/ /gu, "")) ? match : undefined;
}

/** ISO 11649: modulo 97, as for an IBAN. */
function isCreditorReference(code: string): boolean {
  let remainder = 0;
  for (const letter of code.slice(4) + code.slice(0, 4)) {
    const value = Number.parseInt(letter, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder === 1;
}

/** Length of a caption before the digits that is not part of the reference: "UIN " in "UIN 40 1188 22". */
function captionAhead({ annotations }: DocumentContext, { segment, start, end }: TextSpan): number {
  const label = (annotations.labelsIn[segment.index] ?? []).find((each) => each.start === start && each.end < end);
  const behind = label && /^[\s.:]*(?=\d)/u.exec(segment.text.slice(label.end, end));
  return label && behind ? label.end + behind[0].length - start : 0;
}

function upToSentence(text: string): string {
  const end = /[\s(,;]+(?:\p{Ll}{2,}|\p{Lu}\p{Ll}+(?!\S))|\.\s+(?=\p{Lu})/u.exec(text);
  const cut = end && /\d/u.test(text.slice(0, end.index)) ? text.slice(0, end.index) : text;
  return cut.replace(/[\s.,;]+$/u, "");
}
