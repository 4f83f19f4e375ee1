import type { DocumentLocale } from "../../entities/entity.ts";
import type { FieldValue } from "../../fields/confidence/field-value.ts";
import { findCandidates, type DocumentContext } from "../../fields/labels/values.ts";
import { completed } from "../../fields/route/windows.ts";
import type { TextSpan } from "../../layout/text-span.ts";
import type { ConceptId } from "../../lexicon/concepts.ts";
import { entityValue } from "../field-values.ts";
import type { FieldNumber } from "./numbered-fields.ts";
import { dateBehind, dateBehindPlace, datesIn, dayValue, lastDayValue } from "./printed-dates.ts";
import { scores } from "./scores.ts";
import type { DriverDocumentType } from "./view.ts";

type DayField = FieldValue<string> | undefined;

/**
 * The dates of a driver's document: in its numbered field, otherwise behind its label, also where that is a word of a
 * sentence.
 */
export function documentDates(
  document: DocumentContext,
  locale: DocumentLocale,
  fields: ReadonlyMap<FieldNumber, TextSpan>,
  type: DriverDocumentType | undefined,
) {
  const inField = (number: FieldNumber): DayField => {
    const span = fields.get(number);
    const [date] = span ? datesIn(span, locale) : [];
    return date && dayValue(date, scores.date.numberedField);
  };
  const labelled = (concepts: readonly ConceptId[], end = false): DayField => {
    const best = findCandidates(document, { concepts, types: ["Date"] }).find(
      ({ score, entity }) => score >= scores.date.labelled.min && entity.value.year !== undefined,
    );
    const last = end && best?.entity.value.until;
    return best && entityValue(completed(last || best.entity.value, locale), best, best.score);
  };
  const behind = (concepts: readonly ConceptId[]) => dateBehind(document, locale, concepts);
  const general: readonly ConceptId[] = ["orderDate", "invoiceDate", "loadingDate"];
  return {
    expiresAt(): DayField {
      const spoken = inField("4b") ?? labelled(["expiresOn", "validTo"], true);
      const date = spoken ? undefined : behind(["expiresOn", "validTo"]);
      return spoken ?? (date && lastDayValue(date)) ?? labelled(["dateTo", "dueDate", "insurancePeriod"], true);
    },
    birthDate(): DayField {
      const date = behind(["birthDate"]);
      return inField("3") ?? labelled(["birthDate"]) ?? (date && dayValue(date));
    },
    issuedAt(others: readonly (string | undefined)[]): DayField {
      const date = behind(["issuedOn"]);
      const placed = dateBehindPlace(document, locale);
      return [
        inField("4a"),
        labelled(["issuedOn"]),
        date && dayValue(date),
        placed && dayValue(placed, scores.date.behindPlace),
        labelled(type === "A1" ? general : [...general, "validFrom", "dateFrom"]),
      ].find((each) => each && !others.includes(each.value));
    },
  };
}
