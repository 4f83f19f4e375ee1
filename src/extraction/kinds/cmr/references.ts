import { numberValue, uniqueByValue } from "../field-values.ts";
import { thresholds } from "../scores.ts";
import { scores } from "./scores.ts";
import { fold, foldText } from "../../lexicon/fold.ts";
import { findCodes } from "../../fields/labels/codes.ts";
import { FieldValue } from "../../fields/confidence/field-value.ts";
import { numbersIn, wholeNumber } from "../../fields/labels/numbered.ts";
import type { Segment } from "../../layout/layout.ts";
import { indexAt } from "../../layout/page-index.ts";
import { splitSpan, type TextRange, type TextSpan } from "../../layout/text-span.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import { findPlates } from "../../entities/plates.ts";
import { plateLike, platesApart, vehiclesIn } from "../../fields/vehicles/vehicles.ts";
import { within, type Box, type Boxes } from "./boxes.ts";

const maxLineLength = 60;

/**
 * Finds the number of the note: after its label, otherwise after a word for "number" at the top of the page, otherwise
 * after another label, otherwise beside the title.
 */
export function noteNumberOf(document: DocumentContext): FieldValue<string> | undefined {
  const { minLabelled, behindNumberWord, minGeneral, general } = scores.number;
  const labelled = findCodes(document, ["cmrNumber", "deliveryNoteNumber"]).filter(
    ({ label, score }) =>
      score >= minLabelled &&
      isOnTop(document, label.segment) &&
      label.meanings.some((each) => each.concept !== "deliveryNoteNumber" || namesNote(label.segment)),
  );
  const own = labelled.find(({ concept, label }) => concept === "cmrNumber" || namesNote(label.segment));
  if (own) return numberValue(document, own.span, own.score);
  for (const segment of document.annotations.layout.segments) {
    const number = isOnTop(document, segment) ? numberIn(document, segment) : undefined;
    if (number) return numberValue(document, number, behindNumberWord);
  }
  const other =
    labelled[0] ??
    findCodes(document, ["orderNumber", "reference"]).find(
      ({ label, score }) => score >= minGeneral && isOnTop(document, label.segment),
    );
  return other ? numberValue(document, other.span, other.score * general) : besideTitle(document);
}

const note =
  /cmr|смр|чмр|frachtbrief|fragtbrev|fraktsedel|vrachtbrief|rahtikirj|saateleh|lettre de voiture|lettera di vettura|carta de porte|fuvarlev|vaztara|pavadzim|n[aá]kladn[yi] list|tovorni list|teretni list|przewozow|scrisoar|товарителн|накладн|consignment|waybill/u;

const namesNote = ({ text }: Segment): boolean => note.test(foldText(text));

function isOnTop({ annotations }: DocumentContext, { page, box }: Segment): boolean {
  const first = annotations.layout.pages[0];
  return page === 1 && first !== undefined && (box.y0 < first.height * scores.number.headHeight || box.y0 < 160);
}

/** Finds a number at the end of a short line, as in "No. 4711/26" or "CMR 4711/26". */
function numberIn(document: DocumentContext, segment: Segment): TextRange | undefined {
  const { text } = segment;
  if (text.length >= maxLineLength) return undefined;
  const last = numbersIn(text).at(-1) ?? afterLetters(text);
  return last && text.length - wholeNumber(document, { segment, ...last }).end < 3 ? { segment, ...last } : undefined;
}

function afterLetters(text: string): { start: number; end: number } | undefined {
  const match = /(?:cmr|смр)[\s:-]*((?=[\p{Lu}\d./-]*\d{3})[\p{Lu}\d][\p{Lu}\d./-]{2,20})$/iu.exec(text);
  return match?.[1] ? { start: text.length - match[1].length, end: text.length } : undefined;
}

const numberLike = /^(?:\p{Lu}{1,4}[ /-]?)?(?=(?:\P{N}*\p{N}){5})[\p{Lu}\d][\p{Lu}\d ./-]{4,22}$/u;

function besideTitle(document: DocumentContext): FieldValue<string> | undefined {
  const { annotations } = document;
  const titles = annotations.labels.filter(
    ({ segment, meanings }) => isOnTop(document, segment) && meanings.some(({ concept }) => concept === "titleCmr"),
  );
  const { above, below } = scores.number.titleDistance;
  for (const { segment: title } of titles) {
    const alone = indexAt(annotations.layout, title)
      .between(title.box.y0 - above * title.size, title.box.y1 + below * title.size)
      .find(
        (segment) =>
          segment.box.x0 >= title.box.x1 &&
          numberLike.test(segment.text) &&
          !(annotations.entitiesIn[segment.index] ?? []).some(({ score }) => score >= thresholds.entity),
      );
    if (alone)
      return new FieldValue(alone.text, scores.number.besideTitle, {
        segment: alone,
        start: 0,
        end: alone.text.length,
      });
  }
  return undefined;
}

/** Texts in these boxes may have the format of a plate by chance. */
const boxesWithoutPlates = [
  "Sender",
  "Consignee",
  "Delivery",
  "TakingOver",
  "Documents",
  "Goods",
  "Instructions",
] as const;

/**
 * Finds plates after their labels, in the box for plates, and in the boxes of carriers, which rarely contain other text
 * in the format of a plate.
 */
export function platesIn(document: DocumentContext, boxes: Boxes): FieldValue<string>[] {
  const elsewhere = within(boxes.parts, ...boxesWithoutPlates);
  const { vehicles, trailers } = vehiclesIn(document);
  const labelled = [...vehicles, ...trailers].filter(
    ({ span }) => span && !elsewhere(span.segment, span.start) && !holdsBoxNumber(boxes, span),
  );
  const plateLines = (...wanted: Box[]) => boxes.linesIn(...wanted).filter((line) => isPlateLine(document, line));
  const own = plateLines("Plates");
  const ofCarriers = plateLines("Carrier", "SuccessiveCarriers", "Reservations");
  return uniqueByValue([
    ...labelled,
    ...own.flatMap((line) => platesOn(line, scores.plate.minInOwnBox)),
    ...own.flatMap(shapelessPlates),
    ...ofCarriers.flatMap((line) => platesOn(line, scores.plate.minInCarrierBox)),
  ]);
}

/** Whether a box number was read as part of the plate, as in "25 AM 4471 EH". */
function holdsBoxNumber({ parts }: Boxes, { segment, start, end }: TextRange): boolean {
  return parts.heads.some(
    ({ label, from }) => label.segment === segment && from !== undefined && from < end && from >= start,
  );
}

function shapelessPlates(box: TextSpan): FieldValue<string>[] {
  return splitSpan(box, platesApart).flatMap((span) => {
    const isPlate = findPlates(fold(span.text)).some((plate) => plate.end - plate.start >= span.text.length - 1);
    return isPlate || !plateLike.test(span.text)
      ? []
      : [new FieldValue(span.text.replace(/[^\p{L}\p{N}]/gu, ""), scores.plate.shapeless, span)];
  });
}

function platesOn({ segment, start, text }: TextSpan, min: number): FieldValue<string>[] {
  const { base, perScore } = scores.plate;
  return findPlates(fold(text))
    .filter(({ score }) => score >= min)
    .map(
      (plate) =>
        new FieldValue(plate.value.plate, base + perScore * plate.score, {
          segment,
          start: start + plate.start,
          end: start + plate.end,
        }),
    );
}

function isPlateLine({ annotations, prose }: DocumentContext, { segment, start, end }: TextSpan): boolean {
  const kinds = new Set(["Street", "Vat", "Phone", "Company", "Date"]);
  return (
    !prose.has(segment) &&
    !(annotations.entitiesIn[segment.index] ?? []).some(
      (entity) =>
        (kinds.has(entity.type) || (entity.type === "Place" && entity.value.normalizedCity !== undefined)) &&
        entity.score >= thresholds.entity &&
        entity.start >= start &&
        entity.end <= end,
    )
  );
}
