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
/** A town that is large, or known to be of the mail's countries. */
const largeTown = 0.35;

/**
 * Places with their code or country, ends of journeys, towns in a case that says where, larger towns behind a word for where
 * somebody is or goes, and large ones that stand alone in a sentence. None out of the number of an order.
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
 * "delivered Rotterdam yesterday", "Arrival Hamburg: 10:30": a capital among small letters, or behind the one word of a
 * label. A name beside another ("Sofia Petrova", "Hi Florence,") is rather a person's or a firm's.
 */
function isAlone({ text }: Segment, { start, end, value }: Place): boolean {
  if (value.postalCode !== undefined || !value.city) return false;
  const lead = text.slice(Math.max(0, start - maxWordLength), start);
  const rest = text.slice(end, end + 3);
  if (/^(?:\s\p{Lu}|[-'’&])/u.test(rest) || articles.test(lead.trimEnd())) return false;
  if (/(?:^|[^\p{L}])\p{Ll}[\p{Ll}']+ $/u.test(lead)) return true;
  return start < maxWordLength && /^\p{L}+ $/u.test(lead) && /^\s?(?::|-\s|\d)/u.test(rest);
}
