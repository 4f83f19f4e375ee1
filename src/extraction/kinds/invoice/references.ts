import type { ConceptId } from "../../lexicon/concepts.ts";
import { findCodes } from "../../fields/labels/codes.ts";
import { FieldValue } from "../../fields/confidence/field-value.ts";
import { cellsUnder, type Grid } from "../../fields/grid/grid.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import type { Segment } from "../../layout/layout.ts";
import { fold } from "../../lexicon/fold.ts";
import { findLabels } from "../../lexicon/lexicon.ts";
import { findPlates, isPlateOf } from "../../entities/plates.ts";
import { findNamedOrders, isOtherThanCode, shortest, type NamedOrder } from "../../fields/labels/named-orders.ts";
import { findNamedPlates } from "../../fields/vehicles/named-plates.ts";
import { vehiclesIn } from "../../fields/vehicles/vehicles.ts";
import { scores } from "./scores.ts";

const topRows = 16;
const sums: ReadonlySet<ConceptId> = new Set(["grossAmount", "amountDue", "totalPrice"]);

/**
 * Finds the first segments of the invoices in a file. An invoice starts on a page with a new number at the top. Empty
 * for a single invoice, or if an invoice has no total.
 */
export function invoiceStarts(document: DocumentContext): Segment[] {
  const codes = findCodes(document, ["invoiceNumber"]).filter(
    ({ label, span, score }) =>
      score >= scores.startOfInvoice && label.standing !== "Loose" && span.segment.row <= topRows,
  );
  const seen = new Set<string>();
  const starts = document.annotations.layout.pages.flatMap(({ number, rows }) => {
    const own = codes.find(({ span }) => span.segment.page === number)?.span.text;
    const first = rows[0]?.[0];
    if (!own || !first || seen.has(own)) return [];
    seen.add(own);
    return [first];
  });
  const whole = starts.every((start, at) => hasSum(document, start.page, starts[at + 1]?.page));
  return starts.length > 1 && whole ? starts : [];
}

function hasSum({ annotations }: DocumentContext, from: number, to = Number.POSITIVE_INFINITY): boolean {
  return annotations.labels.some(
    ({ segment, standing, meanings }) =>
      segment.page >= from &&
      segment.page < to &&
      standing !== "Loose" &&
      meanings.some(({ concept, weight }) => sums.has(concept) && weight >= scores.label.totalOfInvoice),
  );
}

const orderConcepts: readonly ConceptId[] = [
  "orderNumber",
  "titleTransportOrder",
  "customerReference",
  "reference",
  "loadingReference",
];
const noOrder: ReadonlySet<ConceptId> = new Set([
  "invoiceNumber",
  "titleInvoice",
  "titleCreditNote",
  "receiptNumber",
  "paymentReference",
]);

const orderColumns: ReadonlySet<ConceptId> = new Set([
  "orderNumber",
  "titleTransportOrder",
  "customerReference",
  "reference",
]);
const orderCell = /^(?=(?:[^\d]*\d){3})[\p{L}\d][\p{L}\d/._ -]{2,20}$/u;

const plateColumns: ReadonlySet<ConceptId> = new Set(["plates", "truckPlate", "trailerPlate", "vehicle"]);
const plateCell = /^(?=.*\p{L})(?=(?:[^\d]*\d){2})[\p{L}\d][\p{L}\d -]{3,10}$/u;

/** Finds the codes in the columns with headings such as "Order" or "Plate". */
function codesUnder(
  { grids }: Pick<OrderHints, "grids">,
  concepts: ReadonlySet<ConceptId>,
  pattern: RegExp,
  confidence: number,
): FieldValue<string>[] {
  return cellsUnder(grids, concepts).flatMap((segment) =>
    segment.text
      .split(/\s*[/+,;|]\s+|\s+[/+,;|]\s*|(?<=\p{L}|\d)[/+](?=\p{Lu}{1,3}\d)/u)
      .filter((code) => pattern.test(code) && !isOtherThanCode(code))
      .map((code) => {
        const start = segment.text.indexOf(code);
        return new FieldValue(code, confidence, { segment, start, end: start + code.length });
      }),
  );
}

interface OrderHints {
  grids: readonly Grid[];
  own: string | undefined;
  plates: readonly string[];
  descriptions: readonly FieldValue<string>[];
}

/**
 * Finds the numbers of the invoiced orders in descriptions, after labels and in the text. The invoice's own number and
 * licence plates are excluded.
 */
export function orderNumbersIn(
  document: DocumentContext,
  { grids, own, plates, descriptions }: OrderHints,
): FieldValue<string>[] {
  const byValue = new Map<string, FieldValue<string>>();
  const add = (number: FieldValue<string>) => {
    const plain = number.value.replace(/[^\p{L}\p{N}]/gu, "").toUpperCase();
    const other = number.value === own || plates.some((plate) => plain.endsWith(plate));
    const piece = [...byValue.keys()].some((value) => value !== number.value && value.includes(number.value));
    if (!other && !piece && !byValue.has(number.value)) byValue.set(number.value, number);
  };
  for (const description of descriptions) {
    const named = [
      ...numbersNamed(description.value, document.languages),
      ...findNamedOrders(description.value, document.languages, ["order", "journey"]),
    ];
    for (const { number } of named) add(new FieldValue(number, scores.orderNumber.inDescription, description.span));
  }
  const inText = document.annotations.layout.segments.flatMap((segment) =>
    segment.text.length <= maxSentenceLength && !hasPaymentReference(document, segment)
      ? findNamedOrders(segment.text, document.languages).map(
          ({ number, start, end }) => new FieldValue(number, scores.orderNumber.inText, { segment, start, end }),
        )
      : [],
  );
  const labelled = labelledCodes(document, own);
  const listed = codesUnder({ grids }, orderColumns, orderCell, scores.orderNumber.inColumn);
  for (const number of [...labelled, ...listed, ...inText].sort(byPosition)) add(number);
  return [...byValue.values()].sort(byPosition);
}

const maxSentenceLength = 320;

const byPosition = (a: FieldValue<string>, b: FieldValue<string>) =>
  (a.span?.segment.index ?? 0) - (b.span?.segment.index ?? 0) || (a.span?.start ?? 0) - (b.span?.start ?? 0);

function hasPaymentReference(document: DocumentContext, { index }: Segment): boolean {
  return (document.annotations.labelsIn[index] ?? []).some(
    ({ standing, meanings }) =>
      standing === "Head" &&
      meanings.some(({ concept, weight }) => concept === "paymentReference" && weight >= scores.label.field),
  );
}

/** Labels of the customer number, such as "Kunden-Nr." or "code client". */
const customerNumber =
  /^(?:kunden?|kund|debitoren?|debiteur|customer|account|client|cliente|klant(?:en)?|asiakas|kliendi|kliento|klienta|klient|zakazn\p{L}*|vevo|ugyfel|kupca|stranke|клиент\p{L}*|клієнт\p{L}*)[-. ]{0,3}(?:n(?:r|o|umm?er|umero|um)?|id|code|kod|codice|kodas|szam|numero|nro|номер|код)?[.°º]?$|^(?:n[ro]?[.°º]?|numer|cislo|numero|code|codice|cod|code|kod|id|sifra|код|номер)[. ]{1,3}(?:de |du |del |van )?(?:client|cliente|klienta|zakaznika|odberatele|odberatela|kupca|stranke|клиента|клієнта|customer|kunde)$/u;

function labelledCodes(document: DocumentContext, own: string | undefined): FieldValue<string>[] {
  return findCodes(document, orderConcepts).flatMap(({ label, concept, score, span }) => {
    const weight = label.meanings.find((each) => each.concept === concept)?.weight ?? 0;
    const phrase = fold(label.segment.text.slice(label.start, label.end)).text;
    const bare = weight < scores.label.order || own?.includes(span.text) || customerNumber.test(phrase);
    const apart = label.standing !== "Head" && span.segment !== label.segment;
    const other = label.meanings.some((each) => noOrder.has(each.concept) && each.weight >= weight);
    return bare || apart || other || score < scores.orderNumber.label.min
      ? []
      : [new FieldValue(span.text, score, span)];
  });
}

const behindLabel =
  /^[\s:.#№,]*(?:\p{L}{1,3}[.°º]+\s*)?(?=[\p{L}\d/._-]*\d{2})([\p{L}\d][\p{L}\d/_-]*(?:[._][\p{L}\d/_-]+)*)/u;

/**
 * Finds the order numbers in the description of a line: after words for an order, as in "order ZT/2026/117 to Lyon",
 * otherwise at its end.
 */
function numbersNamed(text: string, languages: readonly string[]): Pick<NamedOrder, "number">[] {
  const hits = findLabels(text).filter((hit) => hit.languages.some((language) => languages.includes(language)));
  const named = hits.flatMap((hit) => {
    const match =
      orderConcepts.includes(hit.concept) && hit.weight >= scores.label.order
        ? behindLabel.exec(text.slice(hit.end))
        : null;
    return match?.[1] && match[1].length >= shortest && !isOtherThanCode(match[1]) ? [{ number: match[1] }] : [];
  });
  const last = named.length === 0 ? lastWord.exec(text) : null;
  const other = hits.some(({ concept, start }) => last && start >= last.index && otherNumbers.has(concept));
  return last?.[1] && !other && findPlates(fold(last[1])).length === 0 ? [{ number: last[1] }] : named;
}

/** The end of a description with a word and a number, such as ", Auftr. T26-26944". */
const lastWord =
  /[,;(–-]\s+(?:\p{L}{1,12}[.:'°º/]{0,2}\s){1,3}(?:№\s?)?((?=(?:\D*\d){4})[\p{L}\d][\p{L}\d/-]*(?:\.[\p{L}\d/-]+)*)\)?$/u;
const otherNumbers: ReadonlySet<ConceptId> = new Set([
  "deliveryNoteNumber",
  "containerNumber",
  "plates",
  "truckPlate",
  "trailerPlate",
  "vehicle",
  "titleCmr",
  "invoiceNumber",
  "date",
  "weight",
  "seal",
]);

const plain = (plate: string) => plate.replace(/[^\p{L}\p{N}]/gu, "").toUpperCase();

/** Finds plates after a label or a word for a vehicle, and plates without a label in the description of a line. */
export function platesIn(
  document: DocumentContext,
  { grids, descriptions }: Pick<OrderHints, "grids" | "descriptions">,
): FieldValue<string>[] {
  const byValue = new Map<string, FieldValue<string>>();
  const add = (plate: FieldValue<string>) => byValue.has(plate.value) || byValue.set(plate.value, plate);
  const { vehicles, trailers } = vehiclesIn(document);
  for (const plate of [...vehicles, ...trailers]) add(plate);
  for (const segment of document.annotations.layout.segments)
    for (const { plate, start, end } of findNamedPlates(segment.text))
      add(new FieldValue(plate, scores.plate.namedInText, { segment, start, end }));
  for (const description of descriptions) {
    for (const { plate } of findNamedPlates(description.value))
      add(new FieldValue(plate, scores.plate.namedInDescription, description.span));
    for (const plate of [...pairedPlates(description.value), ...ownPlates(description.value, document.countries)])
      add(new FieldValue(plate, scores.plate.inDescription, description.span));
  }
  for (const plate of codesUnder({ grids }, plateColumns, plateCell, scores.plate.inColumn))
    add(plate.as(plain(plate.value)));
  const all = [...byValue.values()].filter(({ value }) => !model.test(value));
  return all.filter(({ value }) => !all.some((other) => other.value !== value && isPieceOf(value, other.value)));
}

/** Models of lorries and tyres are printed like plates: "DAF XF 480", "DOT 1825". */
const model =
  /^(?:DAF|MAN|TGX|TGS|SCANIA|VOLVO|IVECO|RENAULT|MERCEDES|ACTROS|FORD|DOT|EURO|ADR)\w*\d|^(?:XF|XG|FH|FM)\d/u;

const isPieceOf = (piece: string, whole: string) => piece.length >= 4 && whole.includes(piece);

const between = /^\s*[/+|,]\s*$/u;

/** Finds the plates in "PPL 40812 / PPL 12AK". */
function pairedPlates(text: string): string[] {
  const plates = findPlates(fold(text)).filter(({ score }) => score >= scores.plateShape.apart.min);
  return plates.flatMap((plate, at) => {
    const [before, after] = [plates[at - 1], plates[at + 1]];
    const paired =
      (before && between.test(text.slice(before.end, plate.start))) ||
      (after && between.test(text.slice(plate.end, after.start)));
    return paired ? [plain(plate.value.plate)] : [];
  });
}

const minPlateLength = 6;
const alone = /(?:^|[,;.()–]|\d\.?|\s[-–])\s*$/u;
const endsAlone = /^\s*(?:$|[,;.()/–]|[-–]\s)/u;

/**
 * Plates of the document's countries stand between punctuation, as in "Carriage Imatra – Kotka, KLX-204", or anywhere
 * if their format is clear enough.
 */
function ownPlates(text: string, countries: readonly string[]): string[] {
  return findPlates(fold(text)).flatMap(({ value, score, start, end }) => {
    const home = isPlateOf(countries, text.slice(start, end));
    const plate = plain(value.plate);
    const stands =
      score >= scores.plateShape.anywhere.min || (alone.test(text.slice(0, start)) && endsAlone.test(text.slice(end)));
    return home && stands && score >= scores.plateShape.apart.min && plate.length >= minPlateLength ? [plate] : [];
  });
}
