import type { Entity } from "../see/entity.ts";
import { hasPostcode } from "./address-places.ts";
import type { Segment } from "./layout.ts";
import { addressConcepts, labelOf, nameConcepts, tells } from "./line-label.ts";
import type { Marks, Sighting } from "./marks.ts";
import { lineAbove } from "./neighbours.ts";
import { shared, trimmed, type Piece } from "./piece.ts";

const mostLines = 5;

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

/** What is printed before the place and on the lines above it, as far as it belongs to its address. */
export function piecesBefore(marks: Marks, place: Sighting<"Place">): Piece[] {
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
  return lines.flat();
}

function isFirm(marks: Marks, piece: Piece): boolean {
  return (marks.entitiesIn[piece.segment.index] ?? []).some(
    (entity) => entity.type === "Company" && entity.score >= 0.5 && shared(entity, piece) > 0.5,
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

const separator = /\s*[,;·|•∙●▪⋅]\s*|\s+[–—*~+-]\s+|\s*\/\/\s*/gu;

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
