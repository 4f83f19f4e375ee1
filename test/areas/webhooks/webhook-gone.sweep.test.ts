import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Response as Answer } from "miniflare";
import { expect, test, vi } from "vitest";
import { apiClient } from "../../support/api-client.ts";
import { openService } from "../../support/service.ts";
import { subscriptionOf } from "../../support/webhooks.ts";

// A webhook more than 30 days after its deletion.

const aDay = 24 * 60 * 60 * 1000;

/** Calls `look` with the database of the only webhook, or with the database of all objects' alarms. */
async function into<Found>(
  folder: string,
  which: "Webhook" | "Alarms",
  look: (database: DatabaseSync) => Found,
): Promise<Found> {
  const files = (await readdir(folder, { recursive: true })).filter((path) =>
    /SubscriptionObject.*\.sqlite$/.test(path),
  );
  const [path] = files.filter((file) => file.endsWith("metadata.sqlite") === (which === "Alarms"));
  const database = new DatabaseSync(join(folder, path!));
  try {
    return look(database);
  } finally {
    database.close();
  }
}

const tablesOf = (database: DatabaseSync) =>
  (database.prepare("select name from sqlite_master where type = 'table'").all() as { name: string }[])
    .map(({ name }) => name)
    .filter((name) => !name.startsWith("_cf") && !name.startsWith("sqlite_"));

const alarmsIn = (database: DatabaseSync) => database.prepare("select actor_name from _cf_ALARM").all();

/** Changes the time of the deletion to 31 days ago. */
function aged(database: DatabaseSync): void {
  const { json } = database.prepare("select json from state").get() as { json: string };
  const deletedAt = new Date(Date.now() - 31 * aDay).toISOString();
  database.prepare("update state set json = ?").run(JSON.stringify({ ...JSON.parse(json), deletedAt }));
}

test("a deleted webhook leaves no data and no alarm after 30 days", async () => {
  const state = await mkdtemp(join(tmpdir(), "lorry-gone-"));
  const logs = join(state, "..", `lorry-gone-${randomUUID()}.log`);
  const company = { key: `test-${randomUUID()}`, id: randomUUID() };
  const opened = () =>
    openService({
      state,
      logs,
      internet: () => new Answer(null, { status: 204 }),
      vars: { LOCAL_KEYS: JSON.stringify({ [company.key]: company.id }) },
    });
  let service = await opened();
  const ask = () => apiClient(service, company.key);
  const { body } = await ask()<{ subscriptionId: string }>("POST", "/api/v1/webhooks", {
    json: { eventType: "All", callbackUrl: "https://receiver.example/hook" },
  });
  const path = `/api/v1/webhooks/${body.subscriptionId}`;
  expect((await ask()("POST", `${path}/test`)).body).toMatchObject({ delivered: true });
  expect((await ask()("DELETE", path)).status).toBe(204);
  await service.stop();
  await into(state, "Webhook", aged);

  service = await opened();
  const object = await subscriptionOf(service, company, body.subscriptionId);
  // Any call to the object sets its alarm if work is due.
  await object.erase({ name: "Nobody Atall" });
  await vi.waitFor(
    async () => {
      expect(await into(state, "Webhook", tablesOf)).toEqual([]);
      expect(await into(state, "Alarms", alarmsIn)).toEqual([]);
    },
    { timeout: 60_000, interval: 250 },
  );
  expect(await object.enqueue([])).toBe("Gone");
  await service.stop();
  // If nothing was logged, there is no log file.
  expect(await readFile(logs, "utf8").catch(() => "")).not.toContain("Subscription.alarm");
  await Promise.all([rm(state, { recursive: true }), rm(logs, { force: true })]);
});
