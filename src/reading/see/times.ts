import type { EntityOf, TimeValue } from "./entity.ts";
import { overlap, spanOf, withoutOverlaps } from "./line.ts";
import type { Line } from "./line.ts";
import type { DateEntity } from "./dates.ts";

type TimeEntity = EntityOf<"Time">;

/** A time of day in the text. Sure ones look like nothing else ("14:30", "8 Uhr"); the others need company ("8.00", "0800", "8"). */
interface Clock {
  start: number;
  end: number;
  minutes: number;
  /** How it is written: two of one kind make a window. */
  kind: "Sure" | "Dotted" | "Compact" | "Bare";
  /** Whether the day half was said (am, pm). */
  half: boolean;
}

const HOUR_WORD = "(?:uhr|h|hrs?|hours?|o'?clock|val\\.?|ora|klo|kl|godz(?:in[aey]?)?|часов|час|годин[аи]?|год|гадзін|heures?|horas?|ore|hod(?:in)?|uur|u|ч|時)";
const MINUTE_WORD = "(?:хвілін|хвилин|минут|minut|min|分|m)";
const HALF = "(?: ?(a\\.?\\s?m\\b\\.?|p\\.?\\s?m\\b\\.?|ip\\b\\.?|ap\\b\\.?|अपरहन))?";
const CLOCK = new RegExp(
  `(?<![\\d:,])(?:(\\d{1,2}) ?: ?([0-5]\\d)(?::[0-5]\\d(?:[.,]\\d{1,3})?)?(?![\\d:])|(\\d{1,2}) ?${HOUR_WORD}(?![\\p{L}]) ?(?:([0-5]\\d)(?!\\d)(?: ?${MINUTE_WORD})?)?|(\\d{1,2})\\.([0-5]\\d)(?![\\d]|[.,]\\d)|([0-2]\\d)([0-5]\\d)(?!\\d)|(\\d{1,2})(?![\\d]|[.,:/]\\d))${HALF}`,
  "gu",
);
const SUFFIX = new RegExp(`^ ?${HOUR_WORD}(?![\\p{L}\\d])`, "u");
const NOON = /(?<!\p{L})(noon|midday|midnight|midi|minuit|mezzogiorno|mezzanotte|mediodia|medianoche|mitternacht)(?!\p{L})/gu;
const MIDDAYS = new Set(["noon", "midday", "midi", "mezzogiorno", "mediodia"]);

const UNTIL = "bis|do|to|til|till|until|thru|through|a|au|al|alle|hasta|ate|as|tot|iki|lidz|kuni|ig|pana la|la|og|und|and|et|y|e|i|a si|az|до|по|та|и|і";
const BETWEEN_CLOCKS = new RegExp(`^ ?(?:[-/]|(?<=[ ])(?:${UNTIL})(?= )) ?$`);
const BEFORE = /(?<!\p{L})(?:bis(?: spatestens)?|spatestens|before|until|till|by|do|najpozniej(?: do)?|przed|avant|jusqu'a|au plus tard|antes de(?: las)?|hasta(?: las)?|entro(?: le)?|prima delle|fino alle|pred|nejpozdeji(?: do)?|najneskor(?: do)?|pana la|tot|voor|uiterlijk|iki|lidz|kuni|enne|latest|no later than|not later than|максимум до|до|max|ig|ate(?: as)?)[ :]*$/u;
const TIME_WORD = /(?<!\p{L})(?:ab|od|from|after|before|until|till|bis|do|dalle|desde|des|vanaf|nuo|alates|з|від|после|um|at|godz\.?|godzin[aey]|o godzinie|o godz\.?|a las|alle ore|ore|ora|a|h|hod\.?|v|в|о|kl\.?|klo|time|uhrzeit|zeit|czas|heure|horario|fix|fixtermin|val\.?|laikas|laiks|kell|ora|час|время|uur|om|heures|orario|hours?|window|slot)[ :.]*$/u;
const CONTEXT_REACH = 26;

/** Times of day and windows. Figures that could as well be an amount are times only beside a time word, a date or a sure time. */
export function seeTimes(line: Line, dates: DateEntity[]): TimeEntity[] {
  const clocks = [...clocksOf(line), ...noons(line)].filter((clock) => !dates.some((date) => overlap(spanOf(line, clock.start, clock.end, 1), date)));
  const found: TimeEntity[] = [];
  for (let index = 0; index < clocks.length; index += 1) {
    const clock = clocks[index]!;
    const next = clocks[index + 1];
    const window = next && windowOf(line, clock, next, dates);
    if (window) {
      found.push(window);
      index += 1;
      continue;
    }
    const single = singleOf(line, clock, dates);
    if (single) found.push(single);
  }
  return withoutOverlaps(found);
}

function clocksOf({ text }: Line): Clock[] {
  return Array.from(text.matchAll(CLOCK)).flatMap((match) => {
    const [, h1, m1, h2, m2, h3, m3, h4, m4, h5, half] = match;
    const kind = h1 || h2 || half ? "Sure" : h3 ? "Dotted" : h4 ? "Compact" : "Bare";
    const minutes = minutesOf(Number(h1 ?? h2 ?? h3 ?? h4 ?? h5), Number(m1 ?? m2 ?? m3 ?? m4 ?? 0), half);
    const before = text[match.index - 1] ?? " ";
    const partOfLonger = /[\p{L}_]/u.test(before) || (/[.\-/+]/.test(before) && /[\p{L}\d]/u.test(text[match.index - 2] ?? "") && !h1 && !h2 && !joinsClocks(text, match.index));
    if (minutes === undefined || partOfLonger) return [];
    // "24h" says how long something is open or may take.
    if (h2 && m2 === undefined && Number(h2) >= 24) return [];
    return [{ start: match.index, end: match.index + match[0].trimEnd().length, minutes, kind, half: half !== undefined }];
  });
}

/** A dash right after a time: "8.00-14.00", "0800-1400", "8-14". */
function joinsClocks(text: string, index: number): boolean {
  return text[index - 1] === "-" && /(?<![\d.,/-])(?:\d{1,2}(?:[.:h]\d{2})?|\d{4})(?: ?(?:h|uhr))?-$/.test(text.slice(Math.max(0, index - 10), index));
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

function windowOf(line: Line, first: Clock, second: Clock, dates: DateEntity[]): TimeEntity | undefined {
  if (!BETWEEN_CLOCKS.test(line.text.slice(first.end, second.start))) return undefined;
  const suffix = SUFFIX.exec(line.text.slice(second.end))?.[0] ?? "";
  const sure = first.kind === "Sure" || second.kind === "Sure" || suffix !== "";
  const alike = first.kind === second.kind && first.kind !== "Bare";
  const told = sure || timeWordBefore(line, first) || afterDate(line, first, dates);
  if (!told && !alike) return undefined;
  if (first.kind === "Bare" && second.kind === "Bare" && !suffix && !timeWordBefore(line, first)) return undefined;
  // "between 8 and 2 pm" begins in the morning, "1 - 3 pm" does not.
  const from = second.half && !first.half && first.minutes + 720 < second.minutes ? first.minutes + 720 : first.minutes;
  if (second.minutes < from && !(sure && from >= 12 * 60)) return undefined;
  const score = sure ? 0.95 : told ? 0.8 : 0.6;
  return { type: "Time", ...spanOf(line, first.start, second.end + suffix.length, score), value: { from, to: second.minutes } };
}

function singleOf(line: Line, clock: Clock, dates: DateEntity[]): TimeEntity | undefined {
  const before = line.text.slice(Math.max(0, clock.start - CONTEXT_REACH), clock.start);
  const told = timeWordBefore(line, clock) || afterDate(line, clock, dates);
  if (clock.kind !== "Sure" && !(told && clock.kind === "Dotted")) return undefined;
  const value: TimeValue = BEFORE.test(before) ? { to: clock.minutes } : { from: clock.minutes };
  return { type: "Time", ...spanOf(line, clock.start, clock.end, clock.kind === "Sure" ? 0.85 : 0.6), value };
}

function timeWordBefore(line: Line, clock: Clock): boolean {
  const before = line.text.slice(Math.max(0, clock.start - CONTEXT_REACH), clock.start);
  return TIME_WORD.test(before);
}

function afterDate(line: Line, clock: Clock, dates: DateEntity[]): boolean {
  const start = line.at(clock.start);
  return dates.some((date) => date.end <= start && /^[ ,@;-]{0,4}$/.test(line.source.slice(date.end, start)));
}
