import { Response as Answer } from "miniflare";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { apiClient, type ApiClient } from "../../support/api-client.ts";
import { carrierOrder } from "../../support/carriers.ts";
import { createCompany } from "../../http/contract/company.ts";
import { growing, post, freight, createFreight, read } from "../../support/freights.ts";
import { shareWith, visitorOf } from "../../support/guests.ts";
import { anna, block, createMember, unblock, type Account } from "../../support/accounts.ts";
import { openService, type TestService } from "../../support/service.ts";

// Accounts: roles and keys, and the effect of blocking on freights, links, webhooks and carriers.

let service: TestService;
const delivered: { eventType: string; resource: { id: string } }[] = [];

beforeAll(async () => {
  service = await openService({
    internet: async (request) => {
      delivered.push((await request.json()) as (typeof delivered)[number]);
      return new Answer(null, { status: 204 });
    },
    vars: { LOCAL_MAIL: "true" },
  });
});

afterAll(() => service.stop());

const soon = { timeout: 50_000, interval: 100 };
const refusal = ({ status, body }: { status: number; body: unknown }) => ({
  status,
  code: (body as { errorCode?: string }).errorCode,
});
const statusOf = async (ask: ApiClient, freightId: string) => (await read(ask, freightId)).body.status;

describe("an account", () => {
  test("is created once per address, listed, updated and deleted", async () => {
    const { ask, account, member } = await createMember(service);
    expect(account).toMatchObject({ email: anna, role: "forwarder", status: "Active" });
    const again = await ask("POST", "/api/v1/accounts", { json: { email: anna.toUpperCase(), role: "viewer" } });
    expect(refusal(again)).toEqual({ status: 409, code: "invalid_state" });
    expect(again.body).toMatchObject({ accountId: account.accountId });
    const path = `/api/v1/accounts/${account.accountId}`;
    const changed = await ask("PUT", path, { json: { role: "viewer", name: "Anna" } });
    expect(changed.body).toMatchObject({ role: "viewer", name: "Anna", email: anna });
    const { body: list } = await ask<{ items: Account[] }>("GET", "/api/v1/accounts?role=viewer&text=ann");
    expect(list.items.map(({ accountId }) => accountId)).toEqual([account.accountId]);
    expect((await ask("DELETE", path)).status).toBe(204);
    expect((await ask("GET", path)).status).toBe(404);
    await vi.waitFor(async () => expect((await member("GET", "/api/v1/freights")).status).toBe(401), soon);
  });

  test("has keys limited by its role, also after the role changes", async () => {
    const { ask, account, member } = await createMember(service);
    const path = "/api/v1/vehicles";
    expect(refusal(await member("GET", path))).toEqual({ status: 403, code: "missing_scope" });
    expect((await post(member, freight())).status).toBe(200);
    await ask("PUT", `/api/v1/accounts/${account.accountId}`, { json: { role: "viewer" } });
    await vi.waitFor(async () => expect((await post(member, freight())).status).toBe(403), soon);
    expect((await member("GET", "/api/v1/freights")).status).toBe(200);
  });

  test.each([
    ["forwarder", ["accounts:write"]],
    ["viewer", ["orders:write"]],
    ["carrier", ["freights:read"]],
  ])("with the role %s cannot get a key with the scopes %j", async (role, scopes) => {
    const firm = await createCompany(service);
    const ask = apiClient(service, firm.key);
    const { body } = await ask<Account>("POST", "/api/v1/accounts", { json: { email: anna, role } });
    const refused = await ask("POST", "/api/v1/keys", { json: { scopes, accountId: body.accountId } });
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ field: "scopes" }] } });
  });

  test("creates keys that belong to it and are refused while it is blocked", async () => {
    const firm = await createCompany(service);
    const ask = apiClient(service, firm.key);
    const { body: chief } = await ask<Account>("POST", "/api/v1/accounts", { json: { email: anna, role: "admin" } });
    const make = (by: ApiClient, json: object) => by<{ key: string }>("POST", "/api/v1/keys", { json });
    const first = await make(ask, { scopes: ["accounts:write"], accountId: chief.accountId });
    const second = await make(apiClient(service, first.body.key), { scopes: ["accounts:read"] });
    const third = apiClient(service, second.body.key);
    expect((await third("GET", "/api/v1/accounts")).status).toBe(200);
    expect(refusal(await block(apiClient(service, first.body.key)))).toEqual({ status: 409, code: "invalid_state" });
    expect((await block(ask)).status).toBe(200);
    await vi.waitFor(
      async () =>
        expect(refusal(await third("GET", "/api/v1/accounts"))).toEqual({ status: 403, code: "account_blocked" }),
      soon,
    );
  });
});

describe("a blocked account", () => {
  test("has its keys refused with 403 until it is unblocked", async () => {
    const { ask, member, account } = await createMember(service);
    expect((await member("GET", "/api/v1/freights")).status).toBe(200);
    const blocked = await block(ask, { accountId: account.accountId, reason: "Left" });
    expect(blocked.body).toMatchObject({ status: "Blocked", blockedReason: "Left" });
    await vi.waitFor(
      async () =>
        expect(refusal(await member("GET", "/api/v1/freights"))).toEqual({ status: 403, code: "account_blocked" }),
      { timeout: 50_000, interval: 100 },
    );
    expect((await unblock(ask)).body).toMatchObject({ status: "Active" });
    await vi.waitFor(async () => expect((await member("GET", "/api/v1/freights")).status).toBe(200), soon);
  });

  test("has its freights suspended: board and link answer 404, and the price does not increase", async () => {
    const { ask } = await createMember(service);
    const visit = visitorOf(service).visit;
    const { freightId } = await createFreight(ask, { owner: anna, payment: growing() });
    const other = await createFreight(ask);
    const link = await shareWith(ask, freightId);
    expect((await visit(link.path)).body).toContain("Leipzig");
    await vi.waitFor(async () => expect((await visit(`/board/${freightId}`)).status).toBe(200), soon);

    await block(ask);
    await vi.waitFor(async () => expect(await statusOf(ask, freightId)).toBe("Suspended"), soon);
    const { body: suspended } = await read(ask, freightId);
    expect(suspended.nextPriceAt).toBeUndefined();
    expect(suspended.publications).toMatchObject([{ source: 1, status: "Removed" }]);
    expect(await statusOf(ask, other.freightId)).toBe("Published");
    const seen = await visit(link.path);
    expect(seen.status).toBe(404);
    expect(seen.body).not.toContain("Leipzig");
    await vi.waitFor(async () => expect((await visit(`/board/${freightId}`)).status).toBe(404), soon);
    const offer = { freightId, price: 900, carrier: { name: "C", email: "c@carrier.example" } };
    expect(refusal(await ask("POST", "/api/v1/freights/offers", { json: offer }))).toEqual({
      status: 409,
      code: "invalid_state",
    });

    await unblock(ask);
    await vi.waitFor(async () => expect(await statusOf(ask, freightId)).toBe("Published"), soon);
    expect((await visit(link.path)).body).toContain("Leipzig");
    await vi.waitFor(async () => expect((await visit(`/board/${freightId}`)).status).toBe(200), soon);
    await vi.waitFor(async () => {
      const { body } = await ask<{ items: { eventType: string; resource: { id: string } }[] }>("GET", "/api/v1/events");
      const heard = body.items.filter(({ resource }) => resource.id === freightId).map(({ eventType }) => eventType);
      expect(heard).toEqual(["FreightPublished", "FreightShared", "FreightSuspended", "FreightPublished"]);
    }, soon);
  });

  test("cannot be named as the owner of a new freight, whichever key creates it", async () => {
    const { ask } = await createMember(service);
    await block(ask);
    expect(refusal(await post(ask, freight({ owner: anna })))).toEqual({ status: 403, code: "account_blocked" });
    expect((await post(ask, freight())).status).toBe(200);
  });

  test("has the links of its carrier orders disabled until it is unblocked", async () => {
    const { ask, member } = await createMember(service);
    const { body } = await member<{ shareUrl: string }>("POST", "/api/v1/orders", { json: carrierOrder() });
    const { pathname } = new URL(body.shareUrl);
    expect((await service.fetch(pathname)).status).toBe(200);
    await block(ask);
    expect((await service.fetch(pathname)).status).toBe(404);
    await unblock(ask);
    expect((await service.fetch(pathname)).status).toBe(200);
  });

  test("has its webhooks disabled, and they deliver the pending events after it is unblocked", async () => {
    const { ask, member } = await createMember(service);
    const hook = { eventType: "All", callbackUrl: "https://receiver.example/hook" };
    const { body } = await member<{ subscriptionId: string }>("POST", "/api/v1/webhooks", { json: hook });
    const health = async () =>
      (await ask<Record<string, unknown>>("GET", `/api/v1/webhooks/${body.subscriptionId}`)).body;
    await block(ask);
    await vi.waitFor(
      async () => expect(await health()).toMatchObject({ status: "Disabled", disabledBecause: "AccountBlocked" }),
      soon,
    );
    const { freightId } = await createFreight(ask);
    const heard = () => delivered.filter(({ resource }) => resource.id === freightId);
    await vi.waitFor(async () => expect(Number((await health()).pending)).toBeGreaterThan(0), soon);
    expect(heard()).toEqual([]);
    await unblock(ask);
    await vi.waitFor(() => expect(heard()).toMatchObject([{ eventType: "FreightPublished" }]), soon);
    expect(await health()).toMatchObject({ status: "Active" });
  });

  test("is unblocked automatically at `until`", async () => {
    const { ask } = await createMember(service);
    const { freightId } = await createFreight(ask, { owner: anna });
    const until = new Date(Date.now() + 4000).toISOString();
    expect((await block(ask, { email: anna, until })).body).toMatchObject({ blockedUntil: until });
    await vi.waitFor(async () => expect(await statusOf(ask, freightId)).toBe("Published"), soon);
    await vi.waitFor(async () => {
      const { body } = await ask<{ items: { eventType: string; accountId?: string }[] }>("GET", "/api/v1/events");
      const told = body.items.filter(({ accountId }) => accountId !== undefined).map(({ eventType }) => eventType);
      expect(told).toEqual(["AccountBlocked", "AccountUnblocked"]);
    }, soon);
  });

  test("is not changed by a refused block (`until` in the past, no address) or by an unblock without a block", async () => {
    const { ask, account } = await createMember(service);
    const late = await block(ask, { email: anna, until: "2020-01-01T00:00:00Z" });
    expect(late).toMatchObject({ status: 400, body: { errors: [{ field: "until" }] } });
    expect(await block(ask, { email: "nobody@trans.example" })).toMatchObject({ status: 404 });
    expect(await block(ask, {})).toMatchObject({ status: 400 });
    const first = await unblock(ask);
    expect(first.body).toEqual((await ask("GET", `/api/v1/accounts/${account.accountId}`)).body);
  });
});

describe("a blocked carrier", () => {
  const carrier = "dispo@carrier.example";

  test("is left out of new shares, and its existing link answers 404 until it is unblocked", async () => {
    const { ask } = await createMember(service);
    await ask("POST", "/api/v1/accounts", { json: { email: carrier, role: "carrier" } });
    const { freightId } = await createFreight(ask);
    const link = await shareWith(ask, freightId, { email: carrier });
    expect((await service.fetch(link.path)).status).toBe(200);
    // Waits until the link is mailed. If the carrier were blocked before, the mail would never be sent.
    const mailed = [{ email: carrier, mailedAt: expect.any(String) }];
    await vi.waitFor(async () => expect((await read(ask, freightId)).body.shares).toMatchObject(mailed), soon);
    await block(ask, { email: carrier });
    expect((await service.fetch(link.path)).status).toBe(404);
    const { body } = await ask<{ items: { email: string }[] }>("POST", "/api/v1/freights/share", {
      json: { freightIds: [freightId], recipients: [carrier, "other@carrier.example"] },
    });
    expect(body.items.map(({ email }) => email)).toEqual(["other@carrier.example"]);
    await unblock(ask, { email: carrier });
    expect((await service.fetch(link.path)).status).toBe(200);
  });
});
