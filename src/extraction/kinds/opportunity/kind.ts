import { defineKind } from "../kind.ts";
import { checkOpportunity } from "./checks.ts";
import { extractOpportunity, missingIn } from "./opportunity.ts";
import { OpportunityView } from "./view.ts";

export const opportunity = defineKind({
  apiName: { singular: "Opportunity", plural: "Opportunities" },
  description: "request for the price of a transport",
  view: OpportunityView,
  critical: ["/locations/*/type", "/locations/*/address/countryCode", "/locations/*/address/city"],
  stops: "/locations",
  sender: "requestedBy",
  titles: ["titleQuoteRequest"],
  numberLabels: [],
  extract: extractOpportunity,
  isTabular: true,
  readsSubject: true,
  excludedBy: ["invoice"],
  check: (data) => checkOpportunity(data),
  complete: (data) => ({ ...data, missing: missingIn(data) }),
  notRecognised: { reason: "input_not_freight", message: "The text is not a transport request." },
});
