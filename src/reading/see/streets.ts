import streetWords from "../know/street-words.json" with { type: "json" };
import { foldText } from "../know/fold.ts";
import type { EntityOf } from "./entity.ts";
import { spanOf, withoutOverlaps } from "./line.ts";
import type { Line } from "./line.ts";

type StreetEntity = EntityOf<"Street">;

const escaped = (words: string[]) => words.map((word) => foldText(word).replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")).toSorted((one, other) => other.length - one.length).join("|");
/** "ul. Długa", "rue de la Paix", "Via Roma": the word stands first. */
const AHEAD = new RegExp(`(?<![\\p{L}\\d])(?:${escaped(streetWords.ahead)})(?![\\p{L}])\\.? ?(?=[\\p{L}\\d"'])`, "u");
/** "Long Road", "Brīvības iela", "Storgatan", "Hauptstr.": the word or ending stands last, a number behind it. */
const BEHIND = new RegExp(`(?:(?<=[\\p{L}\\d.] )(?:${escaped(streetWords.behind)})|(?<=\\p{L}{2})(?:${escaped(streetWords.endings)}))(?![\\p{L}])\\.?`, "u");
const HOUSE = "(?:(?:nr|no|nº|n°|č|bl)\\.? ?)?\\d{1,4} ?[a-z]?(?: ?[/-] ?\\d{1,4} ?[a-z]?)?(?: ?/ ?\\d{1,3}[a-z]?)?";
const HOUSE_BEHIND = new RegExp(`^[ ,]{1,2}${HOUSE}(?![\\p{L}\\d.,]\\d|[\\p{L}\\d])`, "u");
const NAME_AND_HOUSE = new RegExp(`^(?:\\p{Lu}[\\p{L}.'-]*)(?: (?:\\p{L}[\\p{L}.'-]*|\\d{1,2}\\.)){0,4} (${HOUSE})$`, "iu");
const BREAK = /[;|\t\n•]|\s{2,}|\s[-–—]\s|:\s|,\s?/g;
const LONGEST = 70;
/** Addresses in these words are no streets: a box, a floor. */
const NO_STREET = /^(?:p\.? ?o\.? ?box|box|postfach|bp|cp|skr\.? ?poczt|floor|suite|ste|apt|unit|tel|fax|kg|nr|no|order|ref|stop|truck|pos|page|seite|strona)\b/;

/** Streets with their house numbers: by a word for street, or by a name and a house number in a stretch of their own. */
export function seeStreets(line: Line): StreetEntity[] {
  return withoutOverlaps(stretches(line.text).flatMap(({ start, end }) => streetIn(line, start, end) ?? []));
}

function streetIn(line: Line, start: number, end: number): StreetEntity | undefined {
  const text = line.text.slice(start, end);
  if (end - start > LONGEST * 2 || end - start < 4) return undefined;
  const ahead = AHEAD.exec(text);
  if (ahead && !/^[A-Z]{2}(?![\p{L}.])/u.test(line.plain.slice(start + ahead.index))) {
    const stop = start + houseEnd(line.text, start, end);
    return street(line, start + ahead.index, stop, 0.85);
  }
  const behind = BEHIND.exec(text);
  if (behind) return streetBehind(line, start, end, behind.index + behind[0].length);
  if (text.length > LONGEST || NO_STREET.test(text)) return undefined;
  return NAME_AND_HOUSE.test(line.plain.slice(start, end)) && /^\p{Lu}/u.test(line.plain.slice(start)) ? street(line, start, end, 0.4) : undefined;
}

/** A number before the street's name ("82 Clerkenwell Road") or behind it ("Bahnhofstraße 18"). */
function streetBehind(line: Line, start: number, end: number, wordEnd: number): StreetEntity | undefined {
  const rest = line.text.slice(start + wordEnd);
  const house = HOUSE_BEHIND.exec(rest);
  const text = line.text.slice(start, start + wordEnd);
  const numberFirst = /(?:^|(?<= ))\d{1,5}[a-z]?(?:-\d{1,5}[a-z]?)? (?=\p{L}|\d)/u.exec(text);
  if (numberFirst) return street(line, start + numberFirst.index, start + wordEnd + directionEnd(rest), 0.85);
  if (text.split(" ").length > 5) return undefined;
  return street(line, start, start + wordEnd + (house?.[0].length ?? 0), house ? 0.85 : Math.min(0.6, end - start > 40 ? 0.3 : 0.6));
}

/** "Pennsylvania Ave NW". */
function directionEnd(rest: string): number {
  return /^ (?:n|s|e|w|ne|nw|se|sw)\b/.exec(rest)?.[0].length ?? 0;
}

/** A comma may stand between the name and its number: "Paseo de la Castellana, 185". */
function houseEnd(text: string, start: number, end: number): number {
  const house = /\d/.test(text.slice(start, end)) ? undefined : HOUSE_BEHIND.exec(text.slice(end, end + 16));
  return end - start + (house?.[0].length ?? 0);
}

function stretches(text: string): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  let start = 0;
  for (const match of text.matchAll(BREAK)) {
    found.push({ start, end: match.index });
    start = match.index + match[0].length;
  }
  found.push({ start, end: text.length });
  return found.filter((stretch) => stretch.end > stretch.start);
}

function street(line: Line, start: number, end: number, score: number): StreetEntity {
  const span = spanOf(line, start, end, score);
  return { type: "Street", ...span, value: line.source.slice(span.start, span.end).trim() };
}
