import type { Evidence } from "../document/extraction-result.ts";
import { lettersOf } from "../fields/find-value/letters.ts";

const identifyingFields: ReadonlySet<string> = new Set([
  "type",
  "name",
  "vatCode",
  "countryCode",
  "country",
  "postalCode",
  "city",
  "street",
  "orderNumber",
  "documentNumber",
  "invoiceNumber",
  "number",
  "startDate",
  "date",
  "amount",
]);

type Fields = Record<string, unknown>;

/** Whether two values are equal, apart from their spelling. A date equals midnight of that day. */
export function same(one: unknown, other: unknown): boolean {
  if (typeof one === "number" && typeof other === "number") return Math.abs(one - other) < 0.005;
  if (typeof one !== "string" || typeof other !== "string") return one === other;
  return spelled(one) === spelled(other);
}

const spelled = (text: string) =>
  lettersOf(text.replace(/^(\d{4}-\d{2}-\d{2})T00:00(?::00)?$/, "$1").replace(/(T\d{2}:\d{2}):00$/, "$1"));

/** Compares a field of two objects. A town matches if either its printed name or its name in the gazetteer matches. */
export function sameField(name: string, one: Fields, other: Fields): boolean {
  const normalized = `normalized${name[0]?.toUpperCase()}${name.slice(1)}`;
  return same(one[name], other[name]) || (normalized in one && same(one[normalized], other[name]));
}

/** Whether two objects differ in an identifying field, so that they cannot be the same item. */
export const areStrangers = (one: Fields, other: Fields): boolean =>
  [...identifyingFields].some((name) => isSaid(one[name]) && isSaid(other[name]) && !sameField(name, one, other));

/**
 * Pairs the most similar items of two lists. Each item is in at most one pair.
 * @returns the index in `others` by the index in `ones`
 */
export function pairs(ones: readonly unknown[], others: readonly unknown[]): Map<number, number> {
  const scored = ones.flatMap((one, at) => others.map((other, to) => ({ at, to, score: likeness(one, other) })));
  const found = new Map<number, number>();
  const taken = new Set<number>();
  for (const { at, to, score } of scored.sort((a, b) => b.score - a.score || a.at - b.at || a.to - b.to)) {
    if (score <= 0 || found.has(at) || taken.has(to)) continue;
    found.set(at, to);
    taken.add(to);
  }
  return found;
}

const otherKind = -100;

function likeness(one: unknown, other: unknown): number {
  if (!isFields(one) || !isFields(other)) return same(one, other) ? 1 : 0;
  if (one["type"] !== undefined && other["type"] !== undefined && !same(one["type"], other["type"])) return otherKind;
  return Object.keys(other).reduce((sum, name) => sum + likenessIn(name, one, other), 0);
}

function likenessIn(name: string, one: Fields, other: Fields): number {
  const [mine, its] = [one[name], other[name]];
  if (name === "type" || !isSaid(mine) || !isSaid(its)) return 0;
  if (isFields(mine)) return Math.max(0, likeness(mine, its)) / 2;
  const weight = identifyingFields.has(name) ? 2 : 1;
  return sameField(name, one, other) ? weight : -weight / 2;
}

const isSaid = (value: unknown) => value !== undefined && !Array.isArray(value);
export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Whether an item is new: most of its values come from a place in the document from which no value of `others` comes.
 */
export function isReadAnew(item: readonly Evidence[], others: readonly Evidence[]): boolean {
  const placed = item.filter(({ box }) => box);
  const free = placed.filter((mine) => !others.some((other) => overlap(mine, other)));
  return placed.length > 1 && free.length * 2 > placed.length;
}

function overlap(one: Evidence, other: Evidence): boolean {
  if (!one.box || !other.box || one.page !== other.page) return false;
  const [a, b] = [one.box, other.box];
  const width = Math.min(a[2], b[2]) - Math.max(a[0], b[0]);
  const height = Math.min(a[3], b[3]) - Math.max(a[1], b[1]);
  return width > 0 && height > (b[3] - b[1]) / 2;
}
