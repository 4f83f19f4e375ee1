import { FieldValue } from "../../fields/confidence/field-value.ts";
import { entitiesOfType, weightFor, type Label } from "../../fields/labels/annotations.ts";
import { valueAreasOf } from "../../fields/labels/value-areas.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import type { Segment } from "../../layout/layout.ts";
import { groupedNumberAt } from "../../fields/labels/grouped-number.ts";
import type { TextSpan } from "../../layout/text-span.ts";
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
      const span = groupedNumberAt(document, area.segment, area.start, area.end, area.way === "Same");
      const factor = (area.way === "Below" ? below : 1) * (label.standing === "Loose" ? loose : 1);
      return span ? [{ span, score: weight * factor * (1 - area.order / 10) }] : [];
    });
}

/** "to account GB65 …, quoting 4471 2077": a number behind a word that asks for a reference. */
function quotedNumber(document: DocumentContext, segment: Segment): Scored | undefined {
  const words = rangeOf("quoting", segment.text);
  const from = words && words.last + (/^\p{L}*/u.exec(segment.text.slice(words.last))?.[0].length ?? 0);
  const span = from === undefined ? undefined : groupedNumberAt(document, segment, from, segment.text.length, true);
  return span && { span, score: scores.paymentReference.quoted };
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
