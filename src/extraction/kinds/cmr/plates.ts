import { fold } from "../../lexicon/fold.ts";
import { seePlates } from "../../entities/plates.ts";
import { FieldValue } from "../../fields/confidence/field-value.ts";
import { trimmed, type TextSpan } from "../../layout/text-span.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import { vehiclesIn } from "../../fields/vehicles/vehicles.ts";
import { within, type Box, type Boxes } from "./boxes.ts";

/** Boxes in which what looks like a plate is something else. */
const others = ["Sender", "Consignee", "Delivery", "TakingOver", "Documents", "Goods", "Instructions"] as const;
const leastShape = { own: 0.22, other: 0.3 };

/** Plates behind their labels, and those printed in the carrier's boxes, where nothing else has their shape. */
export function platesIn(around: DocumentContext, boxes: Boxes): FieldValue<string>[] {
  const elsewhere = within(boxes.parts, ...others);
  const { vehicles, trailers } = vehiclesIn(around);
  const labelled = [...vehicles, ...trailers].filter(
    ({ piece }) => piece && !elsewhere(piece.segment, piece.start) && !holdsBoxNumber(boxes, piece),
  );
  const printed = (least: number, ...named: Box[]) =>
    boxes
      .linesIn(...named)
      .filter((line) => isPlateLine(around, line))
      .flatMap((line) => platesOn(line, least));
  const all = [
    ...labelled,
    ...printed(leastShape.own, "Plates"),
    ...boxes
      .linesIn("Plates")
      .filter((line) => isPlateLine(around, line))
      .flatMap(written),
    ...printed(leastShape.other, "Carrier", "SuccessiveCarriers", "Reservations"),
  ];
  return all.filter((found, at) => all.findIndex(({ value }) => value === found.value) === at);
}

/** "25 AM 4471 EH": the number of the box is no part of the plate. */
function holdsBoxNumber({ parts }: Boxes, { segment, start, end }: NonNullable<FieldValue<string>["piece"]>): boolean {
  return parts.heads.some(
    ({ label, from }) => label.segment === segment && from !== undefined && from < end && from >= start,
  );
}

const plateLike = /^(?=(?:\P{N}*\p{N}){2})(?=.*\p{L})[\p{Lu}\p{N}][\p{Lu}\p{N} .-]{3,10}$/u;

/** What stands between slashes in the box of the plates, where it looks like one, whether its shape is known or not. */
function written({ segment, start, text }: TextSpan): FieldValue<string>[] {
  let at = start;
  return text.split(/[/,;+|]|\s[-–]\s/u).flatMap((part) => {
    const piece = trimmed(segment, at, at + part.length);
    at += part.length + 1;
    const known = seePlates(fold(piece.text)).some((plate) => plate.end - plate.start >= piece.text.length - 1);
    return known || !plateLike.test(piece.text)
      ? []
      : [new FieldValue(piece.text.replace(/[^\p{L}\p{N}]/gu, ""), 0.5, piece)];
  });
}

function platesOn({ segment, start, text }: TextSpan, least: number): FieldValue<string>[] {
  return seePlates(fold(text))
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
function isPlateLine({ marks, prose }: DocumentContext, { segment, start, end }: TextSpan): boolean {
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
