import type { Source } from "../document/extraction-result.ts";
import type { DocumentLocale } from "../entities/entity.ts";
import { FieldValue } from "../fields/confidence/field-value.ts";
import type { LocatedEntity } from "../fields/labels/annotations.ts";
import { wholeNumber } from "../fields/labels/numbered.ts";
import type { DocumentContext } from "../fields/labels/values.ts";
import { completed } from "../fields/route/windows.ts";
import type { Segment } from "../layout/segment.ts";
import type { TextRange } from "../layout/text-span.ts";

/** A value with the text of an entity as its evidence. */
export const entityValue = <T>(
  value: T,
  { segment, entity }: LocatedEntity,
  confidence: number,
  source?: Source,
): FieldValue<T> => new FieldValue(value, confidence, { segment, start: entity.start, end: entity.end }, source);

/** A value with a whole segment as its evidence. */
export const segmentValue = <T>(value: T, segment: Segment, confidence: number): FieldValue<T> =>
  new FieldValue(value, confidence, { segment, start: 0, end: segment.text.length });

/** A date in ISO 8601; a missing year follows from the date of the document. */
export const dateValue = (
  date: LocatedEntity<"Date">,
  locale: DocumentLocale,
  confidence: number,
): FieldValue<string> => entityValue(completed(date.entity.value, locale), date, confidence);

/** The number at a position, with all groups of characters that belong to it. */
export function numberValue(document: DocumentContext, range: TextRange, confidence: number): FieldValue<string> {
  const whole = wholeNumber(document, range);
  return new FieldValue(whole.text, confidence, whole);
}

/** Each value once, with the evidence of its first occurrence. */
export const uniqueByValue = <T>(values: readonly FieldValue<T>[]): FieldValue<T>[] =>
  values.filter((each, at) => values.findIndex(({ value }) => value === each.value) === at);

/** A text value without the prefix that a pattern matches, such as the words that lead to a name. */
export function withoutPrefix(value: FieldValue<string>, prefix: RegExp): FieldValue<string> {
  const length = prefix.exec(value.value)?.[0].length ?? 0;
  const { span } = value;
  if (length === 0 || !span) return value;
  return new FieldValue(value.value.slice(length), value.confidence, { ...span, start: span.start + length });
}
