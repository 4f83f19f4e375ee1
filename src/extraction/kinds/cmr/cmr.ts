import type { MailHead } from "../../document/document.ts";
import { findPlates } from "../../entities/plates.ts";
import { fold } from "../../lexicon/fold.ts";
import { countryOf } from "../../lexicon/countries.ts";
import type { ExtractedItem, ExtractionContext } from "../../document/extraction-result.ts";
import type { DocumentLocale } from "../../entities/entity.ts";
import { isEmptyAnswer } from "../../fields/labels/answers.ts";
import { addressesOf } from "../../fields/addresses/address.ts";
import { FieldValue, type FieldValues } from "../../fields/confidence/field-value.ts";
import type { Segment } from "../../layout/layout.ts";
import { entitiesOfType, type LocatedEntity } from "../../fields/labels/annotations.ts";
import { joinedSpan, splitSpan, trimmedSpan, type TextSpan } from "../../layout/text-span.ts";
import { cleanedText } from "../../fields/route/stop-details.ts";
import { titled } from "../../fields/labels/titles.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import { completed } from "../../fields/route/windows.ts";
import { withWrappedLabels } from "../../fields/labels/wrapped-labels.ts";
import { withChecks } from "../checks.ts";
import type { CmrView } from "./view.ts";
import { likelyKind } from "../classify.ts";
import { entityValue } from "../field-values.ts";
import { thresholds } from "../scores.ts";
import type { Box } from "./box.ts";
import { boxesOf, within, type Boxes } from "./boxes.ts";
import { checkCmr } from "./checks.ts";
import { goodsIn } from "./goods.ts";
import { goodsRows } from "./goods-texts.ts";
import { noteNumberOf, platesIn } from "./references.ts";
import { partyIn, successiveIn } from "./parties.ts";
import { scores } from "./scores.ts";

type NoteDraft = NonNullable<FieldValues<CmrView>>;

/**
 * A document is a CMR note if it has at least `minDistinctiveBoxes` boxes with a distinctive caption, or
 * `minNumberedBoxes` boxes with a numbered caption. If its title or the classifier identifies it as a CMR note,
 * `minBoxes` boxes of any kind are enough.
 */
const [minBoxes, minDistinctiveBoxes, minNumberedBoxes] = [4, 6, 5];
const maxTextLength = 500;

/** Extracts a CMR consignment note by its boxes. Undefined if the document is of another kind. */
export function extractCmr(
  unprepared: DocumentContext,
  locale: DocumentLocale,
  _context: ExtractionContext,
  _mail: MailHead | undefined,
): ExtractedItem<CmrView> | undefined {
  const document = withWrappedLabels(unprepared);
  const boxes = boxesOf(document);
  if (!isNote(document, boxes)) return undefined;
  return withChecks<CmrView>(draftOf(document, boxes, locale), document, checkCmr);
}

/** Boxes whose captions rarely occur on other documents. */
const distinctive: ReadonlySet<Box> = new Set([
  "Instructions",
  "Payment",
  "CashOnDelivery",
  "SuccessiveCarriers",
  "Reservations",
  "Established",
  "Received",
  "SenderSignature",
  "CarrierSignature",
  "Documents",
]);

function isNote(document: DocumentContext, { parts, numbered, bare }: Boxes): boolean {
  if (numbered >= minNumberedBoxes) return true;
  const named = new Set(parts.heads.map(({ role }) => role));
  const own = [...named].filter((box) => distinctive.has(box)).length;
  if (own >= minDistinctiveBoxes) return true;
  return Math.max(named.size, bare) >= minBoxes && (isTitled(document) || likelyKind(document) === "cmr");
}

const cmr = /(?:^|[^\p{L}\p{N}])(?:e-?)?(?:cmr|цмр|смр|чмр)(?![\p{L}\p{N}])/iu;
const titleRows = 4;
const maxTitleLength = 60;

/** Whether the document calls itself a CMR note. */
function isTitled(document: DocumentContext): boolean {
  return (
    titled(document, ["titleCmr", "cmrNumber"]) ||
    document.annotations.layout.segments.some(
      ({ page, row, text }) => page === 1 && row < titleRows && text.length < maxTitleLength && cmr.test(text),
    )
  );
}

function draftOf(document: DocumentContext, boxes: Boxes, locale: DocumentLocale): NoteDraft {
  const addresses = addressesOf(document.annotations, document.countries);
  const number = noteNumberOf(document);
  const party = (box: Box) => partyIn(document, addresses, boxes, box);
  const [sender, consignee, carrier] = [party("Sender"), party("Consignee"), party("Carrier")];
  const listed = rowsOfGoods(document, boxes);
  const successive = successiveIn(document, boxes, addresses);
  const [instructions, reservations] = [textOf(boxes, "Instructions"), reservationsIn(boxes, listed)];
  return {
    ...(number && { number }),
    ...(sender && { sender }),
    ...(consignee && { consignee }),
    ...(carrier && { carrier }),
    ...(successive.length > 0 && { successiveCarriers: successive }),
    takingOver: placeIn(document, boxes, "TakingOver", locale),
    delivery: placeIn(document, boxes, "Delivery", locale),
    goods: goodsIn(document, (segment) => endsGoods(boxes, segment), listed),
    attachedDocuments: documentsIn(boxes),
    ...(instructions && { instructions }),
    licensePlates: platesIn(document, boxes, new Set(listed.flat())),
    ...(reservations && { reservations }),
    signatures: signaturesIn(document, boxes, locale),
  };
}

const withoutGoods: ReadonlySet<Box> = new Set(["Goods", "Number"]);

function endsGoods({ parts }: Boxes, segment: Segment): boolean {
  return parts.heads.some(({ role, label }) => label.segment === segment && !withoutGoods.has(role));
}

function rowsOfGoods(document: DocumentContext, { parts }: Boxes): (readonly Segment[])[] {
  return goodsRows(
    document,
    (segment) => parts.at(segment, segment.text.length - 1) === "Goods",
    (segment) => {
      const head = parts.heads.findLast(({ label }) => label.segment === segment);
      if (!head) return false;
      const [before, behind] = [segment.text.slice(0, head.label.start), segment.text.slice(head.label.end)];
      const isCounted = head.from === undefined && /\d/u.test(before);
      return head.role !== "Goods" || !(isCounted || /\d{3}|\d\s\p{L}/u.test(behind));
    },
  );
}

/**
 * Finds the town, country and date in box 3 or 4. The delivery date may instead be in the box where the consignee
 * confirms receipt.
 */
function placeIn(
  document: DocumentContext,
  boxes: Boxes,
  box: "TakingOver" | "Delivery",
  locale: DocumentLocale,
): NonNullable<NoteDraft["takingOver"]> {
  const own = within(boxes.parts, box);
  const [town] = entitiesOfType(document.annotations, "Place").filter(
    ({ segment, entity }) =>
      entity.value.city !== undefined && own(segment, entity.start) && entity.score >= thresholds.entityInContext,
  );
  const lines = boxes.linesIn(box);
  const country =
    countryNamed(lines) ??
    (town?.entity.value.country ? entityValue(town.entity.value.country, town, scores.country.ofTown) : undefined) ??
    countryInLetters(lines);
  const place = town ? townOf(town, country?.value) : firstWords(document, lines, country?.value);
  const date =
    dateIn(document, own, locale) ??
    (box === "Delivery" ? dateIn(document, within(boxes.parts, "Received"), locale) : undefined);
  return { ...(place && { place }), ...(country && { country }), ...(date && { date }) };
}

/** The river in brackets that is part of the name of a German town, as in "Halle (Saale)" or "Frankfurt (Oder)". */
const river = /^\s?\(\p{Lu}\p{Ll}+\)/u;
const small = /^\p{Ll}[\p{Ll}.'’]{0,4}$/u;
const maxWords = 5;

function townOf({ segment, entity }: LocatedEntity<"Place">, country: string | undefined): FieldValue<string> {
  const { city = "" } = entity.value;
  const confidence = scores.town.base + scores.town.perScore * entity.score;
  const at = segment.text.indexOf(city, entity.start);
  if (at < 0) return entityValue(city, { segment, entity }, confidence);
  const before = /[\p{L}][\p{L}'’ .-]*$/u.exec(segment.text.slice(0, at))?.[0] ?? "";
  const start = isName(before) ? at - before.length : at;
  let end = at + city.length;
  const behind = /^[ -][\p{L}'’ .-]*\p{L}/u.exec(segment.text.slice(end))?.[0] ?? "";
  if (isName(behind) && !countryOf(behind.trim())) end += behind.length;
  if (country === "DE") end += river.exec(segment.text.slice(end))?.[0].length ?? 0;
  return new FieldValue(segment.text.slice(start, end), confidence, { segment, start, end });
}

/**
 * Whether words belong to the name of a town because some of them are short and in lower case: "am Wald" in "Steinbach
 * am Wald".
 */
function isName(words: string): boolean {
  const parts = words.trim().split(/\s+/u);
  return (
    parts.length < maxWords &&
    parts.some((part) => small.test(part)) &&
    parts.every((part) => small.test(part) || /^\p{Lu}/u.test(part))
  );
}

/** Takes the first words without digits, up to a comma, as a town that is not in the gazetteer. */
function firstWords(
  document: DocumentContext,
  lines: readonly TextSpan[],
  country: string | undefined,
): FieldValue<string> | undefined {
  const line = lines.find(
    ({ segment, text }) =>
      /\p{L}{2}/u.test(text) &&
      !(document.annotations.entitiesIn[segment.index] ?? []).some(
        (entity) => entity.type === "Company" && entity.score >= thresholds.entity,
      ),
  );
  const words = line && /^(?:[\d -]+\s)?(\p{Lu}[\p{L}' .-]*\p{L})/u.exec(line.text);
  if (!line || !words?.[1]) return undefined;
  const start = line.start + line.text.indexOf(words[1]);
  const behind = line.segment.text.slice(start + words[1].length);
  const name = words[1] + (country === "DE" ? (river.exec(behind)?.[0] ?? "") : "");
  return new FieldValue(name, scores.town.unknown, { segment: line.segment, start, end: start + name.length });
}

const countryNamed = (lines: readonly TextSpan[]) => countryBy(lines, /\p{L}[\p{L} .-]{3,}/gu);

/**
 * Finds a country printed by its two letters, alone after a comma or before a postal code. Letters in brackets are
 * provinces or cantons.
 */
const countryInLetters = (lines: readonly TextSpan[]) =>
  countryBy(lines, /(?<=^|,\s*)\p{Lu}{2}(?=\s*$|[\s-]+\d{2}|,)/gu);

function countryBy(lines: readonly TextSpan[], shape: RegExp): FieldValue<string> | undefined {
  for (const line of lines) {
    for (const match of line.text.matchAll(shape)) {
      const span = trimmedSpan(line.segment, line.start + match.index, line.start + match.index + match[0].length);
      const country = countryOf(span.text);
      if (country) return new FieldValue(country, scores.country.printed, span);
    }
  }
  return undefined;
}

function dateIn(
  document: DocumentContext,
  own: (segment: Segment, at: number) => boolean,
  locale: DocumentLocale,
): FieldValue<string> | undefined {
  const [date] = entitiesOfType(document.annotations, "Date").filter(
    ({ segment, entity }) => entity.score >= thresholds.entity && own(segment, entity.start),
  );
  if (!date) return undefined;
  const time = entitiesOfType(document.annotations, "Time", [date.segment]).find(
    ({ entity }) => entity.score >= thresholds.entity && isBehind(date, entity.start),
  )?.entity.value.from;
  const day = completed(date.entity.value, locale);
  return entityValue(time === undefined ? day : `${day}T${clock(time)}`, date, scores.date);
}

const maxWordLength = 8;
/** Whether a time is directly behind a date, as in "4 May 2026, at 10:35". */
const isBehind = ({ segment, entity }: LocatedEntity<"Date">, at: number): boolean =>
  at >= entity.end && at - entity.end < maxWordLength && !/[.;–-]|\d/u.test(segment.text.slice(entity.end, at));

const clock = (minutes: number): string =>
  [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, "0")).join(":");

/** Plates and goods that stand beside the reservations do not belong to them. */
function reservationsIn({ linesIn }: Boxes, goods: readonly (readonly Segment[])[]): FieldValue<string> | undefined {
  const listed = new Set(goods.flat());
  const lines = linesIn("Reservations").filter(
    ({ segment, text }) => !listed.has(segment) && !splitPlates(text).every(isPlate),
  );
  return textFrom(lines);
}

const splitPlates = (text: string): string[] => text.split(/\s?[/,;+·–]\s?/u);
const isPlate = (text: string): boolean =>
  findPlates(fold(text)).some(({ start, end }) => end - start >= text.trim().length - 1);

const textOf = ({ linesIn }: Boxes, box: Box): FieldValue<string> | undefined => textFrom(linesIn(box));

function textFrom(all: readonly TextSpan[]): FieldValue<string> | undefined {
  const lines = all.filter(
    ({ text }) => /[\p{L}\p{N}]{2}/u.test(text) && !/^(?:\d{1,2}(?:\s?[-–]\s?\d{1,2})?|[A-Z])$/u.test(text),
  );
  const [first] = lines;
  const text = lines.map((line) => line.text).join(" ");
  if (!first || first.text.split(/\s[/–-]\s/u).every(isEmptyAnswer)) return undefined;
  const confidence = lines.length > 1 ? scores.text.severalLines : scores.text.oneLine;
  return new FieldValue(cleanedText(text).slice(0, maxTextLength), confidence, joinedSpan([first]));
}

/** A line names one document, or several that are separated by commas: "Delivery note 90418826, packing list". */
function documentsIn({ linesIn }: Boxes): FieldValue<string>[] {
  return linesIn("Documents")
    .flatMap((line) => splitSpan(line, /[,;]\s|\s[•·]\s/gu))
    .filter(({ text }) => /\p{L}{2}/u.test(text) && !isEmptyAnswer(text))
    .map((span) => new FieldValue(span.text, scores.attachedDocument, span));
}

const signed = { sender: "SenderSignature", carrier: "CarrierSignature", consignee: "Received" } as const;

/**
 * Finds dates and text in boxes 22 to 24. `present` only shows whether a box contains printed text; stamps and
 * handwritten signatures are not recognised.
 */
function signaturesIn(
  document: DocumentContext,
  boxes: Boxes,
  locale: DocumentLocale,
): NonNullable<NoteDraft["signatures"]> {
  return Object.fromEntries(
    Object.entries(signed).flatMap(([who, box]) => {
      const own = within(boxes.parts, box);
      const date = dateIn(document, own, locale);
      const [line] = boxes.linesIn(box).filter(({ text }) => /\p{Lu}\p{L}{2}/u.test(text));
      const present = line && new FieldValue(true, scores.signaturePresent, line);
      return date || present ? [[who, { ...(present && { present }), ...(date && { date }) }]] : [];
    }),
  );
}
