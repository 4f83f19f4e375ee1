import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Env } from "../../../src/platform/env.ts";
import { apiClient } from "../../support/api-client.ts";
import { completePrivacyRequest, forgottenAfter } from "../../support/privacy.ts";
import { openService, type TestService } from "../../support/service.ts";
import { transactionClient, purchase, type TransactionClient } from "../../support/transactions.ts";

let service: TestService;
const fresh = (): TransactionClient => transactionClient(service, service.company());
const soon = { timeout: 120_000, interval: 200 };

beforeAll(async () => {
  service = await openService({ own: true });
});
afterAll(() => service.stop());

async function erase(mine: TransactionClient, person: object): Promise<void> {
  const { privacyRequestId: id } = await mine.json<{ privacyRequestId: string }>("/privacy/erase", "POST", person, 202);
  await vi.waitFor(async () => {
    const answer = await mine.asked(`/privacy/requests/${id}`);
    expect(await answer.json()).toMatchObject({ status: "Done" });
  }, soon);
}

test(
  "a phone number is erased from texts only, not from amounts, dates, plates and ids",
  { timeout: 300_000 },
  async () => {
    const mine = fresh();
    await mine.vehicle({ licensePlate: "WGM 12345" });
    const phone = "+48 22 29 67 56";
    const said = purchase({
      latitude: 52.2296756,
      longitude: 21.0122287,
      grossAmount: 222_967.56,
      vin: "WDB96340322296756",
    });
    const { transactionId } = await mine.one({ ...said, externalId: "T-1", station: `Call ${phone}` });
    const before = await (await mine.asked(`/transactions-feed/${transactionId}`)).json<Record<string, unknown>>();
    await erase(mine, { phone });
    const [after] = await mine.list();
    expect(after).toEqual({ ...before, station: "Call +000000000" });
    expect(await mine.list("summary=month")).toMatchObject([{ count: 1, grossAmount: 222_967.56 }]);
    expect(await mine.one(purchase({ occurredAt: "2026-10-06T08:00" }))).toMatchObject({ station: "Rasthof Beispiel" });
  },
);

test("a driver is erased from every row, and the totals stay the same", { timeout: 300_000 }, async () => {
  const mine = fresh();
  await mine.vehicle({
    licensePlate: "WGM 12345",
    assignments: [{ driver: { name: "Petra Sondermann" }, from: "2026-01-01" }],
  });
  // A row without a number. It is posted twice, with the driver's name in two notations and no other difference.
  const bare = purchase({
    externalId: undefined,
    productName: "Wash",
    quantity: undefined,
    unit: undefined,
    unitPrice: undefined,
  });
  await mine.post([
    { ...bare, station: "Petra Sondermann" },
    { ...bare, station: "SONDERMANN, PETRA" },
    purchase({ externalId: "Petra Sondermann 1", licensePlate: "XX 0000", driver: "Petra Sondermann" }),
  ]);
  const sums = async () => (await mine.list<{ count: number; grossAmount: number }>("summary=country"))[0];
  const before = await sums();
  expect(before).toMatchObject({ count: 3 });
  await erase(mine, { name: "Petra Sondermann" });
  expect(JSON.stringify(await mine.list())).not.toMatch(/sondermann/i);
  expect(JSON.stringify(await mine.list("summary=driver"))).not.toMatch(/sondermann/i);
  expect(await sums()).toEqual(before);
  expect(await mine.post([{ ...bare, station: "Petra Sondermann" }])).toMatchObject({ accepted: 0, duplicates: 1 });
});

test("a driver is found and erased in rows that are far apart", { timeout: 300_000 }, async () => {
  const company = service.company();
  const mine = transactionClient(service, company);
  const row = (at: number) =>
    `T-${at};2026-10-05;WGM 12345;Wash;${at + 1},00;EUR;${at === 7 || at === 4500 ? "Petra Sondermann" : "Jan Przykładowy"}\n`;
  const text = `Transaction ID;Date;Plate;Product;Gross;Currency;Driver\n${Array.from({ length: 4600 }, (_, at) => row(at)).join("")}`;
  const { feedId } = await mine.file(text, "statement.csv");
  expect(await mine.ended(feedId)).toMatchObject({ accepted: 4600 });
  const ask = apiClient(service, company.key);
  const { privacyRequestId: id } = await completePrivacyRequest(ask, "export", { name: "Petra Sondermann" });
  const { body } = await ask<{ records: { url: string }[] }>("GET", `/api/v1/privacy/requests/${id}/result`);
  const ids = async () =>
    Promise.all(["T-7", "T-4500"].map(async (number) => (await mine.list(`externalId=${number}`))[0]!.transactionId));
  const urls = body.records.map(({ url }) => url);
  for (const transactionId of await ids()) expect(urls).toContain(`/api/v1/transactions-feed/${transactionId}`);
  await erase(mine, { name: "Petra Sondermann" });
  expect(JSON.stringify(await mine.list())).not.toMatch(/sondermann/i);
  expect(await mine.list("driver=Jan Przykładowy")).toHaveLength(4598);
});

test("if one of two vehicles with the same plate is deleted, later transactions match the other", async () => {
  const mine = fresh();
  const first = await mine.vehicle({ licensePlate: "WGM 12345" });
  const second = await mine.vehicle({ licensePlate: "WGM 12345" });
  expect(await mine.one(purchase())).toMatchObject({ vehicleId: second.vehicleId });
  await mine.asked(`/vehicles/${second.vehicleId}`, { method: "DELETE" });
  expect(await mine.one(purchase({ occurredAt: "2026-10-06T08:00" }))).toMatchObject({ vehicleId: first.vehicleId });
});

test(
  "transactions and files that have not changed for the retention period are deleted",
  { timeout: 300_000 },
  async () => {
    const company = service.company();
    const mine = transactionClient(service, company);
    await mine.vehicle({ licensePlate: "WGM 12345" });
    const text = "Date;Plate;Product;Gross;Currency\n2026-10-05;WGM 12345;Wash;595,00;EUR\n";
    const { feedId } = await mine.file(text, "statement.csv");
    await mine.post([purchase({ quantity: 5000 })]);
    const env = (await service.mf.getBindings("lorry")) as unknown as Env;
    const json = { transactions: 30, transactionFeeds: 10 };
    expect(await mine.json("/privacy/retention", "PUT", json, 200)).toEqual(json);
    const later = (days: number) => forgottenAfter(env, company.id, json, days);
    const files = async () => (await env.FILES.list({ prefix: `${company.id}/` })).objects.length;
    const events = async () =>
      (await (await mine.asked("/events?limit=100")).json<{ items: { eventType: string }[] }>()).items.map(
        ({ eventType }) => eventType,
      );
    await vi.waitFor(async () => expect(await events()).toContain("TransactionFlagged"), soon);

    await later(9);
    expect([await files(), (await mine.list()).length]).toEqual([1, 2]);
    await later(11);
    expect([await files(), (await mine.list()).length]).toEqual([0, 2]);
    expect((await mine.asked(`/transactions-feed/feeds/${feedId}`)).status).toBe(404);
    await later(31);
    expect(await mine.list()).toEqual([]);
    expect(await mine.list("summary=month")).toEqual([]);
    expect(await events()).not.toContain("TransactionFlagged");
  },
);

/** Returns the path of the database of the only ledger in the folder. */
async function ledgerIn(folder: string): Promise<string> {
  const files = await readdir(folder, { recursive: true });
  const found = files.filter((file) => /LedgerObject[^/]*\/[0-9a-f]{64}\.sqlite$/.test(file));
  expect(found).toHaveLength(1);
  return join(folder, found[0]!);
}

test("an import whose worker is lost is resumed by the scheduled sweep", { timeout: 300_000 }, async () => {
  const state = await mkdtemp(join(tmpdir(), "lorry-ledger-"));
  const company = { id: crypto.randomUUID(), key: "of-the-ledger" };
  const vars = { LOCAL_KEYS: JSON.stringify({ [company.key]: company.id }) };
  const first = await openService({ state, vars });
  const rows = Array.from({ length: 600_000 }, (_, at) => `T-${at};2026-10-05;WGM 12345;Wash;${at + 1},00;EUR\n`);
  const text = `Transaction ID;Date;Plate;Product;Gross;Currency\n${rows.join("")}`;
  const { feedId, status } = await transactionClient(first, company).file(text, "statement.csv");
  expect(status).toBe("Importing");
  await first.stop();
  // Deletes the alarm of the ledger, and the job that the alarm would send again.
  const database = new DatabaseSync(await ledgerIn(state));
  database.exec("delete from work; delete from _cf_METADATA");
  database.close();

  const second = await openService({ state, vars });
  const accepted = async () => (await transactionClient(second, company).feed(feedId)).accepted;
  const before = await accepted();
  await second.archive
    .prepare("update imports set since = ?")
    .bind(new Date(Date.now() - 6 * 60_000).toISOString())
    .run();
  const swept = await second.mf.dispatchFetch("http://lorry/cdn-cgi/local/scheduled?cron=*+*+*+*+*");
  expect(await swept.text()).toBe("ok");
  await vi.waitFor(async () => expect(await accepted()).toBeGreaterThan(before), soon);
  await second.stop();
  await rm(state, { recursive: true });
});
