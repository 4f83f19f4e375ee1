import { lettersOf } from "../../src/extraction/fields/find-value/letters.ts";
import { evidenceOfFit, type Family } from "../../src/extraction/memory/family.ts";
import { partsOf, type Lesson } from "../../src/extraction/memory/learn.ts";
import { leavesOf } from "../../src/extraction/memory/pointers.ts";
import { fromTown, Positions, type Position } from "../../src/extraction/memory/positions.ts";
import { isTown, locationsOf, stopField, stopsOf, typesOf, valueOf } from "../../src/extraction/memory/read-family.ts";
import type { Example } from "./logistic.ts";

const mostOfPlace = 6;

/** Pairs of a place and a position of the next document, and whether the value at the position is that of the place. */
export function placePairs(family: Family, { page, data, extracted }: Lesson): Example[] {
  const positions = new Positions(page);
  const wanted = new Map(partsOf(leavesOf(data)).map(({ pointer, value }) => [pointer, value]));
  const areStopsRight = typesOf(locationsOf(data)) === typesOf(locationsOf(extracted.data));
  const stops = areStopsRight ? stopsOf(extracted, positions, page) : [];
  const towns = (type: string) =>
    locationsOf(data).flatMap((stop) => (stop["type"] === type ? [stop["city"] as string | undefined] : []));
  return family.places.flatMap((place) => {
    const [, type, rest] = stopField.exec(place.field) ?? [];
    const targets: { pointer: string; town?: Position | undefined }[] =
      type === undefined || isTown(place)
        ? [{ pointer: place.field }]
        : stops.flatMap((stop, at) =>
            stop.type === type && stop.town ? [{ pointer: `/locations/${at}${rest}`, town: stop.town }] : [],
          );
    return targets.flatMap(({ pointer, town }) => {
      const rights = isTown(place) ? towns(type!) : [wanted.get(pointer)];
      return [...positions.like(place.features)]
        .map((position) => evidenceAt(position, town))
        .sort((one, other) => other.agreeing - one.agreeing)
        .flatMap(({ position, signs }) => {
          const value = valueOf({ place, position, fit: 0 }, pointer, page);
          return value ? [{ signs, right: rights.some((each) => isSame(each, value.value)) }] : [];
        })
        .slice(0, mostOfPlace);
    });

    function evidenceAt(position: Position, town: Position | undefined) {
      const signs = evidenceOfFit(place, town ? fromTown(position, town) : position.features);
      const agreeing = signs.slice(0, signs.length >> 1).reduce((sum, each) => sum + each, 0);
      return { position, signs, agreeing };
    }
  });
}

const isSame = (one: unknown, other: unknown): boolean =>
  typeof one === "string" && typeof other === "string" ? lettersOf(one) === lettersOf(other) : one === other;
