import { defineStoredKind } from "../kind.ts";
import { checkInsurance } from "./checks.ts";
import { extractInsurance } from "./insurance.ts";
import { InsuranceView } from "./view.ts";

export const insurance = defineStoredKind({
  apiName: { singular: "Insurance", plural: "Insurances" },
  noun: "Insurance",
  phrase: "an insurance policy",
  description: "insurance policy or certificate",
  view: InsuranceView,
  critical: ["/policyNumber", "/insurer", "/validFrom", "/validTo"],
  sender: "insurer",
  titles: ["titleInsurance"],
  numberLabels: ["policyNumber", "titleInsurance"],
  extract: extractInsurance,
  check: checkInsurance,
  index: ({ policyNumber, insurer, policyHolder, validFrom, sumInsured, currency, licensePlates, kind }) => ({
    number: policyNumber,
    date: validFrom,
    parties: [insurer, policyHolder],
    licensePlates,
    amount: sumInsured,
    currency,
    words: [kind],
  }),
  example: {
    kind: "CarrierLiability",
    policyNumber: "OCP-2026-118-442",
    insurer: "Beispiel Versicherung AG",
    policyHolder: { name: "Vzorová Doprava s.r.o.", vatCode: "CZ12345679", country: "CZ", city: "Brno" },
    validFrom: "2026-01-01",
    validTo: "2026-12-31",
    sumInsured: 300_000,
    currency: "EUR",
    territory: ["DE", "PL", "CZ"],
  },
});
