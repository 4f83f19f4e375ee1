import bg from "./words/bg.json" with { type: "json" };
import cs from "./words/cs.json" with { type: "json" };
import da from "./words/da.json" with { type: "json" };
import de from "./words/de.json" with { type: "json" };
import el from "./words/el.json" with { type: "json" };
import en from "./words/en.json" with { type: "json" };
import es from "./words/es.json" with { type: "json" };
import et from "./words/et.json" with { type: "json" };
import fr from "./words/fr.json" with { type: "json" };
import hr from "./words/hr.json" with { type: "json" };
import hu from "./words/hu.json" with { type: "json" };
import it from "./words/it.json" with { type: "json" };
import lt from "./words/lt.json" with { type: "json" };
import lv from "./words/lv.json" with { type: "json" };
import nl from "./words/nl.json" with { type: "json" };
import pl from "./words/pl.json" with { type: "json" };
import pt from "./words/pt.json" with { type: "json" };
import ro from "./words/ro.json" with { type: "json" };
import ru from "./words/ru.json" with { type: "json" };
import sk from "./words/sk.json" with { type: "json" };
import sl from "./words/sl.json" with { type: "json" };
import sv from "./words/sv.json" with { type: "json" };
import tr from "./words/tr.json" with { type: "json" };
import uk from "./words/uk.json" with { type: "json" };

/** Every text of the page in one language. `{…}` stands for what is put in. */
export type Words = typeof en;

/** The languages of the page, by their ISO 639-1 code. */
export const languages: Record<string, Words> = {
  bg,
  cs,
  da,
  de,
  el,
  en,
  es,
  et,
  fr,
  hr,
  hu,
  it,
  lt,
  lv,
  nl,
  pl,
  pt,
  ro,
  ru,
  sk,
  sl,
  sv,
  tr,
  uk,
};

/** Who speaks the first reads the second better than English. */
const near = new Map(Object.entries({ be: "ru", bs: "hr", sr: "hr", nb: "da", nn: "da", no: "da" }));

/** How a page speaks. */
export interface Language {
  code: string;
  /** With the visitor's country where it is known: how dates and numbers are written. */
  locale: string;
  words: Words;
  /** The visitor has asked for this language, so that links must ask for it again. */
  chosen: boolean;
}

/** The language asked for by `?lang=`, else the one the browser likes best, else English. */
export function languageOf(url: URL, request: Request): Language {
  const asked = languageNamed(url.searchParams.get("lang") ?? "");
  const liked = preferencesOf(request.headers.get("accept-language") ?? "").map(languageNamed);
  const found = asked ?? liked.find((one) => one !== undefined) ?? languageNamed("en")!;
  return { ...found, chosen: found === asked };
}

function languageNamed(tag: string): Omit<Language, "chosen"> | undefined {
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
