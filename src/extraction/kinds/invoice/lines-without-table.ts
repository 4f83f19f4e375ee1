import type { ConceptId } from "../../lexicon/concepts.ts";
import type { DocumentLocale } from "../../entities/entity.ts";
import { FieldValue, type FieldValues } from "../../fields/confidence/field-value.ts";
import type { Segment } from "../../layout/layout.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import { cent } from "../checks.ts";
import { segmentValue } from "../field-values.ts";
import { scores } from "./scores.ts";
import { figuresOfRow, figureValue, isProduct, type RowFigure } from "./vat-shares.ts";
import type { InvoiceLine } from "./view.ts";
import type { Totals } from "./totals.ts";

type LineDraft = NonNullable<FieldValues<InvoiceLine>>;

/** A printed row that ends with an amount, such as "Transport Lyon – Turin   780,00". */
interface PaidRow {
  row: readonly Segment[];
  figures: RowFigure[];
  sum: RowFigure;
  /** Rows of text below that continue the description. */
  more: Segment[];
}

/** Labels of the totals below the lines. */
export const sums: ReadonlySet<ConceptId> = new Set([
  "totalPrice",
  "netAmount",
  "grossAmount",
  "vatAmount",
  "vatRate",
  "amountDue",
  "prepaidAmount",
]);
const fields: ReadonlySet<ConceptId> = new Set([
  "paymentTerm",
  "paymentMethod",
  "dueDate",
  "bankAccount",
  "vatNumber",
  "invoiceNumber",
  "invoiceDate",
  "registrationNumber",
]);
const maxRows = 40;

/**
 * Finds the lines of an invoice without a table: rows above the totals, each of which ends with an amount. The last
 * rows are taken, as many as add up to the net amount or the gross amount.
 */
export function linesWithoutTable(document: DocumentContext, context: DocumentLocale, totals: Totals): LineDraft[] {
  const whole = [totals.netAmount, totals.grossAmount].flatMap((sum) => sum?.value ?? []);
  if (whole.length === 0) return [];
  for (const { rows } of document.annotations.layout.pages) {
    const paid = paidRows(document, context, rows);
    for (let from = paid.length - 1; from >= 0; from--) {
      const lines = paid.slice(from);
      const sum = lines.reduce((total, { sum: { values } }) => total + (values[0] ?? 0), 0);
      if (whole.some((each) => Math.abs(each - sum) <= cent)) return lines.map(lineOf);
    }
  }
  return [];
}

/**
 * Finds an invoice line that is printed outside the table.
 * @param sum the part of the net amount that is missing from the table; it must be the only number of the row
 */
export function lineOfAmount(document: DocumentContext, context: DocumentLocale, sum: number): LineDraft | undefined {
  for (const { rows } of document.annotations.layout.pages) {
    const row = paidRows(document, context, rows).find(
      ({ sum: { values }, figures }) => figures.length === 1 && Math.abs((values[0] ?? 0) - sum) <= cent,
    );
    if (row) return lineOf(row);
  }
  return undefined;
}

function paidRows(document: DocumentContext, context: DocumentLocale, rows: readonly Segment[][]): PaidRow[] {
  const paid: PaidRow[] = [];
  let below: number | undefined;
  for (const row of rows) {
    if (paid.length > 0 && opensWith(document, row, sums)) break;
    if (paid.length >= maxRows) break;
    const figures = figuresOfRow(row, context).filter(({ percent }) => !percent);
    const sum = figures.at(-1);
    const last = row.at(-1);
    const [first] = row;
    if (!first || !last || row.some((segment) => document.prose.has(segment))) continue;
    const worded = /\p{L}{3}/u.test(
      row
        .map(({ text }) => text)
        .join(" ")
        .slice(0, 60),
    );
    if (
      sum?.cents &&
      sum.segment === last &&
      endsThere(sum) &&
      worded &&
      !opensWith(document, row, labelsOutsideLines(paid))
    ) {
      paid.push({ row, figures, sum, more: [] });
      below = first.row;
    } else if (
      paid.length > 0 &&
      below !== undefined &&
      first.row === below + 1 &&
      row.length === 1 &&
      !isField(document, row)
    ) {
      paid.at(-1)?.more.push(first);
      below = first.row;
    }
  }
  return paid;
}

/** Labels with which no invoice line begins. After the first line, a label of a total ends the list. */
const labelsOutsideLines = (paidRows: readonly PaidRow[]): ReadonlySet<ConceptId> =>
  paidRows.length > 0 ? fields : new Set([...sums, ...fields]);

/** Text that may follow the amount: a currency, or the letter of a tax rate. */
const afterAmount = /^\s*(?:\p{L}{3}|€|£|zł|kč|ft|lei|kr\.?|\p{Lu})?\.?\s*$/iu;
const endsThere = ({ segment, end }: RowFigure): boolean => afterAmount.test(segment.text.slice(end));

const isField = (document: DocumentContext, row: readonly Segment[]): boolean =>
  opensWith(document, row, new Set([...sums, ...fields])) || /:\s*$/u.test(row.at(-1)?.text ?? "");

function opensWith(document: DocumentContext, row: readonly Segment[], concepts: ReadonlySet<ConceptId>): boolean {
  return row.some(({ index }) =>
    (document.annotations.labelsIn[index] ?? []).some(
      ({ standing, start, meanings }) =>
        (standing === "Head" || (standing === "Lead" && start <= 2)) &&
        meanings.some(({ concept, weight }) => concepts.has(concept) && weight >= scores.label.field),
    ),
  );
}

function lineOf({ row, figures, sum, more }: PaidRow): LineDraft {
  const net = sum.values[0] ?? 0;
  const counted = productIn(figures, sum, net);
  const description = wordsOf(row, counted?.quantity ?? sum, more);
  const unit = counted && unitBehind(counted.quantity);
  return {
    ...(description && { description }),
    ...(unit && { unit }),
    ...(counted && {
      quantity: figureValue(counted.quantity, counted.count, scores.lineWithoutTable),
      unitPrice: figureValue(counted.price, counted.each, scores.lineWithoutTable),
    }),
    netAmount: figureValue(sum, net, scores.lineWithoutTable),
  };
}

const unitWord = /^\s?(\p{L}{1,8}\.?)(?=\s*(?:[x×*@à·]|á\s|$|\s\p{P}?[\d€$£]))/iu;
const timesAlone = /^[x×à]$/iu;

/** Finds the unit in "2 h × 42,00". */
function unitBehind({ segment, end }: RowFigure): FieldValue<string> | undefined {
  const match = unitWord.exec(segment.text.slice(end));
  const unit = match?.[1];
  if (!match || !unit || timesAlone.test(unit)) return undefined;
  const start = end + match[0].indexOf(unit);
  return new FieldValue(unit, scores.unit.behindQuantity, { segment, start, end: start + unit.length });
}

interface Counted {
  quantity: RowFigure;
  price: RowFigure;
  count: number;
  each: number;
}

function productIn(figures: readonly RowFigure[], sum: RowFigure, net: number): Counted | undefined {
  const before = figures.slice(0, figures.indexOf(sum));
  for (const [at, price] of [...before.entries()].toReversed()) {
    for (const quantity of before.slice(0, at).toReversed())
      for (const count of quantity.values)
        for (const each of price.values)
          if (price.cents && isProduct(count * each, net)) return { quantity, price, count, each };
  }
  return undefined;
}

function wordsOf(row: readonly Segment[], upTo: RowFigure, more: readonly Segment[]): FieldValue<string> | undefined {
  const pieces = row.slice(0, row.indexOf(upTo.segment) + 1).flatMap((segment) => {
    const text = (segment === upTo.segment ? segment.text.slice(0, upTo.start) : segment.text).trim();
    return /\p{L}{2}/u.test(text) && !/^(?:\p{Lu}{3}|€)$/u.test(text) ? [{ segment, text }] : [];
  });
  const [first] = pieces;
  if (!first) return undefined;
  const words = [...pieces.map(({ text }) => text), ...more.map(({ text }) => text.trim())].join(" ");
  const text = words
    .replace(/^\d{1,2}[.)]?\s+(?=\p{L})/u, "")
    .replace(/[\s.:…-]+$/u, "")
    .replace(/\s+/gu, " ");
  return segmentValue(text, first.segment, scores.description.withoutTable);
}
