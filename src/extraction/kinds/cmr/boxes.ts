import type { Segment } from "../../layout/layout.ts";
import type { ConceptId } from "../../lexicon/concepts.ts";
import { fold } from "../../lexicon/fold.ts";
import { findPlates } from "../../entities/plates.ts";
import { linesOf } from "../../fields/parties/company-in.ts";
import { weightFor, type Label } from "../../fields/labels/annotations.ts";
import { indexAt } from "../../layout/page-index.ts";
import { partsUnder, type Parts } from "../../fields/sections/parts.ts";
import type { TextSpan } from "../../layout/text-span.ts";
import type { Head } from "../../fields/sections/sections.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import { numberedCells } from "./goods.ts";

const alone = /^[([]?\d{1,2}(?:\s?[-–]\s?\d{1,2})?[.):\]]?$/u;
const ahead = /(?:^|[\s–—|;•·([-])(\d{1,2})\W{0,3}$/u;
const first = /(?:^|(?<=\s[–—|;•·-]\s))[([]?(\d{1,2})([.):\]]?)\s+(?=[^\s\d])/gu;

/** On a scan: a large number beside small words has marks and blanks in it, and the frame's rule is read as one more 1. */
const scannedAlone = /^\D{0,2}\d\D{0,2}\d?\D{0,2}$/u;
const scannedFirst = /^[([|]?((?:[1|]{1,2}[.,\s]{0,2})?\d[.,]?\d?)([.,):\]"”'*°]{0,2})\s+(?=[^\s\d])/u;
const maxBoxNumber = 26;

/** Whether the words of a segment were read from a picture. */
const wasScanned = ({ tokens }: Segment): boolean => tokens.some(({ source }) => source === "Ocr");

/** Whether a segment is nothing but the number of a box, or a run of them. */
function isBoxNumber(segment: Segment): boolean {
  const { text } = segment;
  return alone.test(text) || (wasScanned(segment) && scannedAlone.test(text) && inRange(figuresOf(text)));
}

/** The number of a segment that is one. */
const numberOf = (text: string): number =>
  alone.test(text) ? Number.parseInt(text.replace(/^\D/u, ""), 10) : figuresOf(text);

/** The box number right before a place in a segment. */
function numberAhead(segment: Segment, at: number): { number: number; start: number } | undefined {
  const before = segment.text.slice(0, at);
  const plain = ahead.exec(before);
  const scanned = wasScanned(segment) ? readOn(`${before}x`) : undefined;
  if (scanned && scanned.end === at) return scanned;
  return plain?.[1] ? { number: Number(plain[1]), start: at - plain[0].trimStart().length } : undefined;
}

/** The numbers that may be a box's in a segment: the mark behind each, and where the words behind it begin. */
export function numbersIn(segment: Segment): { number: number; mark: string; start: number; end: number }[] {
  const scanned = wasScanned(segment) ? readOn(segment.text) : undefined;
  if (scanned) return [scanned];
  return [...segment.text.matchAll(first)].map((match) => ({
    number: Number(match[1]),
    mark: match[2] ?? "",
    start: match.index,
    end: match.index + match[0].length,
  }));
}

function readOn(text: string) {
  const match = scannedFirst.exec(text);
  const number = figuresOf(match?.[1] ?? "");
  if (!match || !inRange(number)) return undefined;
  return { number, mark: match[2] ?? "", start: 0, end: match[0].length };
}

const inRange = (number: number): boolean => number >= 1 && number <= maxBoxNumber;

/** "1.6", "1 6" and "11.6" are 16. */
function figuresOf(text: string): number {
  const figures = text.replace(/\D/gu, "");
  return Number(figures.length > 2 ? figures.slice(-2) : figures);
}

/** The boxes of a CMR note by their international names; `Plates` is the one many notes add. */
export type Box =
  | "Sender"
  | "Consignee"
  | "Delivery"
  | "TakingOver"
  | "Documents"
  | "Goods"
  | "Instructions"
  | "Payment"
  | "CashOnDelivery"
  | "Carrier"
  | "SuccessiveCarriers"
  | "Reservations"
  | "Agreements"
  | "ToBePaid"
  | "Established"
  | "SenderSignature"
  | "CarrierSignature"
  | "Received"
  | "Number"
  | "Plates";

/** The number printed in the corner of each box. */
const numbers: Partial<Record<Box, readonly number[]>> = {
  Sender: [1],
  Consignee: [2],
  Delivery: [3],
  TakingOver: [4],
  Documents: [5],
  Goods: [6, 7, 8, 9, 10, 11, 12],
  Instructions: [13],
  Payment: [14],
  CashOnDelivery: [15],
  Carrier: [16],
  SuccessiveCarriers: [17],
  Reservations: [18],
  Agreements: [19],
  ToBePaid: [20],
  Established: [21],
  SenderSignature: [22],
  CarrierSignature: [23],
  Received: [24],
  Plates: [25, 26],
};

const boxes: Partial<Record<ConceptId, Box>> = {
  shipper: "Sender",
  consignee: "Consignee",
  unloading: "Delivery",
  unloadingPlace: "Delivery",
  loading: "TakingOver",
  loadingPlace: "TakingOver",
  loadingDate: "TakingOver",
  unloadingDate: "Delivery",
  attachedDocuments: "Documents",
  requiredDocuments: "Documents",
  goodsMarks: "Goods",
  quantity: "Goods",
  packaging: "Goods",
  goods: "Goods",
  statisticalNumber: "Goods",
  grossWeight: "Goods",
  volume: "Goods",
  senderInstructions: "Instructions",
  driverInstructions: "Instructions",
  carriagePayment: "Payment",
  cashOnDelivery: "CashOnDelivery",
  carrier: "Carrier",
  successiveCarrier: "SuccessiveCarriers",
  carrierReservations: "Reservations",
  specialAgreements: "Agreements",
  terms: "Agreements",
  toBePaidBy: "ToBePaid",
  establishedIn: "Established",
  senderSignature: "SenderSignature",
  carrierSignature: "CarrierSignature",
  goodsReceived: "Received",
  signature: "Received",
  stamp: "Received",
  cmrNumber: "Number",
  deliveryNoteNumber: "Number",
  plates: "Plates",
  truckPlate: "Plates",
  trailerPlate: "Plates",
  vehicle: "Plates",
  driver: "Plates",
};

const platesOnly: ReadonlySet<ConceptId> = new Set<ConceptId>(["plates", "truckPlate", "trailerPlate"]);
/** How surely a word with its box number before it is a caption, wherever it stands. */
const numbered = 0.7;
const standings = { Head: 1, Lead: 0.85, Inline: 0.6, Tail: 0.5, Loose: 0 };
const minScore = 0.4;

/** A caption; `agrees` where the number of the box is printed before it, `differs` where another's is, `plated` where it says plates. */
type BoxHead = Head<Box> & { agrees: boolean; differs?: boolean; plated?: boolean };

/** The note taken apart into its boxes. */
export interface Boxes {
  parts: Parts<Box>;
  /** How many different boxes have a caption with their own number before it. */
  numbered: number;
  /** Lines without captions. */
  lines: (wanted: (segment: Segment, at: number) => boolean) => TextSpan[];
  /** Those of some boxes. */
  linesIn: (...wanted: Box[]) => TextSpan[];
}

/** Finds the boxes by their captions; the number printed with a caption decides between two meanings of it. */
export function boxesOf(document: DocumentContext): Boxes {
  const goods = goodsHeads(document);
  const worded = document.annotations.labels.flatMap((label) => headOf(document, label) ?? []);
  const named = withoutWords([...worded, ...goods]);
  const heads = [...named, ...numberedOnly(document, named)];
  const parts = partsUnder(
    document.annotations,
    heads.filter((head) => !insideAnother(head, heads)),
    document.annotations.layout.segments.filter(isBoxNumber),
  );
  const begins = new Map(parts.heads.map(({ label, from = label.start }) => [label, from]));
  const lines = (wanted: (segment: Segment, at: number) => boolean) =>
    linesOf(document, wanted, new Set(begins.keys()), (label) => begins.get(label) ?? label.start);
  const agreeing = new Set(worded.flatMap(({ agrees, role }) => (agrees ? role : [])));
  return { parts, numbered: agreeing.size, lines, linesIn: (...wanted) => lines(within(parts, ...wanted)) };
}

/** On a form that numbers its boxes, a word without a number opens none that has a numbered caption, and none in passing. */
function withoutWords(heads: readonly BoxHead[]): BoxHead[] {
  const known = new Set(heads.filter(({ agrees }) => agrees).map(({ role }) => role));
  if (known.size < minNumbered) return [...heads];
  return heads.filter(
    ({ agrees, differs, plated, role, label }) =>
      agrees ||
      saysAgain(label, role, heads) ||
      role === "Number" ||
      (plated && !differs) ||
      (!differs && !known.has(role) && (label.standing === "Head" || label.standing === "Lead")),
  );
}

/** The caption in another language right below the numbered one. */
function saysAgain({ segment, standing }: Label, role: Box, heads: readonly BoxHead[]): boolean {
  return (
    (standing === "Head" || standing === "Lead") &&
    heads.some(({ agrees, role: other, label: { segment: above } }) => {
      const gap = segment.box.y0 - above.box.y1;
      const below = above.page === segment.page && gap > -0.5 * segment.size && gap < 0.8 * segment.size;
      const aligned = Math.abs(above.box.x0 - segment.box.x0) < 2.5 * segment.size;
      return agrees && other === role && below && aligned && above.size < 1.15 * segment.size;
    })
  );
}

/** The bare numbers over the goods, or between them. */
function goodsHeads(document: DocumentContext): BoxHead[] {
  return numberedCells(document).marks.map(({ segment, start, end }) => {
    const label: Label = { index: -1, segment, start, end, meanings: [], standing: "Head" };
    return { role: "Goods", label, weight: 0.9, narrow: false, agrees: true };
  });
}

function headOf(document: DocumentContext, label: Label): BoxHead | undefined {
  const opens = label.standing === "Head" || label.standing === "Lead";
  const printed = numberBefore(document, label);
  if (document.prose.has(label.segment) && !printed && !(opens && label.start < 6)) return undefined;
  const meant = label.meanings.flatMap(({ concept, weight }) => {
    const box = boxes[concept];
    if (!box) return [];
    const known = numbers[box];
    const agrees = printed !== undefined && known?.includes(printed.number) === true;
    const differs = printed !== undefined && known !== undefined && !agrees;
    const stands = agrees ? Math.max(standings[label.standing], numbered) : standings[label.standing];
    return [
      { box, of: { agrees, differs }, weight: Math.min(1, weight * stands * (differs ? 0.4 : 1) + (agrees ? 0.3 : 0)) },
    ];
  });
  const [best] = meant.sort((a, b) => b.weight - a.weight);
  if (!best || best.weight < minScore) return undefined;
  const narrow = best.box === "Plates" || best.box === "Number";
  return {
    role: best.box,
    label,
    weight: best.weight,
    narrow,
    from: printed?.start,
    plated: weightFor(label, platesOnly) >= 0.5,
    ...best.of,
  };
}

/** The box number before the caption on its line, or alone to its left. */
function numberBefore(
  { annotations: marks }: DocumentContext,
  { segment, start }: Label,
): { number: number; start?: number } | undefined {
  const own = numberAhead(segment, start);
  if (own) return own;
  if (start > 0) return undefined;
  const [near] = indexAt(marks.layout, segment)
    .between(segment.box.y0 - 1.5 * segment.size, segment.box.y1 + 1.5 * segment.size)
    .filter(
      (other) =>
        other.box.x1 <= segment.box.x0 + 1 && segment.box.x0 - other.box.x1 < 4 * segment.size && isBoxNumber(other),
    )
    .sort((a, b) => Math.abs(a.box.y0 - segment.box.y0) - Math.abs(b.box.y0 - segment.box.y0));
  return near && { number: numberOf(near.text) };
}

/** "Signature and stamp of the carrier": a word within a longer caption of another box opens none. */
function insideAnother(head: Head<Box>, heads: readonly Head<Box>[]): boolean {
  return heads.some(
    (other) =>
      other !== head &&
      head.from === undefined &&
      other.label.segment === head.label.segment &&
      other.label.start < head.label.start &&
      other.weight >= head.weight &&
      !/[:：]/u.test(head.label.segment.text.slice(other.label.end, head.label.start)) &&
      head.label.standing !== "Head",
  );
}

const minNumbered = 4;

/** On a form that numbers its boxes, a caption in unknown words is known by its number. */
function numberedOnly(document: DocumentContext, named: readonly BoxHead[]): BoxHead[] {
  const known = new Set(named.map(({ role }) => role));
  const printed = named.filter(({ agrees }) => agrees);
  if (new Set(printed.map(({ role }) => role)).size < minNumbered) return [];
  const largest = Math.max(...printed.map(({ label }) => label.segment.size)) * 1.05;
  const marks = new Set(printed.map(({ label, from = label.start }) => markBehind(label.segment.text.slice(from))));
  return document.annotations.layout.segments.flatMap((segment): BoxHead[] => {
    if (segment.size > largest) return [];
    return numbersOf(document, segment).flatMap(({ number, mark, start, end }) => {
      const box = (Object.keys(numbers) as Box[]).find((each) => each !== "Goods" && numbers[each]?.includes(number));
      const fits = box && !known.has(box) && (wasScanned(segment) || marks.has(mark));
      if (
        !fits ||
        named.some(({ label }) => label.segment === segment && label.start >= start && label.start <= end + 2)
      )
        return [];
      const to = captionEnd(document, segment, end);
      const label: Label = { index: -1, segment, start: end, end: to, meanings: [], standing: "Head" };
      return [{ role: box, label, weight: 0.6, narrow: false, from: start, agrees: true }];
    });
  });
}

/** What stands behind a box number: "1.", "1)", "1". */
const markBehind = (text: string): string => /^\W?\d{1,2}([.):\]]?)/u.exec(text)?.[1] ?? "";

/** The numbers that may be a box's in a segment, and where the words behind them begin; its own segment may hold a number alone. */
function numbersOf({ annotations: marks }: DocumentContext, segment: Segment) {
  const counted = (at: number) =>
    (marks.entitiesIn[segment.index] ?? []).some(
      (entity) => entity.start <= at && entity.end > at && entity.score >= 0.5 && entity.type !== "Plate",
    );
  const own = numbersIn(segment).filter(
    ({ mark, start, end }) =>
      (mark !== "" || /^\p{Lu}/u.test(segment.text.slice(end))) && (wasScanned(segment) || !counted(start)),
  );
  const [left] = indexAt(marks.layout, segment)
    .rowOf(segment)
    .filter(({ box }) => box.x1 <= segment.box.x0 && segment.box.x0 - box.x1 < 4 * segment.size)
    .slice(-1);
  if (!left || !isBoxNumber(left) || !/^\p{Lu}/u.test(segment.text)) return own;
  return [{ number: numberOf(left.text), mark: markBehind(left.text), start: 0, end: 0 }, ...own];
}

const maxCaptionLength = 60;

/** An unknown caption ends with its colon, else where figures or a name that is known begin. */
function captionEnd({ annotations: marks }: DocumentContext, { text, index }: Segment, from: number): number {
  const valued = (marks.entitiesIn[index] ?? []).some(({ start, score }) => start === from && score >= 0.3);
  if (valued || findPlates(fold(text.slice(from)))[0]?.start === 0) return from;
  const colon = text.indexOf(":", from);
  if (colon >= 0 && colon - from < maxCaptionLength) return colon + 1;
  const figure = text.slice(from).search(/\d/u);
  const names = (marks.entitiesIn[index] ?? []).filter(
    ({ type, start, score }) => start > from && score >= 0.5 && (type === "Company" || type === "Place"),
  );
  return Math.min(figure < 0 ? text.length : from + figure, ...names.map(({ start }) => start));
}

/** Whether a segment is in one of the boxes. */
export function within(parts: Parts<Box>, ...wanted: Box[]): (segment: Segment, at: number) => boolean {
  return (segment, at) => {
    const box = parts.at(segment, at);
    return box !== undefined && wanted.includes(box);
  };
}
