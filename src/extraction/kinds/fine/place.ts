import { FieldValue } from "../../fields/confidence/field-value.ts";
import { textBehind } from "../../fields/labels/labelled-words.ts";
import { sightings } from "../../fields/labels/annotations.ts";
import { lineBelow } from "../../fields/labels/neighbours.ts";
import { trimmed, type TextSpan } from "../../layout/text-span.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";

/** Where it was: behind its label, else in the sentence that tells when. */
export function offencePlaceIn(
  around: DocumentContext,
  moment: Pick<TextSpan, "segment" | "start" | "end"> | undefined,
): FieldValue<string> | undefined {
  const labelled = textBehind(around, ["offencePlace", "place"], {
    lines: 2,
    least: 0.25,
    fits: (text) => /\p{L}/u.test(text) && text.length > 3,
  });
  return labelled ? withoutMoment(labelled) : moment && placeBehind(around, moment);
}

const dayAndHour =
  /^(?:\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}[./-]\d{1,2}[./-]\d{1,2})\.?(?:,?\s(?:\p{L}{1,4}\.?\s)?\d{1,2}[:.]\d{2}(?:\s?\p{L}{1,3}\.?(?=[,;\s]))?)?[,;]?\s+(?=\p{L})/u;

/** "28.09.2026 16:03, M0 km 22": where one field has both, the place is what stands behind. */
function withoutMoment(found: FieldValue<string>): FieldValue<string> {
  const lead = dayAndHour.exec(found.value)?.[0].length ?? 0;
  const { piece } = found;
  if (lead === 0 || !piece) return found;
  return new FieldValue(found.value.slice(lead), found.confidence, { ...piece, start: piece.start + lead });
}

/** Small words that lead from a day and an hour to a place, behind whatever the hour is called. */
const leading =
  /^[^,;]{0,30}?(?<!\p{L})(?:in|im|auf|an|bei|at|on|near|à|a|au|en|sur|w|we|na|ve|v|u|o|no|em|te|op|din|în|pe|presso|su|sulla|til|på|i|ved|в|на|у)\s+(?=\p{Lu})/u;
/** Longer ones are clauses of their own. */
const longest = 60;

/** "... at 14:37 in Magdeburg, A2 km 71,3, ...": the town or road, and what has figures behind it. */
function placeBehind(
  { marks }: DocumentContext,
  moment: Pick<TextSpan, "segment" | "end">,
): FieldValue<string> | undefined {
  const isLast = moment.segment.text.slice(moment.end).trim() === "";
  const segment = isLast ? lineBelow(marks, moment.segment) : moment.segment;
  if (!segment) return undefined;
  const end = isLast ? 0 : moment.end;
  const lead = leading.exec(segment.text.slice(end));
  if (!lead) return undefined;
  const start = end + lead[0].length;
  const [first = "", ...others] = segment.text.slice(start).split(/(?<=,)\s/u);
  const isPlace = sightings(marks, "Place", [segment]).some(({ entity }) => entity.start === start);
  const isStreet = sightings(marks, "Street", [segment]).some(({ entity }) => entity.start === start);
  if (first.length > longest || !(isPlace || isStreet || road.test(first))) return undefined;
  const none = others.findIndex((part) => !/^\p{Lu}.*\d/u.test(part) || part.length > longest);
  const more = others.slice(0, none < 0 ? others.length : none);
  const text = [first, ...more].join(" ");
  const piece = trimmed(segment, start, start + text.length);
  return new FieldValue(piece.text, 0.6, piece);
}

const road = /^\p{Lu}{1,3}[ -]?\d{1,4}(?!\d)/u;
