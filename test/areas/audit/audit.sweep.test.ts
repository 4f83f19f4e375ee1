import { mkdtemp, rm } from "node:fs/promises";
import { randomBytes, randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { apiClient } from "../../support/api-client.ts";
import { waitForAudit } from "../../support/audit.ts";
import { openService } from "../../support/service.ts";

// The audit log: each change with its operation, actor and resource.

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
  const entries = await waitForAudit(
    apiClient(second, company.key),
    "operation=companies.update&limit=200",
    facts.length,
  );
  expect(new Set(entries.map(({ resource }) => resource.version)).size).toBe(facts.length);
  await second.stop();
  await rm(state, { recursive: true });
});
