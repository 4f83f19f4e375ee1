import { Response as Answer } from "miniflare";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { ApiClient } from "../../support/api-client.ts";
import { createFreight, read } from "../../support/freights.ts";
import { anna, block, createMember, unblock, type Account } from "../../support/accounts.ts";
import { openService, type TestService } from "../../support/service.ts";

// Accounts: roles and keys, and the effect of blocking on freights, links, webhooks and carriers.

let service: TestService;

beforeAll(async () => {
  service = await openService({
    internet: () => new Answer(null, { status: 204 }),
    vars: { LOCAL_MAIL: "true" },
  });
});

afterAll(() => service.stop());

const long = { timeout: 90_000, interval: 200 };
const statusOf = async (ask: ApiClient, freightId: string) => (await read(ask, freightId)).body.status;

describe("a blocked account", () => {
  test("has its freights suspended, also if another account with its address was deleted before", async () => {
    const { ask, account } = await createMember(service);
    const { freightId } = await createFreight(ask, { owner: anna });
    const isNow = (status: string) =>
      vi.waitFor(async () => expect(await statusOf(ask, freightId)).toBe(status), { timeout: 50_000, interval: 100 });
    await block(ask);
    await isNow("Suspended");
    await unblock(ask);
    await isNow("Published");
    expect((await ask("DELETE", `/api/v1/accounts/${account.accountId}`)).status).toBe(204);
    await ask("POST", "/api/v1/accounts", { json: { email: anna, role: "forwarder" } });
    await block(ask);
    await isNow("Suspended");
  });

  test("that is erased has its webhooks moved to KeyRevoked and its freights published again", async () => {
    const { ask, member } = await createMember(service);
    const { body: webhook } = await member<{ subscriptionId: string }>("POST", "/api/v1/webhooks", {
      json: { eventType: "All", callbackUrl: "https://receiver.example/hook" },
    });
    const { freightId } = await createFreight(ask, { owner: anna });
    const path = `/api/v1/webhooks/${webhook.subscriptionId}`;
    const webhookIs = (disabledBecause: string) =>
      vi.waitFor(async () => expect((await ask("GET", path)).body).toMatchObject({ disabledBecause }), long);
    await block(ask);
    await webhookIs("AccountBlocked");
    await vi.waitFor(async () => expect(await statusOf(ask, freightId)).toBe("Suspended"), long);

    await ask("POST", "/api/v1/privacy/erase", { json: { email: anna } });
    await webhookIs("KeyRevoked");
    expect((await ask("PUT", `${path}/reset`)).body).toMatchObject({ status: "Active" });
    await vi.waitFor(async () => {
      const { body } = await read(ask, freightId);
      expect(body).toMatchObject({ status: "Published", owner: "erased@privacy.invalid" });
    }, long);
    expect((await ask<{ items: Account[] }>("GET", "/api/v1/accounts")).body.items).toEqual([]);
  }, 200_000);
});
