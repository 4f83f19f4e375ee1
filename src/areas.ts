import { accounts } from "./areas/accounts/index.ts";
import { audit } from "./areas/audit/index.ts";
import { automations } from "./areas/automations/index.ts";
import { carrierOrders } from "./areas/carrier-orders/index.ts";
import { classifications } from "./areas/classifications/index.ts";
import { companies } from "./areas/companies/index.ts";
import { documentCollections } from "./areas/document-collections/index.ts";
import { documents } from "./areas/documents/index.ts";
import { driversDocuments } from "./areas/drivers-documents/index.ts";
import { exchangeRates } from "./areas/exchange-rates/index.ts";
import { feedback } from "./areas/feedback/index.ts";
import { freights } from "./areas/freights/index.ts";
import { keys } from "./areas/keys/index.ts";
import { mails } from "./areas/mails/index.ts";
import { mappings } from "./areas/mappings/index.ts";
import { matches } from "./areas/matches/index.ts";
import { opportunities } from "./areas/opportunities/index.ts";
import { orders } from "./areas/orders/index.ts";
import { privacy } from "./areas/privacy/index.ts";
import { quality } from "./areas/quality/index.ts";
import { sources } from "./areas/sources/index.ts";
import { tenants } from "./areas/tenants/index.ts";
import { transactions } from "./areas/transactions/index.ts";
import { vehicles } from "./areas/vehicles/index.ts";

// The order of these lists is the order in the documentation. Webhooks are between the two lists. `api.ts` adds them,
// because they depend on the events of all areas.

export const areasBeforeWebhooks = [
  orders,
  carrierOrders,
  opportunities,
  documents,
  documentCollections,
  quality,
  driversDocuments,
  sources,
  classifications,
  feedback,
  transactions,
  vehicles,
  matches,
  mappings,
  exchangeRates,
  freights,
] as const;

export const areasAfterWebhooks = [companies, tenants, keys, accounts, audit, automations, mails, privacy] as const;
