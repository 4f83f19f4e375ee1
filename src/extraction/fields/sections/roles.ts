import type { ConceptId } from "../../lexicon/concepts.ts";
import type { DocumentContext } from "../labels/values.ts";
import type { Segment } from "../../layout/layout.ts";
import type { Label, Annotations } from "../labels/annotations.ts";
import { indexAt, lineAbove } from "../../layout/page-index.ts";
import { pairedHeads, ruledBy, type Head } from "./sections.ts";

/** Subject of a section of a freight document. */
export type Role =
  | "Loading"
  | "Unloading"
  | "Customs"
  | "Stop"
  | "Customer"
  | "Carrier"
  | "Payer"
  | "Contact"
  | "Vehicle"
  | "Cargo"
  | "Price"
  | "Payment"
  | "Text";

/** Sections about a stop. */
export const stopRoles: ReadonlySet<Role> = new Set(["Loading", "Unloading", "Customs", "Stop"]);
/** Sections about a company. */
export const partyRoles: ReadonlySet<Role> = new Set(["Customer", "Carrier", "Payer"]);

/** Headings and fields that begin a section. */
export const openers: Partial<Record<ConceptId, Role>> = {
  loading: "Loading",
  loadingPlace: "Loading",
  shipper: "Loading",
  unloading: "Unloading",
  unloadingPlace: "Unloading",
  consignee: "Unloading",
  customs: "Customs",
  stop: "Stop",
  customer: "Customer",
  carrier: "Carrier",
  payer: "Payer",
};

/**
 * Fields that name the type of their stop ("Loading date"). Each begins a section, unless it is in a section of that
 * type.
 */
export const attributes: Partial<Record<ConceptId, Role>> = {
  loadingDate: "Loading",
  loadingTime: "Loading",
  loadingReference: "Loading",
  loadingContact: "Loading",
  unloadingDate: "Unloading",
  unloadingTime: "Unloading",
  unloadingReference: "Unloading",
  unloadingContact: "Unloading",
};

const closers: Partial<Record<ConceptId, Role>> = {
  driver: "Vehicle",
  vehicle: "Vehicle",
  truckPlate: "Vehicle",
  trailerPlate: "Vehicle",
  plates: "Vehicle",
  trailerType: "Vehicle",
  vehicleRequirements: "Vehicle",
  price: "Price",
  basePrice: "Price",
  totalPrice: "Price",
  paymentTerm: "Payment",
  paymentMethod: "Payment",
  invoiceEmail: "Payment",
  requiredDocuments: "Payment",
  terms: "Text",
  penalties: "Text",
  driverInstructions: "Text",
  signature: "Contact",
};

const standing = { Head: 1, Lead: 0.85, Inline: 0.7, Tail: 0.6, Loose: 0.2 };
const least = 0.4;

/** Returns the heading that applies to a position. */
export type Ruling = (segment: Segment, at: number) => Head<Role> | undefined;

/** The headings of the document and their scopes. */
export interface Sections {
  heads: Head<Role>[];
  ruling: Ruling;
  /** Like `ruling`, but uses only the headings of companies and stops. */
  partyRuling: Ruling;
}

/** Rules that decide which words count as headings; see {@link sectionsOf}. */
export type Manner = "Strict" | "Loose" | "Paired";

/**
 * Finds the sections of a document. `Loose` also accepts words in running text as headings, for letters without
 * headings. `Paired` accepts short words such as "from" and "to" if both are headings.
 */
export function sectionsOf(document: DocumentContext, manner: Manner = "Strict"): Sections {
  const loose = manner === "Loose";
  const paired = manner === "Paired" ? pairedHeads(document.annotations) : [];
  const all = onlyOneWay(document, [
    ...paired,
    ...document.annotations.labels.flatMap((label) =>
      paired.some((head) => head.label === label)
        ? []
        : (headOf(document, label, openers, loose) ??
          headOf(document, label, closers, false) ??
          contactHead(label) ??
          []),
    ),
  ]);
  const fields = document.annotations.labels.flatMap((label) => headOf(document, label, attributes, loose) ?? []);
  const heads = withFields(all, fields);
  heads.sort((a, b) => a.label.index - b.label.index);
  if (loose) sentenceWise(document.annotations, heads);
  return {
    heads,
    ruling: byStopInRow(document, byRowLabel(document, byLastInMargin(heads, ruledBy(heads)))),
    partyRuling: ruledBy(heads.filter(({ role }) => partyRoles.has(role) || stopRoles.has(role))),
  };
}

/**
 * Adds each field that is not in a section of its type ("Unloading date" below "Loading"). An added field begins a
 * section.
 */
function withFields(openers: readonly Head<Role>[], fields: readonly Head<Role>[]): Head<Role>[] {
  const opening = ruledBy(openers);
  const heads = [...openers];
  if (fields.length > mostFields) return [...heads, ...fields.filter((field) => !insideItsKind(field, opening))];
  let ruling = opening;
  for (const field of fields) {
    if (insideItsKind(field, opening) && insideItsKind(field, ruling)) continue;
    heads.push(field);
    ruling = ruledBy(heads);
  }
  return heads;
}

/** If there are more fields, they are not compared with each other, because that takes quadratic time. */
const mostFields = 300;

/**
 * In a letter, the first word for a stop also applies to the text before it in its clause: "On Monday we load in …".
 */
function sentenceWise(annotations: Annotations, heads: Head<Role>[]): void {
  for (const [at, head] of heads.entries()) {
    const { segment, end, standing: stands } = head.label;
    const before = heads[at - 1]?.label;
    const begin = clauseStart(annotations, head.label);
    const first = before?.segment !== segment || before.end <= begin;
    if (stopRoles.has(head.role) && stands === "Loose" && first && begin < end) head.from = begin;
  }
}

const fullStop = /(?:\p{L}{3}|\d|\))["'»”]?[.!?]\s+(?=\p{Lu})|\p{L}:\s/gu;

/**
 * Returns the start of the clause that contains a word for a stop: the start of its sentence. In "Load in 12345 Ulm,
 * unload in 67890 Kiel", the clause of "unload" begins after "Ulm", because the address of "unload" follows it.
 */
function clauseStart({ entitiesIn }: Annotations, { segment, start, end }: Label): number {
  const stops = [...segment.text.matchAll(fullStop)].map((match) => match.index + match[0].length);
  const from = Math.max(0, ...stops.filter((stop) => stop <= start));
  const to = Math.min(segment.text.length, ...stops.filter((stop) => stop >= end));
  const addresses = (entitiesIn[segment.index] ?? []).filter(
    (entity) =>
      entity.type === "Place" &&
      entity.value.postalCode &&
      entity.value.city &&
      entity.start >= from &&
      entity.end <= to,
  );
  const ownFollows = addresses.some((entity) => entity.start >= end);
  return ownFollows
    ? Math.max(from, ...addresses.filter((entity) => entity.end <= start).map((entity) => entity.end))
    : from;
}

/**
 * In the row "Address: 12345 Ulm" below the field "Plate", the address belongs to the section of "Address", not of
 * "Plate". Other text far below a field belongs to the section of the text to its left or above.
 */
function byRowLabel({ annotations }: DocumentContext, ruling: Ruling): Ruling {
  return (segment, at) => {
    const head = ruling(segment, at);
    if (!head?.narrow || (head.label.segment.row === segment.row && head.label.segment.page === segment.page))
      return head;
    const label = labelToTheLeft(annotations, segment);
    return label ? ruling(label.segment, label.start) : (rulerOfFarText(annotations, segment, ruling, head) ?? head);
  };
}

/**
 * Text below "Loading date" belongs to "Unloading" if that heading is printed between them, to the left of the text.
 */
function byLastInMargin(heads: readonly Head<Role>[], ruling: Ruling): Ruling {
  const stops = heads.filter(({ role, narrow, label }) => stopRoles.has(role) && !narrow && label.standing === "Head");
  const onRow = Map.groupBy(stops, ({ label: { segment } }) => `${segment.page}/${segment.row}`);
  return (segment, at) => {
    const head = ruling(segment, at);
    if (!head?.narrow || !stopRoles.has(head.role) || head.label.segment === segment) return head;
    const { page, row } = head.label.segment;
    for (let at = segment.row; at > row && segment.page === page; at--) {
      const later = onRow.get(`${page}/${at}`)?.findLast(({ label }) => label.segment.box.x1 < segment.box.x0);
      if (later) return later;
    }
    return head;
  };
}

/**
 * In the row "Loading: 26.11. 7:00   Mill Ltd, Long Road 2, 12345 Town" below "Carrier: Hill Ltd", the address belongs
 * to "Loading", not to "Carrier".
 */
function byStopInRow({ annotations }: DocumentContext, ruling: Ruling): Ruling {
  return (segment, at) => {
    const head = ruling(segment, at);
    if (!head || !partyRoles.has(head.role) || head.label.segment.row === segment.row || segment.cell) return head;
    if (!holdsAddress(annotations, segment) || head.label.segment.text.length - head.label.end < 4) return head;
    const row = indexAt(annotations.layout, segment).rowOf(segment);
    const left = row[row.indexOf(segment) - 1];
    const beside = left && ruling(left, left.text.length);
    const waits =
      left && beside?.label.segment === left && stopRoles.has(beside.role) && !holdsAddress(annotations, left);
    return waits ? beside : head;
  };
}

const holdsAddress = ({ entitiesIn }: Annotations, { index }: Segment): boolean =>
  (entitiesIn[index] ?? []).some(
    (entity) => entity.type === "Place" && entity.value.postalCode !== undefined && entity.score >= 0.5,
  );

/**
 * A text further below a field than `farBelow`, in letter heights, is not the value of the field. `mostLines`: maximum
 * number of lines that are searched for its heading.
 */
const [farBelow, mostLines] = [2.5, 6];

function rulerOfFarText(
  annotations: Annotations,
  segment: Segment,
  ruling: Ruling,
  { label }: Head<Role>,
): Head<Role> | undefined {
  const { page, lane, box } = label.segment;
  const inLane = lane !== undefined && lane.x0 === segment.lane?.x0;
  if (inLane || (segment.page === page && segment.box.y0 - box.y1 < farBelow * segment.size)) return undefined;
  let line: Segment | undefined = segment;
  for (let steps = 0; line && steps < mostLines; steps++) {
    const row = indexAt(annotations.layout, line).rowOf(line);
    line = row[row.indexOf(line) - 1] ?? lineAbove(annotations, line);
    const head = line && ruling(line, line.text.length);
    if (head && !head.narrow) return head;
  }
  return undefined;
}

function labelToTheLeft({ layout, labelsIn }: Annotations, segment: Segment): Label | undefined {
  const row = indexAt(layout, segment).rowOf(segment);
  const left = row.slice(0, row.indexOf(segment)).toReversed();
  return left.flatMap(
    (other) =>
      (labelsIn[other.index] ?? []).findLast(
        (label) => label.standing === "Head" && !/[\p{L}\p{N}]/u.test(other.text.slice(label.end)),
      ) ?? [],
  )[0];
}

/**
 * Removes ambiguous headings: loading and unloading if both are in one text without values, as in "Collections and
 * deliveries" above a table; and "Stop" next to one of them, as in "Stop 1 - Pickup".
 */
function onlyOneWay(document: DocumentContext, heads: Head<Role>[]): Head<Role>[] {
  const kinds = new Map<Segment, Set<Role>>();
  for (const { role, label } of heads) {
    if (stopRoles.has(role) && role !== "Stop")
      kinds.set(label.segment, (kinds.get(label.segment) ?? new Set()).add(role));
  }
  return heads.filter(({ role, label: { segment } }) => {
    const kindCount = kinds.get(segment)?.size ?? 0;
    if (role === "Stop" && kindCount > 0) return false;
    return (
      kindCount < 2 ||
      (document.annotations.entitiesIn[segment.index] ?? []).some(
        (entity) => entity.score >= 0.5 && entity.type !== "Street",
      )
    );
  });
}

function headOf(
  document: DocumentContext,
  label: Label,
  roles: Partial<Record<ConceptId, Role>>,
  loose: boolean,
): Head<Role> | undefined {
  const [best] = [...label.meanings].sort((a, b) => b.weight - a.weight).filter((each) => roles[each.concept]);
  const role = best && roles[best.concept];
  if (!best || !role || (roles === closers && (label.standing === "Tail" || hasLikelierMeaning(label, best.weight))))
    return undefined;
  if (partyRoles.has(role) && partOfTitle(document.annotations, label)) return undefined;
  const inProse = document.prose.has(label.segment) && label.standing !== "Head" && !loose ? 0.4 : 1;
  const weight =
    best.weight *
    (loose && label.standing === "Loose" ? 0.6 : standing[label.standing]) *
    inProse *
    leading(document, label, role);
  return weight >= least
    ? {
        role,
        label,
        weight,
        narrow: roles === attributes ? tellsNumber(label) : roles === closers && !signsLetter(label, role),
        alone: isAlone(document.annotations, label.segment),
      }
    : undefined;
}

/**
 * Whether the label is a greeting that precedes a signature. In the first rows, a greeting begins the letter instead.
 */
const signsLetter = ({ segment }: Label, role: Role): boolean => role === "Contact" && segment.row >= firstSigning;
const firstSigning = 3;

/**
 * Whether the label is for a number that follows it ("Loading ref.: 4711"). Such a label does not apply to other lines.
 */
function tellsNumber({ segment, end, meanings }: Label): boolean {
  const numbers = meanings.some(({ concept }) => concept === "loadingReference" || concept === "unloadingReference");
  return numbers && /\d{3}/u.test(segment.text.slice(end));
}

const titles: ReadonlySet<ConceptId> = new Set(["titleTransportOrder", "orderNumber"]);

/** Whether the label is part of a title and not a company: "Carrier load confirmation", "Subcontractor order". */
function partOfTitle({ labelsIn }: Annotations, { segment, end }: Label): boolean {
  return (labelsIn[segment.index] ?? []).some(
    (other) =>
      other.start > end - 1 &&
      segment.text.slice(end, other.start) === " " &&
      other.meanings.some(({ concept, weight }) => titles.has(concept) && weight >= 0.5),
  );
}

function isAlone({ layout }: Annotations, segment: Segment): boolean {
  const { band, lane } = segment;
  if (!band || !lane) return false;
  const inCell = indexAt(layout, segment)
    .between(band.y0, band.y1)
    .filter((other) => other.band?.y0 === band.y0 && other.lane?.x0 === lane.x0);
  return inCell.length === 1;
}

function hasLikelierMeaning(label: Label, weight: number): boolean {
  return label.meanings.some((each) => each.weight * 0.75 > weight);
}

/**
 * Returns the factor for the weight of a label at the start of a line without a colon. The factor is lower if no value
 * follows: "Station Approach" is not a stop.
 */
function leading(document: DocumentContext, { standing: stands, segment, end, number }: Label, role: Role): number {
  if (stands !== "Lead" || number !== undefined) return 1;
  const rest = segment.text.slice(end).trim();
  const follows = (document.annotations.entitiesIn[segment.index] ?? []).some(
    (entity) => entity.start >= end && entity.start - end < 30 && entity.score >= 0.4,
  );
  const labelled = (document.annotations.labelsIn[segment.index] ?? []).some(
    (label) => label.start >= end && label.start - end < 8,
  );
  if (role === "Stop") return 0.4;
  if (role === "Contact") return 1;
  if (follows || labelled || rest === "") return 1;
  return rest.split(" ").length <= 2 ? 0.75 : 0.45;
}

/**
 * Finds the heading of a contact box: "Contact" alone on its line. "Contact: Jan Nowak" belongs to the surrounding
 * party.
 */
function contactHead(label: Label): Head<Role> | undefined {
  const contact = label.meanings.find((each) => each.concept === "contactPerson" && each.weight >= 0.6);
  const ends = label.standing !== "Loose" && !/[\p{L}\p{N}]/u.test(label.segment.text.slice(label.end));
  const alone = ends && !label.segment.text.includes(":") && label.segment.text.length < 40;
  return contact && alone ? { role: "Contact", label, weight: contact.weight, narrow: true } : undefined;
}

function insideItsKind(field: Head<Role>, ruling: Ruling): boolean {
  const ruler = ruling(field.label.segment, field.label.start);
  return ruler?.role === field.role || (ruler?.role === "Stop" && !tellsWay(ruler)) || ruler?.role === "Customs";
}

/** Whether the label is followed by a whole route rather than one stop: "Route: Luzk - Wroclaw". */
const tellsWay = ({ label: { segment, end, number } }: Head<Role>): boolean =>
  number === undefined && /\p{L}\)? ?(?:[-–—→>]+|\/) ?\p{Lu}/u.test(segment.text.slice(end));
