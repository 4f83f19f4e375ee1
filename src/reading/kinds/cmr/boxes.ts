import type { ConceptId } from "../../know/concepts.ts";
import { linesOf } from "../../understand/company-in.ts";
import type { Segment } from "../../understand/layout.ts";
import type { Label } from "../../understand/marks.ts";
import { indexAt } from "../../understand/page-index.ts";
import { partsUnder, type Parts } from "../../understand/parts.ts";
import type { Piece } from "../../understand/piece.ts";
import type { Head } from "../../understand/sections.ts";
import type { Surroundings } from "../../understand/values.ts";

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

const standings = { Head: 1, Lead: 0.85, Inline: 0.6, Tail: 0.5, Loose: 0 };
const least = 0.4;

/** The note taken apart into its boxes. */
export interface Boxes {
  parts: Parts<Box>;
  captions: ReadonlySet<Label>;
  /** Lines of a box without its captions. */
  linesIn: (box: Box) => Piece[];
}

/** Finds the boxes by their captions; the number printed with a caption decides between two meanings of it. */
export function boxesOf(around: Surroundings): Boxes {
  const named = around.marks.labels.flatMap((label) => headOf(around, label) ?? []);
  const heads = [...named, ...numberedOnly(around, named)];
  const parts = partsUnder(
    around.marks,
    heads.filter((head) => !insideAnother(head, heads)),
  );
  const captions = new Set(parts.heads.map(({ label }) => label));
  return {
    parts,
    captions,
    linesIn: (box) => linesOf(around, (segment, at) => parts.at(segment, at) === box, captions),
  };
}

function headOf(around: Surroundings, label: Label): Head<Box> | undefined {
  const opens = label.standing === "Head" || label.standing === "Lead";
  if (around.prose.has(label.segment) && !(opens && label.start < 6)) return undefined;
  const printed = numberBefore(around, label);
  const meant = label.meanings.flatMap(({ concept, weight }) => {
    const box = boxes[concept];
    if (!box) return [];
    const known = numbers[box];
    const agrees = printed !== undefined && known?.includes(printed) === true;
    const differs = printed !== undefined && known !== undefined && !agrees;
    return [
      { box, weight: Math.min(1, weight * standings[label.standing] * (differs ? 0.4 : 1) + (agrees ? 0.3 : 0)) },
    ];
  });
  const [best] = meant.sort((a, b) => b.weight - a.weight);
  if (!best || best.weight < least) return undefined;
  return { role: best.box, label, weight: best.weight, narrow: best.box === "Plates" || best.box === "Number" };
}

const leading = /^\W{0,2}(\d{1,2})\W{0,3}$/u;

/** The box number before the caption on its line, or alone to its left. */
function numberBefore({ marks }: Surroundings, { segment, start }: Label): number | undefined {
  const own = leading.exec(segment.text.slice(0, start));
  if (own) return Number(own[1]);
  if (start > 0) return undefined;
  const near = indexAt(marks.layout, segment)
    .between(segment.box.y0 - 1.5 * segment.size, segment.box.y1 + 1.5 * segment.size)
    .find(
      (other) =>
        other.box.x1 <= segment.box.x0 + 1 &&
        segment.box.x0 - other.box.x1 < 4 * segment.size &&
        /^\d{1,2}\.?$/u.test(other.text),
    );
  return near && Number.parseInt(near.text, 10);
}

/** "Signature and stamp of the carrier": a word within a longer caption of another box opens none. */
function insideAnother(head: Head<Box>, heads: readonly Head<Box>[]): boolean {
  return heads.some(
    (other) =>
      other !== head &&
      other.label.segment === head.label.segment &&
      other.label.start < head.label.start &&
      other.weight >= head.weight &&
      !/[:：]/u.test(head.label.segment.text.slice(other.label.end, head.label.start)) &&
      head.label.standing !== "Head",
  );
}

const fewestNumbered = 6;
const numberFirst = /^(\d{1,2})[.)]?\s+(?=\p{Lu})/u;

/** On a form that numbers its boxes, a caption in unknown words is known by its number. */
function numberedOnly(around: Surroundings, named: readonly Head<Box>[]): Head<Box>[] {
  const known = new Set(named.map(({ role }) => role));
  const printed = named.filter(({ label }) => numberBefore(around, label) !== undefined);
  if (new Set(printed.map(({ role }) => role)).size < fewestNumbered) return [];
  const sizes = printed.map(({ label }) => label.segment.size);
  return around.marks.layout.segments.flatMap((segment): Head<Box>[] => {
    const number = Number(numberFirst.exec(segment.text)?.[1]);
    const box = (Object.keys(numbers) as Box[]).find((each) => each !== "Goods" && numbers[each]?.includes(number));
    if (!box || known.has(box) || segment.size > Math.max(...sizes) * 1.05) return [];
    const label: Label = { index: -1, segment, start: 0, end: segment.text.length, meanings: [], standing: "Head" };
    return [{ role: box, label, weight: 0.6, narrow: false }];
  });
}

/** Whether a segment is in one of the boxes. */
export function within({ parts }: Boxes, ...wanted: Box[]): (segment: Segment, at: number) => boolean {
  return (segment, at) => {
    const box = parts.at(segment, at);
    return box !== undefined && wanted.includes(box);
  };
}
