import type { ConceptId } from "../../lexicon/concepts.ts";
import { codesFor } from "../../fields/labels/codes.ts";
import type { Segment } from "../../layout/layout.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";

const [topRows, sure] = [16, 0.45];
const sums: ReadonlySet<ConceptId> = new Set(["grossAmount", "amountDue", "totalPrice"]);

/**
 * Where the invoices of a file begin: pages with a number in their head that no page before has, each with a sum of its own
 * before the next. A second page that repeats its number goes on.
 */
export function invoiceStarts(around: DocumentContext): Segment[] {
  const codes = codesFor(around, ["invoiceNumber"]).filter(
    ({ label, piece, score }) => score >= sure && label.standing !== "Loose" && piece.segment.row <= topRows,
  );
  const seen = new Set<string>();
  const starts = around.marks.layout.pages.flatMap(({ number, rows }) => {
    const own = codes.find(({ piece }) => piece.segment.page === number)?.piece.text;
    const first = rows[0]?.[0];
    if (!own || !first || seen.has(own)) return [];
    seen.add(own);
    return [first];
  });
  const whole = starts.every((start, at) => hasSum(around, start.page, starts[at + 1]?.page));
  return starts.length > 1 && whole ? starts : [];
}

function hasSum({ marks }: DocumentContext, from: number, to = Number.POSITIVE_INFINITY): boolean {
  return marks.labels.some(
    ({ segment, standing, meanings }) =>
      segment.page >= from &&
      segment.page < to &&
      standing !== "Loose" &&
      meanings.some(({ concept, weight }) => sums.has(concept) && weight >= 0.8),
  );
}
