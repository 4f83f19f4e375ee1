import type { LabelFile } from "./label-file.ts";
import bg from "./bg.json" with { type: "json" };
import cs from "./cs.json" with { type: "json" };
import da from "./da.json" with { type: "json" };
import de from "./de.json" with { type: "json" };
import en from "./en.json" with { type: "json" };
import es from "./es.json" with { type: "json" };
import et from "./et.json" with { type: "json" };
import fi from "./fi.json" with { type: "json" };
import fr from "./fr.json" with { type: "json" };
import hr from "./hr.json" with { type: "json" };
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
import sl from "./sl.json" with { type: "json" };
import sv from "./sv.json" with { type: "json" };
import uk from "./uk.json" with { type: "json" };

/** The words of the trade, one file a language. */
export const labelFiles = [
  bg,
  cs,
  da,
  de,
  en,
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
  pl,
  pt,
  ro,
  ru,
  sk,
  sl,
  sv,
  uk,
] as unknown as LabelFile[];
