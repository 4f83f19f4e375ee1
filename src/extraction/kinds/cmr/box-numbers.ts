import type { Label } from "../../fields/labels/annotations.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import type { Segment } from "../../layout/layout.ts";
import { indexAt } from "../../layout/page-index.ts";
import { thresholds } from "../scores.ts";
import { scores } from "./scores.ts";

const numberAlone = /^[([]?\d{1,2}(?:\s?[-–]\s?\d{1,2})?[.):\]]?$/u;
const numberAtEnd = /(?:^|[\s–—|;•·([-])(\d{1,2})\W{0,3}$/u;
const numberAtStart = /(?:^|(?<=\s[–—|;•·-]\s))[([]?(\d{1,2})([.):\]]?)\s+(?=[^\s\d])/gu;

/**
 * OCR may add spaces and punctuation to a large box number, and may recognise a line of the frame as an additional "1".
 */
const scannedNumberAlone = /^\D{0,2}\d\D{0,2}\d?\D{0,2}$/u;
const scannedNumberAtStart = /^[([|]?((?:[1|]{1,2}[.,\s]{0,2})?\d[.,]?\d?)([.,):\]"”'*°]{0,2})\s+(?=[^\s\d])/u;
const maxBoxNumber = 26;

/** Whether the text of a segment comes from OCR. */
export const wasScanned = ({ tokens }: Segment): boolean => tokens.some(({ source }) => source === "Ocr");

/** Whether a segment consists only of a box number or a range of box numbers. */
export function isBoxNumber(segment: Segment): boolean {
  const { text } = segment;
  return numberAlone.test(text) || (wasScanned(segment) && scannedNumberAlone.test(text) && inRange(figuresOf(text)));
}

/** Returns the box number in a segment for which {@link isBoxNumber} holds. */
const numberOf = (text: string): number =>
  numberAlone.test(text) ? Number.parseInt(text.replace(/^\D/u, ""), 10) : figuresOf(text);

function numberEndingAt(segment: Segment, at: number): { number: number; start: number } | undefined {
  const before = segment.text.slice(0, at);
  const plain = numberAtEnd.exec(before);
  const scanned = wasScanned(segment) ? scannedNumber(`${before}x`) : undefined;
  if (scanned && scanned.end === at) return scanned;
  return plain?.[1] ? { number: Number(plain[1]), start: at - plain[0].trimStart().length } : undefined;
}

function numbersWithin(segment: Segment): { number: number; mark: string; start: number; end: number }[] {
  const scanned = wasScanned(segment) ? scannedNumber(segment.text) : undefined;
  if (scanned) return [scanned];
  return [...segment.text.matchAll(numberAtStart)].map((match) => ({
    number: Number(match[1]),
    mark: match[2] ?? "",
    start: match.index,
    end: match.index + match[0].length,
  }));
}

function scannedNumber(text: string) {
  const match = scannedNumberAtStart.exec(text);
  const number = figuresOf(match?.[1] ?? "");
  if (!match || !inRange(number)) return undefined;
  return { number, mark: match[2] ?? "", start: 0, end: match[0].length };
}

const inRange = (number: number): boolean => number >= 1 && number <= maxBoxNumber;

/** Reads the number in OCR text. "1.6", "1 6" and "11.6" all mean 16. */
function figuresOf(text: string): number {
  const figures = text.replace(/\D/gu, "");
  return Number(figures.length > 2 ? figures.slice(-2) : figures);
}

/** Finds the box number of a caption: before it in its segment, or alone in a segment to its left. */
export function numberBefore(
  { annotations }: DocumentContext,
  { segment, start }: Label,
): { number: number; start?: number } | undefined {
  const own = numberEndingAt(segment, start);
  if (own) return own;
  if (start > 0) return undefined;
  const { maxGap, maxOffset } = scores.boxNumber;
  const [near] = indexAt(annotations.layout, segment)
    .between(segment.box.y0 - maxOffset * segment.size, segment.box.y1 + maxOffset * segment.size)
    .filter(
      (other) =>
        other.box.x1 <= segment.box.x0 + 1 &&
        segment.box.x0 - other.box.x1 < maxGap * segment.size &&
        isBoxNumber(other),
    )
    .sort((a, b) => Math.abs(a.box.y0 - segment.box.y0) - Math.abs(b.box.y0 - segment.box.y0));
  return near && { number: numberOf(near.text) };
}

/** Returns the punctuation after a box number, as in "1." or "1)". Empty if there is none. */
export const markBehind = (text: string): string => /^\W?\d{1,2}([.):\]]?)/u.exec(text)?.[1] ?? "";

/**
 * Finds possible box numbers in a segment, and the one that is alone in the segment to its left. `end` is the offset in
 * the segment at which the text after the number begins.
 */
export function boxNumbersIn({ annotations }: DocumentContext, segment: Segment) {
  const counted = (at: number) =>
    (annotations.entitiesIn[segment.index] ?? []).some(
      (entity) =>
        entity.start <= at &&
        entity.end > at &&
        entity.score >= thresholds.entity &&
        entity.type !== "Plate" &&
        entity.type !== "Company",
    );
  const own = numbersWithin(segment).filter(
    ({ mark, start, end }) =>
      (mark !== "" || /^\p{Lu}/u.test(segment.text.slice(end))) && (wasScanned(segment) || !counted(start)),
  );
  const [left] = indexAt(annotations.layout, segment)
    .rowOf(segment)
    .filter(({ box }) => box.x1 <= segment.box.x0 && segment.box.x0 - box.x1 < scores.boxNumber.maxGap * segment.size)
    .slice(-1);
  if (!left || !isBoxNumber(left) || !/^\p{Lu}/u.test(segment.text)) return own;
  return [{ number: numberOf(left.text), mark: markBehind(left.text), start: 0, end: 0 }, ...own];
}
