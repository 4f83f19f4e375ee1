import { foldText } from "../lexicon/fold.ts";
import laneWords from "../lexicon/lane-words.json" with { type: "json" };
import type { EntityOf } from "../entities/entity.ts";
import { isLocative } from "../entities/town-forms.ts";
import type { Segment } from "../layout/layout.ts";
import { entitiesOfType } from "../fields/labels/annotations.ts";
import type { DocumentContext } from "../fields/labels/values.ts";
import { lanesIn, placesIn } from "../fields/route/lanes.ts";
import { surePlace, type OrderNumber } from "./order-numbers.ts";

type Place = EntityOf<"Place">;

const before = new Set(
  [...laneWords.from, ...laneWords.to, ...laneWords.near].map((words) => foldText(words).split(" ").at(-1)!),
);
const behind = new Set(laneWords.nearBehind.map(foldText));
const minTownScore = 0.2;
/** Only large towns, and towns in a country that the mail mentions, reach this score. */
const largeTown = 0.35;

/**
 * Finds the places that a mail is about. A town counts if it has a postal code or country, is an end of a lane, is in a
 * locative case or next to a preposition of place, or is large and its name stands alone.
 */
export function placesInMail(
  document: DocumentContext,
  segments: readonly Segment[],
  numbers: readonly OrderNumber[],
): Place[] {
  const apart = new Set(
    segments.flatMap((segment) => placesIn(document.annotations, segment)).map(({ entity }) => entity),
  );
  const ends = new Set(lanesIn(document).flatMap(({ places }) => places.map(({ entity }) => entity)));
  return entitiesOfType(document.annotations, "Place", segments).flatMap(({ segment, entity }) => {
    const isNumber = numbers.some(
      (number) => number.segment === segment && entity.start < number.start && number.start < entity.end,
    );
    const isSaid =
      !isNumber &&
      (entity.score >= surePlace ||
        ends.has(entity) ||
        (entity.score >= minTownScore && isSaidToBeThere(document, segment, entity)) ||
        (entity.score >= largeTown && apart.has(entity) && isAlone(segment, entity)));
    return isSaid ? [entity] : [];
  });
}

function isSaidToBeThere({ languages }: DocumentContext, { text }: Segment, { start, end, value }: Place): boolean {
  if (value.postalCode !== undefined || !value.city) return false;
  const word = /(\p{L}+) $/u.exec(text.slice(Math.max(0, start - 24), start))?.[1];
  const next = /^ (\p{L}+)/u.exec(text.slice(end, end + 24))?.[1];
  const printed = text.slice(start, end);
  const isForm = foldText(printed) !== foldText(value.city) && isLocative(printed, languages);
  return (
    isForm || (word !== undefined && before.has(foldText(word))) || (next !== undefined && behind.has(foldText(next)))
  );
}

const maxWordLength = 24;
const articles = /(?:^|[^\p{L}])(?:the|an?|der|die|das|dem|den|des|eine?[mnrs]?|kein\p{L}*|mein\p{L}*|unser\p{L}*)$/iu;

/**
 * Whether a town is not part of a longer name: "delivered Rotterdam yesterday" or "Arrival Hamburg: 10:30", but not
 * "Sofia Petrova" or "Hi Florence,".
 */
function isAlone({ text }: Segment, { start, end, value }: Place): boolean {
  if (value.postalCode !== undefined || !value.city) return false;
  const lead = text.slice(Math.max(0, start - maxWordLength), start);
  const rest = text.slice(end, end + 3);
  if (/^(?:\s\p{Lu}|[-'’&])/u.test(rest) || articles.test(lead.trimEnd())) return false;
  if (/(?:^|[^\p{L}])\p{Ll}[\p{Ll}']+ $/u.test(lead)) return true;
  return start < maxWordLength && /^\p{L}+ $/u.test(lead) && /^\s?(?::|-\s|\d)/u.test(rest);
}
