import type { Check, ExtractedItem } from "../document/extraction-result.ts";
import { findPlates } from "../entities/plates.ts";
import { hasVatCheck, isVatValid } from "../entities/vat.ts";
import { lowerDoubted } from "../fields/confidence/calibration.ts";
import { separateEvidence, type FieldValues } from "../fields/confidence/field-value.ts";
import type { DocumentContext } from "../fields/labels/values.ts";
import { fold } from "../lexicon/fold.ts";
import { fitsCountry } from "../lexicon/postal-patterns.ts";

/** Runs the checks on a draft. A failed check lowers the confidence of the values that it names. */
export function withChecks<View>(
  draft: FieldValues<View>,
  { annotations }: DocumentContext,
  check: (data: View) => Check[],
): ExtractedItem<View> {
  const { data, evidence } = separateEvidence<View>(draft, annotations.layout.pages);
  const checks = check(data);
  return { data, evidence: lowerDoubted(evidence, checks), checks };
}

/** Returns a check that compares two values, or none if one of them is missing. `detail` states the requirement. */
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

/** Returns a check that names the pointers only if it failed. */
export const passedOr = (name: string, passed: boolean, detail: string, pointers: string[]): Check => ({
  name,
  passed,
  detail,
  pointers: passed ? [] : pointers,
});

/** Returns a check with the pointers of the values that violate it. It passes if there are none. */
export const checkFromViolations = (name: string, detail: string, pointers: string[]): Check => ({
  name,
  passed: pointers.length === 0,
  detail,
  pointers,
});

/** Tolerance for one amount of money: a cent, and a little more for rounding errors of binary addition. */
export const cent = 0.011;

/**
 * Whether two amounts differ only by rounding. They may differ by `amount`, or by a share of the second amount if that
 * is more.
 */
export const isWithin = (a: number, b: number, rounding: { amount: number; share: number }): boolean =>
  Math.abs(a - b) <= Math.max(rounding.amount, Math.abs(b) * rounding.share);

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

/** Checks the check digits of a VAT number, if the algorithm of its country is implemented. */
export function vatCodeChecksum(vatCode: string | undefined, pointer: string): Check[] {
  if (!vatCode || !hasVatCheck(vatCode)) return [];
  return [
    passedOr("VatCodeChecksum", isVatValid(vatCode), `VAT number ${vatCode} must have valid check digits.`, [pointer]),
  ];
}

/** Returns one check of several values, or none if there are no values. */
export function checkOfValues(
  name: string,
  detail: string,
  values: readonly { pointer: string; isValid: boolean }[],
): Check[] {
  const violations = values.flatMap(({ pointer, isValid }) => (isValid ? [] : [pointer]));
  return values.length > 0 ? [checkFromViolations(name, detail, violations)] : [];
}

/** Checks postal codes of countries whose format is known. */
export function postcodesFitCountries(
  addresses: readonly { pointer: string; country?: string | undefined; code?: string | undefined }[],
): Check[] {
  const values = addresses.flatMap(({ pointer, country, code }) => {
    const isValid = country && code ? fitsCountry(country, code) : undefined;
    return isValid === undefined ? [] : [{ pointer, isValid }];
  });
  return checkOfValues("PostcodesFitCountries", "Every postcode must have the format of its country.", values);
}

/** Checks that the first day of each stop is not after the day of the next dated stop. */
export function stopsInOrderOfDates(
  starts: readonly (string | undefined)[],
  pointerOf: (stop: number) => string,
): Check {
  const violations = starts.flatMap((start, at) => {
    const next = starts.findIndex((other, index) => index > at && other !== undefined);
    const isLate = start !== undefined && next > at && start.slice(0, 10) > (starts[next] ?? "").slice(0, 10);
    return isLate ? [pointerOf(at), pointerOf(next)] : [];
  });
  return checkFromViolations("StopsInOrderOfDates", "The stops must be in the order of their dates.", violations);
}

/**
 * Maximum load of a lorry, in kilograms. Even the heaviest road trains of Europe (76 tonnes in Finland) carry less. A
 * heavier load is an extraction error, such as a decimal comma read as thousands separator, or another number read as
 * weight.
 */
export const maxLoad = 56_000;

/** Checks a licence plate against the formats of all countries. */
export function plateShape(plate: string, pointer: string): Check {
  return {
    name: "PlateShape",
    passed: findPlates(fold(plate)).some((seen) => seen.value.plate === plate),
    detail: "The licence plate must have the format of a country.",
    pointers: [pointer],
  };
}
