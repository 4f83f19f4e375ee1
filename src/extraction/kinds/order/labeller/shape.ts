import type { Candidate } from "./candidates.ts";
import type { Signs } from "./groups.ts";

/** What a candidate looks like, wherever it stands. */
export function shapeOf({ segment, start, end, sort, value, other, unit, part, entity, isRange }: Candidate): Signs {
  const text = segment.text.slice(start, end);
  const count = (pattern: RegExp) => (text.match(pattern) ?? []).length;
  const words = text.split(/\s+/u);
  return {
    [`type ${entity?.type ?? "none"}`]: 1,
    ...(unit && { [`unit ${unit}`]: 1 }),
    score: Math.round(100 * (entity?.score ?? 0)) / 100,
    length: Math.min(60, text.length),
    digits: count(/\d/gu),
    letters: Math.min(60, count(/\p{L}/gu)),
    capitals: Math.round((10 * count(/\p{Lu}/gu)) / Math.max(1, count(/\p{L}/gu))) / 10,
    capital: /^\p{Lu}/u.test(text) ? 1 : 0,
    words: words.length,
    titled: Math.round((10 * words.filter((word) => /^\p{Lu}/u.test(word)).length) / words.length) / 10,
    marks: count(/[/._-]/gu),
    share: Math.round((10 * text.length) / Math.max(1, segment.text.length)) / 10,
    ambiguous: other === undefined ? 0 : 1,
    ...(typeof value === "number" && { value: Math.round(20 * Math.log10(1 + Math.abs(value))) / 20 }),
    ...(typeof value === "number" && { whole: Number.isInteger(value) ? 1 : 0 }),
    ...(part && { [`part ${part}`]: 1 }),
    ...(isRange !== undefined && { range: isRange ? 1 : -1 }),
    ...(sort === "Hour" && { hour: Number(String(value).slice(0, 2)), o: String(value).endsWith("00") ? 1 : 0 }),
    ...(entity?.type === "Amount" && { currency: entity.value.currency ? 1 : 0 }),
    ...(entity?.type === "Date" && { year: entity.value.year === undefined ? 0 : 1 }),
    ...(entity?.type === "Place" && {
      postal: entity.value.postalCode ? 1 : 0,
      town: entity.value.city ? 1 : 0,
      land: entity.value.country ? 1 : 0,
    }),
  };
}
