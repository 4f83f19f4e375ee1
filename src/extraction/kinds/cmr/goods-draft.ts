import { FieldValue, type FieldValues } from "../../fields/confidence/field-value.ts";
import type { TextSpan } from "../../layout/text-span.ts";
import type { CmrView } from "./view.ts";

export type Goods = NonNullable<CmrView["goods"]>[number];
export type Column = keyof Goods;
export type GoodsDraft = NonNullable<FieldValues<Goods>>;

/** What is printed in a column of a row. */
export type Printed = ReadonlyMap<Column, { text: string; piece: TextSpan }>;

const unmeaning = /^[\s\p{P}\p{S}]*$/u;

/** The values of what is printed in a row's columns. */
export function draftOf(printed: Printed): GoodsDraft {
  const draft: GoodsDraft = {};
  const say = <T>(value: T, column: Column, confidence: number) =>
    new FieldValue(value, confidence, printed.get(column)?.piece);
  const textAt = (column: Column) => printed.get(column)?.text ?? "";
  const counted = /^(\d{1,3}(?:[ .,']\d{3})+|\d{1,6})(?=\s|$)\s*(?:[x×]\s*)?(.*)$/iu.exec(textAt("quantity"));
  if (counted) {
    draft.quantity = say(Number((counted[1] ?? "").replace(/\D/gu, "")), "quantity", 0.9);
    if (counted[2] && !textAt("packing") && /\p{L}{2}/u.test(counted[2]))
      draft.packing = say(counted[2], "quantity", 0.7);
  }
  for (const column of ["marks", "packing", "nature"] as const)
    if (!unmeaning.test(textAt(column))) draft[column] = say(textAt(column), column, 0.85);
  const code = /^\d[\d .]{3,12}\d$/u.exec(textAt("statisticalNumber"));
  if (code) draft.statisticalNumber = say(code[0].replace(/\D/gu, ""), "statisticalNumber", 0.9);
  const weight = kilograms(textAt("grossWeight"));
  if (weight !== undefined) draft.grossWeight = say(weight, "grossWeight", 0.9);
  const volume = cubicMetres(textAt("volume"));
  if (volume !== undefined) draft.volume = say(volume, "volume", 0.85);
  return draft;
}

const grouped = /^(\d{1,3}(?:[ .,'\u00a0]\d{3})+)(?:[.,](\d{1,2}))?(?=\s|$)/u;
const plain = /^(\d+)(?:[.,](\d{1,3}))?(?=\s|$)/u;

/** "21.840", "21 840 kg", "1250,5": a weight has groups of three before it has three decimals. */
export function kilograms(printed: string): number | undefined {
  const text = printed.replace(/(?<=\d)(?=(?:kg|t)\b)/iu, " ");
  const match = grouped.exec(text) ?? plain.exec(text);
  if (!match) return undefined;
  const value = Number(`${(match[1] ?? "").replace(/\D/gu, "")}.${match[2] ?? 0}`);
  return /\bt\.?$/iu.test(text) && value < 60 ? value * 1000 : value;
}

/** "2,4", "38.500 m3": a volume has decimals before it has thousands. */
export function cubicMetres(printed: string): number | undefined {
  const match = /^(\d{1,4})(?:[.,](\d{1,3}))?(?=\s|$|m|м)/iu.exec(printed);
  return match ? Number(`${match[1]}.${match[2] ?? 0}`) : undefined;
}
