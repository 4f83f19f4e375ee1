import { foldName } from "../../src/extraction/lexicon/fold.ts";
import type { Evidence } from "../../src/extraction/document/extraction-result.ts";

/** How the source text supports a value: it contains the value, implies it, is missing, or is unrelated to it. */
export type Grounds = "Spelled" | "Meant" | "Missing" | "Other";

const tight = (text: string) => foldName(text).replace(/[^\p{L}\p{N}]/gu, "");
const figure = /\d+(?:[ .,'’\u00a0\u202f]\d+)*/gu;
/** Factors by which a printed number may differ from its value: of tonnes, pounds, miles, percent and centimetres. */
const units = [1, 1000, 0.45359237, 1.609344, 100, 0.01, 0.001];
const isCode = /^[A-Z]{2,3}$/u;
const isName = /^(?:[A-Z][a-z]+)+$/u;
/** Matches the numeric id of a trailer type. The page contains its name instead. */
const isNumberOfKind = /^\d{1,2}$/u;
/**
 * Fields of tax numbers. A national number is printed without the country prefix; a Hungarian one also has an office
 * number.
 */
const taxNumber = /vatCode$/u;
const afternoon = /\d\s?p\.?m\b/iu;
const dayOf = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d))?/u;

/** Compares a value with its source text. Returns undefined for computed values, which have none. */
export function groundsOf({ pointer, value, text, source, page, box }: Evidence): Grounds | undefined {
  if (source === "Computed") return undefined;
  if (text === undefined || text.trim() === "" || (page === undefined) !== (box === undefined)) return "Missing";
  if (typeof value === "boolean") return "Meant";
  if (typeof value === "number") return figuresIn(text).some((each) => fits(each, value)) ? "Spelled" : "Meant";
  const valueText = String(value);
  const day = dayOf.exec(valueText);
  if (day) return spellsDay(text, day) ? "Spelled" : "Other";
  if (source === "Registry") return "Meant";
  const [wanted, given] = [tight(valueText), tight(text)];
  if (given.includes(wanted) || (wanted.includes(given) && given.length > 2)) return "Spelled";
  if (taxNumber.test(pointer) && given.startsWith(wanted.slice(2))) return "Spelled";
  if (isCode.test(valueText) || isName.test(valueText) || (isNumberOfKind.test(valueText) && !/\d/u.test(text)))
    return "Meant";
  return valueText.split(/[,;/ ]+/u).every((word) => given.includes(tight(word))) ? "Spelled" : "Other";
}

function fits(figureRead: number, value: number): boolean {
  return units.some(
    (unit) => Math.abs(figureRead * unit - Math.abs(value)) <= Math.max(0.005, Math.abs(value) * 0.005),
  );
}

/** Finds the numbers in a text. The last separator of each is read both as a decimal and as a thousands separator. */
function figuresIn(text: string): number[] {
  return [...text.matchAll(figure)].flatMap(([printed]) => {
    const last = Math.max(printed.lastIndexOf(","), printed.lastIndexOf("."));
    const whole = Number(printed.replace(/\D/gu, ""));
    const parted =
      last < 0 ? whole : Number(`${printed.slice(0, last).replace(/\D/gu, "")}.${printed.slice(last + 1)}`);
    return [whole, parted, ...printed.split(/\D+/u).map(Number)];
  });
}

/** Whether the text contains the day of the month, the hour or a year, or has no digits but a word ("tomorrow"). */
function spellsDay(text: string, [, , , date, hour]: RegExpExecArray): boolean {
  const figures = [...text.matchAll(/\d+/gu)].map(([each]) => Number(each));
  if (figures.length === 0) return /\p{L}/u.test(text);
  const hours = afternoon.test(text) ? figures.flatMap((each) => [each, each + 12]) : figures;
  return figures.includes(Number(date)) || hours.includes(Number(hour)) || figures.some((each) => each > 31);
}
