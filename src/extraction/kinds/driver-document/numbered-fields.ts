import type { Segment } from "../../layout/layout.ts";
import { indexAt, lineBelow } from "../../layout/page-index.ts";
import { trimmedSpan, type TextSpan } from "../../layout/text-span.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
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

const field =
  /(?<![\p{L}\d.,/-])\(?(1[02]|[1-9][abcd]?)[.):]\)?:?(?=\s|$|\p{L})(?:\s?\(?([abcd])[.)]|([abcd])(?=\s))?/gu;
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
      const number = `${match[1]}${match[2] ?? match[3] ?? ""}` as FieldNumber;
      const span = trimmedSpan(segment, match.index + match[0].length, numbers[at + 1]?.index ?? segment.text.length);
      put(fields, number, valueIn(document, span));
    }
    const bare = numbers.length === 0 ? alone.exec(segment.text) : null;
    if (bare) put(fields, bare[1] as FieldNumber, near(document, segment));
  }
  return fields;
}

function put(fields: Map<FieldNumber, TextSpan>, number: FieldNumber, span: TextSpan | undefined): void {
  if (span?.text && !fields.has(number)) fields.set(number, span);
}

/** The value behind the printed name of the field, as in "2. (Name) Berg", or beside it, as in "2. Name    Berg". */
function valueIn(document: DocumentContext, span: TextSpan): TextSpan | undefined {
  const { segment, end } = span;
  const named = /^\([^()]{3,}\)\s*/u.exec(span.text)?.[0].length ?? 0;
  const label = (document.annotations.labelsIn[segment.index] ?? []).find(
    (each) => each.start === span.start && each.standing === "Head",
  );
  const value = trimmedSpan(segment, Math.max(span.start + named, label?.end ?? 0), end);
  const text = /\p{L}|\d/u.test(value.text)
    ? trimmedSpan(segment, value.start + (/^[\s:.]+/u.exec(value.text)?.[0].length ?? 0), end)
    : undefined;
  return text ?? near(document, segment);
}

function near({ annotations }: DocumentContext, segment: Segment): TextSpan | undefined {
  const row = indexAt(annotations.layout, segment).rowOf(segment);
  const right = row[row.indexOf(segment) + 1];
  const value = right && !alone.test(right.text) ? right : lineBelow(annotations, segment);
  return value && trimmedSpan(value, 0, value.text.length);
}
