import { FieldValue } from "../../fields/confidence/field-value.ts";
import { entitiesOfType } from "../../fields/labels/annotations.ts";
import { textAfter } from "../../fields/labels/labelled-text.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import type { Segment } from "../../layout/layout.ts";
import { lineBelow } from "../../layout/page-index.ts";
import { trimmedSpan, type TextRange } from "../../layout/text-span.ts";
import { fold } from "../../lexicon/fold.ts";
import placeWords from "../../lexicon/offence-place-words.json" with { type: "json" };
import { withoutPrefix } from "../field-values.ts";
import { scores } from "./scores.ts";

/** Finds the place of the offence: after its label, or in the sentence with its date, whichever is surer. */
export function offencePlaceIn(
  document: DocumentContext,
  moment: TextRange | undefined,
): FieldValue<string> | undefined {
  const after = (concept: "offencePlace" | "place") =>
    textAfter(document, [concept], { lines: 4, least: scores.offencePlace.minLabelled, fits: isPlaceLike });
  const own = after("offencePlace");
  const said = moment && placeInSentence(document, moment);
  const general = own ?? after("place");
  const labelled = general && (own || !said || general.confidence > said.confidence) ? general : undefined;
  return labelled ? withoutPrefix(withoutSentence(labelled), dayAndHour) : said;
}

const withoutSentence = (place: FieldValue<string>): FieldValue<string> =>
  place.as(place.value.split(/(?<=[\p{Ll}\d)]{4})\.\s+(?=\p{Lu})/u)[0] ?? place.value);

const isPlaceLike = (text: string): boolean =>
  /\p{L}/u.test(text) && text.length > 3 && !/^(?:\p{Lu}{1,2}-)?\d{4,5} \p{Lu}[\p{L} -]+$/u.test(text);

/** Date and time before a place: "28.09.2026 16:03, " in "28.09.2026 16:03, M0 km 22". */
const dayAndHour =
  /^(?:\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}[./-]\d{1,2}[./-]\d{1,2})\.?(?:,?\s(?:\p{L}{1,4}\.?\s)?\d{1,2}[:.]\d{2}(?:\s?\p{L}{1,3}\.?(?=[,;\s]))?)?[,;]?\s+(?=\p{L})/u;

const words = (list: readonly string[]) =>
  list
    .map((word) => fold(word).text.replace(/[.*+?^$()[\]{}|\\]/gu, "\\$&"))
    .sort((a, b) => b.length - a.length)
    .join("|");
const lead = new RegExp(`(?<![\\p{L}\\d])(?:${words(placeWords.before)})(?:\\s+|(?<='))|[,–]\\s+`, "gu");
const generic = new RegExp(`^(?:(?:${words(placeWords.generic)})\\s+|l')+(?=[\\p{L}\\d])`, "u");
const direction = new RegExp(`(?<!\\p{L})(?:${words(placeWords.direction)})(?!\\p{L})`, "u");
const spot = new RegExp(`^(?:${words(placeWords.spot)})`, "u");
const road =
  /(?<![\p{L}\d-])\p{Lu}(?:\.?\p{Lu}\.?){0,2}[ -]?\d{1,4}(?![\p{L}\d]|[.:,]\d|-\p{Lu}| \p{Lu}{1,3}(?!\p{L}))/u;
const kilometre = /(?<!\p{L})(?:k ?m|pk|p\.k\.|bk|strkm|hm)\.? ?\d|\d\+\d{3}/iu;

/** Whether the text names a road or a kilometre of one. */
export const saysWhere = (text: string): boolean => kilometre.test(text) || road.test(text);

const clock = /^\d{1,2}(?:[:.]\d{2}| óra)|\d{1,2}[.:]\d{2}\s?(?:uhr|h\b|uur)|\d{4}/iu;
/** In characters: a longer part is a clause and not a place, and a place is not longer. */
const [maxPart, maxPlace] = [60, 110];

/**
 * Finds the place in the sentence with the moment, as in "at 14:37 in Magdeburg, A2 km 71,3, direction Hannover, the
 * driver ...". It begins after a preposition or comma with a town, road, kilometre or spot such as "car park", and goes
 * on with parts that say more about it.
 */
function placeInSentence(document: DocumentContext, moment: TextRange): FieldValue<string> | undefined {
  const { segment } = moment;
  const endsLine = !/\p{L}/u.test(segment.text.slice(moment.end));
  const below = linesBelow(document, segment, endsLine);
  const text = [segment, ...below].map((line) => line.text).join(" ");
  const [from, to] = sentenceAround(text, moment.start, moment.end);
  const folded = fold(text);
  const starts = [...folded.text.matchAll(lead)].map((match) => ({
    start: folded.at(match.index + match[0].length),
    said: /^[\p{L}]/u.test(match[0]) ? scores.offencePlace.preposition : 0,
  }));
  if (endsLine) starts.push({ start: segment.text.length + 1, said: 0 });
  const found = starts.flatMap(({ start, said }) => {
    if (start < from || start >= to || (start > moment.start && start < moment.end)) return [];
    const place = placeAt(document, segment, text.slice(0, to), start);
    const away = Math.abs(start - moment.end) * scores.offencePlace.perLetter;
    return place ? [{ ...place, points: place.points + said - away }] : [];
  });
  const [best] = found.sort((a, b) => b.points - a.points);
  if (!best || best.points < scores.offencePlace.minPoints) return undefined;
  const end = Math.min(best.start + best.text.length, segment.text.length);
  const other = below[0] && trimmedSpan(below[0], 0, below[0].text.length);
  const span = best.start < segment.text.length ? trimmedSpan(segment, best.start, end) : other;
  return new FieldValue(best.text, scores.offencePlace.inSentence, span);
}

/** The next two lines, if the sentence goes on there. A shorter line is a field of its own. */
function linesBelow({ annotations }: DocumentContext, segment: Segment, endsLine: boolean): Segment[] {
  const lines: Segment[] = [];
  for (let last = segment; lines.length < 2; last = lines.at(-1)!) {
    const below = /[.!?:]$/u.test(last.text) ? undefined : lineBelow(annotations, last);
    const isFurther =
      below && (last.text.length > minLine || /^\p{Ll}/u.test(below.text) || (endsLine && last === segment));
    if (!below || !isFurther) break;
    lines.push(below);
  }
  return lines;
}

const minLine = 60;

function sentenceAround(text: string, start: number, end: number): [number, number] {
  const stops = [...text.matchAll(/(?<=[\p{Ll}\d)%]{4}[.!?])\s+(?=\p{Lu})|;\s/gu)].map(({ index }) => index);
  return [stops.findLast((stop) => stop <= start) ?? 0, stops.find((stop) => stop >= end) ?? text.length];
}

interface FoundPlace {
  text: string;
  start: number;
  points: number;
}

function placeAt(document: DocumentContext, segment: Segment, text: string, at: number): FoundPlace | undefined {
  const start = at + (generic.exec(fold(text.slice(at)).text)?.[0].length ?? 0);
  const parts = text.slice(start).split(/(?<=,)\s(?!\d)|\s(?=,\s)/u);
  const whole = cut(parts[0] ?? "");
  const isNamed = /^[^\p{Ll}]/u.test(whole) || spot.test(fold(whole).text) || beginsStreet(document, segment, start);
  const skipped = isNamed ? 0 : whole.search(road);
  const first = whole.slice(skipped);
  if (skipped < 0 || first.length < 2 || first.length > maxPart || clock.test(first)) return undefined;
  let place = first;
  let points = pointsOf(document, segment, first, start + skipped);
  if (points === 0 && !/^\p{Lu}[^\d:]*$/u.test(first)) return undefined;
  const further = whole === parts[0] ? parts.slice(1) : [];
  for (const part of further) {
    const short = cut(part);
    const more = pointsOf(document, segment, short, start + skipped + place.length + 1);
    if (short.length > maxPart || place.length + short.length > maxPlace || !(more > 0 || isName.test(short))) break;
    if (clock.test(short)) break;
    place += part.startsWith(",") ? part : ` ${short}`;
    points += more + scores.offencePlace.further;
    if (short !== part) break;
  }
  return { text: place.replace(/[\s,;:–-]+$/u, ""), start: start + skipped, points };
}

const isName = /^\p{Lu}[\p{L}.'-]*(?: [\p{Lu}\d][\p{L}\d.'-]*){0,3},?$/u;

const beginsStreet = ({ annotations }: DocumentContext, segment: Segment, at: number): boolean =>
  entitiesOfType(annotations, "Street", [segment]).some(({ entity }) => entity.start === at);

/** Cuts a clause behind the place: " wurde ...", " (limit ...", " ohne ...". */
function cut(part: string): string {
  const end = /\s(?:\((?!\p{Lu}{1,3}\.? ?\d|\p{Lu}\p{Ll})|\p{Ll}{4,}(?:\s\p{Ll}{2,}){2,}|[–-]\s\p{Ll}+\s\p{Ll})/u.exec(
    part,
  );
  return end ? part.slice(0, end.index) : part;
}

function pointsOf({ annotations }: DocumentContext, segment: Segment, part: string, at: number): number {
  const has = (type: "Place" | "Street") =>
    entitiesOfType(annotations, type, [segment]).some(
      ({ entity }) =>
        entity.start >= at && entity.start < at + part.length && entity.score >= scores.offencePlace.minEntity,
    );
  const plates = entitiesOfType(annotations, "Plate", [segment]);
  const isPlate = plates.some(({ entity }) => entity.start < at + part.length && entity.end > at && entity.score > 0.3);
  const folded = fold(part).text;
  if (isPlate) return 0;
  return (
    (road.test(part) ? 1 : 0) +
    (kilometre.test(part) ? 1 : 0) +
    (spot.test(folded) ? 1 : 0) +
    (direction.test(folded) ? 0.5 : 0) +
    (has("Place") ? 0.7 : 0) +
    (has("Street") ? 0.7 : 0)
  );
}
