import { randomUUID } from "node:crypto";
import type { TestService } from "../../support/service.ts";
import { vehicle } from "../../support/vehicles.ts";
import { freight, stops } from "../../support/freights.ts";
import { operatorKey, postJson, type TestCompany } from "./company.ts";
import { pathParameterMakers } from "./requests.ts";

/** How a list is filled and compared. */
export interface ListItems {
  /** The field that identifies an item. */
  idField: string;
  /** Adds an item; undefined for a catalogue. */
  add?: (service: TestService, firm: TestCompany) => Promise<unknown>;
  /** Query parameters that restrict the list to items of the kind that `add` creates. */
  where?: Record<string, string>;
  /** Ids that occur in every company's list. */
  everyones?: unknown[];
  /** Creates other records for the path parameters, if the usual ones do not fit. */
  things?: (service: TestService, firm: TestCompany) => Promise<Record<string, string>>;
}

const publish = (service: TestService, owner: TestCompany, more?: Record<string, unknown>) =>
  postJson<{ freightId: string }>(service, "/api/v1/freights", owner.key, freight(more), {
    accept: "application/json",
  });

const carrierOrder = (service: TestService, { key }: TestCompany) =>
  postJson(service, "/api/v1/orders", key, { orderNumber: randomUUID(), carrier: { name: "Vzorová Doprava" } });

/** Creates a vehicle that is free where and when the freights of the tests are loaded. */
const freeVehicle = (service: TestService, { key }: TestCompany) => {
  const [loading] = stops();
  const body = vehicle({ loading: { address: loading!.address, period: loading!.period } });
  return postJson<{ vehicleId: string }>(service, "/api/v1/vehicles", key, body);
};

/** All lists, by operation id. */
export const listItems: Record<string, ListItems> = {
  "carrierOrders.query": { idField: "orderId", add: carrierOrder },
  "keys.list": { idField: "keyId", add: (service, owner) => pathParameterMakers["key"]!(service, owner, {}) },
  "mappings.list": { idField: "name" },
  "matches.freights": {
    idField: "freightId",
    things: async (service, owner) => ({ vehicleId: (await freeVehicle(service, owner)).vehicleId }),
    add: publish,
  },
  "matches.vehicles": { idField: "vehicleId", add: freeVehicle },
  "quality.list": {
    idField: "documentId",
    add: (service, owner) => pathParameterMakers["quality.documentId"]!(service, owner, {}),
  },
  "documentCollections.list": {
    idField: "collectionId",
    add: (service, owner) => pathParameterMakers["collectionId"]!(service, owner, {}),
  },
  "sources.list": {
    idField: "source",
    everyones: [1, 2, 3, 4, 5, 6],
    add: (service, owner) => pathParameterMakers["source"]!(service, owner, {}),
  },
  "webhooks.events": { idField: "id", where: { eventType: "CarrierOrderCreated" }, add: carrierOrder },
  "webhooks.eventTypes": { idField: "eventType" },
  "accounts.list": {
    idField: "accountId",
    add: (service, owner) => pathParameterMakers["accountId"]!(service, owner, {}),
  },
  "audit.list": {
    idField: "auditId",
    where: { operation: "accounts.create" },
    add: (service, owner) => pathParameterMakers["accountId"]!(service, owner, {}),
  },
  "automations.list": {
    idField: "automationId",
    add: (service, owner) => pathParameterMakers["automationId"]!(service, owner, {}),
  },
  "mails.list": { idField: "mailId", add: (service, owner) => pathParameterMakers["mailId"]!(service, owner, {}) },
  "orders.list": {
    idField: "orderId",
    add: (service, owner) => pathParameterMakers["orderId"]!(service, owner, {}),
  },
  "opportunities.list": {
    idField: "opportunityId",
    add: (service, owner) => pathParameterMakers["opportunityId"]!(service, owner, {}),
  },
  "driversDocuments.list": {
    idField: "documentId",
    add: (service, owner) => pathParameterMakers["driversDocuments.documentId"]!(service, owner, {}),
  },
  "documents.list": {
    idField: "documentId",
    add: (service, owner) => pathParameterMakers["documents.documentId"]!(service, owner, {}),
  },
  "feedback.list": {
    idField: "feedbackId",
    add: (service, owner) => pathParameterMakers["feedbackId"]!(service, owner, {}),
  },
  "freights.list": { idField: "freightId", add: (service, owner) => publish(service, owner) },
  "freights.listArchived": {
    idField: "freightId",
    async add(service, owner) {
      const { freightId } = await publish(service, owner);
      const headers = { authorization: `Bearer ${owner.key}` };
      await service.fetch(`/api/v1/freights/${freightId}`, { method: "DELETE", headers });
    },
  },
  "offers.list": {
    idField: "offerId",
    async add(service, owner) {
      const { freightId } = await publish(service, owner);
      const carrier = { name: "Vzorová Doprava", email: "dispo@vzorova-doprava.example" };
      return postJson(service, "/api/v1/freights/offers", owner.key, { freightId, price: 1150, carrier });
    },
  },
  "vehicles.list": {
    idField: "vehicleId",
    add: (service, owner) => postJson(service, "/api/v1/vehicles", owner.key, { licensePlate: "WGM 12345" }),
  },
  "transactions.list": {
    idField: "transactionId",
    add: (service, owner) => pathParameterMakers["transactionId"]!(service, owner, {}),
  },
  "transactions.feeds": {
    idField: "feedId",
    add: (service, owner) => pathParameterMakers["feedId"]!(service, owner, {}),
  },
  "tenants.list": {
    idField: "companyId",
    where: { text: "turned" },
    add: (service) => postJson(service, "/api/v1/companies", operatorKey, { name: "Turned by pages" }),
  },
  "webhooks.deliveries": {
    idField: "deliveryId",
    add: carrierOrder,
  },
  "webhooks.list": {
    idField: "subscriptionId",
    add: (service, owner) =>
      postJson(service, "/api/v1/webhooks", owner.key, {
        eventType: "All",
        callbackUrl: "https://receiver.beispiel.de/hooks",
      }),
  },
};
