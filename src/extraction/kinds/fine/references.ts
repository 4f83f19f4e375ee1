import { findCodes } from "../../fields/labels/codes.ts";
import type { FieldValue } from "../../fields/confidence/field-value.ts";
import type { Segment } from "../../layout/layout.ts";
import { indexAt } from "../../layout/page-index.ts";
import { numbersIn } from "../../fields/labels/numbered.ts";
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
  if (labelled) return withSeries(document, numberValue(document, labelled.span, labelled.score));
  const bare = numberInHead(document);
  if (bare) return bare;
  const [best] = findCodes(document, ["reference", "orderNumber", "customerReference", "invoiceNumber"]).filter(
    ({ score, label }) => score >= minGeneral && label.meanings.every((each) => each.concept !== "paymentReference"),
  );
  return best && numberValue(document, best.span, best.score);
}

const numberOfSeries = /^[\s,]*(?:nr|no|n|br|č|št|№)[.:°º]*\s*(\d{4,})(?!\d)/iu;

/** "R26 0448217" of "Series R26 no. 0448217", also if the number is in the next cell. */
function withSeries({ annotations }: DocumentContext, series: FieldValue<string>): FieldValue<string> {
  const { span, value } = series;
  if (!span || value.length > maxSeries || !/\p{Lu}/u.test(value)) return series;
  const row = indexAt(annotations.layout, span.segment).rowOf(span.segment);
  const right = row[row.indexOf(span.segment) + 1]?.text ?? "";
  const number = numberOfSeries.exec(`${span.segment.text.slice(span.end)} ${right}`)?.[1];
  return number ? series.as(`${value} ${number}`) : series;
}

const maxSeries = 6;

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
