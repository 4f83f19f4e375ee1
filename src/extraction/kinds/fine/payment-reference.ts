import { FieldValue } from "../../fields/confidence/field-value.ts";
import { entitiesOfType, weightFor, type Label } from "../../fields/labels/annotations.ts";
import { valueAreasOf } from "../../fields/labels/value-areas.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import type { Segment } from "../../layout/layout.ts";
import { trimmedSpan, type TextSpan } from "../../layout/text-span.ts";
import type { ConceptId } from "../../lexicon/concepts.ts";
import { scores } from "./scores.ts";
import { rangeOf } from "./words.ts";

const structured = /\+{3}\s?\d{3}\/\d{4}\/\d{5}\s?\+{3}|\*{3}\s?\d{3}\/\d{4}\/\d{5}\s?\*{3}/u;
const creditor = /(?<![\p{L}\p{N}])RF\d{2}(?: ?[A-Z0-9]{1,4}){1,6}(?![\p{L}\p{N}])/u;

/**
 * Finds the reference that the payment must quote: a structured communication such as "+++090/9337/55493+++", a
 * creditor reference (ISO 11649), or the number after its label or after a word such as "quoting", best near the bank
 * account.
 */
export function paymentReferenceOf(document: DocumentContext): FieldValue<string> | undefined {
  const { segments } = document.annotations.layout;
  for (const segment of segments) {
    const match = structured.exec(segment.text) ?? checkedCreditor(segment);
    if (match)
      return new FieldValue(match[0].replace(/[+*\s]/gu, ""), scores.paymentReference.structured, {
        segment,
        start: match.index,
        end: match.index + match[0].length,
      });
  }
  const accounts = entitiesOfType(document.annotations, "Iban");
  const isNear = (segment: Segment) =>
    accounts.some(
      (account) => account.segment.page === segment.page && Math.abs(account.segment.row - segment.row) < 4,
    );
  const found = [
    ...document.annotations.labels.flatMap((label) => labelledNumbers(document, label)),
    ...segments.filter(isNear).flatMap((segment) => quotedNumber(document, segment) ?? []),
  ].map((each) => ({
    ...each,
    score: each.score + (isNear(each.span.segment) ? scores.paymentReference.nearAccount : 0),
  }));
  const [best] = found.sort((a, b) => b.score - a.score);
  return best && best.score >= scores.paymentReference.min
    ? new FieldValue(best.span.text, Math.min(scores.paymentReference.max, best.score), best.span)
    : undefined;
}

interface Scored {
  span: TextSpan;
  score: number;
}

const ownConcept: ReadonlySet<ConceptId> = new Set(["paymentReference"]);

function labelledNumbers(document: DocumentContext, label: Label): Scored[] {
  const weight = weightFor(label, ownConcept);
  if (weight === 0) return [];
  const { below, loose } = scores.paymentReference;
  return valueAreasOf(document.annotations, label)
    .filter(({ way, crossed, order }) => way !== "Before" && crossed === 0 && order < 2)
    .flatMap((area) => {
      const span = numberFrom(document, area.segment, area.start, area.end, area.way === "Same");
      const factor = (area.way === "Below" ? below : 1) * (label.standing === "Loose" ? loose : 1);
      return span ? [{ span, score: weight * factor * (1 - area.order / 10) }] : [];
    });
}

/** "to account GB65 …, quoting 4471 2077": a number behind a word that asks for a reference. */
function quotedNumber(document: DocumentContext, segment: Segment): Scored | undefined {
  const words = rangeOf("quoting", segment.text);
  const from = words && words.last + (/^\p{L}*/u.exec(segment.text.slice(words.last))?.[0].length ?? 0);
  const span = from === undefined ? undefined : numberFrom(document, segment, from, segment.text.length, true);
  return span && { span, score: scores.paymentReference.quoted };
}

/** Punctuation, words for "number" and short words between a label and its number. */
const lead = /^(?:[^\p{L}\p{N}]+|(?:n[ro]?|nº|num|č|št|nummer|numer)\b[.:°º]*\s*)*/iu;
const smallWords = /^(?:\p{Ll}{1,12}[:,]?\s+){0,4}[«»"'„“”(:\s]*/u;
/** A group of a number, and what may stand behind the last group. */
const group = /^[\p{Lu}\p{N}][\p{Lu}\p{N}./_\\-]*/u;
const minFigures = 4;
const maxGroups = 12;

/**
 * Returns the number that begins an area: groups of capitals and digits up to the next sentence, sum, date or account.
 */
function numberFrom(
  document: DocumentContext,
  segment: Segment,
  from: number,
  to: number,
  inSentence: boolean,
): TextSpan | undefined {
  const text = segment.text.slice(0, to);
  let start = from + (lead.exec(text.slice(from))?.[0].length ?? 0);
  if (inSentence) start += smallWords.exec(text.slice(start))?.[0].length ?? 0;
  let [at, end] = [start, start];
  for (let groups = 0; groups < maxGroups; groups += 1) {
    const found = group.exec(text.slice(at))?.[0];
    if (!found || beginsOther(document, segment, at, start)) break;
    const behind = text.slice(at + found.length);
    if (/^(?:\p{L}|[.,]\d)/u.test(behind)) break;
    if (/\d/u.test(found)) end = at + found.replace(/[./-]+$/u, "").length;
    const gap = /^(?: [/–-])? (?=[\p{Lu}\p{N}])/u.exec(behind)?.[0].length;
    if (gap === undefined || /[.]$/u.test(found)) break;
    at += found.length + gap;
  }
  const span = trimmedSpan(segment, start, end);
  return span.text.replace(/\D/gu, "").length >= minFigures ? span : undefined;
}

/** Whether an account, date or sum begins here, and does not begin the number itself. */
function beginsOther({ annotations }: DocumentContext, segment: Segment, at: number, first: number): boolean {
  return (annotations.entitiesIn[segment.index] ?? []).some(
    ({ type, start, end, score }) =>
      start <= at &&
      end > at &&
      (type === "Iban" || (at > first ? type === "Date" && score >= 0.5 : type === "Date" && score >= 0.9)),
  );
}

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
