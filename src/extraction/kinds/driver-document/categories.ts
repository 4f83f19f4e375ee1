import { FieldValue } from "../../fields/confidence/field-value.ts";
import { findLabelledTexts } from "../../fields/labels/labelled-text.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import { indexAt } from "../../layout/page-index.ts";
import type { TextSpan } from "../../layout/text-span.ts";
import type { FieldNumber } from "./numbered-fields.ts";
import { scores } from "./scores.ts";
import type { DriverDocumentType } from "./view.ts";

const category = "(?:AM|A[12BCDE]?|B1|BE|B\\+E|B|C1\\+?E|C1|C\\+?E|EC|C|D1\\+?E|D1|D\\+?E|ED|D|T|L|F|G|M|Tm)";
/** A category, or one with its code, as in "CE95". */
const licenceCategory = new RegExp(`(?<![\\p{L}\\d+])${category}(?:95)?(?![\\p{L}\\d+])`, "gu");
const dangerClass = /(?<![\p{L}\d.])([1-9](?:\.[1-6][A-Z]?)?)(?![\p{L}\d])/gu;
/** "C, C1 and CE" behind a word such as "categories" in a sentence. */
const list = new RegExp(
  `^[\\s:.(–-]{1,4}(?:\\p{Ll}{1,3}\\s)?(${category}(?:(?:\\s?[,;/+&–-]\\s?|\\s\\p{Ll}{1,3}\\s|\\s)${category}(?![\\p{L}\\d]))*)(?![\\p{L}\\d+])`,
  "u",
);
/** A row of the table of categories: "C", "BE 03.04.01 07.06.2027". */
const tableRow = new RegExp(`^(${category})(?:\\s+\\d{2}[./-]\\d{2}.*)?$`, "u");
const maxCategories = 24;
const licensed: ReadonlySet<DriverDocumentType | undefined> = new Set(["DrivingLicence", "Code95", "Medical"]);

/** Finds the categories of a licence, or the classes of an ADR certificate. */
export function categoriesOf(
  document: DocumentContext,
  type: DriverDocumentType | undefined,
  fields: ReadonlyMap<FieldNumber, TextSpan>,
): FieldValue<string>[] {
  if (type === "Adr") return valuesIn(labelled(document, dangerClass), dangerClass);
  if (!licensed.has(type)) return [];
  const found = [inField(document, fields), labelled(document, licenceCategory), inSentence(document)]
    .map((spans) => valuesIn(spans, licenceCategory))
    .find((values) => values.length > 0);
  return found ?? inTable(document);
}

function valuesIn(spans: readonly TextSpan[], pattern: RegExp): FieldValue<string>[] {
  const values = spans.flatMap((span) => [...span.text.matchAll(pattern)].map((match) => ({ value: match[0], span })));
  return values
    .filter(({ value }, at) => values.findIndex((each) => each.value === value) === at)
    .slice(0, maxCategories)
    .map(({ value, span }) => new FieldValue(value.replace(/\+|95$/u, ""), scores.categories, span));
}

/** The value of field 9, and what follows in its row if that is a cell for each category. */
function inField({ annotations }: DocumentContext, fields: ReadonlyMap<FieldNumber, TextSpan>): TextSpan[] {
  const span = fields.get("9");
  if (!span) return [];
  const cells = indexAt(annotations.layout, span.segment)
    .rowOf(span.segment)
    .filter(({ box, text }) => box.x0 > span.segment.box.x0 && tableRow.test(text));
  return [span, ...cells.map((segment) => ({ segment, start: 0, end: segment.text.length, text: segment.text }))];
}

function labelled(document: DocumentContext, pattern: RegExp): TextSpan[] {
  const [best] = findLabelledTexts(document, ["licenceCategories"], {
    lines: 3,
    fits: (text) => text.search(pattern) >= 0,
  });
  return best ? [{ ...best.span, text: best.text }] : [];
}

function inSentence({ annotations }: DocumentContext): TextSpan[] {
  return annotations.labels
    .filter(({ meanings }) => meanings.some(({ concept }) => concept === "licenceCategories"))
    .flatMap(({ segment, end }) => {
      const match = list.exec(segment.text.slice(end));
      const text = match?.[1] ?? "";
      const start = end + (match?.[0].lastIndexOf(text) ?? 0);
      return text ? [{ segment, start, end: start + text.length, text }] : [];
    })
    .slice(0, 1);
}

function inTable({ annotations }: DocumentContext): FieldValue<string>[] {
  const rows = annotations.layout.segments.filter(({ text }) => tableRow.test(text));
  const spans = rows.map((segment) => ({
    segment,
    start: 0,
    end: segment.text.length,
    text: tableRow.exec(segment.text)![1]!,
  }));
  return spans.length < 2 ? [] : valuesIn(spans, licenceCategory);
}
