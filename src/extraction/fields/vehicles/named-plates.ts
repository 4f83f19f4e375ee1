import { languages } from "../../lexicon/languages.ts";
import { fold } from "../../lexicon/fold.ts";
import { anyOf } from "../../entities/line-spans.ts";
import { findPlates } from "../../entities/plates.ts";

/** A plate without separators, and its offsets in the text. */
export interface NamedPlate {
  plate: string;
  start: number;
  end: number;
}

const vehicle = anyOf(languages.flatMap(({ vehicleWords }) => vehicleWords));
const number = "(?:nr|no|num|nro|n[°º]|№|#|c|st|znak|broj|szam)";
const behindWord = new RegExp(
  `(?<![\\p{L}\\p{N}/])((?:${vehicle})(?:[.:]? ?(?:${vehicle}))?[.:]* ?)(?<![\\p{L}\\d])(?:${number}(?![\\p{L}])[.:]* ?)?(?=[\\p{L}\\d])`,
  "gu",
);
/** Matches a plate of any country, as printed. */
const printed =
  /^(?=(?:[^\d]*\d){2})(?=[^\p{L}]*\p{Lu})[\p{Lu}\d]{1,8}(?:[ -][\p{Lu}\d]{1,6}){0,2}(?![\p{L}\p{N}]|[./-]\d)/u;
const beforeWord = new RegExp(`^ ?\\(?(?:${vehicle})(?!\\p{L})`, "u");
const goesOn = /^\s?[/+|&,]\s?(?=[\p{Lu}\d])/u;
/** Matches further digits, which show a longer number and not a plate: "Reg. no. GB 100 0000 34". */
const goesOnInFigures = /^[ .-]?\d{2}/u;
const [minLength, maxLength] = [4, 9];
/** Matches amounts and quantities, which are not plates: "auto 500 EUR", "auto 24 t". */
const counted = /^\d+[ ]?(?:EUR|PLN|CZK|HUF|RON|LEI|BGN|SEK|DKK|NOK|CHF|GBP|USD|UAH|RUB|KM|KG|T|TO|LDM|M|L|H|PAL|EP)$/u;

/**
 * Finds plates directly after a word for a vehicle in any language, and further plates after a separator: "auto WX
 * 1234A/WX 55CD".
 */
export function findNamedPlates(text: string): NamedPlate[] {
  if (!/\d/.test(text)) return [];
  const line = fold(text);
  const found: NamedPlate[] = [];
  for (const match of line.text.matchAll(behindWord)) {
    const ends = [match[1], match[0]].map((words = "") => line.at(match.index + words.length));
    let at = ends.find((end) => plateAt(text, end)) ?? text.length;
    for (;;) {
      const plate = plateAt(text, at);
      if (!plate || found.some((other) => other.start === plate.start)) break;
      found.push(plate);
      const next = goesOn.exec(text.slice(plate.end));
      if (!next) break;
      at = plate.end + next[0].length;
    }
  }
  return found;
}

/** Whether a word for a vehicle directly follows the plate: "AEFG-123 rendszámú kamion". */
export const isBeforeVehicle = (text: string, end: number): boolean =>
  beforeWord.test(fold(text.slice(end, end + 24)).text);

function plateAt(text: string, start: number): NamedPlate | undefined {
  const rest = text.slice(start, start + 16);
  const known = findPlates(fold(rest)).find((each) => each.start === 0);
  const whole = known ? rest.slice(0, known.end) : printed.exec(rest)?.[0];
  const plate = whole?.replace(/[^\p{L}\p{N}]/gu, "").toUpperCase();
  if (!whole || !plate || plate.length < minLength || plate.length > maxLength || counted.test(whole)) return undefined;
  const mixed = /\p{L}/u.test(whole) && (whole.match(/\d/gu)?.length ?? 0) >= 2;
  if (!mixed || goesOnInFigures.test(rest.slice(whole.length))) return undefined;
  return { plate, start, end: start + whole.length };
}
