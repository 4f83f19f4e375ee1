import type { Check } from "../../document/extraction-result.ts";
import { hasVatCheck, isVatValid } from "../../entities/vat.ts";
import type { InsuranceView } from "./view.ts";
import { compared, plateShape } from "../checks.ts";

/** Checks the period of a policy, the check digits of the holder's VAT number, and the format of the plates. */
export function checkInsurance({ validFrom, validTo, policyHolder, licensePlates = [] }: InsuranceView): Check[] {
  const vat = policyHolder?.vatCode;
  return [
    ...compared(
      "PeriodInOrder",
      "The insurance must begin before it ends.",
      ["/validFrom", "/validTo"],
      validFrom,
      validTo,
      (first, last) => first < last,
    ),
    ...(vat && hasVatCheck(vat)
      ? [
          {
            name: "VatChecksum",
            passed: isVatValid(vat),
            detail: "The VAT number must have valid check digits.",
            pointers: ["/policyHolder/vatCode"],
          },
        ]
      : []),
    ...licensePlates.map((plate, at) => plateShape(plate, `/licensePlates/${at}`)),
  ];
}
