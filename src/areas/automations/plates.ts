import { barePlate } from "../../extraction/statements/values.ts";
import { latin } from "../transactions/normalize-lines.ts";

/** A plate as plates are compared: capitals without blanks and signs, letters that look Latin as Latin ones. */
export const plateKey = (plate: string): string => latin(barePlate(plate));

/** Signs that print and eyes take for each other; each group is one sign. */
const alike = ["0OQD", "1IL", "2Z", "5S", "6G", "8B"];
/** Signs that are taken for each other less often. */
const nearlyAlike = "0C 0U 1T 17 4A 7T 7Z 3B 38 56 68 89 09 EF CG HN MN PR UV VY VW KX LE PF RB DB IJ IT".split(" ");

const groupOf = new Map(alike.flatMap((group) => [...group].map((sign) => [sign, group[0]!] as const)));
const folded = (sign: string) => groupOf.get(sign) ?? sign;

/** The same for all plates that differ only in signs that are taken for each other. */
export const foldedPlate = (key: string): string => [...key].map(folded).join("");

const pairs = new Set(nearlyAlike.flatMap(([one, other]) => pairsOf(folded(one!), folded(other!))));

function pairsOf(one: string, other: string): string[] {
  return [one + other, other + one];
}

/** How a plate that was read may stand for one that is known. */
export type Likeness = "Same" | "Confused" | "Near";

/**
 * Whether one plate may be what was read as the other: the same; with signs that are taken for each other; or one sign apart,
 * by one that was lost, came to it, or is sometimes taken for another. Short plates are never only near.
 * @param read as {@link plateKey} @param known as {@link plateKey}
 */
export function likenessOf(read: string, known: string): Likeness | undefined {
  if (read === known) return "Same";
  const [one, other] = [foldedPlate(read), foldedPlate(known)];
  if (one === other) return "Confused";
  return isOneApart(one, other) ? "Near" : undefined;
}

const shortestNear = 5;

/** Of two folded plates. */
function isOneApart(one: string, other: string): boolean {
  const apart = one.length - other.length;
  if (Math.abs(apart) > 1 || Math.min(one.length, other.length) < shortestNear) return false;
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  if (apart === 0) return pairs.has(one[at]! + other[at]!) && one.slice(at + 1) === other.slice(at + 1);
  return apart > 0 ? one.slice(at + 1) === other.slice(at) : one.slice(at) === other.slice(at + 1);
}

/** A vehicle whose plate may be the one that was read. */
export interface LikePlate {
  vehicleId: string;
  likeness: Likeness;
}

/** More vehicles than these are near to every plate, and so to none. */
const mostNear = 5;

/** Plates of a fleet, as they are looked for. */
export class PlateIndex {
  private readonly byKey = new Map<string, Set<string>>();
  private readonly byFolded = new Map<string, Set<string>>();

  add(plate: string, vehicleId: string): void {
    into(this.byKey, plate, vehicleId);
    into(this.byFolded, foldedPlate(plate), plate);
  }

  /** Those whose plate it is; where there are none, those whose plate it may be. */
  like(read: string): LikePlate[] {
    const same = this.vehiclesOf([read], "Same");
    if (same.length > 0) return same;
    const key = foldedPlate(read);
    const confused = this.vehiclesOf([...(this.byFolded.get(key) ?? [])], "Confused");
    if (confused.length > 0) return confused;
    const near = [...this.byFolded].flatMap(([known, plates]) => (isOneApart(key, known) ? [...plates] : []));
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
