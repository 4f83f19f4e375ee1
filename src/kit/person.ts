import { foldText } from "../reading/know/fold.ts";

/** Somebody, as far as he is told of: whatever of this is said names him. */
export interface Person {
  email?: string | undefined;
  name?: string | undefined;
  phone?: string | undefined;
}

/** Where something names him. */
export interface Mention {
  /** A JSON pointer. */
  pointer: string;
  value: string;
}

/** What stands where a person did; to such an address nothing is mailed. */
export const erased = { email: "erased@privacy.invalid", name: "Erased Person", phone: "+000000000" } as const;

/** Finds a person in texts, however they are written, and takes him out of them. */
export class Finder {
  private readonly patterns: { pattern: RegExp; instead: string }[];
  /** The same, each of which looks from the beginning of a text. */
  private readonly tests: RegExp[];

  constructor({ email, name, phone }: Person) {
    this.patterns = [
      ...(email ? [{ pattern: emailPattern(email), instead: erased.email }] : []),
      ...(phone ? [{ pattern: phonePattern(phone), instead: erased.phone }] : []),
      ...(name ? [{ pattern: namePattern(name), instead: erased.name }] : []),
    ];
    this.tests = this.patterns.map(({ pattern }) => new RegExp(pattern, "iu"));
  }

  isIn(text: string): boolean {
    return this.tests.some((pattern) => pattern.test(text));
  }

  without(text: string): string {
    return this.patterns.reduce((left, { pattern, instead }) => left.replace(pattern, instead), text);
  }

  /** The texts of a value that name him. */
  mentionsIn(value: unknown, pointer = ""): Mention[] {
    if (typeof value === "string") return this.isIn(value) ? [{ pointer, value }] : [];
    if (typeof value !== "object" || value === null) return [];
    return Object.entries(value).flatMap(([name, inner]) =>
      this.mentionsIn(inner, `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`),
    );
  }

  /** The value without him; itself where it does not name him. */
  erasedFrom<Value>(value: Value): Value {
    if (typeof value === "string") return this.without(value) as Value;
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map((inner: unknown) => this.erasedFrom(inner)) as Value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, this.erasedFrom(inner)])) as Value;
  }
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");

const emailPattern = (email: string) =>
  new RegExp(`(?<![\\p{L}\\p{N}.+_-])${escaped(email.trim())}(?![\\p{L}\\p{N}-])`, "giu");

/** The last nine figures are enough: with or without the country, whatever stands between them. */
function phonePattern(phone: string): RegExp {
  const figures = phone.replace(/\D/g, "").slice(-9).split("").join("[\\s().\\/-]*");
  return new RegExp(`(?:\\+|00)?(?<!\\d)(?:\\d[\\s().\\/-]*){0,5}${figures}(?!\\d)`, "gu");
}

/** In either order, with whatever blanks and commas between, with and without the marks of letters. */
function namePattern(name: string): RegExp {
  const words = name.trim().split(/[\s,]+/);
  const orders = [words, words.toReversed(), [...words.slice(-1), ...words.slice(0, -1)]];
  const spelled = orders.flatMap((order) => [order, order.map((word) => foldText(word))]);
  const ways = [...new Set(spelled.map((order) => order.map(escaped).join("[\\s,.]+")))];
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${ways.join("|")})(?![\\p{L}\\p{N}])`, "giu");
}
