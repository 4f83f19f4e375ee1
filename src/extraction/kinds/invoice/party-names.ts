import { wordsByLanguage } from "../../lexicon/languages.ts";
import type { ConceptId } from "../../lexicon/concepts.ts";
import { fold } from "../../lexicon/fold.ts";
import { anyOf } from "../../entities/line-spans.ts";
import { valueAreasOf, type ValueArea } from "../../fields/labels/value-areas.ts";
import { FieldValue } from "../../fields/confidence/field-value.ts";
import { entitiesOfType, type Label, type LocatedEntity } from "../../fields/labels/annotations.ts";
import { plain } from "../../fields/parties/party.ts";
import { trimmedSpan } from "../../layout/text-span.ts";
import { cleanedText } from "../../fields/route/stop-details.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import { entityValue } from "../field-values.ts";
import { scores } from "./scores.ts";

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

const maxAddresseeRow = 30;

/** Finds labels of the addressee, who is the buyer: "To:", "An:" or "Aan:" above an address or before a name. */
export function addresseesIn({ annotations, prose, languages }: DocumentContext): Label[] {
  const opens = addressee(languages);
  return annotations.layout.segments.flatMap((segment) => {
    if (segment.page > 2 || segment.row > maxAddresseeRow || prose.has(segment) || segment.text.length > 140) return [];
    const match = opens.exec(fold(segment.text).text);
    if (!match || (segment.text.trim().length < 3 && !segment.text.includes(":") && match[0].length < 2)) return [];
    const end = segment.text.length === match[0].length ? segment.text.length : match[0].replace(/:$/u, "").length;
    return [
      {
        index: -1,
        segment,
        start: 0,
        end,
        meanings: [{ concept: "buyer", weight: scores.heading.addressee }],
        standing: "Head",
      },
    ];
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

/** Finds the name beside or below the heading of a party: a company, otherwise words that may be a name. */
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
  { annotations }: DocumentContext,
  { segment, start, end }: ValueArea,
): FieldValue<string> | undefined {
  const company = entitiesOfType(annotations, "Company", [segment]).find(
    ({ entity }) => entity.score >= scores.partyEntity.company && entity.start >= start && entity.start < end,
  );
  return company && companyName(company);
}

/** Makes a field value of the name of a company. */
export const companyName = (company: LocatedEntity<"Company">): FieldValue<string> => {
  const { base, perScore } = scores.partyName.company;
  return entityValue(cleanedText(company.entity.value), company, base + perScore * company.entity.score);
};

function wordsIn(
  { annotations, prose }: DocumentContext,
  { segment, start, end }: ValueArea,
): FieldValue<string> | undefined {
  const upTo = segment.text.slice(start, end).split(/,\s|\s[–—-]\s|\s\(/u)[0] ?? "";
  const span = trimmedSpan(segment, start, start + upTo.length);
  const other = (annotations.labelsIn[segment.index] ?? []).some(
    (each) => each.start >= start && each.start < span.end && each.meanings.some(({ concept }) => noNames.has(concept)),
  );
  const seen = (annotations.entitiesIn[segment.index] ?? []).some(
    ({ type, score, start: from }) =>
      score >= scores.partyEntity.otherThanName &&
      from < span.end &&
      from >= span.start &&
      ["Date", "Place", "Street", "Vat", "Amount"].includes(type),
  );
  const isName = properName.test(span.text) && /\p{L}{3}/u.test(span.text) && !/\d{4}/u.test(span.text);
  return isName && !other && !seen && !prose.has(segment)
    ? new FieldValue(cleanedText(span.text), scores.partyName.words, span)
    : undefined;
}

const topRows = 8;

/**
 * Finds the first company at the top of page 1 that is not among `others`. Returns its longest printed form, which may
 * include its legal form.
 */
export function letterheadIn(
  { annotations, prose }: DocumentContext,
  others: readonly string[],
  isFree: (company: LocatedEntity<"Company">) => boolean,
): FieldValue<string> | undefined {
  const company = entitiesOfType(annotations, "Company").find(
    (each) =>
      each.segment.page === 1 &&
      each.segment.row < topRows &&
      each.entity.score >= scores.partyEntity.letterhead &&
      !prose.has(each.segment) &&
      !others.some((other) => plain(each.entity.value).includes(other) || other.includes(plain(each.entity.value))) &&
      isFree(each),
  );
  if (!company) return undefined;
  const short = plain(company.entity.value);
  const fullest = entitiesOfType(annotations, "Company")
    .filter(({ entity }) => plain(entity.value).startsWith(short))
    .reduce((best, each) => (each.entity.value.length > best.entity.value.length ? each : best), company);
  return entityValue(cleanedText(fullest.entity.value), fullest, scores.partyName.letterhead);
}
