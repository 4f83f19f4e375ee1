import { scores } from "./scores.ts";
import regions from "../lexicon/regions.json" with { type: "json" };
import { foldName } from "../lexicon/fold.ts";
import type { Gazetteer } from "../lexicon/gazetteer.ts";
import type { PlaceValue } from "./entity.ts";
import type { ValueSpan, Line } from "./line-spans.ts";
import { countryAfter, wordGroupsBefore } from "./place-words.ts";
import type { PlaceWord } from "./place-words.ts";

type Country = "US" | "CA";

const named = new Map<string, { country: Country; region: string }>();
for (const country of ["US", "CA"] as const) {
  for (const [region, name] of Object.entries(regions[country])) {
    named.set(region.toLowerCase(), { country, region }).set(foldName(name), { country, region });
  }
}
named.set("d c", { country: "US", region: "DC" }).set("n y", { country: "US", region: "NY" });

const NAMES = [...named.keys()]
  .filter((name) => (name.length > 2 && !name.includes(" ")) || name.length > 4)
  .toSorted((one, other) => other.length - one.length);
const REGION = `(?:[A-Z]{2}|[A-Z]\\.[A-Z]\\.?|${NAMES.map((name) => name.replaceAll(" ", "[ ]")).join("|")})`;
const CODE = "(?:\\d{5}(?:-\\d{4})?|[ABCEGHJ-NPRSTVXY]\\d[A-Z] ?\\d[A-Z]\\d)";
const PLACE = new RegExp(`(?<=[\\p{L}.][ ,]{1,3})(${REGION})(?:[ ,]{1,3}(${CODE}))?(?![\\p{L}\\d]|-\\d)`, "giu");

/**
 * Finds places in the US and Canada, with a state or province: "Palo Alto, CA 94303", "Deltona FL", "Montréal QC H3Z
 * 2Y7".
 */
export function findNorthAmericanPlaces(line: Line, gazetteer: Gazetteer): ValueSpan<PlaceValue>[] {
  return Array.from(line.plain.matchAll(PLACE)).flatMap((match): ValueSpan<PlaceValue>[] => {
    const [whole, printed = "", code] = match;
    if (printed.length <= 4 && printed !== printed.toUpperCase() && !/^[A-Z][a-z]{3}$/.test(printed)) return [];
    const found = named.get(foldName(printed));
    if (!found || (code !== undefined && /^\d/.test(code) !== (found.country === "US"))) return [];
    const place = placeBefore(line, match.index, match.index + whole.length, found, code, gazetteer);
    return place ? [place] : [];
  });
}

function placeBefore(
  line: Line,
  offset: number,
  end: number,
  { country, region }: { country: Country; region: string },
  code: string | undefined,
  gazetteer: Gazetteer,
): ValueSpan<PlaceValue> | undefined {
  const [nearest = [], further = []] = wordGroupsBefore(line.plain, offset, 2);
  const words = nearest.at(-1)?.text === "County" ? further : nearest;
  const known = longestTown(words, country, region, gazetteer);
  const town = known && !known.sure && isName(words) && known.words.length < words.length ? undefined : known;
  const printedCountry = countryAfter(line.plain, end);
  if (printedCountry && printedCountry.country !== country) return undefined;
  const name = town?.words ?? (code === undefined ? [] : capitalisedAtEnd(words));
  if (name.length === 0) return undefined;
  const start = name[0]!.start;
  const value: PlaceValue = { country, region, city: line.source.slice(line.at(start), line.at(name.at(-1)!.end)) };
  if (code !== undefined) value.postalCode = code;
  if (town) {
    value.normalizedCity = town.name;
    value.coordinates = town.coordinates;
  }
  const score = scoreOf(code, town);
  return {
    start,
    end: printedCountry?.end ?? end,
    score: printedCountry ? Math.min(scores.confirmed.most, score + scores.confirmed.step) : score,
    value,
  };
}

interface Town {
  words: PlaceWord[];
  name: string;
  coordinates: { latitude: number; longitude: number };
  /** Whether the gazetteer has the town in this state. */
  sure: boolean;
}

function longestTown(words: PlaceWord[], country: Country, region: string, gazetteer: Gazetteer): Town | undefined {
  let elsewhere: Town | undefined;
  for (let from = Math.max(0, words.length - 4); from < words.length; from += 1) {
    const name = words.slice(from);
    if (/^\d/.test(name[0]!.text)) continue;
    const spelled = name.map((word) => word.text).join(" ");
    const known = gazetteer.lookupCity(spelled, country);
    const places =
      known.length > 0 ? known : gazetteer.lookupCity(spelled).filter((place) => place.country === country);
    const here = places.find((place) => place.region === region);
    const best = here ?? places[0];
    if (!best) continue;
    const town = {
      words: name,
      name: best.name,
      coordinates: { latitude: best.latitude, longitude: best.longitude },
      sure: here !== undefined,
    };
    if (here) return town;
    elsewhere ??= town;
  }
  return elsewhere;
}

/** "Fort Garland, CO": all words are one name, so this is not the town of Garland in another state. */
function isName(words: PlaceWord[]): boolean {
  return words.length <= 3 && capitalisedAtEnd(words).length === words.length;
}

function capitalisedAtEnd(words: PlaceWord[]): PlaceWord[] {
  let from = words.length;
  while (from > 0 && words.length - from < 3 && /^\p{Lu}\p{L}+\.?$/u.test(words[from - 1]!.text)) from -= 1;
  return words.slice(from);
}

function scoreOf(code: string | undefined, town: { sure: boolean } | undefined): number {
  const { sureWithCode, townWithCode, wordsWithCode, sureWithoutCode, withoutCode } = scores.northAmerican;
  if (code === undefined) return town?.sure ? sureWithoutCode : withoutCode;
  if (!town) return wordsWithCode;
  return town.sure ? sureWithCode : townWithCode;
}
