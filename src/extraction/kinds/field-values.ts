import type { Source } from "../document/extraction-result.ts";
import type { DocumentLocale } from "../entities/entity.ts";
import { FieldValue } from "../fields/confidence/field-value.ts";
import type { LocatedEntity } from "../fields/labels/annotations.ts";
import { wholeNumber } from "../fields/labels/numbered.ts";
import type { DocumentContext } from "../fields/labels/values.ts";
import { completed } from "../fields/route/windows.ts";
import type { Segment } from "../layout/segment.ts";
import type { TextRange } from "../layout/text-span.ts";

/** Makes a field value whose evidence is the text of an entity. */
export const entityValue = <T>(
  value: T,
  { segment, entity }: LocatedEntity,
  confidence: number,
  source?: Source,
): FieldValue<T> => new FieldValue(value, confidence, { segment, start: entity.start, end: entity.end }, source);

/** Makes a field value whose evidence is a whole segment. */
export const segmentValue = <T>(value: T, segment: Segment, confidence: number): FieldValue<T> =>
  new FieldValue(value, confidence, { segment, start: 0, end: segment.text.length });

/** Makes a field value of a date in ISO 8601. A missing year is derived from the date of the document. */
export const dateValue = (
  date: LocatedEntity<"Date">,
  locale: DocumentLocale,
  confidence: number,
): FieldValue<string> => entityValue(completed(date.entity.value, locale), date, confidence);

/** Makes a field value of the number at a position, with all groups of characters that belong to the number. */
export function numberValue(document: DocumentContext, range: TextRange, confidence: number): FieldValue<string> {
  const whole = wholeNumber(document, range);
  return new FieldValue(whole.text, confidence, whole);
}

/** Removes repeated values; the first occurrence is kept. */
export const uniqueByValue = <T>(values: readonly FieldValue<T>[]): FieldValue<T>[] =>
  values.filter((each, at) => values.findIndex(({ value }) => value === each.value) === at);

/** Removes from a text value the prefix that the pattern matches, such as words before a name. */
export function withoutPrefix(value: FieldValue<string>, prefix: RegExp): FieldValue<string> {
  const length = prefix.exec(value.value)?.[0].length ?? 0;
  const { span } = value;
  if (length === 0 || !span) return value;
  return new FieldValue(value.value.slice(length), value.confidence, { ...span, start: span.start + length });
}
