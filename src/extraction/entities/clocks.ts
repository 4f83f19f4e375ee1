import timeWords from "../lexicon/time-words.json" with { type: "json" };
import { anyOf } from "./line-spans.ts";
import type { Line } from "./line-spans.ts";

/** A time of day in a text. "14:30" and "8 Uhr" are unambiguous; "8.00", "0800" and "8" depend on their context. */
export interface Clock {
  start: number;
  end: number;
  minutes: number;
  /** How the time is written. Two adjacent times in the same notation may form a time window. */
  kind: "Sure" | "Dotted" | "Compact" | "Bare";
  /** Whether the half of the day is printed: by "am" or "pm", or by a word such as "noon". */
  half: boolean;
  /** Which limit of a time window the time is, if a case ending shows it: "8-tól" is the start, "14 óráig" the end. */
  ending?: "From" | "To";
  /** Whether the text may also be a duration: "2 h". */
  lasting?: boolean;
}

/** Words that can precede or follow an hour. Between two numbers, the word belongs to the second one: "26 kl 13". */
const EITHER_SIDE = new Set(["kl", "klo", "ora", "ore", "godz", "godz."]);
const [either, behindHour] = [true, false].map((wanted) =>
  anyOf(timeWords.hour.filter((word) => EITHER_SIDE.has(word) === wanted)),
);
const MINUTE_WORD = "(?:хвілін|хвилин|минут|minut|min|perc|分|m)";
const HOUR = `(?:(?:${behindHour})|(?:${either})(?:(?!\\.? ?\\d)|(?= ?[0-5]\\d ?(?:minut|perc))))`;
/** "7a-11a", "8:00a" */
const SHORT_HALF =
  "(?<=:\\d\\d)[ap](?![\\p{L}\\d])|(?<=\\d)[ap](?= ?- ?\\d{1,2}(?::\\d\\d)?[ap](?![\\p{L}\\d]))|(?<=\\d[ap] ?- ?\\d{1,2}(?::\\d\\d)?)[ap](?![\\p{L}\\d])";
const HALF = "(?: ?(a\\.?\\s?m\\b\\.?|p\\.?\\s?m\\b\\.?|ip\\b\\.?|ap\\b\\.?|अपरहन)|(" + SHORT_HALF + "))?";
const CLOCK = new RegExp(
  `(?<![\\d:,])(?:(\\d{1,2}) ?: ?([0-5]\\d)(?::[0-5]\\d(?:[.,]\\d{1,3})?)?(?!\\d|:\\d)|(?<!\\d/)(\\d{1,2})\\.? ?${HOUR}(?![\\p{L}]) ?(?:([0-5]\\d)(?!\\d)(?: ?${MINUTE_WORD})?)?|(\\d{1,2})\\.([0-5]\\d)(?![\\d]|[.,]\\d)|([0-2]\\d)([0-5]\\d)(?!\\d)|(\\d{1,2})(?![\\d]|[.,:/]\\d))${HALF}`,
  "gu",
);
/** Times with a hyphen before the minutes, as written in Eastern Europe: "14-00". */
const DASHED = /(?<![\d.,:/-])(\d{1,2})-(00|15|30|45)(?![\d\p{L}]|[.,:/-]\d)/gu;
const BEHIND = new RegExp(
  `^(?:(${anyOf(timeWords.endingFrom)})|(${anyOf(timeWords.endingTo)})|( ?${HOUR}))(?![\\p{L}\\d])`,
  "u",
);
const NOON =
  /(?<!\p{L})(noon|midday|midnight|midi|minuit|mezzogiorno|mezzanotte|mediodia|medianoche|mitternacht)(?!\p{L})/gu;
const MIDDAYS = new Set(["noon", "midday", "midi", "mezzogiorno", "mediodia"]);
/** Minutes after midnight. An hour before this time, such as "4 h", is more likely a duration than a time of day. */
const EARLY = 6 * 60;

/** Finds all possible times of day in a line, left to right. */
export function findClocks(line: Line): Clock[] {
  const dashed = /[а-яіїєґ]/u.test(line.text) ? dashedIn(line) : [];
  const others = [...written(line), ...noons(line)].filter(
    (clock) => !dashed.some((other) => clock.start < other.end && other.start < clock.end),
  );
  return [...others, ...dashed].sort((one, other) => one.start - other.start);
}

function written({ text }: Line): Clock[] {
  if (!/\d/.test(text)) return [];
  return Array.from(text.matchAll(CLOCK)).flatMap((match): Clock[] => {
    const [whole, h1, m1, h2, m2, h3, m3, h4, m4, h5, long, short] = match;
    const half = long ?? short;
    const minutes = minutesOf(Number(h1 ?? h2 ?? h3 ?? h4 ?? h5), Number(m1 ?? m2 ?? m3 ?? m4 ?? 0), half);
    const clear = h1 !== undefined || h2 !== undefined || half !== undefined;
    if (
      minutes === undefined ||
      /[\p{L}_]/u.test(text[match.index - 1] ?? " ") ||
      (!clear && partOfLonger(text, match.index))
    )
      return [];
    // "24h" is a period, not a time of day.
    if (h2 && m2 === undefined && Number(h2) >= 24) return [];
    const end = match.index + whole.trimEnd().length;
    const behind = BEHIND.exec(text.slice(end, end + 14));
    const kind = clear || behind?.[3] ? "Sure" : h3 ? "Dotted" : h4 ? "Compact" : "Bare";
    const clock: Clock = {
      start: match.index,
      end: end + (behind?.[0].length ?? 0),
      minutes,
      kind,
      half: half !== undefined,
    };
    if (behind?.[1]) clock.ending = "From";
    else if (behind?.[2]) clock.ending = "To";
    if (h2 && m2 === undefined && minutes < EARLY && !/uhr|clock|kor/.test(whole)) clock.lasting = true;
    return [clock];
  });
}

function partOfLonger(text: string, index: number): boolean {
  return (
    /[.\-/+]/.test(text[index - 1] ?? " ") && /[\p{L}\d]/u.test(text[index - 2] ?? "") && !joinsClocks(text, index)
  );
}

const JOINS = new RegExp(
  `(?<![\\d.,/-])(?:\\d{1,2}(?:[.:h]\\d{2})?|\\d{4})(?: ?(?:${HOUR}|[ap](?:\\.?m\\.?)?))?-$`,
  "u",
);

/**
 * Whether a dash or slash before `index` joins two times: "8.00-14.00", "0800-1400", "8-14", "8h-14h", "9.00/12.00".
 */
function joinsClocks(text: string, index: number): boolean {
  const before = text.slice(Math.max(0, index - 12), index);
  return (text[index - 1] === "-" && JOINS.test(before)) || /(?<![\d.,/-])\d{1,2}[.:][0-5]\d\/$/.test(before);
}

function dashedIn({ text }: Line): Clock[] {
  return Array.from(text.matchAll(DASHED)).flatMap((match): Clock[] => {
    const minutes = minutesOf(Number(match[1]), Number(match[2]), undefined);
    return minutes === undefined
      ? []
      : [{ start: match.index, end: match.index + match[0].length, minutes, kind: "Dotted", half: false }];
  });
}

function noons({ text }: Line): Clock[] {
  return Array.from(text.matchAll(NOON), (match) => ({
    start: match.index,
    end: match.index + match[0].length,
    minutes: MIDDAYS.has(match[1]!) ? 720 : 0,
    kind: "Sure",
    half: true,
  }));
}

function minutesOf(hours: number, minutes: number, half: string | undefined): number | undefined {
  if (half !== undefined) {
    if (hours < 1 || hours > 12) return hours <= 23 ? hours * 60 + minutes : undefined;
    const afternoon = !half.startsWith("a");
    return ((hours % 12) + (afternoon || half.startsWith("अ") ? 12 : 0)) * 60 + minutes;
  }
  const total = hours * 60 + minutes;
  return total <= 1440 ? total : undefined;
}
