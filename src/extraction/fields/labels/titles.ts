import type { ConceptId } from "../../lexicon/concepts.ts";
import { findLabels, type LabelMatch } from "../../lexicon/lexicon.ts";
import type { Label } from "./annotations.ts";
import type { DocumentContext } from "./values.ts";

/** Titles of documents that mention a transport but neither order nor request it. */
export const titlesOfBills: readonly ConceptId[] = [
  "titleInvoice",
  "titleCreditNote",
  "titleFine",
  "titleInsurance",
  "titleReceipt",
  "titleFuelStatement",
];

/**
 * Number of rows of the second page that may contain a title, because the first page may be a cover page. Headings
 * further down belong to clauses.
 */
const firstRows = 4;

/**
 * Whether one of these concepts is a title in the upper part of the first page, or in the first rows of the second.
 * "invoice to x@…" is not a title.
 */
export function titled(document: DocumentContext, concepts: readonly ConceptId[]): boolean {
  return document.annotations.labels.some((label) => {
    const height = document.annotations.layout.pages[label.segment.page - 1]?.height ?? 842;
    const { page, row, box } = label.segment;
    const onTop = page === 1 ? row < 12 || box.y0 < height * 0.35 : page === 2 && row < firstRows;
    return (
      onTop &&
      label.standing !== "Loose" &&
      !document.prose.has(label.segment) &&
      !document.annotations.entitiesIn[label.segment.index]?.some(({ type }) => type === "Email") &&
      [...label.meanings, ...titleIn(label)].some((each) => concepts.includes(each.concept) && each.weight >= 0.6)
    );
  });
}

/** Finds titles within the label of an order number: "Loading order no.". */
function titleIn({ segment, start, end, meanings }: Label): LabelMatch[] {
  if (!meanings.some(({ concept }) => concept === "orderNumber")) return [];
  return findLabels(segment.text.slice(start, end).split(/[\s.:-](?=\P{L}*\p{L}{1,3}\P{L}*$)/u)[0] ?? "");
}
