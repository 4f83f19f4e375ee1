import type { ConceptId } from "../../lexicon/concepts.ts";
import type { DocumentLocale } from "../../entities/entity.ts";
import { findCodes } from "../../fields/labels/codes.ts";
import { FieldValue } from "../../fields/confidence/field-value.ts";
import { segmentsInGrids } from "../../fields/grid/grid.ts";
import type { Label } from "../../fields/labels/annotations.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import type { Segment } from "../../layout/layout.ts";

const numberConcepts: readonly ConceptId[] = [
  "invoiceNumber",
  "titleInvoice",
  "titleCreditNote",
  "titleProforma",
  "receiptNumber",
  "orderNumber",
];
const ownNumber: ReadonlySet<ConceptId> = new Set([
  "invoiceNumber",
  "titleInvoice",
  "titleCreditNote",
  "titleProforma",
]);

/** The invoice number: after its label, in the title, else the first "No." of the page. */
export function invoiceNumberIn(around: DocumentContext, seeing: DocumentLocale): FieldValue<string> | undefined {
  const aside = behindBrackets(around);
  if (aside) return aside;
  const inTable = segmentsInGrids(around, seeing);
  const codes = findCodes(around, numberConcepts)
    .filter(
      ({ label, span: piece }) =>
        !inTable.has(piece.segment) && (label.standing !== "Loose" || !around.prose.has(piece.segment)),
    )
    .map((code) => {
      const top = Math.min(0.25, (code.span.segment.row + 60 * (code.span.segment.page - 1)) / 240);
      const own = code.label.meanings.some(({ concept }) => ownNumber.has(concept)) ? 1 : 0.55;
      const bare = code.label.standing === "Head" && own < 1 && isBareNumber(code.label) && top < 0.08;
      return { ...code, score: bare ? Math.max(0.4, code.score) : code.score * (1 - top) * own };
    })
    .sort((a, b) => b.score - a.score);
  const best = codes.find(({ score }) => score >= 0.22);
  return best && new FieldValue(grown(best.span), Math.min(0.97, best.score + 0.1), best.span);
}

/** "No.:" alone, the number of what the page is about. */
function isBareNumber({ meanings }: Label): boolean {
  return meanings.every(({ weight }) => weight < 0.5);
}

const bracketed =
  /^\s*\([^)]{1,20}\)\s*(?:\p{L}{1,8}\.?\s?[°º]?|№|#)\s*:?\s*(?=[\p{L}\d/-]*\d)([\p{L}\d][\p{L}\d/._-]{2,30})/u;

/** "Invoice (copy) No. 4711": what stands in brackets behind the title is no number. */
function behindBrackets({ annotations: marks }: DocumentContext): FieldValue<string> | undefined {
  for (const { segment, end, meanings } of marks.labels) {
    if (!meanings.some(({ concept }) => ownNumber.has(concept))) continue;
    const match = bracketed.exec(segment.text.slice(end));
    const start = match?.[1] ? end + match[0].length - match[1].length : 0;
    if (match?.[1]) return new FieldValue(match[1], 0.9, { segment, start, end: start + match[1].length });
  }
  return undefined;
}

/** "4418 / 05.10.2026" is a number and a day. */
const day = /\d{1,2}[./-]\d{1,2}[./-]\d{2,4}$|^\W*\d{4}-\d\d-\d\d$/u;
const goesOn = /^ ?\/ ?[\p{L}\d][\p{L}\d/.-]*/u;

/** "118 / 2026": a number that goes on behind a stroke. */
function grown(piece: { segment: { text: string }; end: number; text: string }): string {
  const more = goesOn.exec(piece.segment.text.slice(piece.end))?.[0];
  return more && !day.test(more) ? (piece.text + more).replace(/ /gu, "") : piece.text;
}

const [topRows, sure] = [16, 0.45];
const sums: ReadonlySet<ConceptId> = new Set(["grossAmount", "amountDue", "totalPrice"]);

/**
 * Where the invoices of a file begin: pages with a new number at the top, each with a total before the next begins. A page
 * that repeats the number continues the invoice.
 */
export function invoiceStarts(around: DocumentContext): Segment[] {
  const codes = findCodes(around, ["invoiceNumber"]).filter(
    ({ label, span: piece, score }) => score >= sure && label.standing !== "Loose" && piece.segment.row <= topRows,
  );
  const seen = new Set<string>();
  const starts = around.annotations.layout.pages.flatMap(({ number, rows }) => {
    const own = codes.find(({ span: piece }) => piece.segment.page === number)?.span.text;
    const first = rows[0]?.[0];
    if (!own || !first || seen.has(own)) return [];
    seen.add(own);
    return [first];
  });
  const whole = starts.every((start, at) => hasSum(around, start.page, starts[at + 1]?.page));
  return starts.length > 1 && whole ? starts : [];
}

function hasSum({ annotations: marks }: DocumentContext, from: number, to = Number.POSITIVE_INFINITY): boolean {
  return marks.labels.some(
    ({ segment, standing, meanings }) =>
      segment.page >= from &&
      segment.page < to &&
      standing !== "Loose" &&
      meanings.some(({ concept, weight }) => sums.has(concept) && weight >= 0.8),
  );
}
