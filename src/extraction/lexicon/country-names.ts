import bg from "i18n-iso-countries/langs/bg.json" with { type: "json" };
import codes from "i18n-iso-countries/codes.json" with { type: "json" };
import cs from "i18n-iso-countries/langs/cs.json" with { type: "json" };
import da from "i18n-iso-countries/langs/da.json" with { type: "json" };
import de from "i18n-iso-countries/langs/de.json" with { type: "json" };
import el from "i18n-iso-countries/langs/el.json" with { type: "json" };
import en from "i18n-iso-countries/langs/en.json" with { type: "json" };
import es from "i18n-iso-countries/langs/es.json" with { type: "json" };
import et from "i18n-iso-countries/langs/et.json" with { type: "json" };
import fi from "i18n-iso-countries/langs/fi.json" with { type: "json" };
import fr from "i18n-iso-countries/langs/fr.json" with { type: "json" };
import hr from "i18n-iso-countries/langs/hr.json" with { type: "json" };
import hu from "i18n-iso-countries/langs/hu.json" with { type: "json" };
import it from "i18n-iso-countries/langs/it.json" with { type: "json" };
import lt from "i18n-iso-countries/langs/lt.json" with { type: "json" };
import lv from "i18n-iso-countries/langs/lv.json" with { type: "json" };
import nl from "i18n-iso-countries/langs/nl.json" with { type: "json" };
import no from "i18n-iso-countries/langs/no.json" with { type: "json" };
import pl from "i18n-iso-countries/langs/pl.json" with { type: "json" };
import pt from "i18n-iso-countries/langs/pt.json" with { type: "json" };
import ro from "i18n-iso-countries/langs/ro.json" with { type: "json" };
import ru from "i18n-iso-countries/langs/ru.json" with { type: "json" };
import sk from "i18n-iso-countries/langs/sk.json" with { type: "json" };
import sl from "i18n-iso-countries/langs/sl.json" with { type: "json" };
import sr from "i18n-iso-countries/langs/sr.json" with { type: "json" };
import sv from "i18n-iso-countries/langs/sv.json" with { type: "json" };
import tr from "i18n-iso-countries/langs/tr.json" with { type: "json" };
import uk from "i18n-iso-countries/langs/uk.json" with { type: "json" };

type Names = Record<string, string | string[]>;

const locales = [
  en,
  bg,
  cs,
  da,
  de,
  el,
  es,
  et,
  fi,
  fr,
  hr,
  hu,
  it,
  lt,
  lv,
  nl,
  no,
  pl,
  pt,
  ro,
  ru,
  sk,
  sl,
  sr,
  sv,
  tr,
  uk,
];

/** Alpha-3 to alpha-2, and [alpha-2, names] of every language. */
export const countryNames: { codes: Record<string, string>; names: [string, string[]][] } = {
  codes: Object.fromEntries(codes.map(([two, three]) => [three as string, two as string])),
  names: locales.flatMap((locale) =>
    Object.entries(locale.countries as Names).map(([code, names]): [string, string[]] => [code, [names].flat()]),
  ),
};
