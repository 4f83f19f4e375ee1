import { scores } from "./scores.ts";
import streetWords from "../lexicon/street-words.json" with { type: "json" };
import { foldText } from "../lexicon/fold.ts";
import type { EntityOf } from "./entity.ts";
import { printedSpan, withoutOverlaps } from "./line-spans.ts";
import type { Line } from "./line-spans.ts";

type StreetEntity = EntityOf<"Street">;

const escaped = (words: string[]) =>
  words
    .map((word) => foldText(word).replace(/[.*+?^${}()|[\]\\/]/g, "\\$&"))
    .toSorted((one, other) => other.length - one.length)
    .join("|");
/** "ul. Długa", "rue de la Paix", "Via Roma": the street word comes first. */
const AHEAD = new RegExp(`(?<![\\p{L}\\d])(?:${escaped(streetWords.ahead)})(?![\\p{L}])\\.? ?(?=[\\p{L}\\d"'])`, "u");
/** "Long Road", "Brīvības iela", "Storgatan", "Hauptstr.": the street word or ending comes last. */
const BEHIND = new RegExp(
  `(?:(?<=[\\p{L}\\d.] )(?:${escaped(streetWords.behind)})|(?<=\\p{L}{2})(?:${escaped(streetWords.endings)}))(?![\\p{L}])\\.?`,
  "gu",
);
/** "AL 35950", "PL", "AM": codes of states and countries, not "aleja" or "plac". */
const LETTERS_OF_STATES = /^(?:AL|PL|AM)(?![\p{L}.])/u;
/** "US Highway 431": the number belongs to the name of the road and is not a house number. */
const NUMBERED_ROAD = /(?:highway|hwy|route|state road|county road|interstate|freeway) \d{1,4}(?!\d)/;
const HOUSE = "(?:(?:nr|no|nº|n°|č|bl)\\.?:? ?)?\\d{1,4} ?[a-z]?(?: ?[/-] ?\\d{1,4} ?[a-z]?)?(?: ?/ ?\\d{1,3}[a-z]?)?";
const HOUSE_BEHIND = new RegExp(`^[ ,]{1,2}${HOUSE}(?![\\p{L}\\d.,]\\d|[\\p{L}\\d])`, "u");
const NAME_AND_HOUSE = new RegExp(`^\\p{L}[\\p{L}.'-]*(?: (?:\\p{L}[\\p{L}.'-]*|\\d{1,2}\\.)){0,4} (${HOUSE})$`, "u");
const BREAK = /[;|\t\n•·∙●▪⋅]|\s{2,}|\s[*~+]\s|\s[-–—]\s|(?<!\bn[or]):\s|,\s?/g;
const LONGEST = 70;
/**
 * A street without a house number gets a lower score if its text is longer than this, because it is then more likely a
 * sentence.
 */
const LONGEST_WITHOUT_NUMBER = 40;
const NO_STREET =
  /^(?:p\.? ?o\.? ?box|box|postfach|bp|cp|skr\.? ?poczt|floor|suite|ste|apt|unit|tel|fax|kg|nr|no|order|ref|stop|truck|pos|page|seite|strona)\b/;

const NAME_ALONE = /^\p{L}[\p{L}.'-]*(?: \p{L}[\p{L}.'-]*){0,4}$/u;
const HOUSE_ALONE = new RegExp(`^${HOUSE}$`, "u");

/**
 * Finds streets, with their house numbers if there are any. A street is recognised by a word such as "Road" or "ul.",
 * or by a name and a number.
 */
export function findStreets(line: Line): StreetEntity[] {
  const parts = lineSpans(line.text);
  return withoutOverlaps(
    parts.flatMap(
      ({ start, end }, at) => streetIn(line, start, end) ?? numberApart(line, parts.slice(at, at + 3)) ?? [],
    ),
  );
}

/** Finds a street whose name and number are between commas, before a postal code: "Los Olivos, 14, 28906 Getafe". */
function numberApart(line: Line, [name, house, code]: readonly LineSpan[]): StreetEntity | undefined {
  if (!name || !house || !code) return undefined;
  const [nameText, numberText, codeText] = [name, house, code].map(({ start, end }) => line.text.slice(start, end));
  const apart =
    NAME_ALONE.test(nameText!) && HOUSE_ALONE.test(numberText!) && /^(?:[a-z]{1,2}-)?\d{4,5} \p{L}{3}/u.test(codeText!);
  return apart && /^\p{Lu}/u.test(line.plain.slice(name.start)) && !NO_STREET.test(nameText!)
    ? street(line, name.start, house.end, scores.street.nameAndNumber)
    : undefined;
}

function streetIn(line: Line, start: number, end: number): StreetEntity | undefined {
  const text = line.text.slice(start, end);
  if (end - start > LONGEST * 2 || end - start < 4) return undefined;
  const behind = wordBehind(text);
  const ahead = AHEAD.exec(text);
  if (ahead && !LETTERS_OF_STATES.test(line.plain.slice(start + ahead.index)) && !isBehind(ahead, behind, text)) {
    const stop = start + houseEnd(line.text, start, end);
    const begin = /\d[a-z]?$/.test(line.text.slice(start, stop))
      ? start + ahead.index
      : numberBefore(line.text, start + ahead.index);
    return street(line, begin, stop, scores.street.streetWord);
  }
  if (behind) return streetBehind(line, start, end, behind.end);
  if (text.length > LONGEST || NO_STREET.test(text)) return undefined;
  return NAME_AND_HOUSE.test(text) && /^\p{Lu}/u.test(line.plain.slice(start))
    ? street(line, start, end, scores.street.nameAndNumber)
    : undefined;
}

/** Finds the last street word ("Court St"). The search ends at a number after a street word ("Hill Street #104"). */
function wordBehind(text: string): { start: number; end: number } | undefined {
  let last: { start: number; end: number } | undefined;
  for (const match of text.matchAll(BEHIND)) {
    if (last && /[\d#]/.test(text.slice(last.end, match.index))) break;
    last = { start: match.index, end: match.index + match[0].length };
  }
  return last;
}

/**
 * Whether a street word that usually precedes the name follows it here: "Turkuer Straße 30", "1600 Pennsylvania Ave
 * NW".
 */
function isBehind(ahead: RegExpExecArray, behind: { start: number; end: number } | undefined, text: string): boolean {
  if (!behind || ahead.index === 0 || behind.start !== ahead.index) return false;
  return /^\.? ?(?:$|[,\d]|(?:nr|no|č|[nsew]{1,2})(?![\p{L}]))/u.test(text.slice(behind.end));
}

/**
 * Returns the start of a house number before the name, with or without a comma: "12 rue de la Paix", "21, Kingswood
 * Road".
 */
function numberBefore(text: string, start: number): number {
  const lead = /(?<=^|[;|\t\n,:] ?| {2})\d{1,4}(?: ?(?:bis|ter|quater|[a-d]))?,? $/.exec(
    text.slice(0, start).slice(-16),
  );
  return lead && (start <= 16 || lead.index > 0) ? start - lead[0].length : start;
}

/** Finds a street with its number before the name ("82 Clerkenwell Road") or after it ("Bahnhofstraße 18"). */
function streetBehind(line: Line, start: number, end: number, wordEnd: number): StreetEntity | undefined {
  const rest = line.text.slice(start + wordEnd);
  const house = HOUSE_BEHIND.exec(rest);
  const text = line.text.slice(start, start + wordEnd);
  const numberFirst = /(?:^|(?<= ))\d{1,5}[a-z]?(?:-(?:\d{1,5}[a-z]?|[a-z]))? (?=\p{L}|\d)/u.exec(text);
  if (numberFirst)
    return street(
      line,
      start + numberFirst.index,
      start +
        wordEnd +
        (NUMBERED_ROAD.exec(text + rest.slice(0, 8)) ? /^ \d{1,4}/.exec(rest)![0].length : directionEnd(rest)),
      scores.street.streetWord,
    );
  if (text.split(" ").length > 5) return undefined;
  if (house)
    return street(
      line,
      start,
      start + wordEnd + house[0].length + hungarianPoint(text, rest.slice(house[0].length)),
      scores.street.streetWord,
    );
  const begin = numberBefore(line.text, start);
  if (/ \p{L}{1,2}$/u.test(text) && begin === start) return undefined;
  const { streetWord, withoutNumber, longWithoutNumber } = scores.street;
  const unnumbered = end - start > LONGEST_WITHOUT_NUMBER ? longWithoutNumber : withoutNumber;
  return street(line, begin, start + wordEnd, begin < start ? streetWord : unnumbered);
}

/** Returns the length of the full stop that belongs to a Hungarian house number: "Kossuth Lajos utca 12.". */
function hungarianPoint(text: string, rest: string): number {
  return /(?:utca|[ .]u|ut|utja|ter|korut|krt|sgt|sugarut|sor|koz|setany|fasor|rakpart)\.?$/.test(text) &&
    /^\.(?:$|[\s,;])/.test(rest)
    ? 1
    : 0;
}

function directionEnd(rest: string): number {
  return /^ (?:n|s|e|w|ne|nw|se|sw)\b/.exec(rest)?.[0].length ?? 0;
}

/**
 * Returns the end of the street with its house number, relative to `start`. The number may follow a comma: "Paseo de la
 * Castellana, 185". Four digits after the street are a postal code.
 */
function houseEnd(text: string, start: number, end: number): number {
  const numbered = /(?<!\d)\d{1,3}[a-z]?(?:[/-]\d+[a-z]?)?$/.test(text.slice(start, end));
  const house = numbered ? null : HOUSE_BEHIND.exec(text.slice(end, end + 16));
  return end - start + (house && !/\d{4}/.test(house[0]) ? house[0].length : 0);
}

interface LineSpan {
  start: number;
  end: number;
}

function lineSpans(text: string): LineSpan[] {
  const found: LineSpan[] = [];
  let start = 0;
  for (const match of text.matchAll(BREAK)) {
    found.push({ start, end: match.index });
    start = match.index + match[0].length;
  }
  found.push({ start, end: text.length });
  return found.filter((stretch) => stretch.end > stretch.start);
}

function street(line: Line, start: number, end: number, score: number): StreetEntity {
  const span = printedSpan(line, start, end, score);
  return { type: "Street", ...span, value: line.source.slice(span.start, span.end).trim() };
}
