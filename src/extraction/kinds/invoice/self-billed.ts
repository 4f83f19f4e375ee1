import { foldText } from "../../lexicon/fold.ts";
import type { Segment } from "../../layout/layout.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";

const pages = 2;
/** The one who pays writes the invoice, in the words of each language. */
const said =
  /gutschrifts?verfahren|gutschriftsanzeige|abrechnungsgutschrift|self.?bill|auto-?facturation|autofactura(?!s de)|autofattura|samofaktur|sjalvfaktur|selvfaktur|onszamlaz|itselaskutus|zelffactur/u;
const title = /^[^\p{L}]*(?:fracht)?gutschrift(?!s?konto)(?![\p{L}])/u;
const credits =
  /schreiben (?:wir )?(?:ihnen|sie)?.{0,40}\bgut\b|wir vergut|vergutung fur|gutgeschrieben|rechnen wir.{0,60}\bab\b/u;
const corrects =
  /zu (?:ihrer |unserer )?rechnung|rechnungskorrektur|korrektur|storno|reklamation|ruckerstattung|bonus|rabatt/u;

/** The words by which the buyer issues this invoice for the seller; a German credit for transports is one where it corrects nothing. */
export function selfBilledIn({ marks }: DocumentContext): Segment | undefined {
  const segments = marks.layout.segments.filter(({ page }) => page <= pages);
  const plain = new Map(segments.map((segment) => [segment, foldText(segment.text)]));
  const explicit = segments.find((segment) => said.test(plain.get(segment) ?? ""));
  if (explicit) return explicit;
  const texts = [...plain.values()];
  const credited = texts.some((text) => credits.test(text)) && !texts.some((text) => corrects.test(text));
  return credited ? segments.find((segment) => title.test(plain.get(segment) ?? "")) : undefined;
}
