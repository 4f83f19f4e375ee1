import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { localCompany, type Company } from "../../../src/areas/companies/model.ts";
import { forgetOlder } from "../../../src/areas/privacy/retention-jobs.ts";
import { type RetentionPosition, retentionCommands } from "../../../src/areas/privacy/retention.ts";
import type { Decision, CommandContext } from "../../../src/platform/decision.ts";
import type { Env } from "../../../src/platform/env.ts";
import { apiClient } from "../../support/api-client.ts";
import { createCarrierOrder } from "../../support/carriers.ts";
import { openService, type TestService } from "../../support/service.ts";

// The retention job deletes old records step by step.

let service: TestService;

beforeAll(async () => {
  service = await openService({ own: true });
});

afterAll(() => service.stop());

test("each run continues where the previous one stopped, and the last one has deleted everything", async () => {
  const { id: company, key } = service.company();
  const ask = apiClient(service, key);
  for (const orderNumber of ["A-1", "A-2"]) await createCarrierOrder(ask, { orderNumber });
  const left = async (list: string) => (await ask<{ items: unknown[] }>("GET", `/api/v1/${list}`)).body.items.length;
  await vi.waitFor(async () => expect([await left("orders"), await left("audit")]).toEqual([2, 2]), {
    timeout: 60_000,
    interval: 100,
  });
  const bindings = (await service.mf.getBindings("lorry")) as unknown as Env;
  const env: Env = { ...bindings, PRIVACY_STRETCH_MS: "0" };
  const inTwoDays = Date.now() + 2 * 24 * 60 * 60 * 1000;
  const retention = { audit: 1, mails: 1, orders: 1 };
  const places: (RetentionPosition | undefined)[] = [];
  for (let from: RetentionPosition | undefined; places.length === 0 || from;) {
    from = await forgetOlder(env, company, { retention, from }, inTwoDays);
    places.push(from);
  }
  expect(places.map((place) => place?.kind)).toEqual(["audit", "orders", undefined]);
  expect([await left("orders"), await left("audit")]).toEqual([0, 0]);
});

test("of two runs from the same position only the first counts", () => {
  const at = "2026-11-20T09:00:00.000Z";
  const moment = { at } as CommandContext;
  const came = (company: Company, ask: { from?: RetentionPosition; to?: RetentionPosition }) =>
    retentionCommands.came.decide(company, ask, moment) as Decision<Company, unknown, object>;
  const [first, second]: RetentionPosition[] = [
    { kind: "orders", after: "100" },
    { kind: "orders", after: "200" },
  ];
  const begun = came(localCompany(at), { to: first! });
  expect(begun).toMatchObject({ state: { retentionAt: first }, jobs: ["privacy.retain"] });
  const further = came(begun.state!, { from: first!, to: second! });
  expect(further).toMatchObject({ state: { retentionAt: second }, jobs: ["privacy.retain"] });
  expect(came(further.state!, { from: first! })).toEqual({ reply: {} });
  const ended = came(further.state!, { from: second! });
  expect(ended).toMatchObject({ completedJobs: ["privacy.retain"] });
  expect(ended.state).not.toHaveProperty("retentionAt");
});
