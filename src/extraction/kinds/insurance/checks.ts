import type { Check } from "../../document/reading.ts";
import { hasVatCheck, isVatValid } from "../../entities/vat.ts";
import type { InsuranceView } from "./view.ts";
import { plateShape } from "../plate-shape.ts";

/** Looks at whether the values of a policy agree with each other. */
export function checkInsurance({ validFrom, validTo, policyHolder, licensePlates = [] }: InsuranceView): Check[] {
  const vat = policyHolder?.vatCode;
  return [
    ...(validFrom && validTo
      ? [
          {
            name: "PeriodInOrder",
            passed: validFrom < validTo,
            detail: "The insurance begins before it ends.",
            pointers: ["/validFrom", "/validTo"],
          },
        ]
      : []),
    ...(vat && hasVatCheck(vat)
      ? [
          {
            name: "VatChecksum",
            passed: isVatValid(vat),
            detail: "The check digits of a VAT number must be right.",
            pointers: ["/policyHolder/vatCode"],
          },
        ]
      : []),
    ...licensePlates.map((plate, at) => plateShape(plate, `/licensePlates/${at}`)),
  ];
}
