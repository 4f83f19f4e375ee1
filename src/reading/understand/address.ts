import type { Entity } from "../see/entity.ts";
import { conceptOf, type ConceptId } from "../know/concepts.ts";
import { sharedWidth } from "./geometry.ts";
import type { Segment } from "./layout.ts";
import { sightings, type Label, type Marks, type Sighting } from "./marks.ts";
import { lineAbove, lineBelow } from "./neighbours.ts";
import { indexAt } from "./page-index.ts";

/** A stretch of a segment's text. */
export interface Piece {
  segment: Segment;
  start: number;
  end: number;
  text: string;
}

/** A place with the name and street printed with it: above it, before it on its line, or in the fields around it. */
export interface Address {
  place: Sighting<"Place">;
  name?: Piece;
  /** The name has a legal form or a label saying that it is one. */
  named: boolean;
  street?: Piece;
  /** Where its first line begins. */
  first: Piece;
  segments: Segment[];
}

const addressConcepts: ReadonlySet<ConceptId> = new Set([
  "address",
  "street",
  "postalCode",
  "city",
  "place",
  "country",
  "loadingPlace",
  "unloadingPlace",
]);
const nameConcepts: ReadonlySet<ConceptId> = new Set([
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
const foreign: ReadonlySet<Entity["type"]> = new Set([
  "Date",
  "Time",
  "Phone",
  "Email",
  "Link",
  "Vat",
  "Iban",
  "Amount",
  "Quantity",
  "Temperature",
  "Plate",
  "Container",
]);
const mostLines = 5;
/** On an American document "1440 Newtown Pike" is no Portuguese postcode. */
const overThere: ReadonlySet<string> = new Set(["US", "CA", "MX"]);

/** Every address of the document, in reading order. */
export function addressesOf(marks: Marks, countries: readonly string[]): Address[] {
  const american = countries[0] === "US" || countries[0] === "CA";
  const places = sightings(marks, "Place").filter(
    ({ entity }) => !american || overThere.has(entity.value.country ?? "US") || entity.score >= 0.9,
  );
  return places.filter((place) => isAddress(marks, place, places)).map((place) => addressAround(marks, place));
}

/** A postcode makes an address; a town alone only where no postcode stands near. */
function isAddress(marks: Marks, place: Sighting<"Place">, all: readonly Sighting<"Place">[]): boolean {
  if (numbered(marks, place)) return false;
  if (/\d(?:[.;:!?]\s|\/)/u.test(place.segment.text.slice(place.entity.start, place.entity.end))) return false;
  const { postalCode, city, normalizedCity, coordinates, region } = place.entity.value;
  const known = city && (normalizedCity ?? coordinates ?? region) !== undefined;
  if (postalCode && !city) return place.entity.score >= 0.8 || saysCode(marks, place);
  if (postalCode)
    return place.entity.score >= (known ? 0.35 : 0.5) || (place.entity.score >= 0.3 && behindStreet(marks, place));
  if (!city || place.entity.score < 0.35 || inCompany(marks, place)) return false;
  const near = all.some(
    (other) =>
      other !== place &&
      other.entity.value.postalCode &&
      other.segment.page === place.segment.page &&
      Math.abs(other.segment.row - place.segment.row) <= 2 &&
      (sharedWidth(other.segment.box, place.segment.box) > 0.2 || other.segment === place.segment),
  );
  return !near && (labelOf(marks, place.segment, place.entity.start) !== undefined || behindStreet(marks, place));
}

/** "Delta Trucks Ltd" is not in Delta. */
function inCompany(marks: Marks, { segment, entity }: Sighting<"Place">): boolean {
  return (marks.entitiesIn[segment.index] ?? []).some(
    (other) => other.type === "Company" && other.start <= entity.start && other.end >= entity.end,
  );
}

/** Behind a label for numbers, "ORD 90117" is one and no place. */
function numbered(marks: Marks, { segment, entity }: Sighting<"Place">): boolean {
  const label = labelOf(marks, segment, entity.start);
  const near = label && (label.segment !== segment || entity.start - label.end < 5);
  return (
    near !== undefined &&
    near &&
    label.meanings.every((each) => codes.has(conceptOf(each.concept).expects[0] ?? "Text"))
  );
}

const codes: ReadonlySet<string> = new Set(["Reference", "Phone", "Vat", "Iban", "Plate", "Container"]);

/** A street right before it, or on the line above: an address even where no gazetteer knows the place. */
function behindStreet(marks: Marks, { segment, entity }: Sighting<"Place">): boolean {
  const streets = (line: Segment) =>
    (marks.entitiesIn[line.index] ?? []).filter(
      (other) =>
        other.type === "Street" &&
        (other.score >= 0.6 || (other.score >= 0.4 && other.start === 0 && other.end === line.text.length)),
    );
  if (streets(segment).some((street) => street.end <= entity.start && entity.start - street.end < 6)) return true;
  const above = entity.start < 6 ? lineAbove(marks, segment) : undefined;
  return above !== undefined && streets(above).some((street) => street.end >= above.text.length - 2);
}

function saysCode(marks: Marks, { segment, entity }: Sighting<"Place">): boolean {
  return labelOf(marks, segment, entity.start)?.meanings.some((each) => each.concept === "postalCode") ?? false;
}

function addressAround(marks: Marks, place: Sighting<"Place">): Address {
  const lines: Piece[][] = [];
  let { segment } = place;
  let upTo = place.entity.start;
  for (let steps = 0; steps < mostLines; steps++) {
    const label = labelOf(marks, segment, upTo);
    if (steps > 0 && !label && segment.cell?.row !== place.segment.cell?.row) break;
    if (steps > 0 && label && !tells(label, addressConcepts) && !tells(label, nameConcepts)) break;
    const from = Math.max(
      label?.segment === segment ? label.end : 0,
      steps === 0 ? sentenceStart(marks, segment, upTo) : 0,
    );
    const pieces = piecesOf(marks, segment, from, upTo);
    if (steps > 0 && pieces.length === 0) break;
    lines.unshift(pieces);
    if (label && tells(label, nameConcepts)) break;
    if (label && !tells(label, addressConcepts) && steps === 0 && lines.flat().length > 1) break;
    if (steps === 0 && pieces.length > 1 && pieces.some((piece) => isFirm(marks, piece))) break;
    const above = lineAbove(marks, segment);
    if (!above || hasPostcode(marks, above)) break;
    segment = above;
    upTo = above.text.length;
  }
  return composed(marks, place, lines.flat());
}

function isFirm(marks: Marks, piece: Piece): boolean {
  return (marks.entitiesIn[piece.segment.index] ?? []).some(
    (entity) => entity.type === "Company" && entity.score >= 0.5 && shared(entity, piece) > 0.5,
  );
}

/** A line with an address of its own ends the lines that belong to this one. */
function hasPostcode(marks: Marks, segment: Segment): boolean {
  return (marks.entitiesIn[segment.index] ?? []).some(
    (entity) =>
      entity.type === "Place" &&
      entity.value.postalCode !== undefined &&
      entity.value.city !== undefined &&
      entity.score >= 0.7,
  );
}

/** Where the words that can belong to the address begin: behind the last date, amount, other address or full stop. */
function sentenceStart(marks: Marks, segment: Segment, upTo: number): number {
  const entities = (marks.entitiesIn[segment.index] ?? []).filter(
    (entity) => entity.end <= upTo && entity.score >= 0.5 && (foreign.has(entity.type) || entity.type === "Place"),
  );
  const stops =
    segment.lines > 1
      ? [...segment.text.slice(0, upTo).matchAll(/\p{Ll}{3}[.!?]\s+(?=\p{Lu})/gu)].map(
          (match) => match.index + match[0].length,
        )
      : [];
  return Math.max(0, ...entities.map((entity) => entity.end), ...stops);
}

function tells(label: Label, concepts: ReadonlySet<ConceptId>): boolean {
  return label.meanings.some((each) => concepts.has(each.concept));
}

/** The label that says what this line is: at its start, or alone to its left. */
export function labelOf(marks: Marks, segment: Segment, before: number): Label | undefined {
  const own = (marks.labelsIn[segment.index] ?? []).findLast((label) => label.end <= before && opensValue(label));
  if (own) return own;
  const row = indexAt(marks.layout, segment).rowOf(segment);
  const left = row.slice(0, row.indexOf(segment)).toReversed();
  const near = segment.cell
    ? left.filter((other) => other.cell?.table === segment.cell?.table && other.cell?.row === segment.cell?.row)
    : left.slice(0, 1);
  return near.flatMap(
    (other) =>
      (marks.labelsIn[other.index] ?? []).findLast(
        (label) => label.standing !== "Loose" && !/[\p{L}\p{N}]/u.test(other.text.slice(label.end)),
      ) ?? [],
  )[0];
}

/** With a colon any label does; without one only those of names and places: "am" and "ul." begin streets. */
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

const separator = /\s*[,;·|•]\s*|\s+[–—-]\s+|\s*\/\/\s*/gu;

/** What stands between the commas, without what is a date, a phone number and the like. */
function piecesOf(marks: Marks, segment: Segment, from: number, to: number): Piece[] {
  const entities = marks.entitiesIn[segment.index] ?? [];
  const pieces: Piece[] = [];
  let start = from;
  const cut = (end: number) => {
    const whole = trimmed(segment, start, end);
    const firm = entities.find(
      (entity) =>
        entity.type === "Company" &&
        /[\p{Ll}.]\s$/u.test(segment.text.slice(whole.start, entity.start)) &&
        entity.start < whole.end &&
        entity.end >= whole.end - 3,
    );
    const piece = firm ? trimmed(segment, firm.start, end) : whole;
    if (
      /\p{L}{2}/u.test(piece.text) &&
      !entities.some(
        (entity) =>
          foreign.has(entity.type) &&
          entity.start < piece.end &&
          entity.end > piece.start &&
          entity.score > 0.35 &&
          !/^km\b/iu.test(piece.text),
      )
    )
      pieces.push(piece);
  };
  for (const match of segment.text.slice(0, to).matchAll(separator)) {
    if (match.index < from || entities.some((entity) => joins(entity, match.index, match.index + match[0].length)))
      continue;
    cut(match.index);
    start = match.index + match[0].length;
  }
  cut(to);
  return pieces;
}

function joins(entity: Entity, start: number, end: number): boolean {
  return (entity.type === "Company" || entity.type === "Street") && entity.start < start && entity.end > end;
}

export function trimmed(segment: Segment, start: number, end: number): Piece {
  const text = segment.text.slice(start, end);
  const from = start + (/^[\s:;,.–—\-/|·•(]*/u.exec(text)?.[0].length ?? 0);
  const to = Math.max(from, end - (/[\s:;,–—\-/|·•(]*$/u.exec(text)?.[0].length ?? 0));
  return { segment, start: from, end: to, text: segment.text.slice(from, to) };
}

function composed(marks: Marks, place: Sighting<"Place">, pieces: readonly Piece[]): Address {
  const has = (piece: Piece, type: "Company" | "Street") =>
    (marks.entitiesIn[piece.segment.index] ?? []).some(
      (entity) => entity.type === type && shared(entity, piece) > 0.5 && entity.score >= 0.3,
    );
  const company = pieces.findLast((piece) => has(piece, "Company"));
  const labelled = (piece: Piece, concept: ConceptId) =>
    labelOf(marks, piece.segment, piece.start)?.meanings.some((each) => each.concept === concept) ?? false;
  const rest = pieces
    .filter((piece) => !["city", "postalCode", "country"].some((concept) => labelled(piece, concept as ConceptId)))
    .filter(
      (piece) => piece !== company && (!company || piece.segment !== company.segment || piece.start > company.start),
    );
  const known = streetAmong(rest, (piece) => has(piece, "Street") || labelled(piece, "street"));
  const behind = known.length === 0 ? streetBehind(marks, place) : undefined;
  const street = behind ? [behind] : known.length === 0 && company ? rest.slice(-1) : known;
  const plain = rest.filter((piece) => !street.includes(piece));
  const named = company ?? plain.find((piece) => labelled(piece, "companyName")) ?? plain[0];
  const name = named && (company ? firmOf(marks, named) : named.segment.lines > 1 ? nameCore(named) : named);
  const used = [...(name ? [name] : []), ...street];
  const placed: Piece = { segment: place.segment, start: place.entity.start, end: place.entity.end, text: "" };
  return {
    place,
    name,
    named: company !== undefined,
    street: joined(street),
    first: used[0] ?? placed,
    segments: [...new Set([...used.map((piece) => piece.segment), place.segment])],
  };
}

/** "1147 Budapest, Ipari út 47.": the street behind the town or alone on the line below it. */
function streetBehind(marks: Marks, { segment, entity }: Sighting<"Place">): Piece | undefined {
  const streetAt = (line: Segment, at: number) =>
    (marks.entitiesIn[line.index] ?? []).find(
      (other) =>
        other.type === "Street" &&
        other.score >= 0.6 &&
        other.start >= at &&
        /^[\s,.;]*$/u.test(line.text.slice(at, other.start)),
    );
  const pieceOf = (line: Segment, found: Entity) => trimmed(line, found.start, found.end);
  const own = streetAt(segment, entity.end);
  if (own) return pieceOf(segment, own);
  if (/[\p{L}\p{N}]/u.test(segment.text.slice(entity.end))) return undefined;
  const below = lineBelow(marks, segment);
  const next = below && lineBelow(marks, below);
  const found = below && streetAt(below, 0);
  return found && !(next && hasPostcode(marks, next)) ? pieceOf(below, found) : undefined;
}

/** How much of the piece the entity covers, 0..1. */
function shared(entity: Entity, piece: Piece): number {
  return (Math.min(entity.end, piece.end) - Math.max(entity.start, piece.start)) / Math.max(1, piece.end - piece.start);
}

const particle =
  /^(?:&|and|und|et|y|e|i|de|da|do|du|di|del|della|la|le|les|van|von|der|den|des|dos|of|the|für|pour|para|dla|pro)$/u;

/** In a sentence a name begins with the first capital after the last small word that no name contains. */
function nameCore(piece: Piece): Piece {
  const words = [...piece.text.matchAll(/\S+/gu)];
  const small = words.findLastIndex(
    ([word], at) =>
      at < words.length - 1 &&
      ((/^\p{Ll}{3}/u.test(word) && !particle.test(word)) || (/[.!?]$/u.test(word) && word.length > 5)),
  );
  const first = words.findIndex(([word], at) => at > small && /^[^\p{Ll}]/u.test(word));
  const from = words[first]?.index ?? 0;
  return first <= 0 ? piece : { ...piece, start: piece.start + from, text: piece.text.slice(from) };
}

/** The firm's own words where more stands around them. */
function firmOf(marks: Marks, piece: Piece): Piece {
  if (piece.segment.lines > 1 || piece.text.split(" ").length > 6) return nameCore(piece);
  const firm = (marks.entitiesIn[piece.segment.index] ?? []).find(
    (entity) => entity.type === "Company" && entity.start >= piece.start - 1 && entity.end <= piece.end + 1,
  );
  if (!firm || piece.end - firm.end > 3) return piece;
  return {
    ...piece,
    start: firm.start,
    end: Math.max(firm.end, piece.end),
    text: piece.segment.text.slice(firm.start, Math.max(firm.end, piece.end)),
  };
}

/** The street and what follows it on its line; without a known street word the nearest piece with a house number. */
function streetAmong(pieces: readonly Piece[], known: (piece: Piece) => boolean): Piece[] {
  const at = pieces.findLastIndex(known);
  const from = at >= 0 ? at : pieces.findLastIndex((piece) => /\d/.test(piece.text));
  if (from < 0) return [];
  return pieces.slice(from).filter((piece) => piece.segment === pieces[from]?.segment);
}

function joined(pieces: readonly Piece[]): Piece | undefined {
  const [first, last] = [pieces[0], pieces.at(-1)];
  if (!first || !last) return undefined;
  const text = first.segment.text.slice(first.start, last.end).replace(/\s(?:in|à|a|w|we|v|ve|te|em|en|i|la|în)$/u, "");
  return { ...first, end: first.start + text.length, text };
}
