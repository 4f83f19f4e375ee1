import { scores } from "./scores.ts";
import { rankedLanguages } from "../lexicon/languages.ts";
import { fold, foldText } from "../lexicon/fold.ts";
import { wordsOf } from "../lexicon/lexicon.ts";
import type { DateValue, Entity } from "./entity.ts";
import { resolveRelativeDate, type Day, type RelativeDate } from "./calendar.ts";

type Meaning =
  | { kind: "Weekday"; weekday: number; short: boolean }
  | { kind: "Ahead"; days: number; soon: boolean }
  | { kind: "Next" }
  | { kind: "Week" }
  | { kind: "Part"; from?: number; to?: number };

interface Phrase {
  parts: string[];
  /** Whether the last part is a stem, which matches with any ending: "pirmadien*". */
  stem: boolean;
  language: string;
  meaning: Meaning;
}

const noon = 12 * 60;
const evening = 18 * 60;
/** Minimum length of a phrase that counts although its language is not one of the document's. */
const shortestForeign = 6;
const shortWeekday = 4;
/** Minimum score of a date. A weekday next to such a date only repeats it. */
const leastDateScore = 0.35;

/**
 * Phrases by their first word, longest phrase first. A stem ("pirmadien*") is listed under its first letters and an
 * asterisk.
 */
let phrases: Map<string, Phrase[]> | undefined;
const stemLetters = 4;

function phraseTable(): Map<string, Phrase[]> {
  const all = rankedLanguages.flatMap(({ language, days: words }) => {
    const entry = (printed: string, meaning: Meaning): Phrase => {
      const folded = foldText(printed);
      const parts = wordsOf(folded).map((word) => word.text);
      return { parts, stem: folded.endsWith("*"), language, meaning };
    };
    const each = (list: readonly string[], meaning: Meaning) => list.map((word) => entry(word, meaning));
    return [
      ...words.weekdays.flatMap((names, index) =>
        names.map((name) =>
          entry(name, {
            kind: "Weekday",
            weekday: index + 1,
            short: name.length < shortWeekday && !name.includes("*"),
          }),
        ),
      ),
      ...each(words.today, { kind: "Ahead", days: 0, soon: false }),
      ...each(words.tomorrow, { kind: "Ahead", days: 1, soon: false }),
      ...each(words.overmorrow, { kind: "Ahead", days: 2, soon: false }),
      ...each(words.soon, { kind: "Ahead", days: 0, soon: true }),
      ...each(words.next, { kind: "Next" }),
      ...each(words.nextWeek, { kind: "Week" }),
      ...each(words.forenoon, { kind: "Part", to: noon }),
      ...each(words.afternoon, { kind: "Part", from: noon }),
      ...each(words.evening, { kind: "Part", from: evening }),
    ];
  });
  const keyOf = ({ parts, stem }: Phrase) => (stem ? `${parts[0]!.slice(0, stemLetters)}*` : parts[0]!);
  return Map.groupBy(
    all.toSorted((one, other) => other.parts.length - one.parts.length),
    keyOf,
  );
}

interface PhraseMatch {
  start: number;
  end: number;
  meaning: Meaning;
}

/**
 * Finds days relative to the day of writing: "Thursday", "tomorrow morning", "ASAP". A weekday next to a date is left
 * out, because it repeats the date. A part of the day counts as a time only next to a day.
 */
export function findRelativeDates(
  text: string,
  written: Day,
  languages: readonly string[],
  seen: readonly Entity[],
): Entity[] {
  const hits = matchPhrases(text, languages);
  const dates = seen.filter(({ type, score }) => type === "Date" && score >= leastDateScore);
  const found: Entity[] = [];
  for (const [at, hit] of hits.entries()) {
    const { meaning } = hit;
    if (meaning.kind === "Part") {
      const beside = [...dates, ...found].some((date) => date.type === "Date" && closeBy(text, date, hit));
      if (beside) found.push(timeOf(hit, meaning));
      continue;
    }
    if (meaning.kind === "Next" || dates.some((date) => closeBy(text, date, hit)) || inRange(text, hits, at)) continue;
    if (meaning.kind === "Weekday" && meaning.short && !beforeClock(text, hit)) continue;
    const next = [hits[at - 1], hits[at + 1]].some(
      (other) => other?.meaning.kind === "Next" && closeBy(text, other, hit),
    );
    const value = valueOf(meaning, written, next);
    const score =
      meaning.kind === "Week" || (meaning.kind === "Ahead" && meaning.soon)
        ? scores.relativeDate.vague
        : scores.relativeDate.day;
    found.push({ type: "Date", start: hit.start, end: hit.end, score, value }, ...hoursBehind(text, hit, seen));
  }
  return found;
}

function valueOf(
  meaning: Extract<Meaning, { kind: "Weekday" | "Ahead" | "Week" }>,
  written: Day,
  next: boolean,
): DateValue {
  const relative: RelativeDate =
    meaning.kind === "Week"
      ? { kind: "NextWeek" }
      : meaning.kind === "Ahead"
        ? { kind: "Days", days: meaning.days }
        : { kind: "Weekday", weekday: meaning.weekday, next };
  const { from, until } = resolveRelativeDate(relative, written)!;
  return until ? { ...from, until } : from;
}

const HOURS =
  /^,? ?(\d{1,2})(?::?(\d{2}))? ?[-–] ?(\d{1,2})(?::?(\d{2}))?(?![\d%]|[.,:/-]\d| ?(?:t|to|kg|ldm|pal\p{L}*|ep)(?!\p{L}))/iu;
const midnight = 24 * 60;

/** Finds hours directly after a day: "Thursday 8-12". */
function hoursBehind(text: string, { end }: PhraseMatch, seen: readonly Entity[]): Entity[] {
  const match = HOURS.exec(text.slice(end));
  const [from, to] = match
    ? [Number(match[1]) * 60 + Number(match[2] ?? 0), Number(match[3]) * 60 + Number(match[4] ?? 0)]
    : [0, 0];
  const last = end + (match?.[0].length ?? 0);
  const known = seen.some(({ type, start, end: ends }) => type === "Time" && start < last && ends > end);
  if (!match || known || from >= to || to > midnight) return [];
  const start = end + (/^,? ?/u.exec(match[0])?.[0].length ?? 0);
  return [{ type: "Time", start, end: last, score: scores.time.likelySingle, value: { from, to } }];
}

function timeOf({ start, end }: PhraseMatch, { from, to }: Extract<Meaning, { kind: "Part" }>): Entity {
  const value = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
  return { type: "Time", start, end, score: scores.time.partOfDay, value };
}

function matchPhrases(text: string, languages: readonly string[]): PhraseMatch[] {
  phrases ??= phraseTable();
  const folded = fold(text);
  const words = wordsOf(folded.text);
  const hits: PhraseMatch[] = [];
  for (let at = 0; at < words.length;) {
    const first = words[at]!.text;
    const candidates = [...(phrases.get(first) ?? []), ...(phrases.get(`${first.slice(0, stemLetters)}*`) ?? [])];
    const phrase = candidates.find((each) => stands(each, words, at, languages));
    if (phrase && !greets(words[at - 1]?.text)) {
      const last = words[at + phrase.parts.length - 1]!;
      hits.push({ start: folded.at(words[at]!.start), end: folded.at(last.end), meaning: phrase.meaning });
    }
    at += phrase?.parts.length ?? 1;
  }
  return hits;
}

function stands(
  { parts, stem, language, meaning }: Phrase,
  words: readonly { text: string; start: number; end: number }[],
  at: number,
  languages: readonly string[],
): boolean {
  const own = languages.length === 0 || languages.includes(language);
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  if (!own && (length < shortestForeign || meaning.kind === "Next" || meaning.kind === "Part")) return false;
  return parts.every((part, index) => {
    const word = words[at + index]?.text;
    return word === part || (stem && index === parts.length - 1 && word?.startsWith(part) === true);
  });
}

const greetings = new Set(["guten", "good", "god", "goede", "gode", "schonen", "buna", "buna"]);
const greets = (word: string | undefined) => word !== undefined && greetings.has(word);

function closeBy(text: string, one: { start: number; end: number }, other: { start: number; end: number }): boolean {
  const [from, to] = one.start < other.start ? [one.end, other.start] : [other.end, one.start];
  return (
    to - from <= 12 &&
    /^[\s\p{P}]*(?:(?:den|dnia|dne|the|le|el|il|em|på|am|w|v|de|of)\s)?[\s\p{P}]*$/u.test(text.slice(from, to))
  );
}

/** Whether a weekday is part of a range such as "Mon-Fri", which states opening days. */
function inRange(text: string, hits: readonly PhraseMatch[], at: number): boolean {
  const hit = hits[at]!;
  const joined = (one: PhraseMatch | undefined, other: PhraseMatch | undefined) =>
    one?.meaning.kind === "Weekday" &&
    other?.meaning.kind === "Weekday" &&
    /^\.?\s?[-–—]\s?$/u.test(text.slice(one.end, other.start));
  return joined(hits[at - 1], hit) || joined(hit, hits[at + 1]);
}

/** Whether a time follows, as in "Do 8:00", "Fr. 7-12". An abbreviated weekday counts only if a time follows. */
function beforeClock(text: string, { end }: PhraseMatch): boolean {
  return /^\.?,?\s?\d{1,2}(?:[:.h]\d{2}|\s?[-–]\s?\d{1,2}|\s?(?:uhr|h)\b)/iu.test(text.slice(end));
}
