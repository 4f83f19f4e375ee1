import { uniqueByValue } from "../field-values.ts";
import { fold, foldText } from "../../lexicon/fold.ts";
import { findCodes } from "../../fields/labels/codes.ts";
import { FieldValue } from "../../fields/confidence/field-value.ts";
import { numbersIn, wholeNumber } from "../../fields/labels/numbered.ts";
import type { Segment } from "../../layout/layout.ts";
import { indexAt } from "../../layout/page-index.ts";
import { trimmedSpan, type TextSpan } from "../../layout/text-span.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import { findPlates } from "../../entities/plates.ts";
import { vehiclesIn } from "../../fields/vehicles/vehicles.ts";
import { within, type Box, type Boxes } from "./boxes.ts";

const headPart = 0.35;
const shortLine = 60;

/** The number of the note: behind its label, else behind a bare word for "number" in the head of the page. */
export function noteNumberOf(document: DocumentContext): FieldValue<string> | undefined {
  const referenceAt = (piece: Pick<TextSpan, "segment" | "start" | "end">, score: number) => {
    const whole = wholeNumber(document, piece);
    return new FieldValue(whole.text, score, whole);
  };
  const labelled = findCodes(document, ["cmrNumber", "deliveryNoteNumber"]).filter(
    ({ label, score }) =>
      score >= 0.35 &&
      isOnTop(document, label.segment) &&
      label.meanings.some((each) => each.concept !== "deliveryNoteNumber" || saysNote(label.segment)),
  );
  const own = labelled.find(({ concept, label }) => concept === "cmrNumber" || saysNote(label.segment));
  if (own) return referenceAt(own.span, own.score);
  for (const segment of document.annotations.layout.segments) {
    const number = isOnTop(document, segment) ? numberIn(document, segment) : undefined;
    if (number) return referenceAt(number, 0.7);
  }
  const alone =
    labelled[0] ??
    findCodes(document, ["orderNumber", "reference"]).find(
      ({ label, score }) => score >= 0.5 && isOnTop(document, label.segment),
    );
  return alone ? referenceAt(alone.span, alone.score * 0.8) : besideTitle(document);
}

const note =
  /cmr|смр|чмр|frachtbrief|fragtbrev|fraktsedel|vrachtbrief|rahtikirj|saateleh|lettre de voiture|lettera di vettura|carta de porte|fuvarlev|vaztara|pavadzim|n[aá]kladn[yi] list|tovorni list|teretni list|przewozow|scrisoar|товарителн|накладн|consignment|waybill/u;

const saysNote = ({ text }: Segment): boolean => note.test(foldText(text));

function isOnTop({ annotations: marks }: DocumentContext, { page, box }: Segment): boolean {
  const first = marks.layout.pages[0];
  return page === 1 && first !== undefined && (box.y0 < first.height * headPart || box.y0 < 160);
}

/** "No. 4711/26" or "CMR 4711/26" at the end of a short line. */
function numberIn(
  document: DocumentContext,
  segment: Segment,
): Pick<TextSpan, "segment" | "start" | "end"> | undefined {
  const { text } = segment;
  if (text.length >= shortLine) return undefined;
  const last = numbersIn(text).at(-1) ?? afterLetters(text);
  return last && text.length - wholeNumber(document, { segment, ...last }).end < 3 ? { segment, ...last } : undefined;
}

function afterLetters(text: string): { start: number; end: number } | undefined {
  const match = /(?:cmr|смр)[\s:-]*((?=[\p{Lu}\d./-]*\d{3})[\p{Lu}\d][\p{Lu}\d./-]{2,20})$/iu.exec(text);
  return match?.[1] ? { start: text.length - match[1].length, end: text.length } : undefined;
}

const numberLike = /^(?:\p{Lu}{1,4}[ /-]?)?(?=(?:\P{N}*\p{N}){5})[\p{Lu}\d][\p{Lu}\d ./-]{4,22}$/u;

/** A number by itself beside the title. */
function besideTitle(document: DocumentContext): FieldValue<string> | undefined {
  const { annotations: marks } = document;
  const titles = marks.labels.filter(
    ({ segment, meanings }) => isOnTop(document, segment) && meanings.some(({ concept }) => concept === "titleCmr"),
  );
  for (const { segment: title } of titles) {
    const alone = indexAt(marks.layout, title)
      .between(title.box.y0 - 0.5 * title.size, title.box.y1 + 1.5 * title.size)
      .find(
        (segment) =>
          segment.box.x0 >= title.box.x1 &&
          numberLike.test(segment.text) &&
          !(marks.entitiesIn[segment.index] ?? []).some(({ score }) => score >= 0.5),
      );
    if (alone) return new FieldValue(alone.text, 0.5, { segment: alone, start: 0, end: alone.text.length });
  }
  return undefined;
}

/** Boxes in which what looks like a plate is something else. */
const others = ["Sender", "Consignee", "Delivery", "TakingOver", "Documents", "Goods", "Instructions"] as const;
const minShapeScore = { own: 0.22, other: 0.3 };

/** Plates behind their labels, and those printed in the carrier's boxes, where nothing else has their shape. */
export function platesIn(document: DocumentContext, boxes: Boxes): FieldValue<string>[] {
  const elsewhere = within(boxes.parts, ...others);
  const { vehicles, trailers } = vehiclesIn(document);
  const labelled = [...vehicles, ...trailers].filter(
    ({ span: piece }) => piece && !elsewhere(piece.segment, piece.start) && !holdsBoxNumber(boxes, piece),
  );
  const printed = (least: number, ...named: Box[]) =>
    boxes
      .linesIn(...named)
      .filter((line) => isPlateLine(document, line))
      .flatMap((line) => platesOn(line, least));
  const all = [
    ...labelled,
    ...printed(minShapeScore.own, "Plates"),
    ...boxes
      .linesIn("Plates")
      .filter((line) => isPlateLine(document, line))
      .flatMap(written),
    ...printed(minShapeScore.other, "Carrier", "SuccessiveCarriers", "Reservations"),
  ];
  return uniqueByValue(all);
}

/** "25 AM 4471 EH": the number of the box is no part of the plate. */
function holdsBoxNumber({ parts }: Boxes, { segment, start, end }: NonNullable<FieldValue<string>["span"]>): boolean {
  return parts.heads.some(
    ({ label, from }) => label.segment === segment && from !== undefined && from < end && from >= start,
  );
}

const plateLike = /^(?=(?:\P{N}*\p{N}){2})(?=.*\p{L})[\p{Lu}\p{N}][\p{Lu}\p{N} .-]{3,10}$/u;

/** What stands between slashes in the box of the plates, where it looks like one, whether its shape is known or not. */
function written({ segment, start, text }: TextSpan): FieldValue<string>[] {
  let at = start;
  return text.split(/[/,;+|]|\s[-–]\s/u).flatMap((part) => {
    const piece = trimmedSpan(segment, at, at + part.length);
    at += part.length + 1;
    const isPlate = findPlates(fold(piece.text)).some((plate) => plate.end - plate.start >= piece.text.length - 1);
    return isPlate || !plateLike.test(piece.text)
      ? []
      : [new FieldValue(piece.text.replace(/[^\p{L}\p{N}]/gu, ""), 0.5, piece)];
  });
}

function platesOn({ segment, start, text }: TextSpan, least: number): FieldValue<string>[] {
  return findPlates(fold(text))
    .filter(({ score }) => score >= least)
    .map(
      (plate) =>
        new FieldValue(plate.value.plate, 0.4 + plate.score / 2, {
          segment,
          start: start + plate.start,
          end: start + plate.end,
        }),
    );
}

/** Nothing but plates stands on the line, or a word and plates: no street, no place, no number of something. */
function isPlateLine({ annotations: marks, prose }: DocumentContext, { segment, start, end }: TextSpan): boolean {
  const kinds = new Set(["Street", "Vat", "Phone", "Company", "Date"]);
  return (
    !prose.has(segment) &&
    !(marks.entitiesIn[segment.index] ?? []).some(
      (entity) =>
        (kinds.has(entity.type) || (entity.type === "Place" && entity.value.normalizedCity !== undefined)) &&
        entity.score >= 0.5 &&
        entity.start >= start &&
        entity.end <= end,
    )
  );
}
