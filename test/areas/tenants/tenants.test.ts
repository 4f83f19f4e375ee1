import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { companyClock, nextDue } from "../../../src/areas/companies/clock.ts";
import { commands } from "../../../src/areas/tenants/commands.ts";
import type { CommandContext } from "../../../src/platform/decision.ts";
import { apiClient, type ApiClient } from "../../support/api-client.ts";
import { createCarrierOrder as orderPosted } from "../../support/carriers.ts";
import { simulateInternet } from "../../support/simulated-internet.ts";
import { createFreight as freightPosted, read as readFreight } from "../../support/freights.ts";
import { shareWith } from "../../support/guests.ts";
import { openService, type TestService } from "../../support/service.ts";
import {
  countData,
  createTenant,
  operatorOf,
  refusal,
  root,
  type CreatedTenant,
  type Tenant,
} from "../../support/tenants.ts";

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

describe("a new company", () => {
  test("is created once for each Idempotency-Key, and a repetition answers its key again", async () => {
    const sending = { json: { name: "Once" }, headers: { "idempotency-key": randomUUID() } };
    const first = await operator<CreatedTenant>("POST", root, sending);
    const again = await operator<CreatedTenant>("POST", root, sending);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(again.body).toEqual(first.body);
    expect((await apiClient(service, again.body.key)("GET", "/api/v1/company")).status).toBe(200);
    const other = { ...sending, json: { name: "Other" } };
    expect(refusal(await operator("POST", root, other))).toEqual({ status: 422, code: "idempotency_key_reused" });
  });

  test("has its key in no stored response if the deployment cannot encrypt it", async () => {
    const unsealed = await openService({ vars: { SEAL_KEY: "" } });
    try {
      const ask = operatorOf(unsealed);
      const json = { name: "Unsealed" };
      for (const path of [() => root, (companyId: string) => `${root}/${companyId}/keys`]) {
        const { companyId } = (await ask<CreatedTenant>("POST", root, { json })).body;
        const headers = { "idempotency-key": randomUUID() };
        const sending = path(companyId) === root ? { json, headers } : { headers };
        const first = await ask<CreatedTenant>("POST", path(companyId), sending);
        const again = await ask<CreatedTenant>("POST", path(companyId), sending);
        expect(first.body.key).toMatch(/^lorry_/);
        expect(again.headers.get("idempotency-replayed")).toBe("true");
        const { key: _, ...rest } = first.body;
        expect(again.body).toEqual(rest);
      }
    } finally {
      await unsealed.stop();
    }
  });

  test("can be found, read and given another key if the response of its creation was lost", async () => {
    const name = `Verloren ${randomUUID()}`;
    await operator("POST", root, { json: { name } });
    const { companyId } = await vi.waitFor(async () => {
      const { items } = (await operator<{ items: Tenant[] }>("GET", `${root}?text=${name.split(" ")[1]}`)).body;
      expect(items).toMatchObject([{ name, status: "Active" }]);
      return items[0]!;
    }, soon);
    expect((await operator<Tenant>("GET", `${root}/${companyId}`)).body).toMatchObject({ companyId, name });
    const { status, body } = await operator<CreatedTenant>("POST", `${root}/${companyId}/keys`);
    expect(status).toBe(201);
    expect((await apiClient(service, body.key)<Tenant>("GET", "/api/v1/company")).body).toMatchObject({
      companyId,
      name,
    });
  });

  test("is listed with pages and by its status", async () => {
    const names = [
      await createTenant(service, "Seite"),
      await createTenant(service, "Seite"),
      await createTenant(service, "Seite"),
    ].map(({ companyId }) => companyId);
    const path = `${root}?text=Seite&limit=2`;
    await operator("PUT", `${root}/${names[0]}/suspend`);
    await vi.waitFor(async () => {
      const first = (await operator<{ items: Tenant[]; nextCursor: string }>("GET", path)).body;
      const second = (await operator<{ items: Tenant[] }>("GET", `${path}&cursor=${first.nextCursor}`)).body;
      const listed = [...first.items, ...second.items].map(({ companyId }) => companyId);
      expect(listed.toSorted()).toEqual(names.toSorted());
      const { items } = (await operator<{ items: Tenant[] }>("GET", `${root}?text=Seite&status=Suspended`)).body;
      expect(items.map(({ companyId }) => companyId)).toEqual([names[0]]);
    }, soon);
  });
});

describe("a new administrator key", () => {
  test("keeps the other keys or revokes them, and is answered again for its Idempotency-Key", async () => {
    const { ask, path } = await createTenant(service);
    const beside = (await operator<CreatedTenant>("POST", `${path}/keys`)).body;
    expect(beside.revokedKeys).toBe(0);
    expect((await ask("GET", "/api/v1/company")).status).toBe(200);
    const sending = { json: { revokeOthers: true }, headers: { "idempotency-key": randomUUID() } };
    const alone = (await operator<CreatedTenant>("POST", `${path}/keys`, sending)).body;
    expect(alone.revokedKeys).toBe(2);
    expect((await operator<CreatedTenant>("POST", `${path}/keys`, sending)).body).toEqual(alone);
    for (const old of [ask, apiClient(service, beside.key)])
      await vi.waitFor(async () => expect((await old("GET", "/api/v1/company")).status).toBe(401), soon);
    expect((await apiClient(service, alone.key)<{ items: object[] }>("GET", "/api/v1/keys")).body.items).toHaveLength(
      1,
    );
  });

  test.each(["GET", "DELETE"])("and %s of an unknown company are answered with 404", async (method) => {
    const path = `${root}/${randomUUID()}`;
    expect(refusal(await operator(method, path))).toEqual({ status: 404, code: "not_found" });
    for (const verb of ["suspend", "resume"]) expect((await operator("PUT", `${path}/${verb}`)).status).toBe(404);
    expect((await operator("POST", `${path}/keys`)).status).toBe(404);
  });
});

test("a suspended company is refused everywhere, and continues where it stopped after it is resumed", async () => {
  const { ask, key, path } = await createTenant(service);
  const receiver = internet.address();
  await ask("POST", "/api/v1/webhooks", { json: { eventType: "All", callbackUrl: receiver.url } });
  const { freightId } = await freightPosted(ask);
  const { shareUrl } = await orderPosted(ask);
  const share = await shareWith(ask, freightId);
  const pages = [new URL(shareUrl).pathname, share.path];
  const opens = async (status: number) => {
    for (const page of pages) expect((await service.fetch(page)).status, page).toBe(status);
  };
  await opens(200);
  await receiver.waitForRequests(3);
  const address = (await ask<{ address: string }>("GET", "/api/v1/mails/address")).body.address;
  const mailIn = () =>
    service.fetch(`/dev/mail/in?to=${encodeURIComponent(address)}`, {
      method: "POST",
      body: `From: a@sender.example\r\nSubject: Hello\r\nMessage-ID: <${randomUUID()}@sender.example>\r\n\r\nHello`,
    });

  const reason = "Invoices are not paid";
  const suspended = await operator<Tenant>("PUT", `${path}/suspend`, { json: { reason } });
  expect(suspended.body).toMatchObject({ status: "Suspended", suspendedReason: reason });
  expect((await operator("PUT", `${path}/suspend`, { json: { reason } })).body).toEqual(suspended.body);
  expect((await operator("PUT", `${path}/suspend`)).body).toEqual(suspended.body);
  await opens(404);
  expect((await mailIn()).status).toBe(403);
  const since = Date.now();
  await vi.waitFor(
    async () =>
      expect(refusal(await ask("GET", "/api/v1/company"))).toEqual({ status: 403, code: "company_suspended" }),
    soon,
  );
  expect(Date.now() - since).toBeLessThan(20_000);
  const [id = "", secret = ""] = key.split(".");
  for (const [sent, status, errorCode] of [
    [secret, 403, "company_suspended"],
    ["another", 401, "unauthenticated"],
  ] as const) {
    const body = new URLSearchParams({ grant_type: "client_credentials", client_id: id, client_secret: sent });
    expect(await apiClient(service)("POST", "/oauth2/token", { body })).toMatchObject({ status, body: { errorCode } });
  }
  await vi.waitFor(async () => {
    const { items } = (await apiClient(service)<{ items: { freightId: string }[] }>("GET", "/board/freights.json"))
      .body;
    expect(items.map((item) => item.freightId)).not.toContain(freightId);
  }, soon);
  const heard = receiver.received.length;

  expect((await operator<Tenant>("PUT", `${path}/resume`)).body).toMatchObject({ status: "Active" });
  expect((await operator("PUT", `${path}/resume`)).status).toBe(200);
  await vi.waitFor(() => opens(200), soon);
  await vi.waitFor(async () => expect((await readFreight(ask, freightId)).body.status).toBe("Published"), soon);
  expect((await mailIn()).status).toBe(202);
  // The event FreightSuspended is not delivered during the suspension. Afterwards it is delivered before the later
  // event.
  const told = (await receiver.waitForRequests(heard + 2)).map(
    ({ body }) => (JSON.parse(body) as { eventType: string }).eventType,
  );
  expect(told.slice(heard)).toEqual(["FreightSuspended", "FreightPublished"]);
});

test("a deleted company is purged once more a day later", () => {
  const deletedAt = "2026-11-20T09:00:00.000Z";
  const company = { facts: { name: "Gone" }, keys: [], subscribers: [], createdAt: deletedAt };
  const moment = (at: string) => ({ at }) as CommandContext;
  const deleting = { ...company, deletion: { at: deletedAt } };
  expect(nextDue(deleting)).toBeUndefined();
  const { state } = commands.deletedAll.decide(deleting, {}, moment(deletedAt)) as { state: typeof company };
  const nextDay = "2026-11-21T09:00:00.000Z";
  expect(nextDue(state)).toBe(Date.parse(nextDay));
  expect(companyClock.tick.decide(state, {}, moment("2026-11-21T08:59:59.999Z"))).toEqual({ reply: {} });
  const due = companyClock.tick.decide(state, {}, moment(nextDay)) as { state: typeof company };
  expect(due).toMatchObject({ jobs: ["tenants.delete"], keepsVersion: true });
  expect(nextDue(due.state)).toBeUndefined();
  expect(commands.condemned.decide(due.state, {}, moment(nextDay))).toMatchObject({ reply: { since: deletedAt } });
});

test("a statement that arrives while its company is suspended is refused and not stored", async () => {
  const { key, path, companyId } = await createTenant(service);
  const line = "2026-11-19;9.00;EUR;Beispielkarte;Diesel\n".repeat(2000);
  // This is more than the socket buffers can hold, so when it has been sent, the service has accepted the request.
  const megabytes = 24 * 1024 * 1024;
  let sent = 0;
  let finish: () => void = () => undefined;
  const suspended = new Promise<void>((resolve) => (finish = resolve));
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode("Date;Amount;Currency;Provider;Product\n")),
    async pull(controller) {
      if (sent >= megabytes) {
        await suspended;
        controller.close();
      } else controller.enqueue(new TextEncoder().encode(line));
      sent += line.length;
    },
  });
  const headers = { "x-api-key": key, "content-type": "text/csv" };
  const init = { method: "POST", headers, body, duplex: "half" } as RequestInit;
  const answer = service.fetch("/api/v1/transactions-feed?provider=Beispielkarte", init);
  await vi.waitUntil(() => sent >= megabytes, soon);
  await operator("PUT", `${path}/suspend`);
  finish();
  const { status, text } = await answer.then(async (got) => ({ status: got.status, text: await got.text() }));
  expect({ status, text }).toMatchObject({ status: 403, text: expect.stringContaining("company_suspended") });
  expect((await countData(service, companyId)).files).toBe(0);
});
