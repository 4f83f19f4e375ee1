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
import type { Flaw } from "../../extraction/quality/verdict.ts";

/** A sentence for each flaw, and for what has none. */
type Advice = Record<Flaw | "Good", string>;

/** By ISO 639-1, the languages of the page for carriers. */
const languages: Record<string, Advice> = {
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

export const adviceLanguages = Object.keys(languages) as [string, ...string[]];

/** What to do about the worst of these flaws, in one sentence; English where the language is not known. */
export const adviceOn = ([worst]: readonly Flaw[], language = "en"): string =>
  (languages[language] ?? en)[worst ?? "Good"];
