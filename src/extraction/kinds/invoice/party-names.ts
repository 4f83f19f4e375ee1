import { wordsByLanguage } from "../../lexicon/languages.ts";
import type { ConceptId } from "../../lexicon/concepts.ts";
import { fold, foldText } from "../../lexicon/fold.ts";
import type { Segment } from "../../layout/segment.ts";
import { anyOf } from "../../entities/line-spans.ts";
import { valueAreasOf, type ValueArea } from "../../fields/labels/value-areas.ts";
import { FieldValue } from "../../fields/confidence/field-value.ts";
import { entitiesOfType, type Label, type LocatedEntity } from "../../fields/labels/annotations.ts";
import { plain } from "../../fields/parties/party.ts";
import { trimmedSpan } from "../../layout/text-span.ts";
import { cleanedText } from "../../fields/route/stop-details.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";

const addresseeWords = wordsByLanguage("addresseeWords");
const patterns = new Map<string, RegExp>();

function addressee(languages: readonly string[]): RegExp {
  const supported = [...languages.slice(0, 2), "en"].filter((language) => language in addresseeWords);
  const key = supported.join();
  const cached = patterns.get(key);
  if (cached) return cached;
  const any = anyOf(supported.flatMap((language) => addresseeWords[language]!));
  const pattern = new RegExp(`^[^\\p{L}\\p{N}]*(?:${any})\\.? ?(?::|$)`, "u");
  patterns.set(key, pattern);
  return pattern;
}

const highest = 30;

/** "To:", "An:", "Aan:" over an address or before a name: who gets the letter, and the bill. */
export function addresseesIn({ annotations: marks, prose, languages }: DocumentContext): Label[] {
  const opens = addressee(languages);
  return marks.layout.segments.flatMap((segment) => {
    if (segment.page !== 1 || segment.row > highest || prose.has(segment) || segment.text.length > 140) return [];
    const match = opens.exec(fold(segment.text).text);
    if (!match || (segment.text.trim().length < 3 && !segment.text.includes(":") && match[0].length < 2)) return [];
    const end = segment.text.length === match[0].length ? segment.text.length : match[0].replace(/:$/u, "").length;
    return [{ index: -1, segment, start: 0, end, meanings: [{ concept: "buyer", weight: 0.8 }], standing: "Head" }];
  });
}

const noNames: ReadonlySet<ConceptId> = new Set([
  "address",
  "street",
  "vatNumber",
  "registrationNumber",
  "phone",
  "date",
]);
const properName = /^["'„“«]?[\p{Lu}\d][^:@]{2,70}$/u;

/** The name beside or under a heading for a party: a company, else words that may be a name. */
export function nameBeside(document: DocumentContext, label: Label): FieldValue<string> | undefined {
  const areas = valueAreasOf(document.annotations, label).filter(({ order, way }) => order === 0 && way !== "Before");
  for (const area of areas) {
    const company = companyIn(document, area);
    if (company) return company;
    const name = wordsIn(document, area);
    if (name) return name;
  }
  return undefined;
}

function companyIn(
  { annotations: marks }: DocumentContext,
  { segment, start, end }: ValueArea,
): FieldValue<string> | undefined {
  const company = entitiesOfType(marks, "Company", [segment]).find(
    ({ entity }) => entity.score >= 0.4 && entity.start >= start && entity.start < end,
  );
  return company && named(company);
}

export const named = ({ segment, entity }: LocatedEntity<"Company">): FieldValue<string> =>
  new FieldValue(cleanedText(entity.value), 0.5 + 0.4 * entity.score, {
    segment,
    start: entity.start,
    end: entity.end,
  });

function wordsIn(
  { annotations: marks, prose }: DocumentContext,
  { segment, start, end }: ValueArea,
): FieldValue<string> | undefined {
  const upTo = segment.text.slice(start, end).split(/,\s|\s[–—-]\s|\s\(/u)[0] ?? "";
  const piece = trimmedSpan(segment, start, start + upTo.length);
  const other = (marks.labelsIn[segment.index] ?? []).some(
    (each) =>
      each.start >= start && each.start < piece.end && each.meanings.some(({ concept }) => noNames.has(concept)),
  );
  const seen = (marks.entitiesIn[segment.index] ?? []).some(
    ({ type, score, start: from }) =>
      score >= 0.6 &&
      from < piece.end &&
      from >= piece.start &&
      ["Date", "Place", "Street", "Vat", "Amount"].includes(type),
  );
  const isName = properName.test(piece.text) && /\p{L}{3}/u.test(piece.text) && !/\d{4}/u.test(piece.text);
  return isName && !other && !seen && !prose.has(segment)
    ? new FieldValue(cleanedText(piece.text), 0.55, piece)
    : undefined;
}

const topRows = 8;

/** The first company in the head of the first page that is not the one named already, with its legal form where that is printed. */
export function letterheadIn(
  { annotations: marks, prose }: DocumentContext,
  others: readonly string[],
  isFree: (company: LocatedEntity<"Company">) => boolean,
): FieldValue<string> | undefined {
  const company = entitiesOfType(marks, "Company").find(
    (each) =>
      each.segment.page === 1 &&
      each.segment.row < topRows &&
      each.entity.score >= 0.7 &&
      !prose.has(each.segment) &&
      !others.some((other) => plain(each.entity.value).includes(other) || other.includes(plain(each.entity.value))) &&
      isFree(each),
  );
  if (!company) return undefined;
  const short = plain(company.entity.value);
  const fullest = entitiesOfType(marks, "Company")
    .filter(({ entity }) => plain(entity.value).startsWith(short))
    .reduce((best, each) => (each.entity.value.length > best.entity.value.length ? each : best), company);
  return new FieldValue(cleanedText(fullest.entity.value), 0.6, named(fullest).span);
}

const pages = 2;
/** The one who pays writes the invoice, in the words of each language. */
const selfBillingPhrase =
  /gutschrifts?verfahren|gutschriftsanzeige|abrechnungsgutschrift|self.?bill|auto-?facturation|autofactura(?!s de)|autofattura|samofaktur|sjalvfaktur|selvfaktur|onszamlaz|itselaskutus|zelffactur/u;
const title = /^[^\p{L}]*(?:fracht)?gutschrift(?!s?konto)(?![\p{L}])/u;
const credits =
  /schreiben (?:wir )?(?:ihnen|sie)?.{0,40}\bgut\b|wir vergut|vergutung fur|gutgeschrieben|rechnen wir.{0,60}\bab\b/u;
const corrects =
  /zu (?:ihrer |unserer )?rechnung|rechnungskorrektur|korrektur|storno|reklamation|ruckerstattung|bonus|rabatt/u;

/** The words by which the buyer issues this invoice for the seller; a German credit for transports is one where it corrects nothing. */
export function selfBilledIn({ annotations: marks }: DocumentContext): Segment | undefined {
  const segments = marks.layout.segments.filter(({ page }) => page <= pages);
  const plain = new Map(segments.map((segment) => [segment, foldText(segment.text)]));
  const explicit = segments.find((segment) => selfBillingPhrase.test(plain.get(segment) ?? ""));
  if (explicit) return explicit;
  const texts = [...plain.values()];
  const credited = texts.some((text) => credits.test(text)) && !texts.some((text) => corrects.test(text));
  return credited ? segments.find((segment) => title.test(plain.get(segment) ?? "")) : undefined;
}
