import * as accounts from "./areas/accounts/index.ts";
import * as audit from "./areas/audit/index.ts";
import * as automations from "./areas/automations/index.ts";
import * as carrierOrders from "./areas/carrier-orders/index.ts";
import * as classifications from "./areas/classifications/index.ts";
import * as companies from "./areas/companies.ts";
import * as documentCollections from "./areas/document-collections/index.ts";
import * as documents from "./areas/documents/index.ts";
import * as driversDocuments from "./areas/drivers-documents/index.ts";
import * as exchangeRates from "./areas/exchange-rates/index.ts";
import * as feedback from "./areas/feedback/index.ts";
import * as freights from "./areas/freights/index.ts";
import * as keys from "./areas/keys.ts";
import * as mails from "./areas/mails/index.ts";
import * as mappings from "./areas/mappings.ts";
import * as matches from "./areas/matches/index.ts";
import * as opportunities from "./areas/opportunities/index.ts";
import * as orders from "./areas/orders/index.ts";
import * as quality from "./areas/quality/index.ts";
import * as privacy from "./areas/privacy/index.ts";
import * as sources from "./areas/sources/index.ts";
import * as tenants from "./areas/tenants/index.ts";
import * as transactions from "./areas/transactions/index.ts";
import * as vehicles from "./areas/vehicles/index.ts";
import * as webhooks from "./areas/webhooks/index.ts";
import type { Operation } from "./http/operation.ts";

/** The service, area by area. Router, OpenAPI, client, docs and contract test are all read off this list. */
export const api = {
  orders: orders.operations,
  carrierOrders: carrierOrders.operations,
  opportunities: opportunities.operations,
  mappingProfiles: opportunities.profileOperations,
  documents: documents.operations,
  quality: quality.operations,
  documentCollections: documentCollections.operations,
  driversDocuments: driversDocuments.operations,
  sources: sources.operations,
  classifications: classifications.operations,
  feedback: feedback.operations,
  transactions: transactions.operations,
  automations: automations.operations,
  vehicles: vehicles.operations,
  matches: matches.operations,
  mappings: mappings.operations,
  exchangeRates: exchangeRates.operations,
  freights: freights.operations,
  offers: freights.offerOperations,
  webhooks: webhooks.operations,
  companies: companies.operations,
  tenants: tenants.operations,
  keys: keys.operations,
  accounts: accounts.operations,
  audit: audit.operations,
  mails: mails.operations,
  privacy: privacy.operations,
};

export interface Named {
  /** `orders.read`: area and verb. Clients are generated from it: renaming one breaks them. */
  id: string;
  area: string;
  operation: Operation;
}

export const operations: Named[] = Object.entries(api).flatMap(([area, rows]) =>
  Object.entries(rows as Record<string, Operation>).map(([name, operation]) => ({
    id: `${area}.${name}`,
    area,
    operation,
  })),
);
