import type { Segment } from "../../layout/layout.ts";
import type { ConceptId } from "../../lexicon/concepts.ts";
import { linesOf } from "../../fields/parties/company-in.ts";
import { weightFor, type Label } from "../../fields/labels/annotations.ts";
import { partsUnder, type Parts } from "../../fields/sections/parts.ts";
import type { TextSpan } from "../../layout/text-span.ts";
import type { Head } from "../../fields/sections/sections.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import { thresholds } from "../scores.ts";
import { isBoxNumber, numberBefore } from "./box-numbers.ts";
import { boxNumbers, type Box, type BoxHead } from "./box.ts";
import { numberedCells } from "./goods.ts";
import { minNumbered, numberedOnly } from "./numbered-boxes.ts";
import { scores } from "./scores.ts";

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
/** A CMR note divided into boxes. */
export interface Boxes {
  parts: Parts<Box>;
  /** Number of boxes whose caption follows the correct box number. */
  numbered: number;
  /** Number of boxes that have a number and no known caption. */
  bare: number;
  /** Returns the lines in these boxes, without captions. */
  linesIn: (...wanted: Box[]) => TextSpan[];
}

/** Finds the boxes by their captions. If a caption has two meanings, the number printed with it decides. */
export function boxesOf(document: DocumentContext): Boxes {
  const goods = goodsHeads(document);
  const worded = document.annotations.labels.flatMap((label) => headOf(document, label) ?? []);
  const named = withoutUnnumbered([...worded, ...goods]);
  const bare = numberedOnly(document, named);
  const heads = [...named, ...bare];
  const parts = partsUnder(
    document.annotations,
    heads.filter((head) => !insideAnother(head, heads)),
    document.annotations.layout.segments.filter(isBoxNumber),
  );
  const begins = new Map(parts.heads.map(({ label, from = label.start }) => [label, from]));
  const linesIn = (...wanted: Box[]) =>
    linesOf(document, within(parts, ...wanted), new Set(begins.keys()), (label) => begins.get(label) ?? label.start);
  const agreeing = (some: readonly BoxHead[]) => new Set(some.flatMap(({ agrees, role }) => (agrees ? role : []))).size;
  return { parts, numbered: agreeing(worded), bare: agreeing(bare), linesIn };
}

/**
 * On a form with numbered boxes, drops captions without the number of their box. Exceptions: captions of plates and of
 * the number of the note, translations of a numbered caption above them, and captions at the start of a line whose box
 * has no numbered caption.
 */
function withoutUnnumbered(heads: readonly BoxHead[]): BoxHead[] {
  const known = new Set(heads.filter(({ agrees }) => agrees).map(({ role }) => role));
  if (known.size < minNumbered) return [...heads];
  return heads.filter(
    ({ agrees, differs, plated, role, label }) =>
      agrees ||
      isRepeated(label, role, heads) ||
      role === "Number" ||
      (plated && !differs) ||
      (!differs && !known.has(role) && (label.standing === "Head" || label.standing === "Lead")),
  );
}

/** Whether a label repeats the numbered caption above it in another language. */
function isRepeated({ segment, standing }: Label, role: Box, heads: readonly BoxHead[]): boolean {
  return (
    (standing === "Head" || standing === "Lead") &&
    heads.some(({ agrees, role: other, label: { segment: above } }) => {
      const gap = segment.box.y0 - above.box.y1;
      const { minGap, maxGap, maxIndent, maxSize } = scores.repeatedCaption;
      const below = above.page === segment.page && gap > minGap * segment.size && gap < maxGap * segment.size;
      const aligned = Math.abs(above.box.x0 - segment.box.x0) < maxIndent * segment.size;
      return agrees && other === role && below && aligned && above.size < maxSize * segment.size;
    })
  );
}

/** Finds captions above or between the goods that consist only of a number, such as "9". */
function goodsHeads(document: DocumentContext): BoxHead[] {
  return numberedCells(document).marks.map(({ segment, start, end }) => {
    const label: Label = { index: -1, segment, start, end, meanings: [], standing: "Head" };
    return { role: "Goods", label, weight: scores.caption.goodsNumber, narrow: false, agrees: true };
  });
}

function headOf(document: DocumentContext, label: Label): BoxHead | undefined {
  const opens = label.standing === "Head" || label.standing === "Lead";
  const printed = numberBefore(document, label);
  if (document.prose.has(label.segment) && !printed && !(opens && label.start < 6)) return undefined;
  const { position, minNumbered, ownNumber, otherNumber, min } = scores.caption;
  const meant = label.meanings.flatMap(({ concept, weight }) => {
    const box = boxes[concept];
    if (!box) return [];
    const known = boxNumbers[box];
    const agrees = printed !== undefined && known?.includes(printed.number) === true;
    const differs = printed !== undefined && known !== undefined && !agrees;
    const factor = agrees ? Math.max(position[label.standing], minNumbered) : position[label.standing];
    const score = weight * factor * (differs ? otherNumber : 1) + (agrees ? ownNumber : 0);
    return [{ box, of: { agrees, differs }, weight: Math.min(1, score) }];
  });
  const [best] = meant.sort((a, b) => b.weight - a.weight);
  if (!best || best.weight < min) return undefined;
  const narrow = best.box === "Plates" || best.box === "Number";
  return {
    role: best.box,
    label,
    weight: best.weight,
    narrow,
    from: printed?.start,
    plated: weightFor(label, platesOnly) >= thresholds.meaning,
    ...best.of,
  };
}

/** Whether a caption is part of the caption of another box, as "carrier" in "Signature and stamp of the carrier". */
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

/** Returns a function that tells whether a position is in one of the boxes. */
export function within(parts: Parts<Box>, ...wanted: Box[]): (segment: Segment, at: number) => boolean {
  return (segment, at) => {
    const box = parts.at(segment, at);
    return box !== undefined && wanted.includes(box);
  };
}
