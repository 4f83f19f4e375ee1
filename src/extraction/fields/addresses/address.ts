import type { ConceptId } from "../../lexicon/concepts.ts";
import type { Entity } from "../../entities/entity.ts";
import { piecesBefore } from "./lines.ts";
import { firmOf, nameCore } from "./name.ts";
import { hasPostcode, inCompany, isAddress } from "./places.ts";
import type { Segment } from "../../layout/layout.ts";
import { labelOf } from "../labels/line-label.ts";
import { entitiesOfType, type Annotations, type LocatedEntity } from "../labels/annotations.ts";
import { indexAt, lineBelow } from "../../layout/page-index.ts";
import { joinedSpan, coverage, trimmedSpan, type TextSpan } from "../../layout/text-span.ts";
import { distances, scores } from "../scores.ts";

/**
 * A place with the street and the name of who is there, usually a company. Both are printed above the place, before it
 * on its line, or in neighbouring fields; the street may also follow the place.
 */
export interface Address {
  place: LocatedEntity<"Place">;
  name?: TextSpan;
  /** Whether the name was recognised as a company. */
  named: boolean;
  street?: TextSpan;
  /** The name if there is one, otherwise the street, otherwise the place. */
  first: TextSpan;
  segments: Segment[];
}

/**
 * Countries of North America. In their documents, a place elsewhere needs a higher score, because a number before a
 * street looks like a European postal code ("1440 Newtown Pike").
 */
const overThere: ReadonlySet<string> = new Set(["US", "CA", "MX"]);

/** Finds all addresses of the document, in reading order. */
export function addressesOf(annotations: Annotations, countries: readonly string[]): Address[] {
  const places = placesIn(annotations, countries);
  const withPostalCode = places.filter(({ entity }) => entity.value.postalCode);
  return places
    .filter((place) => isAddress(annotations, place, withPostalCode))
    .map((place) => composed(annotations, place, piecesBefore(annotations, place)));
}

/** Finds the places that are too uncertain to be addresses by themselves, but may be stops in a sequence of stops. */
export function uncertainAddresses(
  annotations: Annotations,
  countries: readonly string[],
  addresses: readonly Address[],
): Address[] {
  const known = new Set(addresses.map(({ place }) => place.entity));
  const isPartOfAddress = ({ segment, entity }: LocatedEntity<"Place">) =>
    addresses.some(
      ({ place }) =>
        place.segment === segment &&
        place.entity.start < entity.end &&
        /^[\s,;/(–-]*$/u.test(segment.text.slice(place.entity.end, entity.start)),
    );
  return placesIn(annotations, countries)
    .filter(
      (place) =>
        !known.has(place.entity) &&
        place.entity.score >= scores.address.uncertain &&
        !isPartOfAddress(place) &&
        !inStreet(annotations, place) &&
        !inCompany(annotations, place),
    )
    .map((place) => composed(annotations, place, piecesBefore(annotations, place)));
}

function placesIn(annotations: Annotations, countries: readonly string[]): LocatedEntity<"Place">[] {
  const american = countries[0] === "US" || countries[0] === "CA";
  return entitiesOfType(annotations, "Place").filter(
    (place) =>
      !american ||
      (!inStreet(annotations, place) &&
        (overThere.has(place.entity.value.country ?? "US") || place.entity.score >= scores.address.placeAbroad)),
  );
}

/** Whether the place is part of a street: "16900 Commerce Dr" is not a place in Commerce. */
function inStreet({ entitiesIn }: Annotations, { segment, entity }: LocatedEntity<"Place">): boolean {
  return (entitiesIn[segment.index] ?? []).some(
    ({ type, score, start, end }) =>
      type === "Street" && score >= scores.address.street.withNumber && start <= entity.start && end > entity.end,
  );
}

function composed(annotations: Annotations, place: LocatedEntity<"Place">, spans: readonly TextSpan[]): Address {
  const has = (span: TextSpan, type: "Company" | "Street") =>
    (annotations.entitiesIn[span.segment.index] ?? []).some(
      (entity) =>
        entity.type === type &&
        coverage(entity, span) > scores.address.covered &&
        entity.score >= scores.address.name.above,
    );
  const company = spans.findLast((span) => has(span, "Company"));
  const labelled = (span: TextSpan, concept: ConceptId) =>
    labelOf(annotations, span.segment, span.start)?.meanings.some((each) => each.concept === concept) ?? false;
  const rest = spans
    .filter((span) => !["city", "postalCode", "country"].some((concept) => labelled(span, concept as ConceptId)))
    .filter((span) => span !== company && (!company || span.segment !== company.segment || span.start > company.start));
  const settlement = rest.findIndex(({ text }) => ofSettlement.test(text));
  if (settlement >= 0) rest.splice(settlement, 1);
  const isStreet = (span: TextSpan) => has(span, "Street") || labelled(span, "street");
  const behind = rest.some(isStreet)
    ? undefined
    : (streetBehind(annotations, place) ?? streetBeside(annotations, place));
  const known = behind ? [] : streetAmong(rest, isStreet);
  const street = behind ? [behind] : known.length === 0 && company ? rest.slice(-1) : [...known];
  const plain = rest.filter((span) => !street.includes(span));
  const named = company ?? plain.find((span) => labelled(span, "companyName")) ?? plain[0];
  const name = named && (company ? firmOf(annotations, named) : named.segment.lines > 1 ? nameCore(named) : named);
  const used = [...(name ? [name] : []), ...street];
  if (name && name.segment !== street[0]?.segment) street.unshift(...linesBefore(rest, street[0]));
  const placed: TextSpan = { segment: place.segment, start: place.entity.start, end: place.entity.end, text: "" };
  return {
    place,
    name,
    named: company !== undefined,
    street: joinedSpan(street),
    first: used[0] ?? placed,
    segments: [...new Set([...used.map((span) => span.segment), place.segment])],
  };
}

/** Matches a town with its type of settlement: "м. Ковель". Before a street, it is not the name of a company. */
const ofSettlement = /^(?:м|г|смт|пгт|пос)\. ?\p{Lu}[\p{L}'’-]+$/u;

/**
 * If the name is on another line, the text before the street on its line belongs to the street: "Zone Nord, Long Road
 * 8".
 */
function linesBefore(spans: readonly TextSpan[], street: TextSpan | undefined): TextSpan[] {
  return street ? spans.filter(({ segment, start }) => segment === street.segment && start < street.start) : [];
}

/** Finds a street after the town, or at the start of the next line: "1147 Budapest, Ipari út 47.". */
function streetBehind(annotations: Annotations, { segment, entity }: LocatedEntity<"Place">): TextSpan | undefined {
  const { street } = scores.address;
  const streetAt = (line: Segment, at: number) =>
    (annotations.entitiesIn[line.index] ?? []).find(
      (other) =>
        other.type === "Street" &&
        (other.score >= street.anywhere ||
          (other.score >= street.wholeLine && /^\s*(?:$|[,;(])/u.test(line.text.slice(other.end)))) &&
        other.start >= at &&
        /^[\s,.;]*$/u.test(line.text.slice(at, other.start)),
    );
  const pieceOf = (line: Segment, found: Entity) => trimmedSpan(line, found.start, found.end);
  const own = streetAt(segment, entity.end);
  if (own) return pieceOf(segment, own);
  if (/[\p{L}\p{N}]/u.test(segment.text.slice(entity.end))) return undefined;
  const below = lineBelow(annotations, segment);
  const next = below && lineBelow(annotations, below);
  const found = below && streetAt(below, 0);
  return found && !(next && hasPostcode(annotations, next)) ? pieceOf(below, found) : undefined;
}

/** Finds a street that fills the segment to the left: "Havnegade 12 | 7680 Thyborøn". */
function streetBeside(annotations: Annotations, { segment, entity }: LocatedEntity<"Place">): TextSpan | undefined {
  if (/[\p{L}\p{N}]/u.test(segment.text.slice(0, entity.start)) || segment.cell) return undefined;
  const row = indexAt(annotations.layout, segment).rowOf(segment);
  const left = row[row.indexOf(segment) - 1];
  if (!left || segment.box.x0 - left.box.x1 > distances.streetBeside * segment.size) return undefined;
  const street = (annotations.entitiesIn[left.index] ?? []).find(
    (other) =>
      other.type === "Street" &&
      other.score >= scores.address.street.wholeLine &&
      other.start === 0 &&
      other.end === left.text.length,
  );
  return street && trimmedSpan(left, street.start, street.end);
}

function streetAmong(spans: readonly TextSpan[], known: (span: TextSpan) => boolean): TextSpan[] {
  const at = spans.findLastIndex(known);
  const from = at >= 0 ? at : spans.findLastIndex((span) => /\d/.test(span.text));
  if (from < 0) return [];
  return spans.slice(from).filter((span) => span.segment === spans[from]?.segment);
}
