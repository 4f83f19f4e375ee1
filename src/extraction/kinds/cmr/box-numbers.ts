import type { Segment } from "../../layout/layout.ts";

const alone = /^[([]?\d{1,2}(?:\s?[-–]\s?\d{1,2})?[.):\]]?$/u;
const ahead = /(?:^|[\s–—|;•·([-])(\d{1,2})\W{0,3}$/u;
const first = /(?:^|(?<=\s[–—|;•·-]\s))[([]?(\d{1,2})([.):\]]?)\s+(?=[^\s\d])/gu;

/** On a scan: a large number beside small words has marks and blanks in it, and the frame's rule is read as one more 1. */
const scannedAlone = /^\D{0,2}\d\D{0,2}\d?\D{0,2}$/u;
const scannedFirst = /^[([|]?((?:[1|]{1,2}[.,\s]{0,2})?\d[.,]?\d?)([.,):\]"”'*°]{0,2})\s+(?=[^\s\d])/u;
const maxBoxNumber = 26;

/** Whether the words of a segment were read from a picture. */
export const wasScanned = ({ tokens }: Segment): boolean => tokens.some(({ source }) => source === "Ocr");

/** Whether a segment is nothing but the number of a box, or a run of them. */
export function isBoxNumber(segment: Segment): boolean {
  const { text } = segment;
  return alone.test(text) || (wasScanned(segment) && scannedAlone.test(text) && inRange(figuresOf(text)));
}

/** The number of a segment that is one. */
export const numberOf = (text: string): number =>
  alone.test(text) ? Number.parseInt(text.replace(/^\D/u, ""), 10) : figuresOf(text);

/** The box number right before a place in a segment. */
export function numberAhead(segment: Segment, at: number): { number: number; start: number } | undefined {
  const before = segment.text.slice(0, at);
  const plain = ahead.exec(before);
  const scanned = wasScanned(segment) ? readOn(`${before}x`) : undefined;
  if (scanned && scanned.end === at) return scanned;
  return plain?.[1] ? { number: Number(plain[1]), start: at - plain[0].trimStart().length } : undefined;
}

/** The numbers that may be a box's in a segment: the mark behind each, and where the words behind it begin. */
export function numbersIn(segment: Segment): { number: number; mark: string; start: number; end: number }[] {
  const scanned = wasScanned(segment) ? readOn(segment.text) : undefined;
  if (scanned) return [scanned];
  return [...segment.text.matchAll(first)].map((match) => ({
    number: Number(match[1]),
    mark: match[2] ?? "",
    start: match.index,
    end: match.index + match[0].length,
  }));
}

function readOn(text: string) {
  const match = scannedFirst.exec(text);
  const number = figuresOf(match?.[1] ?? "");
  if (!match || !inRange(number)) return undefined;
  return { number, mark: match[2] ?? "", start: 0, end: match[0].length };
}

const inRange = (number: number): boolean => number >= 1 && number <= maxBoxNumber;

/** "1.6", "1 6" and "11.6" are 16. */
function figuresOf(text: string): number {
  const figures = text.replace(/\D/gu, "");
  return Number(figures.length > 2 ? figures.slice(-2) : figures);
}
