import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Env } from "../../src/platform/env.ts";
import { deleteOrphans } from "../../src/platform/orphans.ts";
import { reconcile } from "../../src/reconcile.ts";
import { apiClient } from "../support/api-client.ts";
import { hour, minute, createFreight, withdraw, growing } from "../support/freights.ts";
import { openService, type TestService } from "../support/service.ts";

let service: TestService;

beforeAll(async () => {
  service = await openService({ own: true });
});

afterAll(() => service.stop());

/** Reconciles at the time `now` with fake objects. Returns the objects that were called. */
async function touched(now: number): Promise<string[]> {
  const found: string[] = [];
  const objects = (binding: string) => ({
    getByName: (name: string) => ({ waitUntilComplete: async () => void found.push(`${binding} ${name}`) }),
  });
  const FILES = {
    get: async () => null,
    put: async () => undefined,
    list: async () => ({ objects: [], truncated: false }),
  };
  const env = { ARCHIVE: service.archive, FILES, ORDERS: objects("ORDERS"), FREIGHTS: objects("FREIGHTS") };
  const quiet = vi.spyOn(console, "log").mockImplementation(() => undefined);
  await reconcile(env as unknown as Env, now);
  quiet.mockRestore();
  return found;
}

test("uploads of an interrupted request are deleted after a day, and nothing else is", async () => {
  const bucket = await service.mf.getR2Bucket("FILES", "lorry");
  for (const key of ["uploads/one/1", "uploads/one/2", "uploadsfolder/1", "company/orders/one/original"])
    await bucket.put(key, "bytes");
  const left = async (now: number) => {
    const quiet = vi.spyOn(console, "log").mockImplementation(() => undefined);
    await reconcile({ ARCHIVE: service.archive, FILES: bucket, ORDERS: {}, FREIGHTS: {} } as unknown as Env, now);
    quiet.mockRestore();
    return (await bucket.list()).objects.map(({ key }) => key).filter((key) => !key.startsWith("sweep/"));
  };
  const onTheHour = Math.ceil(Date.now() / hour) * hour;
  expect(await left(onTheHour + 22 * hour)).toHaveLength(4);
  expect(await left(onTheHour + 25 * hour)).toEqual(["company/orders/one/original", "uploadsfolder/1"]);
});

test("a freight is woken when it is five minutes overdue, and not before", async () => {
  const { id, key } = service.company();
  const ask = apiClient(service, key);
  const { freightId, publishedAt } = await createFreight(ask, { payment: growing() });
  const gone = await createFreight(ask, { payment: growing() });
  await withdraw(ask, gone.freightId);
  await vi.waitUntil(
    async () => (await ask<{ items: unknown[] }>("GET", "/api/v1/freights/archive")).body.items.length === 1,
    { timeout: 50_000 },
  );
  await vi.waitUntil(async () => (await ask<{ items: unknown[] }>("GET", "/api/v1/freights")).body.items.length === 1, {
    timeout: 50_000,
  });
  const step = Date.parse(publishedAt!) + hour;
  expect(await touched(step + 5 * minute)).toEqual([]);
  expect(await touched(step + 5 * minute + 1)).toEqual([`FREIGHTS ${id}/${freightId}`]);
});

test("expired events are deleted in one run, however many they are", async () => {
  const now = Date.now();
  const aDay = 24 * hour;
  await service.archive
    .prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 4500)
       insert into events (id, company, type, createdAt, event) select 'old' || i, 'c', 't', ?, '{}' from n`,
    )
    .bind(new Date(now - 30 * aDay - minute).toISOString())
    .run();
  const left = () => service.archive.prepare("select count(*) as n from events where company = 'c'").first<number>("n");
  expect(await left()).toBe(4500);
  await touched(now - hour);
  expect(await left()).toBe(4500);
  await touched(now);
  expect(await left()).toBe(0);
});

test("a stored file that no record refers to is deleted after a day, and no other is", async () => {
  const { id: company, key } = service.company();
  const ask = apiClient(service, key);
  const file = (text: string) => new File([`Transport order ${text}`], "order.txt", { type: "text/plain" });
  const form = (fields: Record<string, string | File>) => {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.append(name, value);
    return { body };
  };
  await ask("POST", "/api/v1/orders/file", form({ file: file("one") }));
  await ask("POST", "/api/v1/document-collections/files", form({ file: file("two") }));
  const statement = new File(
    ["Date;Plate;Product;Litres;Total;Currency\n05.10.2026;WGM 12345;Diesel;10,00;15,00;EUR\n"],
    "a.csv",
  );
  await ask("POST", "/api/v1/transactions-feed", form({ file: statement }));
  const { body: order } = await ask("POST", "/api/v1/orders/upsert", {
    json: { orderNumber: "CO-1", requiredDocumentTypes: "cmr", carrier: { name: "Vzorová", vatCode: "CZ12345679" } },
  });
  await ask(
    "POST",
    `/api/v1/orders/${String(order["orderId"])}/documents`,
    form({ documentType: "cmr", file: file("three") }),
  );
  const bucket = await service.mf.getR2Bucket("FILES", "lorry");
  const stored = (await bucket.list({ prefix: `${company}/`, include: ["customMetadata"] })).objects.filter(
    ({ customMetadata }) => customMetadata?.["owner"],
  );
  expect(new Set(stored.map(({ key: name }) => name.split("/")[1]))).toEqual(
    new Set(["orders", "piles", "transactions-feed"]),
  );
  expect(stored).toHaveLength(4);
  const orphans: string[] = [];
  for (const { key: name, customMetadata } of stored) {
    await bucket.put(`${name}-again`, "bytes", { customMetadata: customMetadata! });
    orphans.push(`${name}-again`);
  }
  await bucket.put(`${company}/orders/none/original-1`, "bytes", {
    customMetadata: { owner: `ORDERS/${company}/none` },
  });
  await bucket.put(`${company}/orders/none/original`, "bytes");
  orphans.push(`${company}/orders/none/original-1`);
  const names = async () => (await bucket.list({ prefix: `${company}/` })).objects.map(({ key: name }) => name);
  const all = await names();
  const bindings = ["ORDERS", "DOCUMENT_COLLECTIONS", "LEDGERS"];
  const objects = await Promise.all(
    bindings.map(async (binding) => [binding, await service.mf.getDurableObjectNamespace(binding, "lorry")]),
  );
  const env = { ...Object.fromEntries(objects), FILES: bucket } as Env;
  const lost = (before: readonly string[], after: readonly string[]) => before.filter((name) => !after.includes(name));
  const now = Date.now();
  expect(await deleteOrphans(env, now + 23 * hour)).toBe(0);
  expect(lost(all, await names())).toEqual([]);
  expect(await deleteOrphans(env, now + 25 * hour)).toBe(orphans.length);
  expect(lost(all, await names()).toSorted()).toEqual(orphans.toSorted());
});
