import { afterAll, beforeAll, expect, test } from "vitest";
import { apiClient, type ApiClient } from "../../support/api-client.ts";
import { waitForAudit } from "../../support/audit.ts";
import { carrierOrder, uploadDocument } from "../../support/carriers.ts";
import { createCompany } from "../../http/contract/company.ts";
import { createFreight, withdraw } from "../../support/freights.ts";
import { shareWith, visitorOf } from "../../support/guests.ts";
import { openService, type TestService } from "../../support/service.ts";

// The audit log: each change with its operation, actor and resource.

let service: TestService;

beforeAll(async () => {
  service = await openService();
});

afterAll(() => service.stop());

test("an audit entry names the operation, key, account, resource, version and request", async () => {
  const firm = await createCompany(service);
  const chief = apiClient(service, firm.key);
  const { body: account } = await chief<{ accountId: string }>("POST", "/api/v1/accounts", {
    json: { email: "anna@trans.example", role: "forwarder" },
  });
  const { body: made } = await chief<{ keyId: string; key: string }>("POST", "/api/v1/keys", {
    json: { scopes: ["freights:write"], accountId: account.accountId },
  });
  const member = apiClient(service, made.key);
  const { freightId } = await createFreight(member);
  const { headers } = await withdraw(member, freightId);
  const [withdrawn, created] = await waitForAudit(chief, `resourceId=${freightId}`, 2);
  expect(withdrawn).toMatchObject({
    operation: "freights.withdraw",
    actor: { type: "Key", keyId: made.keyId, accountId: account.accountId },
    resource: { type: "Freight", id: freightId, version: 2 },
    requestId: headers.get("x-request-id"),
  });
  expect(created).toMatchObject({ operation: "freights.create", resource: { version: 1 } });
  expect((await waitForAudit(chief, `accountId=${account.accountId}`, 2)).map(({ auditId }) => auditId)).toEqual([
    withdrawn!.auditId,
    created!.auditId,
  ]);
  const [key] = await waitForAudit(chief, `resourceId=${made.keyId}`, 1);
  expect(key).toMatchObject({ operation: "keys.create", about: made.keyId, actor: { keyId: firm.keyId } });
  const [founding] = await waitForAudit(chief, "actor=Operator", 1);
  expect(founding).toMatchObject({ operation: "companies.create", resource: { type: "Company", id: firm.companyId } });
});

test("actions by a share link are logged, and requests that change nothing are not", async () => {
  const ask = apiClient(service, service.company().key);
  const { freightId } = await createFreight(ask);
  const link = await shareWith(ask, freightId);
  const { send } = visitorOf(service);
  await send(link.path, { action: "Offer", name: "Vzorová Doprava", price: "900" }, { origin: service.url });
  const [offered] = await waitForAudit(ask, `resourceId=${freightId}&actor=Link`, 1);
  expect(offered).toMatchObject({ operation: "freights.guestOffer", actor: { shareId: link.shareId } });
  const order = await ask<{ orderId: string }>("POST", "/api/v1/orders", { json: carrierOrder() });
  await uploadDocument(ask, order.body.orderId, "cmr", "The same bytes");
  await uploadDocument(ask, order.body.orderId, "cmr", "The same bytes");
  const entries = await waitForAudit(ask, `resourceId=${order.body.orderId}`, 2);
  expect(entries.map(({ operation }) => operation)).toEqual(["carrierOrders.upload", "orders.create"]);
});

test("a company sees only its own audit entries", async () => {
  const [ours, theirs] = [service.company(), service.company()].map(({ key }) => apiClient(service, key)) as [
    ApiClient,
    ApiClient,
  ];
  const { freightId } = await createFreight(ours);
  expect(await waitForAudit(ours, `resourceId=${freightId}`, 1)).toHaveLength(1);
  expect(await waitForAudit(theirs, `resourceId=${freightId}`, 0)).toEqual([]);
});
