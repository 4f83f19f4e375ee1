import type { Entity } from "../../../entities/entity.ts";

/** Hours that the text may mean, although they are too short to be recognised as times. */
export interface GuessedHour {
  start: number;
  end: number;
  hour: string;
  part: "From" | "To";
  isRange: boolean;
}

const clock = "([01]?\\d|2[0-4])(?:[.:h]?([0-5]\\d))?";
const range = new RegExp(`(?<![\\d.,/:-])${clock}\\s?(?:h|hrs|uhr)?\\s?[-–—]\\s?${clock}(?![\\d%]|[.,/:-]\\d)`, "giu");
const single = /(?<![\p{L}\d.,/:+-])([01]?\d|2[0-4])(?:[.h:]([0-5]\d))?(?![\d%/]|[.,:/-]\d)/giu;

/** 24:00 is left to the rules. */
const midnight = "24:00";
const shown = (hours: string, minutes = "00") => `${hours.padStart(2, "0")}:${minutes}`;

/** Finds "7-14" and "15" outside the times and dates that were recognised. */
export function guessedHours(text: string, seen: readonly Entity[]): GuessedHour[] {
  const sure = seen.filter(({ type, score }) => known.has(type) && score >= 0.4);
  const isFree = (start: number, end: number) => sure.every((entity) => entity.end <= start || entity.start >= end);
  const found: GuessedHour[] = [];
  for (const match of text.matchAll(range)) {
    const [start, end] = [match.index, match.index + match[0].length];
    const [from, to] = [shown(match[1]!, match[2]), shown(match[3]!, match[4])];
    if (from >= to || to >= midnight || !isFree(start, end)) continue;
    found.push(
      { start, end, hour: from, part: "From", isRange: true },
      { start, end, hour: to, part: "To", isRange: true },
    );
  }
  for (const match of text.matchAll(single)) {
    const [start, end] = [match.index, match.index + match[0].length];
    const within = found.some((other) => other.start < end && other.end > start);
    const hour = shown(match[1]!, match[2]);
    if (!within && hour < midnight && isFree(start, end))
      found.push({ start, end, hour, part: "From", isRange: false });
  }
  return found;
}

const known: ReadonlySet<string> = new Set([
  "Time",
  "Date",
  "Quantity",
  "Temperature",
  "Dimensions",
  "Percent",
  "Phone",
  "Iban",
  "Vat",
  "Email",
  "Link",
]);
