/** Who speaks the first reads the second better than English. */
const near = new Map(Object.entries({ be: "ru", bs: "hr", sr: "hr", nb: "da", nn: "da", no: "da" }));

/** How a page speaks. */
export interface Language<Words> {
  /** ISO 639-1. */
  code: string;
  /** With the visitor's country where it is known: how dates and numbers are written. */
  locale: string;
  words: Words;
  /** The visitor has asked for this language, so that links must ask for it again. */
  chosen: boolean;
}

/** The language asked for by `?lang=`, else the one the browser likes best, else English. */
export function languageAmong<Words>(languages: Record<string, Words>, url: URL, request: Request): Language<Words> {
  const named = (tag: string) => languageNamed(languages, tag);
  const asked = named(url.searchParams.get("lang") ?? "");
  const liked = preferencesOf(request.headers.get("accept-language") ?? "").map(named);
  const found = asked ?? liked.find((one) => one !== undefined) ?? named("en")!;
  return { ...found, chosen: found === asked };
}

/** The language of a tag such as `de` or `pt-BR`, or one that who speaks it reads; undefined where there is none. */
export function languageNamed<Words>(
  languages: Record<string, Words>,
  tag: string,
): Omit<Language<Words>, "chosen"> | undefined {
  const [name = "", region] = tag.split("-");
  const lower = name.toLowerCase();
  const code = Object.hasOwn(languages, lower) ? lower : near.get(lower);
  if (!code) return undefined;
  const country = code === lower && /^[a-z]{2}$/i.test(region ?? "") ? region!.toUpperCase() : undefined;
  return { code, locale: localeOf(code, country), words: languages[code]! };
}

const localeOf = (code: string, country = code === "en" ? "GB" : undefined) => (country ? `${code}-${country}` : code);

/** The tags of an `Accept-Language`, the best liked first. */
function preferencesOf(header: string): string[] {
  const wishes = header
    .slice(0, 500)
    .split(",")
    .map((wish) => {
      const [tag = "", ...parameters] = wish.split(";").map((part) => part.trim());
      const weight = parameters.find((parameter) => parameter.startsWith("q="));
      return { tag, weight: weight === undefined ? 1 : Number(weight.slice(2)) };
    });
  return wishes
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);
}

/** A text with its gaps filled. */
export const filled = (text: string, values: Record<string, string | number>) =>
  text.replace(/\{(\w+)\}/g, (gap, name: string) => String(values[name] ?? gap));
