import { FieldValue } from "../fields/confidence/field-value.ts";

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
