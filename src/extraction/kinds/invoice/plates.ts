import { fold } from "../../lexicon/fold.ts";
import { isPlateOf, seePlates } from "../../entities/plates.ts";
import { FieldValue } from "../../fields/confidence/field-value.ts";
import { namedPlates } from "../../fields/vehicles/named-plates.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import { vehiclesIn } from "../../fields/vehicles/vehicles.ts";

const plain = (plate: string) => plate.replace(/[^\p{L}\p{N}]/gu, "").toUpperCase();

/** Plates with a label or behind a word for a vehicle, and those that stand by themselves in the words of a service. */
export function platesIn(around: DocumentContext, descriptions: readonly FieldValue<string>[]): FieldValue<string>[] {
  const found = new Map<string, FieldValue<string>>();
  const add = (plate: FieldValue<string>) => found.has(plate.value) || found.set(plate.value, plate);
  const { vehicles, trailers } = vehiclesIn(around);
  for (const plate of [...vehicles, ...trailers]) add(plate);
  for (const segment of around.marks.layout.segments)
    for (const { plate, start, end } of namedPlates(segment.text))
      add(new FieldValue(plate, 0.7, { segment, start, end }));
  for (const description of descriptions) {
    for (const { plate } of namedPlates(description.value)) add(new FieldValue(plate, 0.65, description.piece));
    for (const plate of [...pairedPlates(description.value), ...ownPlates(description.value, around.countries)])
      add(new FieldValue(plate, 0.55, description.piece));
  }
  const all = [...found.values()];
  return all.filter(({ value }) => !all.some((other) => other.value !== value && isPieceOf(value, other.value)));
}

const isPieceOf = (piece: string, whole: string) => piece.length >= 4 && whole.includes(piece);

const between = /^\s*[/+|,]\s*$/u;

/** "PPL 40812 / PPL 12AK": two plates with a stroke between. */
function pairedPlates(text: string): string[] {
  const plates = seePlates(fold(text)).filter(({ score }) => score >= 0.28);
  return plates.flatMap((plate, at) => {
    const [before, after] = [plates[at - 1], plates[at + 1]];
    const paired =
      (before && between.test(text.slice(before.end, plate.start))) ||
      (after && between.test(text.slice(plate.end, after.start)));
    return paired ? [plain(plate.value.plate)] : [];
  });
}

const [surely, unmistakable, shortest] = [0.28, 0.36, 6];
const alone = /(?:^|[,;.()–]|\d\.?|\s[-–])\s*$/u;
const endsAlone = /^\s*(?:$|[,;.()/–]|[-–]\s)/u;

/** "Carriage Imatra – Kotka, KLX-204": a plate of a country the document is from, between commas. */
function ownPlates(text: string, countries: readonly string[]): string[] {
  return seePlates(fold(text)).flatMap(({ value, score, start, end }) => {
    const home = isPlateOf(countries, text.slice(start, end));
    const plate = plain(value.plate);
    const stands = score >= unmistakable || (alone.test(text.slice(0, start)) && endsAlone.test(text.slice(end)));
    return home && stands && score >= surely && plate.length >= shortest ? [plate] : [];
  });
}
