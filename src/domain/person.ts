import { foldText } from "../extraction/lexicon/fold.ts";
import { phoneMatcher } from "./phones.ts";

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

/** One way of naming somebody: whether a text does, and the text without it. */
interface Matcher {
  isIn: (text: string) => boolean;
  without: (text: string) => string;
}

/** How often a text may be written within another, with the escapes of JSON. */
const mostLayers = 3;

/** Finds a person in texts, however they are written, and takes him out of them. */
export class PersonFinder {
  private readonly ways: Matcher[];

  constructor({ email, name, phone }: Person) {
    const ways = [
      ...(email ? [wordsMatcher(emailPattern(email), erased.email)] : []),
      ...(phone ? [phoneMatcher(phone, erased.phone)] : []),
      ...(name ? [wordsMatcher(namePattern(name), erased.name)] : []),
    ];
    // Who is called as those are who were erased cannot be told from them.
    this.ways = ways.filter(({ isIn }) => !Object.values(erased).some(isIn));
  }

  /** Whether a text names him, as it stands or with what is escaped in it as JSON has it. */
  isIn(text: string): boolean {
    return decodedLayers(text).some((layer) => this.ways.some((way) => way.isIn(layer)));
  }

  /** Whether a value that was written as JSON names him. Its numbers are no texts. */
  isInJson(json: string): boolean {
    return this.isInValue(JSON.parse(json));
  }

  /** The text without him: one that would name him still, once it is read by somebody else, goes altogether. */
  without(text: string): string {
    for (const layer of decodedLayers(text)) {
      const left = this.ways.reduce((rest, way) => way.without(rest), layer);
      if (!this.isIn(left)) return left;
    }
    return erased.name;
  }

  /** The texts of a value that name him, the names of its fields among them. */
  mentionsIn(value: unknown, pointer = ""): Mention[] {
    if (typeof value === "string") return this.isIn(value) ? [{ pointer, value }] : [];
    if (typeof value !== "object" || value === null) return [];
    return Object.entries(value).flatMap(([name, inner]) => {
      const place = `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
      const named = Array.isArray(value) || !this.isIn(name) ? [] : [{ pointer: place, value: name }];
      return [...named, ...this.mentionsIn(inner, place)];
    });
  }

  /** The value without him; itself where it does not name him. */
  erasedFrom<Value>(value: Value): Value {
    if (typeof value === "string") return (this.isIn(value) ? this.without(value) : value) as Value;
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map((inner: unknown) => this.erasedFrom(inner)) as Value;
    const entries = Object.entries(value).map(([name, inner]) => [this.erasedFrom(name), this.erasedFrom(inner)]);
    return Object.fromEntries(entries) as Value;
  }

  private isInValue(value: unknown): boolean {
    if (typeof value === "string") return this.isIn(value);
    if (typeof value !== "object" || value === null) return false;
    if (Array.isArray(value)) return value.some((inner) => this.isInValue(inner));
    return Object.entries(value).some(([name, inner]) => this.isIn(name) || this.isInValue(inner));
  }
}

/** A text, and what it says where it is itself a text written as JSON: `\n` is a line's end, `\u0159` a letter. */
function decodedLayers(text: string): string[] {
  const layers = [text];
  for (let last = text; layers.length < mostLayers && last.includes("\\"); layers.push(last)) last = unescaped(last);
  return layers;
}

const unescaped = (text: string) =>
  text.replace(/\\(?:u([\da-f]{4})|([bfnrt])|(["\\/]))/gi, (_, code?: string, control?: string, plain?: string) =>
    code ? String.fromCharCode(parseInt(code, 16)) : control ? " " : plain!,
  );

function wordsMatcher(pattern: RegExp, instead: string): Matcher {
  const first = new RegExp(pattern, "iu");
  return { isIn: (text) => first.test(text), without: (text) => text.replace(pattern, instead) };
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");

const emailPattern = (email: string) =>
  new RegExp(`(?<![\\p{L}\\p{N}.+_-])${escaped(email.trim())}(?![\\p{L}\\p{N}-])`, "giu");

/** In either order, with whatever blanks and commas between, with and without the marks of letters. */
function namePattern(name: string): RegExp {
  const words = name.split(/[\s,.]+/).filter(Boolean);
  const orders = [words, words.toReversed(), [...words.slice(-1), ...words.slice(0, -1)]];
  const spelled = orders.flatMap((order) => [order, order.map((word) => foldText(word))]);
  const ways = [...new Set(spelled.map((order) => order.map(escaped).join("[\\s,.]+")))];
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${ways.join("|")})(?![\\p{L}\\p{N}])`, "giu");
}
