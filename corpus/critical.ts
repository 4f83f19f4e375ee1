/** Critical fields of each kind of document: a wrong value of them costs money or a journey. */
const critical: Record<string, RegExp> = {
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
  email: /^label$/u,
};
/** Of any kind: a stop or a document too many, and a refusal. */
const anywhere = /^(?:locations|\(.+\))$/u;

/** Whether a field is critical; `path` is without indexes: "locations/city". */
export const isCritical = (kind: string, path: string): boolean =>
  anywhere.test(path) || (critical[kind === "driverDocument" ? "driver-document" : kind]?.test(path) ?? false);
