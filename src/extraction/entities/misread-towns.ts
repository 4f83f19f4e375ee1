import { scores } from "./scores.ts";
import { foldName } from "../lexicon/fold.ts";
import type { Gazetteer, GazetteerPlace } from "../lexicon/gazetteer.ts";
import { editDistance } from "../lexicon/near-words.ts";
import type { Entity, EntityOf, DocumentLocale, ScoredSpan } from "./entity.ts";
import { byPosition, overlaps } from "./line-spans.ts";
import { findEntities } from "./find-entities.ts";

type PlaceEntity = EntityOf<"Place">;

/** Characters that OCR confuses: for each recognised character, the characters it may stand for. */
const lookalikes: Record<string, string> = {
  "0": "o",
  "1": "li",
  "2": "z",
  "5": "s",
  "8": "b",
  c: "e",
  e: "c",
  f: "t",
  h: "b",
  i: "l",
  j: "i",
  l: "it",
  q: "g",
  t: "lf",
  v: "y",
  y: "v",
};
const word = /[\p{L}\d]+(?:['’-][\p{L}\d]+)*/gu;
/**
 * Minimum length of a misread town's name: `shortest` with a postal code, `shortestAlone` without one. `large`: minimum
 * population of a town without a postal code.
 */
const [shortest, shortestAlone, large] = [4, 5, 100_000];
/** Maximum length of a line, and maximum number of words tried in it. Lines of scans are short. */
const [longest, mostWords] = [200, 16];
/**
 * Factors for the score of a corrected town. Without a postal code, the score is low before the correction, so the
 * factor is larger.
 */
const { withCode: correctedWithCode, alone: correctedAlone } = scores.misread;

/**
 * {@link findEntities} for a line recognised by OCR. Corrects misread names of towns and lowers their scores. A name is
 * misread if it differs by one letter from the town of its postal code, or by one commonly confused character from a
 * large town in the document's countries.
 */
export function findEntitiesInScan(text: string, context: DocumentLocale, gazetteer: Gazetteer): Entity[] {
  const seen = findEntities(text, context, gazetteer).map(withOwnName);
  if (text.length > longest) return seen;
  const mended = correctTown(text, seen, context, gazetteer);
  if (mended.length === 0) return seen;
  const wholly = mended.reduce(
    (line, { start, name }) => line.slice(0, start) + name + line.slice(start + name.length),
    text,
  );
  const again = findEntities(wholly, context, gazetteer).flatMap((entity) =>
    isKnownTown(entity) && mended.some((each) => overlaps(each, entity)) ? [asMeant(entity)] : [],
  );
  const others = seen.filter((one) => one.type !== "Place" || !again.some((other) => overlaps(one, other)));
  return [...others, ...again].sort(byPosition);
}

/** Corrects a town that differs by one letter from the town of its postal code: "Poznen" with the code of Poznań. */
function withOwnName(entity: Entity): Entity {
  if (!isKnownTown(entity) || entity.value.postalCode === undefined) return entity;
  const { city = "", normalizedCity = "" } = entity.value;
  const [printed, known] = [foldName(city), foldName(normalizedCity)];
  const isMisread = printed !== known && printed.length >= shortest && editDistance(printed, known, 1) === 1;
  return isMisread ? asMeant(entity) : entity;
}

const isKnownTown = (entity: Entity): entity is PlaceEntity =>
  entity.type === "Place" && entity.value.normalizedCity !== undefined;

const asMeant = (entity: PlaceEntity): PlaceEntity => ({
  ...entity,
  score: entity.score * (entity.value.postalCode === undefined ? correctedAlone : correctedWithCode),
  value: { ...entity.value, ...(entity.value.normalizedCity && { city: entity.value.normalizedCity }) },
});

/** `name`: the corrected spelling, which is as long as the printed one. */
interface Correction {
  start: number;
  end: number;
  score: number;
  name: string;
}

function correctTown(
  text: string,
  seen: readonly Entity[],
  context: DocumentLocale,
  gazetteer: Gazetteer,
): Correction[] {
  const settled = seen.filter((entity) => isKnownTown(entity) || typesWithoutTowns.has(entity.type));
  const coded = townNamesOfCodes(seen, gazetteer);
  const words = [...text.matchAll(word)].slice(0, mostWords);
  return words.flatMap(({ 0: printed, index: start }) => {
    const span = { start, end: start + printed.length, score: 1 };
    if (printed.length < shortest || !/\p{L}/u.test(printed)) return [];
    if (settled.some((entity) => overlaps(entity, span)) || isTown(printed, context, gazetteer)) return [];
    const country = countryAt(seen, span);
    const name = variantsOf(printed).find(
      (variant) =>
        coded.has(foldName(variant)) ||
        (country && gazetteer.lookupCity(variant, country).length > 0) ||
        isLargeTown(variant, context, gazetteer),
    );
    return name ? [{ ...span, name }] : [];
  });
}

const typesWithoutTowns: ReadonlySet<Entity["type"]> = new Set([
  "Email",
  "Link",
  "Vat",
  "Iban",
  "Container",
  "Vin",
  "Plate",
]);

function townNamesOfCodes(seen: readonly Entity[], gazetteer: Gazetteer): ReadonlySet<string> {
  const names = seen.flatMap((entity) =>
    entity.type === "Place" && entity.value.postalCode && entity.value.country
      ? gazetteer.lookupPostal(entity.value.country, entity.value.postalCode).map(({ name }) => foldName(name))
      : [],
  );
  return new Set(names.flatMap((name) => [name, ...name.split(" ").filter(({ length }) => length >= shortest)]));
}

const countryAt = (seen: readonly Entity[], span: ScoredSpan): string | undefined =>
  seen.flatMap((entity) =>
    entity.type === "Place" && entity.value.postalCode && overlaps(entity, span) ? (entity.value.country ?? []) : [],
  )[0];

const isTown = (name: string, { countries }: DocumentLocale, gazetteer: Gazetteer): boolean =>
  [...countries, undefined].some((country) => gazetteer.lookupCity(name, country).length > 0);

function isLargeTown(name: string, { countries }: DocumentLocale, gazetteer: Gazetteer): boolean {
  const isLarge = ({ country, population }: GazetteerPlace) => population >= large && countries.includes(country);
  return name.length >= shortestAlone && /^\p{Lu}/u.test(name) && gazetteer.lookupCity(name).some(isLarge);
}

function variantsOf(printed: string): string[] {
  return [...printed].flatMap((letter, at) =>
    [...(lookalikes[foldName(letter)] ?? "")].map((instead) => {
      const isCapital = at === 0 || /['’-]/u.test(printed[at - 1] ?? "") || isShouted(printed);
      return printed.slice(0, at) + (isCapital ? instead.toUpperCase() : instead) + printed.slice(at + 1);
    }),
  );
}

const isShouted = (printed: string): boolean => /\p{Lu}{2}/u.test(printed) && !/\p{Ll}/u.test(printed);
