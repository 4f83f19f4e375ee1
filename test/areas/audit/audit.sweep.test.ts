import { mkdtemp, rm } from "node:fs/promises";
import { randomBytes, randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { apiClient, type ApiClient } from "../../support/api-client.ts";
import { openService, type TestService } from "../../support/service.ts";

// The audit log: each change with its operation, actor and resource.

let service: TestService;

beforeAll(async () => {
  service = await openService();
});

afterAll(() => service.stop());

interface Entry {
  auditId: string;
  at: string;
  operation: string;
  actor: { type: string; keyId?: string; accountId?: string; shareId?: string };
  resource: { type: string; id: string; version: number };
  about?: string;
  requestId?: string;
}

const soon = { timeout: 50_000, interval: 100 };

/** Waits until `count` entries match the query, and returns them. */
const logged = (ask: ApiClient, query: string, count: number): Promise<Entry[]> =>
  vi.waitFor(async () => {
    const { body } = await ask<{ items: Entry[] }>("GET", `/api/v1/audit?${query}`);
    expect(body.items).toHaveLength(count);
    return body.items;
  }, soon);

test("every answered change is in the audit log after a restart of the service", async () => {
  const state = await mkdtemp(join(tmpdir(), "lorry-audit-"));
  const company = { key: `test-${randomUUID()}`, id: randomUUID() };
  const vars = {
    LOCAL_KEYS: JSON.stringify({ [company.key]: company.id }),
    SEAL_KEY: randomBytes(32).toString("base64"),
  };
  const first = await openService({ state, vars });
  const before = apiClient(first, company.key);
  const facts = Array.from({ length: 30 }, (_, at) => ({ name: `Trans Beispiel ${at}` }));
  for (const json of facts) expect((await before("PUT", "/api/v1/company", { json })).status).toBe(200);
  await first.stop();
  const second = await openService({ state, vars });
  const entries = await logged(apiClient(second, company.key), "operation=companies.update&limit=200", facts.length);
  expect(new Set(entries.map(({ resource }) => resource.version)).size).toBe(facts.length);
  await second.stop();
  await rm(state, { recursive: true });
});
