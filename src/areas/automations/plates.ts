import { barePlate } from "../../extraction/statements/values.ts";
import { latin } from "../transactions/normalize-lines.ts";

/**
 * Normalizes a plate for comparison: converts it to capitals, removes whitespace and punctuation, and replaces letters
 * of other alphabets that look like Latin letters.
 */
export const plateKey = (plate: string): string => latin(barePlate(plate));

/**
 * Groups of characters that people and OCR often confuse. Folding replaces them by the first character of their group.
 */
const alike = ["0OQD", "1IL", "2Z", "5S", "6G", "8B"];
/** Pairs of characters that are confused less often. */
const nearlyAlike = "0C 0U 1T 17 4A 7T 7Z 3B 38 56 68 89 09 EF CG HN MN PR UV VY VW KX LE PF RB DB IJ IT".split(" ");

const groupOf = new Map(alike.flatMap((group) => [...group].map((sign) => [sign, group[0]!] as const)));
const folded = (sign: string) => groupOf.get(sign) ?? sign;

/** Folds a plate: plates that differ only in often confused characters get the same result. */
export const foldedPlate = (key: string): string => [...key].map(folded).join("");

const pairs = new Set(nearlyAlike.flatMap(([one, other]) => pairsOf(folded(one!), folded(other!))));

function pairsOf(one: string, other: string): string[] {
  return [one + other, other + one];
}

/** How a plate on a fine corresponds to a plate of the fleet. */
export type Likeness = "Same" | "Confused" | "Near";

/**
 * Compares two plates. `Same`: they are equal. `Confused`: they differ only in often confused characters. `Near`: one
 * character is missing or added, or two characters differ that are sometimes confused. Short plates are never `Near`.
 * Returns undefined if the plates are different.
 * @param read result of {@link plateKey}
 * @param known result of {@link plateKey}
 */
export function likenessOf(read: string, known: string): Likeness | undefined {
  if (read === known) return "Same";
  const [one, other] = [foldedPlate(read), foldedPlate(known)];
  if (one === other) return "Confused";
  return isNear(one, other) ? "Near" : undefined;
}

const shortestNear = 5;

function isNear(one: string, other: string): boolean {
  const apart = one.length - other.length;
  if (Math.abs(apart) > 1 || Math.min(one.length, other.length) < shortestNear) return false;
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  if (apart === 0) return pairs.has(one[at]! + other[at]!) && one.slice(at + 1) === other.slice(at + 1);
  return apart > 0 ? one.slice(at + 1) === other.slice(at) : one.slice(at) === other.slice(at + 1);
}

/** A vehicle whose plate corresponds to the one on the fine. */
export interface LikePlate {
  vehicleId: string;
  likeness: Likeness;
}

/**
 * If more plates than this are `Near`, all of them are ignored, because the plates of such a fleet are too similar to
 * each other.
 */
const mostNear = 5;

/** Index of the plates of a fleet. */
export class PlateIndex {
  private readonly byKey = new Map<string, Set<string>>();
  private readonly byFolded = new Map<string, Set<string>>();

  add(plate: string, vehicleId: string): void {
    into(this.byKey, plate, vehicleId);
    into(this.byFolded, foldedPlate(plate), plate);
  }

  /**
   * Finds the vehicles whose plate is `Same`, otherwise those whose plate is `Confused`, otherwise those whose plate is
   * `Near`.
   */
  like(read: string): LikePlate[] {
    const same = this.vehiclesOf([read], "Same");
    if (same.length > 0) return same;
    const key = foldedPlate(read);
    const confused = this.vehiclesOf([...(this.byFolded.get(key) ?? [])], "Confused");
    if (confused.length > 0) return confused;
    const near = [...this.byFolded].flatMap(([known, plates]) => (isNear(key, known) ? [...plates] : []));
    return near.length > mostNear ? [] : this.vehiclesOf(near, "Near");
  }

  private vehiclesOf(plates: readonly string[], likeness: Likeness): LikePlate[] {
    return plates.flatMap((plate) => [...(this.byKey.get(plate) ?? [])].map((vehicleId) => ({ vehicleId, likeness })));
  }
}

function into(map: Map<string, Set<string>>, key: string, value: string): void {
  const there = map.get(key);
  if (there) there.add(value);
  else map.set(key, new Set([value]));
}
