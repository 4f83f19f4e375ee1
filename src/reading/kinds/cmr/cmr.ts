import type { MailHead } from "../../document.ts";
import { countryOf } from "../../know/countries.ts";
import type { Reading, ReadingContext } from "../../reading.ts";
import type { SeeingContext } from "../../see/entity.ts";
import { addressesOf, type Address } from "../../understand/address.ts";
import { companyIn, linesOf } from "../../understand/company-in.ts";
import { doubted } from "../../understand/confidence.ts";
import { Found, settle, type Draft } from "../../understand/found.ts";
import type { Segment } from "../../understand/layout.ts";
import { sightings, type Sighting } from "../../understand/marks.ts";
import type { PartyDraft } from "../../understand/party.ts";
import { joined, trimmed, type Piece } from "../../understand/piece.ts";
import { tidy } from "../../understand/stop-details.ts";
import { titled } from "../../understand/titles.ts";
import type { Surroundings } from "../../understand/values.ts";
import { vehiclesIn } from "../../understand/vehicles.ts";
import { completed } from "../../understand/windows.ts";
import { withWrappedLabels } from "../../understand/wrapped-labels.ts";
import type { CmrView } from "../../views/cmr.ts";
import { boxesOf, within, type Box, type Boxes } from "./boxes.ts";
import { checksOfNote } from "./checks.ts";
import { goodsIn } from "./goods.ts";
import { noteNumberOf } from "./number.ts";

type NoteDraft = NonNullable<Draft<CmrView>>;

const fewestBoxes = 6;
const longestText = 500;

/** Reads a CMR consignment note by its boxes, or undefined where the words are none. */
export function readCmr(
  given: Surroundings,
  seeing: SeeingContext,
  _context: ReadingContext,
  _mail: MailHead | undefined,
): Reading<CmrView> | undefined {
  const around = withWrappedLabels(given);
  const boxes = boxesOf(around);
  if (!isNote(around, boxes)) return undefined;
  const { data, evidence } = settle<CmrView>(draftOf(around, boxes, seeing), around.marks.layout.pages);
  const checks = checksOfNote(data);
  return { data, evidence: doubted(evidence, checks), checks };
}

const telling: ReadonlySet<Box> = new Set([
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

function isNote(around: Surroundings, { parts }: Boxes): boolean {
  const named = new Set(parts.heads.map(({ role }) => role));
  const own = [...named].filter((box) => telling.has(box)).length;
  return own >= fewestBoxes || (titled(around, ["titleCmr", "cmrNumber"]) && named.size >= 4);
}

function draftOf(around: Surroundings, boxes: Boxes, seeing: SeeingContext): NoteDraft {
  const addresses = addressesOf(around.marks, around.countries);
  const number = noteNumberOf(around);
  const party = (box: Box) => companyIn(around, addresses, boxes.linesIn(box), within(boxes, box));
  const [sender, consignee, carrier] = [party("Sender"), party("Consignee"), party("Carrier")];
  const successive = successiveIn(around, boxes, addresses);
  const [instructions, reservations] = [textOf(boxes, "Instructions"), textOf(boxes, "Reservations")];
  return {
    ...(number && { number }),
    ...(sender && { sender }),
    ...(consignee && { consignee }),
    ...(carrier && { carrier }),
    ...(successive && { successiveCarriers: [successive] }),
    takingOver: placeIn(around, boxes, "TakingOver", seeing),
    delivery: placeIn(around, boxes, "Delivery", seeing),
    goods: goodsIn(around, (segment) => endsGoods(boxes, segment)),
    attachedDocuments: documentsIn(boxes),
    ...(instructions && { instructions }),
    licensePlates: platesIn(around, boxes),
    ...(reservations && { reservations }),
    signatures: signaturesIn(around, boxes, seeing),
  };
}

const withoutGoods: ReadonlySet<Box> = new Set(["Goods", "Number"]);

function endsGoods({ parts }: Boxes, segment: Segment): boolean {
  return parts.heads.some(({ role, label }) => label.segment === segment && !withoutGoods.has(role));
}

/** Another carrier only where the box names one: its frame is mostly empty. */
function successiveIn(around: Surroundings, boxes: Boxes, addresses: readonly Address[]): PartyDraft | undefined {
  const lines = boxes.linesIn("SuccessiveCarriers");
  const named = lines.some(({ segment }) =>
    (around.marks.entitiesIn[segment.index] ?? []).some((entity) => entity.type === "Company" && entity.score >= 0.5),
  );
  return named ? companyIn(around, addresses, lines, within(boxes, "SuccessiveCarriers")) : undefined;
}

/** Town, country and day of box 3 or 4; the day of delivery also stands where the goods were received. */
function placeIn(
  around: Surroundings,
  boxes: Boxes,
  box: "TakingOver" | "Delivery",
  seeing: SeeingContext,
): NonNullable<NoteDraft["takingOver"]> {
  const own = within(boxes, box);
  const [town] = sightings(around.marks, "Place").filter(
    ({ segment, entity }) => entity.value.city !== undefined && own(segment, entity.start) && entity.score >= 0.3,
  );
  const lines = boxes.linesIn(box);
  const place = town ? townOf(town) : firstWords(around, lines);
  const country =
    countryNamed(lines) ??
    (town?.entity.value.country && foundAt(town.entity.value.country, town, 0.8)) ??
    countryInLetters(lines);
  const date =
    dateIn(around, own, seeing) ?? (box === "Delivery" ? dateIn(around, within(boxes, "Received"), seeing) : undefined);
  return { ...(place && { place }), ...(country && { country }), ...(date && { date }) };
}

function townOf(town: Sighting<"Place">): Found<string> {
  return foundAt(town.entity.value.city ?? "", town, 0.5 + 0.4 * town.entity.score);
}

function foundAt<T>(value: T, { segment, entity }: Sighting, confidence: number): Found<T> {
  return new Found(value, confidence, { segment, start: entity.start, end: entity.end });
}

/** A town no gazetteer knows: the words before the comma, without figures. */
function firstWords(around: Surroundings, lines: readonly Piece[]): Found<string> | undefined {
  const line = lines.find(
    ({ segment, text }) =>
      /\p{L}{2}/u.test(text) &&
      !(around.marks.entitiesIn[segment.index] ?? []).some(
        (entity) => entity.type === "Company" && entity.score >= 0.5,
      ),
  );
  const words = line && /^(?:[\d -]+\s)?(\p{Lu}[\p{L}' .-]*\p{L})/u.exec(line.text);
  if (!line || !words?.[1]) return undefined;
  const start = line.start + line.text.indexOf(words[1]);
  return new Found(words[1], 0.5, { segment: line.segment, start, end: start + words[1].length });
}

/** A country by its name. */
const countryNamed = (lines: readonly Piece[]) => countryBy(lines, /\p{L}[\p{L} .-]{3,}/gu);

/** A country by its two letters: alone behind a comma, or before a postal code. In brackets stand provinces and cantons. */
const countryInLetters = (lines: readonly Piece[]) => countryBy(lines, /(?<=^|,\s*)\p{Lu}{2}(?=\s*$|[\s-]+\d{2}|,)/gu);

function countryBy(lines: readonly Piece[], shape: RegExp): Found<string> | undefined {
  for (const line of lines) {
    for (const match of line.text.matchAll(shape)) {
      const piece = trimmed(line.segment, line.start + match.index, line.start + match.index + match[0].length);
      const country = countryOf(piece.text);
      if (country) return new Found(country, 0.88, piece);
    }
  }
  return undefined;
}

function dateIn(
  around: Surroundings,
  own: (segment: Segment, at: number) => boolean,
  seeing: SeeingContext,
): Found<string> | undefined {
  const [date] = sightings(around.marks, "Date").filter(
    ({ segment, entity }) => entity.score >= 0.5 && own(segment, entity.start),
  );
  return date && foundAt(completed(date.entity.value, seeing), date, 0.9);
}

function textOf({ linesIn }: Boxes, box: Box): Found<string> | undefined {
  const lines = linesIn(box).filter(({ text }) => /[\p{L}\p{N}]{2}/u.test(text) && !/^(?:\d{1,2}|[A-Z])$/u.test(text));
  const [first] = lines;
  if (!first) return undefined;
  const text = lines.map((line) => line.text).join(" ");
  return new Found(tidy(text).slice(0, longestText), lines.length > 1 ? 0.7 : 0.85, joined([first]));
}

/** "Delivery note 90418826, packing list": one for each comma or line. */
function documentsIn({ linesIn }: Boxes): Found<string>[] {
  return linesIn("Documents").flatMap((line) => {
    let at = line.start;
    return line.text.split(/[,;]\s|\s[•·]\s/u).flatMap((part) => {
      const piece = trimmed(line.segment, at, Math.min(line.end, at + part.length));
      at += part.length + 2;
      return /\p{L}{2}/u.test(piece.text) ? [new Found(piece.text, 0.75, piece)] : [];
    });
  });
}

/** Plates behind their labels, and those printed in the carrier's box, where nothing else has their shape. */
function platesIn(around: Surroundings, boxes: Boxes): Found<string>[] {
  const { vehicles, trailers } = vehiclesIn(around);
  const own = within(boxes, "Plates", "Carrier", "SuccessiveCarriers", "Reservations");
  const others = sightings(around.marks, "Plate").filter(
    ({ segment, entity }) =>
      own(segment, entity.start) && entity.score >= 0.3 && isPlateLine(around, segment) && !around.prose.has(segment),
  );
  const all = [
    ...vehicles,
    ...trailers,
    ...others.map((plate) => foundAt(plate.entity.value.plate, plate, 0.4 + plate.entity.score / 2)),
  ];
  return all.filter((found, at) => all.findIndex(({ value }) => value === found.value) === at);
}

/** Nothing but plates stands on the line, or a word and plates: no street, no place, no number of something. */
function isPlateLine({ marks }: Surroundings, segment: Segment): boolean {
  const others = new Set(["Street", "Place", "Vat", "Phone", "Company", "Date"]);
  return !(marks.entitiesIn[segment.index] ?? []).some((entity) => others.has(entity.type) && entity.score >= 0.5);
}

const signed = { sender: "SenderSignature", carrier: "CarrierSignature", consignee: "Received" } as const;

/** Days printed in boxes 22 to 24. Whether somebody signed, with a stamp or by hand, no text tells. */
function signaturesIn(around: Surroundings, boxes: Boxes, seeing: SeeingContext): NonNullable<NoteDraft["signatures"]> {
  return Object.fromEntries(
    Object.entries(signed).flatMap(([who, box]) => {
      const own = within(boxes, box);
      const date = dateIn(around, own, seeing);
      const [line] = linesOf(around, own, boxes.captions).filter(({ text }) => /\p{Lu}\p{L}{2}/u.test(text));
      const present = line && new Found(true, 0.5, line);
      return date || present ? [[who, { ...(present && { present }), ...(date && { date }) }]] : [];
    }),
  );
}
