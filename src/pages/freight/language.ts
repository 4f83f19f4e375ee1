import { languageAmong, type Language } from "../frame/language.ts";
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

/** Every text of the pages of freights in one language. `{…}` stands for what is put in. */
export type Words = typeof en;

/** The languages of the pages, by their ISO 639-1 code. */
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

/** How the pages speak. */
export type FreightLanguage = Language<Words>;

/** @see languageAmong */
export const languageOf = (url: URL, request: Request): FreightLanguage => languageAmong(languages, url, request);
