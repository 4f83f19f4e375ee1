import type { ConceptId } from "../../lexicon/concepts.ts";
import type { Segment } from "../../layout/layout.ts";
import type { Label, Annotations } from "./annotations.ts";
import { indexAt } from "../../layout/page-index.ts";

/** Labels of address parts. */
export const addressConcepts: ReadonlySet<ConceptId> = new Set([
  "address",
  "street",
  "postalCode",
  "city",
  "place",
  "country",
  "loadingPlace",
  "unloadingPlace",
]);

/** Labels whose value is a name. */
export const nameConcepts: ReadonlySet<ConceptId> = new Set([
  "companyName",
  "shipper",
  "consignee",
  "customer",
  "carrier",
  "payer",
  "loading",
  "unloading",
  "stop",
  "customs",
]);

const streetWords: ReadonlySet<ConceptId> = new Set(["street", "place", "city", "stop", "customs"]);

const codeConcepts: ReadonlySet<ConceptId> = new Set([
  "orderDate",
  "dueDate",
  "terminalSlot",
  "vatNumber",
  "phone",
  "mobile",
  "fax",
  "email",
  "website",
  "invoiceEmail",
  "registrationNumber",
]);

/**
 * Returns the label of the text at an offset: a label before it in its segment, or one that is alone in a segment to
 * its left.
 */
export function labelOf(annotations: Annotations, segment: Segment, before: number): Label | undefined {
  const own = (annotations.labelsIn[segment.index] ?? []).findLast((label) => label.end <= before && opensValue(label));
  if (own) return own;
  const row = indexAt(annotations.layout, segment).rowOf(segment);
  const left = row.slice(0, row.indexOf(segment)).toReversed();
  const near = segment.cell
    ? left.filter((other) => other.cell?.table === segment.cell?.table && other.cell?.row === segment.cell?.row)
    : left.slice(0, 1);
  return near.flatMap(
    (other) =>
      (annotations.labelsIn[other.index] ?? []).findLast(
        (label) => label.standing !== "Loose" && !/[\p{L}\p{N}]/u.test(other.text.slice(label.end)),
      ) ?? [],
  )[0];
}

/**
 * Whether the text after a label is its value. That is so if the label is followed by a colon or stands alone on its
 * line. Otherwise it is so only for labels of names, addresses, codes, dates and phone numbers, without words such as
 * "am" and "ul.", which may be part of an address.
 */
function opensValue(label: Label): boolean {
  if (
    label.standing === "Head" ||
    (label.standing === "Inline" && /^\s*\.?\s*[:：]/u.test(label.segment.text.slice(label.end)))
  )
    return true;
  return (
    label.standing !== "Loose" &&
    !tells(label, streetWords) &&
    (tells(label, nameConcepts) || tells(label, addressConcepts) || tells(label, codeConcepts))
  );
}

/** Whether the label means one of the concepts. */
export function tells(label: Label, concepts: ReadonlySet<ConceptId>): boolean {
  return label.meanings.some((each) => concepts.has(each.concept));
}
