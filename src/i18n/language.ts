import { messages } from "./messages.ts";

/** All texts of one language, by page. `{name}` is a placeholder. */
export type Messages = (typeof messages)["en"];
type Section = keyof Messages;

/** ISO 639-1 codes of the languages with a file in this folder. */
export const languageCodes = Object.keys(messages) as [string, ...string[]];

/** Languages without a file. Their speakers read the second language better than English. */
const fallbacks = new Map(Object.entries({ be: "ru", bs: "hr", sr: "hr", nb: "da", nn: "da", no: "da" }));

/** The language of a page. */
export interface Language<Words> {
  /** ISO 639-1. */
  code: string;
  /** The language with the visitor's region, if known, for the format of dates and numbers. */
  locale: string;
  words: Words;
  /** Whether the visitor chose this language, so that links keep it. */
  chosen: boolean;
}

export type CarrierPortalLanguage = Language<Messages["carrierPortal"]>;
export type FreightLanguage = Language<Messages["freightPages"]>;

export const messagesIn = (code: string): Messages => (messages as Record<string, Messages>)[code] ?? messages.en;

/** Returns the language in `?lang=`, otherwise the preferred language of the browser, otherwise English. */
export function requestedLanguage<Name extends Section>(
  section: Name,
  url: URL,
  request: Request,
): Language<Messages[Name]> {
  const chosen = findLanguage(section, url.searchParams.get("lang") ?? "");
  if (chosen) return { ...chosen, chosen: true };
  for (const tag of preferredTags(request.headers.get("accept-language") ?? "")) {
    const preferred = findLanguage(section, tag);
    if (preferred) return { ...preferred, chosen: false };
  }
  return { ...findLanguage(section, "en")!, chosen: false };
}

/** Finds the language of a tag such as `de` or `pt-BR`, or its fallback; undefined if there is neither. */
export function findLanguage<Name extends Section>(
  section: Name,
  tag: string,
): Omit<Language<Messages[Name]>, "chosen"> | undefined {
  const [name = "", region] = tag.split("-");
  const lower = name.toLowerCase();
  const code = languageCodes.includes(lower) ? lower : fallbacks.get(lower);
  if (!code) return undefined;
  const country = code === lower && /^[a-z]{2}$/i.test(region ?? "") ? region!.toUpperCase() : undefined;
  return { code, locale: localeOf(code, country), words: messagesIn(code)[section] };
}

const localeOf = (code: string, country = code === "en" ? "GB" : undefined) => (country ? `${code}-${country}` : code);

/** Returns tags by descending weight. */
function preferredTags(header: string): string[] {
  const preferences = header
    .slice(0, 500)
    .split(",")
    .map((preference) => {
      const [tag = "", ...parameters] = preference.split(";").map((part) => part.trim());
      const weight = parameters.find((parameter) => parameter.startsWith("q="));
      return { tag, weight: weight === undefined ? 1 : Number(weight.slice(2)) };
    });
  return preferences
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);
}

/** Replaces placeholders such as `{name}`. Those without a value remain. */
export const formatMessage = (text: string, values: Record<string, string | number>) =>
  text.replace(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));
