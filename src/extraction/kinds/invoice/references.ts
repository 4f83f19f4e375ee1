import type { ConceptId } from "../../lexicon/concepts.ts";
import { fold } from "../../lexicon/fold.ts";
import { findLabels } from "../../lexicon/lexicon.ts";
import { isPlateOf, findPlates } from "../../entities/plates.ts";
import { findCodes } from "../../fields/labels/codes.ts";
import { isOtherThanCode, findNamedOrders, shortest, type NamedOrder } from "../../fields/labels/named-orders.ts";
import { FieldValue } from "../../fields/confidence/field-value.ts";
import type { Segment } from "../../layout/layout.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import { findNamedPlates } from "../../fields/vehicles/named-plates.ts";
import { vehiclesIn } from "../../fields/vehicles/vehicles.ts";

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

/** What is known of the invoice before its orders are looked for. */
interface OrderHints {
  /** The invoice's own number. */
  own: string | undefined;
  plates: readonly string[];
  descriptions: readonly FieldValue<string>[];
}

/** The orders that are invoiced, wherever they are named; the invoice's own number and plates are none. */
export function orderNumbersIn(
  around: DocumentContext,
  { own, plates, descriptions }: OrderHints,
): FieldValue<string>[] {
  const found = new Map<string, FieldValue<string>>();
  const add = (number: FieldValue<string>) => {
    const plain = number.value.replace(/[^\p{L}\p{N}]/gu, "").toUpperCase();
    const other = number.value === own || plates.some((plate) => plain.endsWith(plate));
    const piece = [...found.keys()].some((known) => known !== number.value && known.includes(number.value));
    if (!other && !piece && !found.has(number.value)) found.set(number.value, number);
  };
  for (const description of descriptions) {
    const named = [
      ...numbersNamed(description.value, around.languages),
      ...findNamedOrders(description.value, around.languages),
    ];
    for (const { number } of named) add(new FieldValue(number, 0.8, description.span));
  }
  const inText = around.annotations.layout.segments.flatMap((segment) =>
    segment.text.length <= longestSentence && !saysOwnNumber(around, segment)
      ? findNamedOrders(segment.text, around.languages).map(
          ({ number, start, end }) => new FieldValue(number, 0.6, { segment, start, end }),
        )
      : [],
  );
  const labelled = labelledCodes(around, own);
  for (const number of [...labelled, ...inText].sort(byPlace)) add(number);
  return [...found.values()];
}

const longestSentence = 320;

const byPlace = (a: FieldValue<string>, b: FieldValue<string>) =>
  (a.span?.segment.index ?? 0) - (b.span?.segment.index ?? 0) || (a.span?.start ?? 0) - (b.span?.start ?? 0);

/** The line is about the number of the invoice itself. */
function saysOwnNumber(around: DocumentContext, { index }: Segment): boolean {
  return (around.annotations.labelsIn[index] ?? []).some(
    ({ standing, meanings }) =>
      standing === "Head" && meanings.some(({ concept, weight }) => concept === "paymentReference" && weight >= 0.6),
  );
}

/** "Kunden-Nr.", "code client": the number of the customer himself. */
const customerNumber =
  /^(?:kunden?|kund|debitoren?|debiteur|customer|account|client|cliente|klant(?:en)?|asiakas|kliendi|kliento|klienta|klient|zakazn\p{L}*|vevo|ugyfel|kupca|stranke|клиент\p{L}*|клієнт\p{L}*)[-. ]{0,3}(?:n(?:r|o|umm?er|umero|um)?|id|code|kod|codice|kodas|szam|numero|nro|номер|код)?[.°º]?$|^(?:n[ro]?[.°º]?|numer|cislo|numero|code|codice|cod|code|kod|id|sifra|код|номер)[. ]{1,3}(?:de |du |del |van )?(?:client|cliente|klienta|zakaznika|odberatele|odberatela|kupca|stranke|клиента|клієнта|customer|kunde)$/u;

function labelledCodes(around: DocumentContext, own: string | undefined): FieldValue<string>[] {
  return findCodes(around, orderConcepts).flatMap(({ label, concept, score, span: piece }) => {
    const weight = label.meanings.find((each) => each.concept === concept)?.weight ?? 0;
    const phrase = fold(label.segment.text.slice(label.start, label.end)).text;
    const bare = weight < 0.5 || own?.includes(piece.text) || customerNumber.test(phrase);
    const apart = label.standing !== "Head" && piece.segment !== label.segment;
    const other = label.meanings.some((each) => noOrder.has(each.concept) && each.weight >= weight);
    return bare || apart || other || score < 0.42 ? [] : [new FieldValue(piece.text, score, piece)];
  });
}

const behindLabel =
  /^[\s:.#№,]*(?:\p{L}{1,3}[.°º]+\s*)?(?=[\p{L}\d/._-]*\d{2})([\p{L}\d][\p{L}\d/_-]*(?:[._][\p{L}\d/_-]+)*)/u;

/** "… Lyon, order ZT/2026/117": numbers behind the words for an order, wherever the lines are broken. */
function numbersNamed(text: string, languages: readonly string[]): Pick<NamedOrder, "number">[] {
  const hits = findLabels(text).filter((hit) => hit.languages.some((language) => languages.includes(language)));
  const named = hits.flatMap((hit) => {
    const match =
      orderConcepts.includes(hit.concept) && hit.weight >= 0.5 ? behindLabel.exec(text.slice(hit.end)) : null;
    return match?.[1] && match[1].length >= shortest && !isOtherThanCode(match[1]) ? [{ number: match[1] }] : [];
  });
  const last = named.length === 0 ? lastWord.exec(text) : null;
  const other = hits.some(({ concept, start }) => last && start >= last.index && otherNumbers.has(concept));
  return last?.[1] && !other && findPlates(fold(last[1])).length === 0 ? [{ number: last[1] }] : named;
}

/** A description that ends with a word and a number of its own: ", Auftr. T26-26944". */
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

/** Plates with a label or behind a word for a vehicle, and those that stand by themselves in the words of a service. */
export function platesIn(around: DocumentContext, descriptions: readonly FieldValue<string>[]): FieldValue<string>[] {
  const found = new Map<string, FieldValue<string>>();
  const add = (plate: FieldValue<string>) => found.has(plate.value) || found.set(plate.value, plate);
  const { vehicles, trailers } = vehiclesIn(around);
  for (const plate of [...vehicles, ...trailers]) add(plate);
  for (const segment of around.annotations.layout.segments)
    for (const { plate, start, end } of findNamedPlates(segment.text))
      add(new FieldValue(plate, 0.7, { segment, start, end }));
  for (const description of descriptions) {
    for (const { plate } of findNamedPlates(description.value)) add(new FieldValue(plate, 0.65, description.span));
    for (const plate of [...pairedPlates(description.value), ...ownPlates(description.value, around.countries)])
      add(new FieldValue(plate, 0.55, description.span));
  }
  const all = [...found.values()];
  return all.filter(({ value }) => !all.some((other) => other.value !== value && isPieceOf(value, other.value)));
}

const isPieceOf = (piece: string, whole: string) => piece.length >= 4 && whole.includes(piece);

const between = /^\s*[/+|,]\s*$/u;

/** "PPL 40812 / PPL 12AK": two plates with a stroke between. */
function pairedPlates(text: string): string[] {
  const plates = findPlates(fold(text)).filter(({ score }) => score >= 0.28);
  return plates.flatMap((plate, at) => {
    const [before, after] = [plates[at - 1], plates[at + 1]];
    const paired =
      (before && between.test(text.slice(before.end, plate.start))) ||
      (after && between.test(text.slice(plate.end, after.start)));
    return paired ? [plain(plate.value.plate)] : [];
  });
}

const [surely, unmistakable, shortestPlate] = [0.28, 0.36, 6];
const alone = /(?:^|[,;.()–]|\d\.?|\s[-–])\s*$/u;
const endsAlone = /^\s*(?:$|[,;.()/–]|[-–]\s)/u;

/** "Carriage Imatra – Kotka, KLX-204": a plate of a country the document is from, between commas. */
function ownPlates(text: string, countries: readonly string[]): string[] {
  return findPlates(fold(text)).flatMap(({ value, score, start, end }) => {
    const home = isPlateOf(countries, text.slice(start, end));
    const plate = plain(value.plate);
    const stands = score >= unmistakable || (alone.test(text.slice(0, start)) && endsAlone.test(text.slice(end)));
    return home && stands && score >= surely && plate.length >= shortestPlate ? [plate] : [];
  });
}
