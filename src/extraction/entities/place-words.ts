import { startsCountryName, countryKeys, countryOfCode, endsCountryName } from "../lexicon/countries.ts";
import { foldName } from "../lexicon/fold.ts";

/** A word of a line with its offsets. */
export interface PlaceWord {
  text: string;
  start: number;
  end: number;
}

const WORD = /(?:(?<![\p{L}\d])['’](?=[st][- ]\p{Lu}))?[\p{L}\d](?:[\p{L}\d'’.]|[-/](?=\p{L}))*/gu;
const FIRST_WORD = new RegExp(WORD.source, "u");
const ENDS_IN_LETTERS = /(?<![\p{L}\d])[A-Z]{1,2}$/u;
/**
 * End of a town's name: a comma, bracket, wide gap, question mark, or a full stop after a word longer than an
 * abbreviation.
 */
const BREAK = /[,;:!?|()[\]\t\n>→»⇒]|\s{2,}|\s[-–/]\s?|\s?[-–]\s|(?<=\p{Ll}{4})\.\s+(?=[\p{Lu}\d])/u;
const BREAKS = new RegExp(BREAK.source, "gu");
const MOST_WORDS = 7;
/** "м. Київ", "г. Москва": the type of settlement before its name. */
const SETTLEMENT = /^(?:м|г|с|смт|пгт|пос|сел)\. ?(?=\p{Lu})/u;
const BEFORE_SETTLEMENT = /(?<!\p{L})(?:м|г|смт|пгт|пос)\. ?$/u;
/** A settlement and its street at the end of the text before a postal code: "м. Ковель, вул. Варшавська, 12, ". */
export const settledAt = /(?<!\p{L})(?:м|г|смт|пгт|пос)\. ?(\p{Lu}[\p{L}'’-]+), [^;:]{3,60}, ?$/u;
/** "Волинська обл., Ковельський р-н, ": region and district before the name. */
const REGION = /^(?:\p{Lu}[\p{L}'’-]+ (?:обл|область|р-н|район|край)(?![\p{L}])\.?,? ?)+/u;
const POSTAL_EXTRA = /^(?:cedex|bp|cp|tsa|cs)\b/;

export function placeWords(text: string): PlaceWord[] {
  return Array.from(text.matchAll(WORD), (match) => ({
    text: match[0],
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/** Whether the text at an offset begins with a type of settlement ("м. Київ"). */
export function namesSettlement(text: string, offset: number): boolean {
  return SETTLEMENT.test(text.slice(afterRegion(text, offset)));
}

/** Whether a type of settlement ("м. ") directly precedes an offset. */
export function precedingSettlementWord(text: string, offset: number): boolean {
  return BEFORE_SETTLEMENT.test(text.slice(Math.max(0, offset - 6), offset));
}

function afterRegion(text: string, offset: number): number {
  const from = offset + (/^(?:\s?[,\-–:]?\s{0,2})/.exec(text.slice(offset))?.[0].length ?? 0);
  return from + (REGION.exec(text.slice(from))?.[0].length ?? 0);
}

/** An arrow from a place to the next. */
const ARROW = /^\s*[-–=]*[>→»⇒]/u;

/** Returns the words after an offset up to the next break. Skips a leading comma, region and type of settlement. */
export function wordsAfter(text: string, offset: number): PlaceWord[] {
  if (ARROW.test(text.slice(offset, offset + 10))) return [];
  const within = afterRegion(text, offset);
  const from = within + (SETTLEMENT.exec(text.slice(within))?.[0].length ?? 0);
  const stretch = text.slice(from, from + 90);
  if (/^[.!?]\s/.test(stretch)) return [];
  const stop = stretch.search(BREAK);
  const words = placeWords(stop < 0 ? stretch : stretch.slice(0, stop)).map((word) => ({
    ...word,
    start: word.start + from,
    end: word.end + from,
  }));
  return words.slice(0, MOST_WORDS);
}

/**
 * Returns groups of words before an offset, nearest first: "Eastbourne, East Sussex" yields East Sussex, then
 * Eastbourne.
 */
export function wordGroupsBefore(text: string, offset: number, most: number): PlaceWord[][] {
  const from = Math.max(0, offset - 120);
  let rest = text.slice(from, offset).replace(/[\s,;(\-–]+$/, "");
  const stretches: PlaceWord[][] = [];
  while (rest !== "" && stretches.length < most) {
    const pieces = Array.from(rest.matchAll(BREAKS));
    const last = pieces.at(-1);
    const begin = last ? last.index + last[0].length : 0;
    stretches.push(
      placeWords(rest.slice(begin)).map((word) => ({
        ...word,
        start: word.start + from + begin,
        end: word.end + from + begin,
      })),
    );
    rest = rest.slice(0, last?.index ?? 0).replace(/[\s,;(]+$/, "");
  }
  return stretches;
}

/**
 * Returns the number of leading words that look like a town's name: capitalised words, and prepositions and articles
 * between them.
 */
export function townLength(words: PlaceWord[]): number {
  let length = 0;
  for (const [index, { text }] of words.entries()) {
    if (POSTAL_EXTRA.test(foldName(text))) break;
    if (/\d/.test(text)) break;
    // "Opavice à FR 71260": country letters before a code begin the next address.
    if (/^[A-Z]{1,3}$/.test(text) && /^\d/.test(words[index + 1]?.text ?? "")) break;
    if (/^[\p{Lu}'’]/u.test(text)) length = index + 1;
    else if (!SMALL_WORDS.has(text.toLowerCase().replace(".", ""))) break;
  }
  return Math.min(length, 5);
}

const SMALL_WORDS = new Set(
  "of am an der bei im in ob vor den dem a d m k o h i nad pod u na en de la le les sur sous du des di del della dello dei in al et lez aan den het op bij upon on under the do da dos das el los las e y s w v ve by".split(
    " ",
  ),
);

/** The words after a postal code, tokenised once for all countries with this code format. */
export class WordsAfterCode {
  readonly words: PlaceWord[];
  readonly #text: string;
  #town: number | undefined;

  constructor(text: string, offset: number) {
    this.#text = text;
    this.words = wordsAfter(text, offset);
  }

  /** Number of words that look like a town's name, without a following country name. */
  get town(): number {
    return (this.#town ??= townLength(withoutCountry(this.#text, this.words)));
  }
}

function withoutCountry(text: string, words: PlaceWord[]): PlaceWord[] {
  for (let from = 0; from < words.length; from += 1) {
    const found = countryAfter(text, words[from]!.start);
    if (found && found.end >= words.at(-1)!.end) return words.slice(0, from);
  }
  return words;
}

/** Finds a country directly after an offset: ", Poland", " (DE)", " - France", ", PL". */
export function countryAfter(text: string, offset: number): { country: string; end: number } | undefined {
  const lead = /^[\s,;()/\-–|]{0,4}/.exec(text.slice(offset))![0];
  const from = offset + lead.length;
  const first = FIRST_WORD.exec(text.slice(from, from + 60));
  if (!first) return undefined;
  const named = startsCountryName(first[0]) ? countryNamed(text, from) : undefined;
  if (named || first.index !== 0 || !/^[A-Z]{1,3}$/.test(first[0])) return named;
  const end = from + first[0].length;
  const set = /[(,\-–/]/.test(lead) || first[0].length > 1;
  const closed = /^\s*(?:$|[),;.:|\-–/\n\t]|\s{2})/.test(text.slice(end));
  const country = set && closed ? countryOfCode(first[0]) : undefined;
  return country ? { country, end } : undefined;
}

function countryNamed(text: string, from: number): { country: string; end: number } | undefined {
  const words = placeWords(text.slice(from, from + 60)).slice(0, 5);
  for (let count = words.length; count > 0; count -= 1) {
    const end = from + words[count - 1]!.end;
    const country = countryKeys().get(foldName(text.slice(from, end)));
    if (country) return { country, end };
  }
  return undefined;
}

/** Finds a country directly before an offset: "Germany, 37079", "PL - ", "Polen ". */
export function countryBefore(text: string, offset: number): { country: string; start: number } | undefined {
  const from = Math.max(0, offset - 40);
  const rest = text.slice(from, offset).replace(/[\s,;:()/\-–|]+$/, "");
  const named = endsCountryName(rest.slice(rest.lastIndexOf(" ") + 1));
  if (!named && !ENDS_IN_LETTERS.test(rest)) return undefined;
  const words = placeWords(rest);
  for (let count = named ? Math.min(3, words.length) : 0; count > 0; count -= 1) {
    const start = words[words.length - count]!.start;
    const country = countryKeys().get(foldName(rest.slice(start)));
    if (country) return { country, start: from + start };
  }
  const last = words.at(-1);
  if (!last || last.end !== rest.length || !/^(?:[A-Z]{2}|A|B|D|E|F|H|I|L|P|S)$/.test(last.text)) return undefined;
  const country = countryOfCode(last.text);
  return country ? { country, start: from + last.start } : undefined;
}
