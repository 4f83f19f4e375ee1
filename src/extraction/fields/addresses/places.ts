import { conceptOf, type ConceptId } from "../../lexicon/concepts.ts";
import { horizontalOverlap } from "../../document/geometry.ts";
import type { Segment } from "../../layout/layout.ts";
import { labelOf, tells } from "../labels/line-label.ts";
import type { Annotations, LocatedEntity } from "../labels/annotations.ts";
import { lineAbove } from "../../layout/page-index.ts";
import { scores } from "../scores.ts";

const least = scores.address;

/**
 * Whether a place is an address. A place with a postal code must have a sufficient score. A town without a postal code
 * must also have a label or a street, and no place in `withPostalCode` may be near.
 */
export function isAddress(
  annotations: Annotations,
  place: LocatedEntity<"Place">,
  withPostalCode: readonly LocatedEntity<"Place">[],
): boolean {
  if (numbered(annotations, place)) return false;
  if (/\d(?:[.;:!?]\s|\/)/u.test(place.segment.text.slice(place.entity.start, place.entity.end))) return false;
  const { postalCode, city, normalizedCity, region } = place.entity.value;
  const known = city && (normalizedCity ?? region) !== undefined;
  const { score } = place.entity;
  if (postalCode && !city) return score >= least.codeAlone || saysCode(annotations, place);
  if (postalCode)
    return (
      score >= (known ? least.place.known : least.place.unknown) ||
      (score >= least.place.behindStreet && behindStreet(annotations, place))
    );
  if (!city || score < least.town || inCompany(annotations, place)) return false;
  const label = labelOf(annotations, place.segment, place.entity.start);
  const headed = label !== undefined && label.segment.row === place.segment.row && tells(label, partyConcepts);
  const near = withPostalCode.some(
    (other) =>
      other !== place &&
      other.segment.page === place.segment.page &&
      !(headed && other.segment.row !== place.segment.row) &&
      Math.abs(other.segment.row - place.segment.row) <= 2 &&
      (horizontalOverlap(other.segment.box, place.segment.box) > least.overlap || other.segment === place.segment),
  );
  return !near && (label !== undefined || behindStreet(annotations, place));
}

/** Labels that begin a company's line. A town on this line belongs to the company, even if other places are near. */
const partyConcepts: ReadonlySet<ConceptId> = new Set(["customer", "carrier", "payer"]);

/** Whether the place is part of a company name: "Delta Trucks Ltd" is not a place in Delta. */
export function inCompany(annotations: Annotations, { segment, entity }: LocatedEntity<"Place">): boolean {
  return (annotations.entitiesIn[segment.index] ?? []).some(
    (other) => other.type === "Company" && other.start <= entity.start && other.end >= entity.end,
  );
}

/** Whether a label for numbers precedes the place. After it, "ORD 90117" is a number, not a place. */
function numbered(annotations: Annotations, { segment, entity }: LocatedEntity<"Place">): boolean {
  const beside = (annotations.labelsIn[segment.index] ?? []).find(
    ({ start, end }) => start <= entity.start && entity.start - end < 3 && entity.start >= end,
  );
  const label =
    beside && /^[.:# ]{0,3}$/u.test(segment.text.slice(beside.end, entity.start))
      ? beside
      : labelOf(annotations, segment, entity.start);
  const near = label && (label.segment !== segment || entity.start - label.end < 5);
  return (
    near !== undefined &&
    near &&
    label.meanings.every((each) => codes.has(conceptOf(each.concept).expects[0] ?? "Text"))
  );
}

const codes: ReadonlySet<string> = new Set(["Reference", "Phone", "Vat", "Iban", "Plate", "Container"]);

/** A place after a street, or below a line that ends in a street, is an address even if it is not in the gazetteer. */
function behindStreet(annotations: Annotations, { segment, entity }: LocatedEntity<"Place">): boolean {
  const streets = (line: Segment) =>
    (annotations.entitiesIn[line.index] ?? []).filter(
      (other) =>
        other.type === "Street" &&
        (other.score >= least.street.anywhere || (other.score >= least.street.wholeLine && other.start === 0)),
    );
  if (streets(segment).some((street) => street.end <= entity.start && entity.start - street.end < 6)) return true;
  const above = entity.start < 6 ? lineAbove(annotations, segment) : undefined;
  return above !== undefined && streets(above).some((street) => street.end >= above.text.length - 2);
}

function saysCode(annotations: Annotations, { segment, entity }: LocatedEntity<"Place">): boolean {
  return labelOf(annotations, segment, entity.start)?.meanings.some((each) => each.concept === "postalCode") ?? false;
}

/** Whether the line has a place with postal code and town, and therefore its own address. */
export function hasPostcode(annotations: Annotations, segment: Segment): boolean {
  return (annotations.entitiesIn[segment.index] ?? []).some(
    (entity) =>
      entity.type === "Place" &&
      entity.value.postalCode !== undefined &&
      entity.value.city !== undefined &&
      entity.score >= least.otherPlace,
  );
}
