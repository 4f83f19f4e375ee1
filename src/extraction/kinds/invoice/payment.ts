import type { ConceptId } from "../../lexicon/concepts.ts";
import { isIban, parseIban } from "../../entities/ibans.ts";
import { containsAnswer } from "../../fields/labels/answers.ts";
import { valueAreasOf } from "../../fields/labels/value-areas.ts";
import { FieldValue } from "../../fields/confidence/field-value.ts";
import { labelOf } from "../../fields/labels/line-label.ts";
import { entitiesOfType, type Label, type LocatedEntity } from "../../fields/labels/annotations.ts";
import { lineBelow } from "../../layout/page-index.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import { entityValue, segmentValue } from "../field-values.ts";
import { scores } from "./scores.ts";
import type { InvoiceView } from "./view.ts";

/**
 * Finds the seller's account: one with valid check digits, preferably after the code of the invoice's currency;
 * otherwise one that is broken over two lines, or a labelled one with wrong check digits.
 */
export function ibanIn(document: DocumentContext, currency: string | undefined): FieldValue<string> | undefined {
  const ibans = entitiesOfType(document.annotations, "Iban").filter(
    ({ segment }) => document.annotations.layout.parts[segment.part]?.quoted !== true,
  );
  const fits = ({ segment, entity }: LocatedEntity<"Iban">) => {
    const above = segment.text.slice(0, entity.start);
    return currency !== undefined && above.includes(currency) ? 0 : 1;
  };
  const [best] = [...ibans].sort((a, b) => fits(a) - fits(b));
  const { only, oneOfSeveral } = scores.iban;
  return best ? entityValue(best.entity.value, best, ibans.length > 1 ? oneOfSeveral : only) : printedAccount(document);
}

const accountStart = /(?<![\p{L}\p{N}])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,}/gu;

function printedAccount(document: DocumentContext): FieldValue<string> | undefined {
  let wrong: FieldValue<string> | undefined;
  for (const segment of document.annotations.layout.segments) {
    for (const { index } of segment.text.matchAll(accountStart)) {
      const rest = segment.text.slice(index);
      const below = lineBelow(document.annotations, segment) ?? document.annotations.layout.segments[segment.index + 1];
      const both = parseIban(`${rest} ${below?.text ?? ""}`);
      const alone = parseIban(rest);
      const match = both && isIban(both.bare) ? both : alone;
      if (!match) continue;
      const range = { segment, start: index, end: Math.min(segment.text.length, index + match.end) };
      if (isIban(match.bare)) return new FieldValue(match.bare, scores.iban.overTwoLines, range);
      const labelled = labelOf(document.annotations, segment, index)?.meanings.some(
        ({ concept }) => concept === "bankAccount",
      );
      if (labelled) wrong ??= new FieldValue(match.bare, scores.iban.failedChecksum, range);
    }
  }
  return wrong;
}

const ratio = /(?<![\d.,])(\d{1,4}[.,]\d{2,6})(?![\d.,]*\d)/u;
const equation = /(?<![\d.,])1(?:[.,]0+)?\s?(?:[A-Z]{3}|€)\s?=\s?(\d{1,4}[.,]\d{2,6})(?!\d)/u;

/**
 * Finds the amount of the national currency for one unit of the invoice's currency, as in "1 EUR = 4.2418 PLN" or "rate
 * 4,2418".
 */
export function exchangeRateIn(document: DocumentContext): FieldValue<number> | undefined {
  for (const segment of document.annotations.layout.segments) {
    const match = equation.exec(segment.text);
    if (match?.[1])
      return rate(segment, match.index + match[0].length - match[1].length, match[1], scores.exchangeRate.equation);
  }
  for (const label of document.annotations.labels) {
    if (!label.meanings.some(({ concept, weight }) => concept === "exchangeRate" && weight >= scores.label.payment))
      continue;
    for (const { segment, start, end, order } of valueAreasOf(document.annotations, label)) {
      const match = order === 0 ? ratio.exec(segment.text.slice(start, end)) : null;
      if (match?.[1] && match.index < 40 && /[.,]\d{3,6}$/.test(match[1]))
        return rate(segment, start + match.index, match[1], scores.exchangeRate.label);
    }
  }
  return undefined;
}

function rate(
  segment: LocatedEntity["segment"],
  start: number,
  printed: string,
  confidence: number,
): FieldValue<number> {
  return new FieldValue(Number(printed.replace(",", ".")), confidence, { segment, start, end: start + printed.length });
}

type Method = NonNullable<InvoiceView["paymentMethod"]>;

const methods: readonly (readonly ["transfer" | "cash" | "card", Method])[] = [
  ["transfer", "BankTransfer"],
  ["cash", "Cash"],
  ["card", "Card"],
];
const ways: readonly ConceptId[] = ["paymentMethod", "paymentTerm"];

/**
 * Finds the payment method: after its label, in a request for a transfer, or in a note that the invoice is paid.
 * Otherwise it is a transfer if an account is printed and no other method is mentioned.
 */
export function methodIn(
  document: DocumentContext,
  account: FieldValue<string> | undefined,
): FieldValue<Method> | undefined {
  const { segments } = document.annotations.layout;
  for (const concept of ways) {
    for (const label of document.annotations.labels) {
      if (!label.meanings.some((each) => each.concept === concept && each.weight >= scores.label.payment)) continue;
      const method = methodOf(label);
      if (method) return method;
    }
  }
  const transfer = segments.find(({ text }) => containsAnswer("transfer", text));
  if (transfer) return segmentValue("BankTransfer", transfer, scores.paymentMethod.transferRequest);
  for (const [word, method] of methods.slice(1)) {
    const paid = segments.find(({ text }) => containsAnswer("paid", text) && containsAnswer(word, text));
    if (paid) return segmentValue(method, paid, scores.paymentMethod.paidInCashOrByCard);
  }
  const others = segments.some(({ text }) =>
    (["cash", "card", "debit"] as const).some((word) => containsAnswer(word, text)),
  );
  return account?.span && !others
    ? new FieldValue("BankTransfer", scores.paymentMethod.fromAccount, account.span)
    : undefined;

  function methodOf(label: Label): FieldValue<Method> | undefined {
    const areas = valueAreasOf(document.annotations, label).filter(({ order, way }) => order === 0 && way !== "Before");
    for (const text of [...areas.map((area) => area.segment.text.slice(area.start, area.end)), label.segment.text]) {
      const method = methods.find(([word]) => containsAnswer(word, text));
      if (method) return segmentValue(method[1], areas[0]?.segment ?? label.segment, scores.paymentMethod.label);
    }
    return undefined;
  }
}
