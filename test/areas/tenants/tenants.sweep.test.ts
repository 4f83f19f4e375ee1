import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { ClaimApi } from "../../../src/platform/aggregates.ts";
import { form, type ApiClient } from "../../support/api-client.ts";
import { createCarrierOrder as orderPosted } from "../../support/carriers.ts";
import { simulateInternet } from "../../support/simulated-internet.ts";
import { createFreight as freightPosted } from "../../support/freights.ts";
import { callIn, connectSourceTo } from "../../support/publications.ts";
import { openService, type TestService } from "../../support/service.ts";
import { countData, createTenant, operatorOf, refusal, type Tenant } from "../../support/tenants.ts";

// The operator's operations on companies.

const internet = simulateInternet();
let service: TestService;

beforeAll(async () => {
  service = await openService({ internet: internet.answer, vars: { LOCAL_MAIL: "true" }, own: true });
});

afterAll(async () => {
  internet.close();
  await service.stop();
});

const soon = { timeout: 50_000, interval: 100 };
const operator: ApiClient = (...sent) => operatorOf(service)(...sent);

test(
  "a deleted company leaves nothing but the fact that it existed, and other companies keep their data",
  { timeout: 200_000 },
  async () => {
    const [gone, stays] = [await createTenant(service, "Gone GmbH"), await createTenant(service, "Stays GmbH")];
    const receiver = internet.address();
    const filled = async ({ ask }: { ask: ApiClient }) => {
      await ask("POST", "/api/v1/webhooks", { json: { eventType: "All", callbackUrl: receiver.url } });
      await freightPosted(ask, { externalNumber: "FR-1" });
      const { orderId } = await orderPosted(ask, { orderNumber: "CO-1" });
      await ask("POST", "/api/v1/vehicles", { json: { licensePlate: "WGM 12345" } });
      await ask("POST", "/api/v1/documents", { body: form({ name: "a.txt", bytes: `Number ${randomUUID()}` }) });
      await ask("POST", "/api/v1/documents/quality", {
        body: form({ name: "a.txt", bytes: `Number ${randomUUID()}` }),
      });
      await ask("POST", "/api/v1/transactions-feed", {
        json: {
          provider: "Beispielkarte",
          items: [{ externalId: "1", occurredAt: "2026-11-19T18:42", grossAmount: 9 }],
        },
      });
      await ask("POST", "/api/v1/privacy/export", { json: { email: "petra@fahrer.example" } });
      return orderId;
    };
    const [goneOrder, keptOrder] = [await filled(gone), await filled(stays)];
    const before = await countData(service, gone.companyId);
    expect(before.files).toBeGreaterThan(0);

    const deleting = await operator<Tenant>("DELETE", gone.path);
    expect(deleting).toMatchObject({ status: 202, body: { status: "Deleting" } });
    expect((await operator("DELETE", gone.path)).body).toEqual(deleting.body);
    expect(refusal(await operator("PUT", `${gone.path}/resume`))).toEqual({ status: 409, code: "invalid_state" });
    expect(refusal(await operator("POST", `${gone.path}/keys`))).toEqual({ status: 409, code: "invalid_state" });
    await vi.waitFor(async () => expect((await gone.ask("GET", "/api/v1/company")).status).toBe(401), soon);
    await vi.waitFor(async () => expect((await operator<Tenant>("GET", gone.path)).body.status).toBe("Deleted"), {
      timeout: 150_000,
      interval: 250,
    });

    const after = await operator<Tenant>("GET", gone.path);
    expect(after.body.name).toBeUndefined();
    expect(await countData(service, gone.companyId)).toEqual({ rows: {}, files: 0 });
    // Stores a file, as an upload does that was still running when its company was deleted.
    const bucket = await service.mf.getR2Bucket("FILES", "lorry");
    await bucket.put(`${gone.companyId}/orders/${randomUUID()}/original`, "Late");
    expect((await operator<Tenant>("DELETE", gone.path)).body).toEqual(after.body);
    await vi.waitFor(
      async () => expect(await countData(service, gone.companyId)).toEqual({ rows: {}, files: 0 }),
      soon,
    );
    expect((await operator<Tenant>("GET", gone.path)).body).toEqual(after.body);
    expect(await holderOf(gone.companyId, "orders/number/CO-1")).toBe("free");
    expect(await holderOf(gone.companyId, "freights/number/FR-1")).toBe("free");
    expect(await isThere("ORDERS", gone.companyId, goneOrder)).toBe(false);
    expect(await isThere("ORDERS", stays.companyId, keptOrder)).toBe(true);
    expect((await stays.ask("GET", `/api/v1/orders/${keptOrder}`)).status).toBe(200);
    expect(await holderOf(stays.companyId, "orders/number/CO-1")).toBe("held");
  },
);

test("a company is deleted only after its connectors have removed its freights", { timeout: 300_000 }, async () => {
  const receiver = internet.address();
  const { ask, path } = await createTenant(service);
  const removed = new Map<string, number[]>();
  receiver.respondWith((heard) => {
    const { action, freight } = callIn(heard);
    if (action !== "Remove") return { status: 200 };
    const statuses = removed.get(freight.freightId) ?? [];
    statuses.push(statuses.length === 0 ? 503 : 200);
    removed.set(freight.freightId, statuses);
    return { status: statuses.at(-1)! };
  });
  const { publish, standing, withdraw, listed, source } = await connectSourceTo(ask, receiver);
  const [live, withdrawn] = [await publish({ sources: [source] }), await publish({ sources: [source] })];
  for (const id of [live, withdrawn]) {
    await standing(id, [{ status: "Published" }]);
    await listed(id, source);
  }
  await withdraw(withdrawn);
  // The archive does not list this freight yet.
  const latest = await publish({ sources: [source] });
  expect((await operator("DELETE", path)).status).toBe(202);
  await vi.waitFor(async () => expect((await operator<Tenant>("GET", path)).body.status).toBe("Deleted"), {
    timeout: 250_000,
    interval: 250,
  });
  for (const id of [live, withdrawn, latest]) expect(removed.get(id), id).toEqual([503, 200]);
});

async function holderOf(company: string, name: string): Promise<"free" | "held"> {
  const claims = await service.mf.getDurableObjectNamespace("CLAIMS", "lorry");
  const claim = claims.get(claims.idFromName(`${company}/${name}`)) as unknown as ClaimApi;
  return (await claim.take({ holder: "", until: 1 })).fresh ? "free" : "held";
}

async function isThere(binding: string, company: string, id: string): Promise<boolean> {
  const objects = await service.mf.getDurableObjectNamespace(binding, "lorry");
  const object = objects.get(objects.idFromName(`${company}/${id}`)) as unknown as { projection(): Promise<unknown> };
  return (await object.projection()) !== undefined;
}
