import { foldText } from "../extraction/lexicon/fold.ts";
import { phoneMatcher } from "./phone-numbers.ts";

/** A person to find. Any one of these fields identifies the person. */
export interface Person {
  email?: string | undefined;
  name?: string | undefined;
  phone?: string | undefined;
}

/** A text that mentions a person. `pointer` is a JSON pointer. */
export interface Mention {
  pointer: string;
  value: string;
}

/** Replacements for the data of an erased person. No mail is sent to this address. */
export const erased = { email: "erased@privacy.invalid", name: "Erased Person", phone: "+000000000" } as const;

interface Matcher {
  isIn: (text: string) => boolean;
  without: (text: string) => string;
}

const maxLayers = 3;

/** Finds mentions of a person in texts, in any notation, and removes them. */
export class PersonFinder {
  private readonly matchers: Matcher[];

  constructor({ email, name, phone }: Person) {
    const matchers = [
      ...(email ? [wordsMatcher(emailPattern(email), erased.email)] : []),
      ...(phone ? [phoneMatcher(phone, erased.phone)] : []),
      ...(name ? [wordsMatcher(namePattern(name), erased.name)] : []),
    ];
    // An identifier that equals a replacement would match every erased person.
    this.matchers = matchers.filter(({ isIn }) => !Object.values(erased).some(isIn));
  }

  /** JSON escapes in the text are decoded too. */
  isIn(text: string): boolean {
    return decodedLayers(text).some((layer) => this.matchers.some((matcher) => matcher.isIn(layer)));
  }

  /** Whether a JSON text mentions the person. Numbers are ignored. */
  isInJson(json: string): boolean {
    return this.isInValue(JSON.parse(json));
  }

  /** Replaces the mentions in a text. If a mention would remain after decoding, the whole text is replaced. */
  without(text: string): string {
    for (const layer of decodedLayers(text)) {
      const left = this.matchers.reduce((rest, matcher) => matcher.without(rest), layer);
      if (!this.isIn(left)) return left;
    }
    return erased.name;
  }

  /** Lists the texts of a value that mention the person, including field names. */
  mentionsIn(value: unknown, pointer = ""): Mention[] {
    if (typeof value === "string") return this.isIn(value) ? [{ pointer, value }] : [];
    if (typeof value !== "object" || value === null) return [];
    return Object.entries(value).flatMap(([name, inner]) => {
      const path = `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
      const named = Array.isArray(value) || !this.isIn(name) ? [] : [{ pointer: path, value: name }];
      return [...named, ...this.mentionsIn(inner, path)];
    });
  }

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

/** Decodes JSON escapes repeatedly: `\n` becomes a space, `\u0159` a letter. */
function decodedLayers(text: string): string[] {
  const layers = [text];
  for (let last = text; layers.length < maxLayers && last.includes("\\"); layers.push(last)) last = unescaped(last);
  return layers;
}

const unescaped = (text: string) =>
  text.replace(/\\(?:u([\da-f]{4})|([bfnrt])|(["\\/]))/gi, (_, code?: string, control?: string, plain?: string) =>
    code ? String.fromCharCode(parseInt(code, 16)) : control ? " " : plain!,
  );

function wordsMatcher(pattern: RegExp, replacement: string): Matcher {
  const first = new RegExp(pattern, "iu");
  return { isIn: (text) => first.test(text), without: (text) => text.replace(pattern, replacement) };
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");

const emailPattern = (email: string) =>
  new RegExp(`(?<![\\p{L}\\p{N}.+_-])${escaped(email.trim())}(?![\\p{L}\\p{N}-])`, "giu");

function namePattern(name: string): RegExp {
  const words = name.split(/[\s,.]+/).filter(Boolean);
  const orders = [words, words.toReversed(), [...words.slice(-1), ...words.slice(0, -1)]];
  const spelled = orders.flatMap((order) => [order, order.map((word) => foldText(word))]);
  const matchers = [...new Set(spelled.map((order) => order.map(escaped).join("[\\s,.]+")))];
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${matchers.join("|")})(?![\\p{L}\\p{N}])`, "giu");
}
