import type { Check, ExtractedItem } from "../document/extraction-result.ts";
import { findPlates } from "../entities/plates.ts";
import { hasVatCheck, isVatValid } from "../entities/vat.ts";
import { lowerDoubted } from "../fields/confidence/confidence.ts";
import { separateEvidence, type FieldValues } from "../fields/confidence/field-value.ts";
import type { DocumentContext } from "../fields/labels/values.ts";
import { fold } from "../lexicon/fold.ts";

/** Data and evidence of a draft with its checks. A failed check lowers the confidence of the values it names. */
export function withChecks<View>(
  draft: FieldValues<View>,
  { annotations: marks }: DocumentContext,
  check: (data: View) => Check[],
): ExtractedItem<View> {
  const { data, evidence } = separateEvidence<View>(draft, marks.layout.pages);
  const checks = check(data);
  return { data, evidence: lowerDoubted(evidence, checks), checks };
}

/** A check over two values; none where one of them is missing. */
export function compared<T>(
  name: string,
  detail: string,
  pointers: string[],
  one: T | undefined,
  other: T | undefined,
  agree: (one: T, other: T) => boolean,
): Check[] {
  return one === undefined || other === undefined ? [] : [{ name, passed: agree(one, other), detail, pointers }];
}

/** A check whose pointers name the values that disagree, and none where it passed. */
export const passedOr = (name: string, passed: boolean, detail: string, pointers: string[]): Check => ({
  name,
  passed,
  detail,
  pointers: passed ? [] : pointers,
});

/** Rounding error of one sum of money. */
export const cent = 0.011;

export function netAndVatMakeGross({
  netAmount,
  vatAmount,
  grossAmount,
}: {
  netAmount?: number | undefined;
  vatAmount?: number | undefined;
  grossAmount?: number | undefined;
}): Check[] {
  if (netAmount === undefined || vatAmount === undefined || grossAmount === undefined) return [];
  const passed = Math.abs(netAmount + vatAmount - grossAmount) <= cent;
  const detail = `${netAmount} and ${vatAmount} of tax make ${grossAmount}.`;
  return [passedOr("NetAndVatMakeGross", passed, detail, ["/netAmount", "/vatAmount", "/grossAmount"])];
}

/** None for countries whose check digits are not known. */
export function vatCodeChecksum(vatCode: string | undefined, pointer: string): Check[] {
  if (!vatCode || !hasVatCheck(vatCode)) return [];
  return [passedOr("VatCodeChecksum", isVatValid(vatCode), `The check digits of ${vatCode} are right.`, [pointer])];
}

/** Whether plates of some country have this form. */
export function plateShape(plate: string, pointer: string): Check {
  return {
    name: "PlateShape",
    passed: findPlates(fold(plate)).some((seen) => seen.value.plate === plate),
    detail: "A plate has the shape of some country's plates.",
    pointers: [pointer],
  };
}
