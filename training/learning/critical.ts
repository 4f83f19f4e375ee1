/** The critical fields of each document kind. Their values must not be wrong if they are reported as sure. */
export const critical: Record<string, RegExp> = {
  order:
    /^(?:orderNumber|locations\/(?:type|countryCode|postalCode|city|startDate|endDate)|payments\/(?:price|currency|paymentDays)|payer\/vatCode)$/u,
  invoice: /^(?:number|issueDate|dueDate|currency|grossAmount|netAmount|iban|(?:seller|buyer)\/vatCode)$/u,
  receipt: /^(?:issuedAt|currency|grossAmount|merchant\/name)$/u,
  cmr: /^(?:number|takingOver\/(?:country|date)|delivery\/country|licensePlates|goods\/grossWeight)$/u,
  fine: /^(?:reference|offenceAt|licensePlate|amount|currency|discountedAmount|discountUntil|dueDate|iban)$/u,
  insurance: /^(?:policyNumber|validFrom|validTo|sumInsured|currency|licensePlates)$/u,
  "driver-document": /^(?:type|number|issuingCountry|expiresAt)$/u,
  opportunity:
    /^(?:locations\/(?:type|address\/(?:countryCode|postalCode|city)|period\/(?:startDate|endDate))|payment\/(?:from|currency))$/u,
};
