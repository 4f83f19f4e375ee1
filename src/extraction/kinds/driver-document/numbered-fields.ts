import type { Segment } from "../../layout/layout.ts";
import { indexAt, lineBelow } from "../../layout/page-index.ts";
import { trimmedSpan, type TextSpan } from "../../layout/text-span.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import { FieldValue } from "../../fields/confidence/field-value.ts";
import { findLabelledTexts } from "../../fields/labels/labelled-text.ts";
import { scores } from "./scores.ts";
import type { DriverDocumentType } from "./view.ts";

/** Numbers of the fields on driving licences and driver cards in the European Union. */
export type FieldNumber =
  | "1"
  | "2"
  | "3"
  | "4"
  | "4a"
  | "4b"
  | "4c"
  | "4d"
  | "5"
  | "5a"
  | "5b"
  | "6"
  | "7"
  | "8"
  | "9"
  | "10"
  | "12";

const field = /(?<![\p{L}\d.,/-])\(?(1[02]|[1-9][abcd]?)[.):]\)?:?(?=\s|$|\p{L})(?:\s?\(?([abcd])[.)])?/gu;
/** Cards may print the number without a full stop, or its letter in brackets: "4a 16/01/2023", "4(b) 04.08.2030". */
const plainField = /(?<=^|\s)\(?(1[02]|[1-9])\(?([abcd])?\)?[.):]{0,2}(?=\s)/gu;
const alone = /^\(?(1[02]|4[abcd]|5[ab]|[1-9])[.):]{0,2}$/u;
const minFields = 4;

/** Finds the values of numbered fields such as "4b. 12.03.2031". Empty if the document has too few such fields. */
export function numberedFields(document: DocumentContext, type?: DriverDocumentType): Map<FieldNumber, TextSpan> {
  const isCard = (fields: Map<FieldNumber, TextSpan>) =>
    fields.size >= minFields && (type === "Adr" || fields.has("4a") || fields.has("4b"));
  return [field, plainField].map((pattern) => fieldsBy(document, pattern)).find(isCard) ?? new Map();
}

function fieldsBy(document: DocumentContext, pattern: RegExp): Map<FieldNumber, TextSpan> {
  const fields = new Map<FieldNumber, TextSpan>();
  for (const segment of document.annotations.layout.segments) {
    const numbers = [...segment.text.matchAll(pattern)].filter(
      ({ index }) => index === 0 || (pattern === field && /\s$/u.test(segment.text.slice(0, index))),
    );
    for (const [at, match] of numbers.entries()) {
      const number = `${match[1]}${match[2] ?? ""}` as FieldNumber;
      const span = trimmedSpan(segment, match.index + match[0].length, numbers[at + 1]?.index ?? segment.text.length);
      put(fields, number, span.text ? span : near(document, segment));
    }
    const bare = numbers.length === 0 ? alone.exec(segment.text) : null;
    if (bare && /[abcd.]/u.test(segment.text)) put(fields, bare[1] as FieldNumber, near(document, segment));
  }
  return fields;
}

function put(fields: Map<FieldNumber, TextSpan>, number: FieldNumber, span: TextSpan | undefined): void {
  if (span?.text && !fields.has(number)) fields.set(number, span);
}

function near({ annotations }: DocumentContext, segment: Segment): TextSpan | undefined {
  const row = indexAt(annotations.layout, segment).rowOf(segment);
  const right = row[row.indexOf(segment) + 1];
  const value = right && !alone.test(right.text) ? right : lineBelow(annotations, segment);
  return value && trimmedSpan(value, 0, value.text.length);
}

const licenceCategory =
  /(?<![\p{L}\d])(?:AM|A1|A2|A|B1|BE|B|C1E|C1|CE|C|D1E|D1|DE|D|B\+E|C\+E|C1\+E|D\+E|D1\+E|T|L|F|G|M|Tm)(?![\p{L}\d+])/gu;
const dangerClass = /(?<![\p{L}\d.])([1-9](?:\.[1-6][A-Z]?)?)(?![\p{L}\d])/gu;
const maxCategories = 24;

/** Finds the categories of a licence, with "95" if that code is printed, or the classes of an ADR certificate. */
export function categoriesOf(
  document: DocumentContext,
  type: DriverDocumentType | undefined,
  fields: ReadonlyMap<FieldNumber, TextSpan>,
): FieldValue<string>[] {
  if (type !== "DrivingLicence" && type !== "Code95" && type !== "Adr" && type !== "Medical") return [];
  const pattern = type === "Adr" ? dangerClass : licenceCategory;
  const labelled = findLabelledTexts(document, ["licenceCategories"], {
    lines: 3,
    fits: (text) => text.search(pattern) >= 0,
  })[0];
  const span = (type === "Adr" ? undefined : fields.get("9")) ?? labelled?.span;
  const text = span && span === labelled?.span ? labelled.text : span?.text;
  if (!span || !text) return [];
  const values = [...text.matchAll(pattern)].map((match) => match[0].replace("+", ""));
  const marked = [text, fields.get("10")?.text, fields.get("12")?.text].join(" ");
  const code95 = type !== "Adr" && /(?<!\d)95(?!\d)/u.test(marked) ? ["95"] : [];
  return [...new Set([...values, ...code95])]
    .slice(0, maxCategories)
    .map((value) => new FieldValue(value, scores.categories, span));
}
