import { numberValue, uniqueByValue } from "../field-values.ts";
import { thresholds } from "../scores.ts";
import { scores } from "./scores.ts";
import { fold, foldText } from "../../lexicon/fold.ts";
import { findCodes } from "../../fields/labels/codes.ts";
import { FieldValue } from "../../fields/confidence/field-value.ts";
import { numbersIn, wholeNumber } from "../../fields/labels/numbered.ts";
import type { Segment } from "../../layout/layout.ts";
import { indexAt } from "../../layout/page-index.ts";
import { splitSpan, trimmedSpan, type TextRange, type TextSpan } from "../../layout/text-span.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import { findPlates } from "../../entities/plates.ts";
import { plateLike, platesApart, vehiclesIn } from "../../fields/vehicles/vehicles.ts";
import type { Box } from "./box.ts";
import { within, type Boxes } from "./boxes.ts";

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
  const near = behindTitle(document) ?? besideTitle(document);
  if (near) return near;
  const other =
    labelled[0] ??
    findCodes(document, ["orderNumber", "reference"]).find(
      ({ label, score }) => score >= minGeneral && isOnTop(document, label.segment),
    );
  return other && numberValue(document, other.span, other.score * general);
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

const number = String.raw`(?:\p{Lu}{1,4}[ /-]?)?(?=(?:\P{N}*\p{N}){4})[\p{Lu}\d][\p{Lu}\d ./-]{3,22}`;
const numberLike = new RegExp(`^${number}$`, "u");
const numberBehind =
  /(?:(?<!\p{L})\p{Lu}{1,4} )?(?=\S*\d\S*\d)(?<![\p{L}\d/.-])[\p{Lu}\d][\p{Lu}\d./-]{2,24}(?![\p{L}\d])/u;
const ofNote = new RegExp(`(?:${note.source})[^\\s\\d]*`, "u");

/** Finds a number behind the title on its line, as in "CMR consignment note DE 4471180". */
function behindTitle(document: DocumentContext): FieldValue<string> | undefined {
  for (const segment of document.annotations.layout.segments) {
    const title = isOnTop(document, segment) ? ofNote.exec(foldText(segment.text)) : null;
    if (!title || title.index > maxLineLength) continue;
    const from = title.index + title[0].length;
    const match = numberBehind.exec(segment.text.slice(from));
    if (!match) continue;
    const span = wholeNumber(document, {
      segment,
      start: from + match.index,
      end: from + match.index + match[0].replace(/[./-]+$/u, "").length,
    });
    if (!isOther(document, span)) return numberValue(document, span, scores.number.besideTitle);
  }
  return undefined;
}

/** Whether a text is a date, a telephone number or only a year, and not the number of a note. */
function isOther({ annotations }: DocumentContext, { segment, start, end, text }: TextSpan): boolean {
  return (
    (text.match(/\d/gu)?.length ?? 0) < 4 ||
    /^(?:19|20)\d\d$/u.test(text) ||
    (annotations.entitiesIn[segment.index] ?? []).some(
      (entity) =>
        (entity.type === "Date" || entity.type === "Time" || entity.type === "Phone" || entity.type === "Place") &&
        entity.score >= thresholds.entity &&
        entity.start < end &&
        entity.end > start,
    )
  );
}

/** Finds a number that stands alone beside or below the title. */
function besideTitle(document: DocumentContext): FieldValue<string> | undefined {
  const { annotations } = document;
  const titles = annotations.layout.segments.filter((segment) => isOnTop(document, segment) && namesNote(segment));
  const { above, below } = scores.number.titleDistance;
  for (const title of titles) {
    const alone = indexAt(annotations.layout, title)
      .between(title.box.y0 - above * title.size, title.box.y1 + below * title.size)
      .map((segment) => trimmedSpan(segment, 0, segment.text.length))
      .find(
        (span) =>
          (span.segment.row === title.row || span.segment.index > title.index) &&
          numberLike.test(span.text) &&
          !isOther(document, span),
      );
    if (alone) return new FieldValue(alone.text, scores.number.besideTitle, alone);
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
 * in the format of a plate. `goods`: segments that list goods.
 */
export function platesIn(document: DocumentContext, boxes: Boxes, goods: ReadonlySet<Segment>): FieldValue<string>[] {
  const elsewhere = within(boxes.parts, ...boxesWithoutPlates);
  const { vehicles, trailers } = vehiclesIn(document);
  const labelled = [...vehicles, ...trailers].filter(
    ({ span }) =>
      span && !goods.has(span.segment) && !elsewhere(span.segment, span.start) && !holdsBoxNumber(boxes, span),
  );
  const plateLines = (...wanted: Box[]) =>
    boxes.linesIn(...wanted).filter((line) => !goods.has(line.segment) && isPlateLine(document, line));
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
