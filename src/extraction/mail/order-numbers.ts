import { orderCodes } from "../kinds/order/number.ts";
import { findLabels, type LabelMatch } from "../lexicon/lexicon.ts";
import { conceptOf, type ConceptId } from "../lexicon/concepts.ts";
import type { Entity, EntityType } from "../entities/entity.ts";
import { isBeforeOrderWord, findNamedOrders } from "../fields/labels/named-orders.ts";
import type { Segment } from "../layout/layout.ts";
import type { DocumentContext } from "../fields/labels/values.ts";
import { findNamedPlates } from "../fields/vehicles/named-plates.ts";

/** An order number and its text span. */
export interface OrderNumber {
  number: string;
  segment: Segment;
  start: number;
  end: number;
}

/** What is known about a mail. */
export interface MailContext {
  /** The language of the mail. */
  language?: string | undefined;
  /** Whether the first line is the subject. A code in a subject may be an order number even without a label. */
  hasSubject?: boolean;
}

const sureCode = 0.4;
const sure = 0.5;
export const surePlace = 0.6;
export const surePlate = 0.6;
export const likelyPlate = 0.3;

/**
 * Finds order numbers after a label, next to a word for an order or trip, and, in the subject, also without a label.
 */
export function orderNumbersIn(
  document: DocumentContext,
  segments: readonly Segment[],
  { language, hasSubject }: MailContext,
): OrderNumber[] {
  const languages = [...new Set([...(language ? [language] : []), ...document.languages])];
  const isSaid = new Set(segments);
  const labelled = orderCodes(document)
    .filter(({ score, span: piece }) => score >= sureCode && isSaid.has(piece.segment))
    .map(({ span: piece }) => ({ ...piece, number: piece.text }));
  const beside = segments.flatMap((segment) => [
    ...behindWord(document, segment, languages),
    ...beforeWord(document, segment, languages),
  ]);
  const subject = hasSubject ? segments.filter(({ part, page, row }) => part === 0 && page === 1 && row === 0) : [];
  const numbers = [...labelled, ...beside, ...subject.flatMap((segment) => codesIn(document, segment))];
  const plates = new Map(numbers.map(({ segment }) => [segment, platesOf(document, segment)]));
  return numbers.filter((each) => !plates.get(each.segment)!.some((plate) => isPartOf(plate, each)));
}

function behindWord(document: DocumentContext, segment: Segment, languages: readonly string[]): OrderNumber[] {
  const others = document.annotations.entitiesIn[segment.index] ?? [];
  const orders = findNamedOrders(segment.text, languages);
  const journeys = findNamedOrders(segment.text, languages, ["order", "journey"]).filter(
    ({ number, start }) => isCodeLike(number) && !orders.some((order) => order.start === start),
  );
  return [...orders, ...journeys]
    .filter((each) => !others.some((other) => takes(other, each) && !swallows(other, each.wordStart)))
    .map((each) => ({ ...each, segment }));
}

/** "Заявка BG-3391": if "Заявка BG" is taken for a place, this is an error, and BG-3391 is an order number. */
const swallows = (other: Entity, wordStart: number) => other.type === "Place" && other.start <= wordStart;

function beforeWord(document: DocumentContext, segment: Segment, languages: readonly string[]): OrderNumber[] {
  const entities = document.annotations.entitiesIn[segment.index] ?? [];
  return entities.flatMap((entity) =>
    entity.type === "Reference" &&
    isCodeLike(entity.value) &&
    isBeforeOrderWord(segment.text.slice(entity.end), languages) &&
    !isClaimed(segment.text, entity) &&
    !entities.some((other) => takes(other, entity))
      ? [{ number: entity.value, segment, start: entity.start, end: entity.end }]
      : [],
  );
}

const otherThings: Partial<Record<EntityType, number>> = {
  Date: sure,
  Time: sure,
  Quantity: sure,
  Amount: sure,
  Phone: sure,
  Vat: sure,
  Iban: sure,
  Container: sure,
  Email: sure,
  Link: sure,
  Place: surePlace,
  Plate: surePlate,
};

/** Whether a number is part of another entity, such as a date or an amount. */
function takes(other: Entity, { start, end }: { start: number; end: number }): boolean {
  return other.score >= (otherThings[other.type] ?? 2) && other.start < end && other.end > start;
}

interface Plate {
  start: number;
  end: number;
  isNamed: boolean;
}

function platesOf({ annotations }: DocumentContext, segment: Segment): Plate[] {
  const seen = (annotations.entitiesIn[segment.index] ?? []).filter(
    ({ type, score }) => type === "Plate" && score >= likelyPlate,
  );
  return [
    ...findNamedPlates(segment.text).map((plate) => ({ ...plate, isNamed: true })),
    ...seen.map(({ start, end }) => ({ start, end, isNamed: false })),
  ];
}

/** "rej. PO 7XY12" or "nr. CJ 09 XYZ": the number is only part of the plate. */
const isPartOf = (plate: Plate, { start, end }: OrderNumber): boolean =>
  (plate.isNamed ? plate.start <= start : plate.start === start) &&
  plate.end >= end &&
  plate.end - plate.start > end - start;

/** Matches at least three digits with at least one letter or separator. */
const codeLike = /^(?=(?:\P{N}*\p{N}){3})(?=.*[\p{L}/_-])\S+$/u;
const onlyFigures = /^\d{5,}$/;
/** "11/2026" is a month, and "5561-es" is a number with an ending. Neither is an order number. */
const monthOrSuffixed = /^(?:0?[1-9]|1[0-2])[./-](?:19|20)\d\d$|^\d+-\p{Ll}+$/u;

const isCodeLike = (printed: string) =>
  onlyFigures.test(printed) || (codeLike.test(printed) && !monthOrSuffixed.test(printed));

/** Finds order numbers without a label in a subject: "BS-26-04711: delay". */
function codesIn({ annotations }: DocumentContext, segment: Segment): OrderNumber[] {
  const { text, index } = segment;
  const entities = annotations.entitiesIn[index] ?? [];
  return entities.flatMap((entity) => {
    if (entity.type !== "Reference" || !isCodeLike(entity.value) || onlyFigures.test(entity.value)) return [];
    const plate = findNamedPlates(text).some((each) => each.start < entity.end && each.end > entity.start);
    const isOther = plate || isClaimed(text, entity) || entities.some((other) => takes(other, entity));
    return isOther ? [] : [{ number: entity.value, segment, start: entity.start, end: entity.end }];
  });
}

const isClaimed = (text: string, { start }: Entity): boolean =>
  findLabels(text).some(
    (label) => isLabelOfOther(label) && label.end <= start && /^[\s.:#№]{0,3}$/u.test(text.slice(label.end, start)),
  );

/** The label of a credit note must have more weight, because its short form also cancels an order: "STORNO 2611-40". */
const isLabelOfOther = ({ concept, weight }: LabelMatch): boolean =>
  isOfOther(concept) && weight >= (concept === "titleCreditNote" ? 0.7 : 0.5);

const ofOrders: ReadonlySet<ConceptId> = new Set<ConceptId>([
  "orderNumber",
  "titleTransportOrder",
  "bookingNumber",
  "reference",
  "customerReference",
]);

const ofPapers: ReadonlySet<ConceptId> = new Set<ConceptId>([
  "titleInvoice",
  "titleCreditNote",
  "titleReceipt",
  "titleCmr",
]);

const isOfOther = (concept: ConceptId) =>
  !ofOrders.has(concept) && (conceptOf(concept).expects[0] === "Reference" || ofPapers.has(concept));
