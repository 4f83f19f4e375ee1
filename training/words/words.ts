import cs from "./cs.json" with { type: "json" };
import de from "./de.json" with { type: "json" };
import en from "./en.json" with { type: "json" };
import es from "./es.json" with { type: "json" };
import et from "./et.json" with { type: "json" };
import fr from "./fr.json" with { type: "json" };
import hu from "./hu.json" with { type: "json" };
import it from "./it.json" with { type: "json" };
import lt from "./lt.json" with { type: "json" };
import lv from "./lv.json" with { type: "json" };
import nl from "./nl.json" with { type: "json" };
import pl from "./pl.json" with { type: "json" };
import pt from "./pt.json" with { type: "json" };
import ro from "./ro.json" with { type: "json" };
import ru from "./ru.json" with { type: "json" };
import sk from "./sk.json" with { type: "json" };
import uk from "./uk.json" with { type: "json" };
import us from "./us.json" with { type: "json" };

/** The words of orders in one language. Each has several alternatives, from which a document picks one. */
export type Words = Omit<typeof pl, "trailers"> & { trailers: Record<string, string[]> };

/** The meaning of a label. */
export type Label = keyof Words["labels"];

/** A sentence of a letter. */
export type Sentence = keyof Words["prose"];

const tables: Record<string, Words> = { cs, de, en, es, et, fr, hu, it, lt, lv, nl, pl, pt, ro, ru, sk, uk, us };

/** The languages that have words; `us` is the English of North American rate confirmations. */
export const languages = Object.keys(tables);

export function words(language: string): Words {
  const table = tables[language];
  if (!table)
    throw new RangeError(`There are no words of the language ${language}; known are ${languages.join(", ")}.`);
  return table;
}

/** Returns the language tag by which dates and country names are formatted. */
export const locale = (language: string): string => ({ us: "en-US", en: "en-GB" })[language] ?? language;
