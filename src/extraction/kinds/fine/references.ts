import { findCodes } from "../../fields/labels/codes.ts";
import { FieldValue } from "../../fields/confidence/field-value.ts";
import { findLabelledTexts, textAfter } from "../../fields/labels/labelled-text.ts";
import type { Segment } from "../../layout/layout.ts";
import { numbersIn, wholeNumber } from "../../fields/labels/numbered.ts";
import { trimmedSpan, type TextSpan } from "../../layout/text-span.ts";
import { findCandidates, type DocumentContext } from "../../fields/labels/values.ts";
import { countryOf, countryOfCode } from "../../lexicon/countries.ts";
import { fold } from "../../lexicon/fold.ts";
import { findPlates } from "../../entities/plates.ts";
import { valueAreasOf } from "../../fields/labels/value-areas.ts";
import { entitiesOfType, type Label } from "../../fields/labels/annotations.ts";
import { indexAt } from "../../layout/page-index.ts";
import { findNamedPlates } from "../../fields/vehicles/named-plates.ts";

const minScore = 0.3;

/** The authority's number of the case: the one in the title, else behind its label, else one without a label of its own. */
export function referenceOf(document: DocumentContext): FieldValue<string> | undefined {
  const [sure] = findCodes(document, ["fineReference"]).filter(({ score }) => score >= minScore);
  const titled = numberBehindTitle(document);
  if (titled && (!sure || sure.label.meanings.every(({ concept }) => concept !== "titleFine"))) return titled;
  if (sure) return foundWhole(document, sure.span, sure.score);
  const bare = numberOfTitle(document);
  if (bare) return bare;
  const [best] = findCodes(document, ["reference", "orderNumber", "customerReference", "invoiceNumber"]).filter(
    ({ score, label }) => score >= 0.4 && label.meanings.every((each) => each.concept !== "paymentReference"),
  );
  return best && foundWhole(document, best.span, best.score);
}

/** "Penalty order no. 4711/26": the number right behind what the paper calls itself. */
function numberBehindTitle(document: DocumentContext): FieldValue<string> | undefined {
  for (const label of document.annotations.labels) {
    const { segment, end } = label;
    const isTitle = label.meanings.some(({ concept, weight }) => concept === "titleFine" && weight >= 0.6);
    if (!isTitle || segment.page > 1 || document.prose.has(segment)) continue;
    const number = numbersIn(segment.text).find(({ start }) => start >= end) ?? numberAt(segment, end);
    if (number && hasFigures(number.text) && !isAddressed(document, segment, number.start))
      return foundWhole(document, { segment, ...number }, 0.8);
  }
  return undefined;
}

const numberLike = /^[\s:–-]*((?:\p{Lu}{1,4} ?)?\d[\p{Lu}\d ./-]{4,})$/u;

/** A number alone behind the title, with no word for one. */
function numberAt({ text }: Segment, from: number): { text: string; start: number; end: number } | undefined {
  const match = numberLike.exec(text.slice(from));
  return match?.[1] ? { text: match[1], start: text.length - match[1].length, end: text.length } : undefined;
}

const figuresOf = (text: string): number => text.replace(/\D/gu, "").length;
const hasFigures = (text: string): boolean => figuresOf(text) >= minFigures;

const headPart = 0.5;
const minFigures = 3;

/** "Decision no. 4711/26": the first number behind a bare word for it, in the lines above the text. */
function numberOfTitle(document: DocumentContext): FieldValue<string> | undefined {
  const page = document.annotations.layout.pages[0];
  for (const segment of document.annotations.layout.segments) {
    if (segment.page !== 1 || segment.box.y0 > (page?.height ?? 0) * headPart || document.prose.has(segment)) continue;
    const number = numbersIn(segment.text).find(
      ({ text, start }) => hasFigures(text) && !isAddressed(document, segment, start),
    );
    if (number) return foundWhole(document, { segment, ...number }, 0.7);
  }
  return undefined;
}

function isAddressed({ annotations: marks }: DocumentContext, { index }: Segment, at: number): boolean {
  const other = new Set(["Street", "Place", "Phone", "Vat", "Iban", "Date"]);
  return (marks.entitiesIn[index] ?? []).some(
    ({ type, score, start, end }) =>
      start <= at && end > at && ((other.has(type) && score >= 0.5) || (type === "Plate" && start < at)),
  );
}

function foundWhole(
  document: DocumentContext,
  span: Pick<TextSpan, "segment" | "start" | "end">,
  score: number,
): FieldValue<string> {
  const whole = wholeNumber(document, span);
  return new FieldValue(whole.text, score, whole);
}

const structured = /\+{3}\s?\d{3}\/\d{4}\/\d{5}\s?\+{3}|\*{3}\s?\d{3}\/\d{4}\/\d{5}\s?\*{3}/u;
const creditor = /(?<![\p{L}\p{N}])RF\d{2}(?: ?[A-Z0-9]{1,4}){1,6}(?![\p{L}\p{N}])/u;

/** What the payment must quote: a structured communication, a creditor reference, or the words behind its label. */
export function paymentReferenceOf(document: DocumentContext): FieldValue<string> | undefined {
  for (const segment of document.annotations.layout.segments) {
    const match = structured.exec(segment.text) ?? checkedCreditor(segment);
    if (match)
      return new FieldValue(match[0].replace(/[+*\s]/gu, ""), 0.9, {
        segment,
        start: match.index,
        end: match.index + match[0].length,
      });
  }
  const [words] = findLabelledTexts(document, ["paymentReference"], { fits: (text) => /\d{2}/u.test(text) });
  if (!words || words.score < minScore) return spokenReference(document);
  const { segment, start } = words.span;
  const from = start + captionAhead(document, words.span);
  const text = upToSentence(segment.text.slice(from, words.span.end));
  return new FieldValue(text, words.score, { segment, start: from, end: from + text.length });
}

/** "to account ... quoting reference 4471 2077 8263": in a sentence, right behind the words for it. */
function spokenReference(document: DocumentContext): FieldValue<string> | undefined {
  const [candidate] = findCodes(document, ["paymentReference"]).filter(
    ({ score, span, label }) =>
      score >= minScore && span.segment === label.segment && figuresOf(span.text) >= minSpokenLength,
  );
  return candidate && foundWhole(document, candidate.span, candidate.score * 0.9);
}

const minSpokenLength = 5;

function checkedCreditor({ text }: Segment): RegExpExecArray | undefined {
  const match = creditor.exec(text);
  return match && isCreditorReference(match[0].replace(/ /gu, "")) ? match : undefined;
}

/** ISO 11649: modulo 97 like an account. */
function isCreditorReference(code: string): boolean {
  let remainder = 0;
  for (const letter of code.slice(4) + code.slice(0, 4)) {
    const value = Number.parseInt(letter, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder === 1;
}

/** "UIN 40 1188 22": a caption before the figures is not quoted with them. */
function captionAhead({ annotations: marks }: DocumentContext, { segment, start, end }: TextSpan): number {
  const label = (marks.labelsIn[segment.index] ?? []).find((each) => each.start === start && each.end < end);
  const behind = label && /^[\s.:]*(?=\d)/u.exec(segment.text.slice(label.end, end));
  return label && behind ? label.end + behind[0].length - start : 0;
}

/** The reference ends where words in small letters begin. */
function upToSentence(text: string): string {
  const end = /[\s(,;]+(?:\p{Ll}{2,}|\p{Lu}\p{Ll}+(?!\S))|\.\s+(?=\p{Lu})/u.exec(text);
  const cut = end && /\d/u.test(text.slice(0, end.index)) ? text.slice(0, end.index) : text;
  return cut.replace(/[\s.,;]+$/u, "");
}

/** A plate where it is printed. */
interface Plate {
  plate: string;
  piece: Pick<TextSpan, "segment" | "start" | "end">;
  score: number;
}

const concepts = ["plates", "truckPlate", "vehicle", "trailerPlate"] as const;

/** The vehicle's plate, and the country its letters, its name or a field beside it says. */
export function plateIn(document: DocumentContext): {
  licensePlate?: FieldValue<string>;
  plateCountry?: FieldValue<string>;
} {
  const plate = plateOf(document);
  const country = countryIn(document, plate);
  return {
    ...(plate && { licensePlate: new FieldValue(plate.plate, plate.score, plate.piece) }),
    ...(country && { plateCountry: country }),
  };
}

/** The plate behind its label, else the likeliest shape on the page. */
function plateOf(document: DocumentContext): Plate | undefined {
  const [labelled] = findCandidates(document, { concepts, types: ["Plate"] })
    .map((found) => ({ ...found, score: found.concept === "trailerPlate" ? found.score * towed : found.score }))
    .sort((a, b) => b.score - a.score);
  const written = document.annotations.labels.flatMap((label) => writtenBehind(document, label) ?? []);
  const [best] = written.sort((a, b) => b.score - a.score);
  const isFirst = best?.piece.segment === labelled?.segment && (best?.piece.start ?? 0) < (labelled?.entity.start ?? 0);
  if (best && (!labelled || best.score > labelled.score || isFirst)) return best;
  if (labelled && labelled.score >= 0.2) {
    const { segment, entity, score } = labelled;
    return { plate: entity.value.plate, piece: { segment, start: entity.start, end: entity.end }, score };
  }
  const [free] = entitiesOfType(document.annotations, "Plate")
    .filter(({ segment, entity }) => entity.score >= 0.3 && !isOther(document, segment, entity.start, entity.end))
    .sort((a, b) => b.entity.score - a.entity.score);
  if (!free) return besideVehicle(document);
  const { segment, entity } = free;
  return { plate: entity.value.plate, piece: { segment, start: entity.start, end: entity.end }, score: 0.4 };
}

/** "the vehicle registered BL 412 DK": right behind a word for a vehicle. */
function besideVehicle({ annotations: marks }: DocumentContext): Plate | undefined {
  for (const segment of marks.layout.segments) {
    const [named] = findNamedPlates(segment.text);
    if (named) return { plate: named.plate, piece: { segment, start: named.start, end: named.end }, score: 0.5 };
  }
  return undefined;
}

function isOther({ annotations: marks }: DocumentContext, segment: Segment, start: number, end: number): boolean {
  return (marks.entitiesIn[segment.index] ?? []).some(
    ({ type, start: from, end: to, score }) =>
      ["Place", "Iban", "Date", "Street", "Vat"].includes(type) && score >= 0.35 && from < end && to > start,
  );
}

const plateLike = /^(?=(?:\P{N}*\p{N}){2})(?=.*\p{L})[\p{Lu}\p{N}](?:[\p{Lu}\p{N}]|[ -](?=[\p{Lu}\p{N}])){3,10}/u;
const [shaped, shapeless] = [0.8, 0.6];
/** Who drives the truck has offended, not who is towed. */
const towed = 0.5;

/** What stands right behind a label for plates: by its shape, whatever else it may look like, or by its capitals alone. */
function writtenBehind(document: DocumentContext, label: Label): Plate | undefined {
  const named = label.meanings.some(({ concept, weight }) => concept.toLowerCase().includes("plate") && weight >= 0.5);
  const vehicle = label.meanings.some(({ concept }) => concept === "vehicle");
  const share = label.meanings.every(({ concept }) => concept === "trailerPlate") ? towed : 1;
  const [area] = valueAreasOf(document.annotations, label);
  if ((!named && !vehicle) || !area || area.way === "Before" || area.crossed > 0) return undefined;
  const { segment, start, text } = trimmedSpan(area.segment, area.start, area.end);
  const [seen] = findPlates(fold(text.slice(0, maxCountryLength)));
  if (seen && seen.start <= 1)
    return {
      plate: seen.value.plate,
      piece: { segment, start: start + seen.start, end: start + seen.end },
      score: (named ? shaped : shapeless) * share,
    };
  const match = named && label.standing !== "Loose" ? plateLike.exec(text) : null;
  const end = start + (match?.[0].length ?? 0);
  if (!match || isOther(document, segment, start, end)) return undefined;
  return { plate: match[0].replace(/[ -]/gu, ""), piece: { segment, start, end }, score: shapeless * share };
}

const maxCountryLength = 24;
const letters = /^[\s,;/·–—-]*[([]?\s*([A-Z]{1,3})(?![\p{L}\p{N}])/u;

/** "WGM 12345 (PL)", "PL / WGM 12345", or a field of its own. */
function countryIn(document: DocumentContext, plate: Plate | undefined): FieldValue<string> | undefined {
  const labelled = textAfter(document, ["plateCountry"], { least: 0.25, fits: (text) => named(text) !== undefined });
  const stated = labelled && named(labelled.value);
  if (labelled && stated) return labelled.as(stated);
  if (!plate) return undefined;
  const { segment, start, end } = plate.piece;
  const behind = segment.text.slice(end);
  const code = letters.exec(behind);
  const ofCode = code?.[1] && countryOfCode(code[1]);
  if (code && ofCode) {
    const to = end + code[0].length;
    return new FieldValue(ofCode, 0.85, { segment, start: to - (code[1]?.length ?? 0), end: to });
  }
  const before = /(?:^|[\s(:])([A-Z]{1,3})\)?\s*[-/:]?\s*$/u.exec(segment.text.slice(0, start));
  const ahead = before?.[1] && countryOfCode(before[1]);
  if (before && ahead)
    return new FieldValue(ahead, 0.75, { segment, start: before.index, end: before.index + before[0].length });
  const words = behind
    .split(/[,;()/–—-]/u)
    .map((part) => part.trim())
    .find((part) => inWords(part));
  const country = words && inWords(words);
  if (!words || !country) return besidePlate(document, segment);
  const from = segment.text.indexOf(words, end);
  return new FieldValue(country, 0.8, { segment, start: from, end: from + words.length });
}

/** "country: D" further on in the plate's row, or on the line below it. */
function besidePlate(document: DocumentContext, segment: Segment): FieldValue<string> | undefined {
  const row = indexAt(document.annotations.layout, segment).rowOf(segment);
  const next = row.find(({ box }) => box.x0 >= segment.box.x1);
  const alone = /^[([]?([A-Z]{1,3})[)\]]?$/u.exec(next?.text ?? "")?.[1];
  const country = alone && countryOfCode(alone);
  if (next && country) return new FieldValue(country, 0.75, { segment: next, start: 0, end: next.text.length });
  const labels = document.annotations.labels.filter(
    (label) =>
      label.meanings.some(({ concept }) => concept === "country") &&
      label.standing !== "Loose" &&
      (row.includes(label.segment) || (label.segment.page === segment.page && label.segment.row === segment.row + 1)),
  );
  for (const label of labels) {
    const [area] = valueAreasOf(document.annotations, label);
    const piece = area && area.way !== "Before" && trimmedSpan(area.segment, area.start, area.end);
    const country = piece && named(piece.text);
    if (piece && country) return new FieldValue(country, 0.75, piece);
  }
  return undefined;
}

/** A country's name, or its letters behind a word: "nationality SK". */
function inWords(text: string): string | undefined {
  const code = /\p{L}{4}.*\s([A-Z]{1,3})$/u.exec(text)?.[1];
  const last = text.split(/\s+/u).at(-1) ?? "";
  return (
    (code && countryOfCode(code)) ??
    (text.length > 3 ? (countryOf(text) ?? (last.length > 4 ? countryOf(last) : undefined)) : undefined)
  );
}

function named(text: string): string | undefined {
  const parts = [text, ...text.split(/[\s,;()/–—-]+/u)];
  return parts.map((part) => countryOf(part.trim())).find((country) => country !== undefined);
}
