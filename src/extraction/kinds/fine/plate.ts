import { findPlates } from "../../entities/plates.ts";
import { FieldValue } from "../../fields/confidence/field-value.ts";
import { entitiesOfType, type Label } from "../../fields/labels/annotations.ts";
import { textAfter } from "../../fields/labels/labelled-text.ts";
import { valueAreasOf } from "../../fields/labels/value-areas.ts";
import { findCandidates, type DocumentContext } from "../../fields/labels/values.ts";
import { findNamedPlates } from "../../fields/vehicles/named-plates.ts";
import type { Segment } from "../../layout/layout.ts";
import { indexAt } from "../../layout/page-index.ts";
import { trimmedSpan } from "../../layout/text-span.ts";
import { countryOf, countryOfCode } from "../../lexicon/countries.ts";
import { fold } from "../../lexicon/fold.ts";
import { entityValue } from "../field-values.ts";
import { thresholds } from "../scores.ts";
import { scores } from "./scores.ts";

const concepts = ["plates", "truckPlate", "vehicle", "trailerPlate"] as const;

/** Finds the plate of the vehicle, and its country: a code or name beside the plate, or in a separate field. */
export function plateIn(document: DocumentContext): {
  licensePlate?: FieldValue<string>;
  plateCountry?: FieldValue<string>;
} {
  const plate = plateOf(document);
  const country = countryIn(document, plate);
  return {
    ...(plate && { licensePlate: plate }),
    ...(country && { plateCountry: country }),
  };
}

function plateOf(document: DocumentContext): FieldValue<string> | undefined {
  const [labelled] = findCandidates(document, { concepts, types: ["Plate"] })
    .map((found) => ({ ...found, score: found.score * (found.concept === "trailerPlate" ? scores.plate.trailer : 1) }))
    .sort((a, b) => b.score - a.score);
  const written = document.annotations.labels.flatMap((label) => writtenBehind(document, label) ?? []);
  const [best] = written.sort((a, b) => b.confidence - a.confidence);
  const isFirst = best?.span?.segment === labelled?.segment && (best?.span?.start ?? 0) < (labelled?.entity.start ?? 0);
  if (best && (!labelled || best.confidence > labelled.score || isFirst)) return best;
  const { minLabelled, minUnlabelled, unlabelled } = scores.plate;
  if (labelled && labelled.score >= minLabelled)
    return entityValue(labelled.entity.value.plate, labelled, labelled.score);
  const [free] = entitiesOfType(document.annotations, "Plate")
    .filter(
      ({ segment, entity }) => entity.score >= minUnlabelled && !isOther(document, segment, entity.start, entity.end),
    )
    .sort((a, b) => b.entity.score - a.entity.score);
  return free ? entityValue(free.entity.value.plate, free, unlabelled) : behindVehicleWord(document);
}

/** Finds "BL 412 DK" in "the vehicle registered BL 412 DK". */
function behindVehicleWord({ annotations }: DocumentContext): FieldValue<string> | undefined {
  for (const segment of annotations.layout.segments) {
    const [named] = findNamedPlates(segment.text);
    if (named)
      return new FieldValue(named.plate, scores.plate.behindVehicleWord, {
        segment,
        start: named.start,
        end: named.end,
      });
  }
  return undefined;
}

function isOther({ annotations }: DocumentContext, segment: Segment, start: number, end: number): boolean {
  return (annotations.entitiesIn[segment.index] ?? []).some(
    ({ type, start: from, end: to, score }) =>
      ["Place", "Iban", "Date", "Street", "Vat"].includes(type) &&
      score >= scores.plate.minOtherEntity &&
      from < end &&
      to > start,
  );
}

const plateLike = /^(?=(?:\P{N}*\p{N}){2})(?=.*\p{L})[\p{Lu}\p{N}](?:[\p{Lu}\p{N}]|[ -](?=[\p{Lu}\p{N}])){3,10}/u;

/** After a label for plates, the text need not have the plate format of a country. */
function writtenBehind(document: DocumentContext, label: Label): FieldValue<string> | undefined {
  const { shaped, shapeless, trailer } = scores.plate;
  const named = label.meanings.some(
    ({ concept, weight }) => concept.toLowerCase().includes("plate") && weight >= thresholds.meaning,
  );
  const vehicle = label.meanings.some(({ concept }) => concept === "vehicle");
  const factor = label.meanings.every(({ concept }) => concept === "trailerPlate") ? trailer : 1;
  const [area] = valueAreasOf(document.annotations, label);
  if ((!named && !vehicle) || !area || area.way === "Before" || area.crossed > 0) return undefined;
  const { segment, start, text } = trimmedSpan(area.segment, area.start, area.end);
  const [seen] = findPlates(fold(text.slice(0, maxPlateLength)));
  if (seen && seen.start <= 1)
    return new FieldValue(seen.value.plate, (named ? shaped : shapeless) * factor, {
      segment,
      start: start + seen.start,
      end: start + seen.end,
    });
  const match = named && label.standing !== "Loose" ? plateLike.exec(text) : null;
  const end = start + (match?.[0].length ?? 0);
  if (!match || isOther(document, segment, start, end)) return undefined;
  return new FieldValue(match[0].replace(/[ -]/gu, ""), shapeless * factor, { segment, start, end });
}

const maxPlateLength = 24;
const letters = /^[\s,;/·–—-]*[([]?\s*([A-Z]{1,3})(?![\p{L}\p{N}])/u;

/** The country may be beside the plate, as in "WGM 12345 (PL)" or "PL / WGM 12345". */
function countryIn(document: DocumentContext, plate: FieldValue<string> | undefined): FieldValue<string> | undefined {
  const { minLabelled, codeBehindPlate, nameBehindPlate, codeBeforePlate } = scores.plateCountry;
  const labelled = textAfter(document, ["plateCountry"], {
    least: minLabelled,
    fits: (text) => countryNamedIn(text) !== undefined,
  });
  const stated = labelled && countryNamedIn(labelled.value);
  if (labelled && stated) return labelled.as(stated);
  if (!plate?.span) return undefined;
  const { segment, start, end } = plate.span;
  const behind = segment.text.slice(end);
  const code = letters.exec(behind);
  const ofCode = code?.[1] && countryOfCode(code[1]);
  if (code && ofCode) {
    const to = end + code[0].length;
    return new FieldValue(ofCode, codeBehindPlate, { segment, start: to - (code[1]?.length ?? 0), end: to });
  }
  const before = /(?:^|[\s(:])([A-Z]{1,3})\)?\s*[-/:]?\s*$/u.exec(segment.text.slice(0, start));
  const ahead = before?.[1] && countryOfCode(before[1]);
  if (before && ahead)
    return new FieldValue(ahead, codeBeforePlate, {
      segment,
      start: before.index,
      end: before.index + before[0].length,
    });
  const words = behind
    .split(/[,;()/–—-]/u)
    .map((part) => part.trim())
    .find((part) => countryInWords(part));
  const country = words && countryInWords(words);
  if (!words || !country) return besidePlate(document, segment);
  const from = segment.text.indexOf(words, end);
  return new FieldValue(country, nameBehindPlate, { segment, start: from, end: from + words.length });
}

function besidePlate(document: DocumentContext, segment: Segment): FieldValue<string> | undefined {
  const row = indexAt(document.annotations.layout, segment).rowOf(segment);
  const next = row.find(({ box }) => box.x0 >= segment.box.x1);
  const alone = /^[([]?([A-Z]{1,3})[)\]]?$/u.exec(next?.text ?? "")?.[1];
  const country = alone && countryOfCode(alone);
  if (next && country)
    return new FieldValue(country, scores.plateCountry.beside, { segment: next, start: 0, end: next.text.length });
  const labels = document.annotations.labels.filter(
    (label) =>
      label.meanings.some(({ concept }) => concept === "country") &&
      label.standing !== "Loose" &&
      (row.includes(label.segment) || (label.segment.page === segment.page && label.segment.row === segment.row + 1)),
  );
  for (const label of labels) {
    const [area] = valueAreasOf(document.annotations, label);
    const span = area && area.way !== "Before" && trimmedSpan(area.segment, area.start, area.end);
    const country = span && countryNamedIn(span.text);
    if (span && country) return new FieldValue(country, scores.plateCountry.beside, span);
  }
  return undefined;
}

/** A name, or a code after a word, as in "nationality SK". */
function countryInWords(text: string): string | undefined {
  const code = /\p{L}{4}.*\s([A-Z]{1,3})$/u.exec(text)?.[1];
  const last = text.split(/\s+/u).at(-1) ?? "";
  return (
    (code && countryOfCode(code)) ??
    (text.length > 3 ? (countryOf(text) ?? (last.length > 4 ? countryOf(last) : undefined)) : undefined)
  );
}

function countryNamedIn(text: string): string | undefined {
  const parts = [text, ...text.split(/[\s,;()/–—-]+/u)];
  return parts.map((part) => countryOf(part.trim())).find((country) => country !== undefined);
}
