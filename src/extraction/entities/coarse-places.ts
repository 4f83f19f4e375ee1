import { scores } from "./scores.ts";
import { countryKeys, countryOfCode, startsCountryName } from "../lexicon/countries.ts";
import { findLabels } from "../lexicon/lexicon.ts";
import { isKnownPostal } from "../lexicon/postal-patterns.ts";
import { findTrailers } from "../lexicon/trailers.ts";
import type { Entity, EntityOf } from "./entity.ts";
import { placeWords, townLength, wordsAfter } from "./place-words.ts";
import { foldName } from "../lexicon/fold.ts";

type PlaceEntity = EntityOf<"Place">;

/** "DE 34", "PL-50", "F-69", "D 34xxx": a country and the first digits of a postal code. */
const AREA =
  /(?<![\p{L}\d/.,:-])([A-Z]{1,3})([ -]{0,2})(\d{1,4})(-?[xX*.]{2,4})?(?![\p{L}\d%°€$]|[.,:/-]\d| \d{2,3} \p{Lu}|\s?[xX×]\s?\d)/gu;
const BRITISH = /(?<![\p{L}\d/.,:-])(GB|UK)[ -]([A-Z]{1,2}\d{1,2})(?![\p{L}\d]| \d[A-Z]{2})/gu;
const MEASURE =
  /^\s?(?:t|to|tons?|kg|km|ldm|lm|m|mm|cm|cbm|m3|pal|plt|ep|pcs|szt|stk|eur|pln|e|k|h|uhr|°|x)(?!\p{L})/iu;
/** Fewer digits count only before "xx" or dots ("D 3xx"). Four or more digits are a complete code. */
const FEWEST_DIGITS = 2;
const LEAST_LABEL_WEIGHT = 0.5;
const OVERSEAS = new Set(["US", "CA", "MX"]);

/**
 * Finds postal areas, each with the town that follows, if any ("DE 34 Kassel"). Areas that overlap a place in `seen`
 * are left out, unless the score of the place is low.
 */
export function findPostalAreas(text: string, seen: readonly Entity[]): PlaceEntity[] {
  const british = Array.from(text.matchAll(BRITISH), (match) =>
    area(text, match.index, match[0].length, "GB", match[2]!, scores.coarsePlace.area),
  );
  const others = Array.from(text.matchAll(AREA)).flatMap((match): PlaceEntity[] => {
    const [whole, letters = "", between = "", figures = "", mask] = match;
    const country = countryOfCode(letters);
    const end = match.index + whole.length;
    if (!country || OVERSEAS.has(country) || !isKnownPostal(country)) return [];
    if ((figures.length < FEWEST_DIGITS || figures.length > 3) && !mask) return [];
    if (letters.length === 1 && !between.includes("-") && !mask) return [];
    if (!mask && MEASURE.test(text.slice(end))) return [];
    return [
      area(
        text,
        match.index,
        whole.length,
        country,
        figures,
        mask || between.includes("-") ? scores.coarsePlace.distinctArea : scores.coarsePlace.area,
      ),
    ];
  });
  const whole = seen.filter(({ type, score }) => type === "Place" && score >= scores.occupied);
  return [...british, ...others].filter(
    (found) => !whole.some((place) => place.start < found.end && place.end > found.start),
  );
}

function area(
  text: string,
  start: number,
  length: number,
  country: string,
  postalCode: string,
  score: number,
): PlaceEntity {
  const end = start + length;
  const words = townBehind(text, end);
  const last = words.at(-1);
  if (!last) return { type: "Place", start, end, score, value: { country, postalCode } };
  return {
    type: "Place",
    start,
    end: last.end,
    score,
    value: { country, postalCode, city: text.slice(words[0]!.start, last.end) },
  };
}

function townBehind(text: string, end: number): { start: number; end: number }[] {
  if (!/^[ ,]{1,2}\p{Lu}/u.test(text.slice(end))) return [];
  const words = wordsAfter(text, end);
  const apart = words.findIndex(({ start }, at) => at > 0 && !/^[ '’-]$/u.test(text.slice(words[at - 1]!.end, start)));
  const together = apart < 0 ? words : words.slice(0, apart);
  const named = together.slice(0, townLength(together));
  const [first, last] = [named[0], named.at(-1)];
  if (!first || !last || first.text.length < 3 || /^\p{Lu}+$/u.test(first.text)) return [];
  const printed = text.slice(first.start, last.end);
  return findTrailers(printed).length > 0 || findLabels(printed).some(({ weight }) => weight >= LEAST_LABEL_WEIGHT)
    ? []
    : named;
}

const PAIR = /(?<![\p{L}\d])([A-Z]{1,3})\s?(?:-+>?|–|—|→|>+|=>|\/)\s?([A-Z]{1,3})(?![\p{L}\d])/gu;

/** Finds pairs of country codes that describe a lane: "DE - PL", "D/F". */
export function findCountryPairs(text: string): PlaceEntity[] {
  return Array.from(text.matchAll(PAIR)).flatMap((match): PlaceEntity[] => {
    const [whole, one = "", other = ""] = match;
    const [from, to] = [countryOfCode(one), countryOfCode(other)];
    if (!from || !to || !isKnownPostal(from) || !isKnownPostal(to) || (one.length === 1) !== (other.length === 1))
      return [];
    const end = match.index + whole.length;
    return [
      {
        type: "Place",
        start: match.index,
        end: match.index + one.length,
        score: scores.coarsePlace.countryPair,
        value: { country: from },
      },
      { type: "Place", start: end - other.length, end, score: scores.coarsePlace.countryPair, value: { country: to } },
    ];
  });
}

const MOST_WORDS = 3;

/** Finds country names that are not part of a place found earlier: "from Germany to Spain". */
export function findCountryNames(text: string, seen: readonly Entity[]): EntityOf<"Place">[] {
  const words = placeWords(text);
  const found: EntityOf<"Place">[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const first = words[at]!;
    if (!/^\p{Lu}\p{Ll}/u.test(first.text) || !startsCountryName(first.text)) continue;
    for (let count = Math.min(MOST_WORDS, words.length - at); count > 0; count -= 1) {
      const end = words[at + count - 1]!.end;
      const country = countryKeys().get(foldName(text.slice(first.start, end)));
      if (!country) continue;
      const known = seen.some(({ type, start, end: to }) => type === "Place" && start < end && to > first.start);
      if (!known)
        found.push({
          type: "Place",
          start: first.start,
          end,
          score: scores.coarsePlace.countryName,
          value: { country },
        });
      at += count - 1;
      break;
    }
  }
  return found;
}
