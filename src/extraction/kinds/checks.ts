import type { Check, ExtractedItem } from "../document/extraction-result.ts";
import { findPlates } from "../entities/plates.ts";
import { hasVatCheck, isVatValid } from "../entities/vat.ts";
import { lowerDoubted } from "../fields/confidence/calibration.ts";
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

/** A check over two values; none where one of them is missing. `detail` of every check states what is required. */
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

/** A check that names the values that break it, and passes where there are none. */
export const checkFromViolations = (name: string, detail: string, pointers: string[]): Check => ({
  name,
  passed: pointers.length === 0,
  detail,
  pointers,
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
  const detail = `Net amount ${netAmount} and VAT ${vatAmount} must add up to gross amount ${grossAmount}.`;
  return [passedOr("NetAndVatMakeGross", passed, detail, ["/netAmount", "/vatAmount", "/grossAmount"])];
}

/** None for countries whose check digits are not known. */
export function vatCodeChecksum(vatCode: string | undefined, pointer: string): Check[] {
  if (!vatCode || !hasVatCheck(vatCode)) return [];
  return [
    passedOr("VatCodeChecksum", isVatValid(vatCode), `VAT number ${vatCode} must have valid check digits.`, [pointer]),
  ];
}

/** Checks a licence plate against the formats of all countries. */
export function plateShape(plate: string, pointer: string): Check {
  return {
    name: "PlateShape",
    passed: findPlates(fold(plate)).some((seen) => seen.value.plate === plate),
    detail: "The licence plate must have the format of a country.",
    pointers: [pointer],
  };
}
