import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { openService } from "../../support/service.ts";
import { transactionClient } from "../../support/transactions.ts";

interface Total {
  count: number;
  litres: number;
  grossAmount: number;
}

const rows = (count: number) =>
  `Transaction ID;Date and time;Card;Plate;Station;Country;Product;Quantity;Price;Net;VAT;Gross;Currency\n${Array.from(
    { length: count },
    (_, at) => {
      const moment = new Date(Date.UTC(2026, 8, 1) + at * 60_000).toISOString().slice(0, 16).replace("T", " ");
      return `T-${at};${moment};70401234567${at % 90};WGM ${at % 400};Rasthof ${at % 50};DE;Diesel;300.00;1.2500;375.00;71.25;446.25;EUR`;
    },
  ).join("\n")}\n`;

test("a long file is imported in chunks, each row once, although the service restarts in between", async () => {
  const state = await mkdtemp(join(tmpdir(), "lorry-ledger-"));
  const key = `test-${crypto.randomUUID()}`;
  const vars = {
    LOCAL_KEYS: JSON.stringify({ [key]: crypto.randomUUID() }),
    SEAL_KEY: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
  };
  const count = 25_000;
  let running = await openService({ state, vars });
  const { feedId } = await transactionClient(running, { key }).file(rows(count), "statement.csv", { provider: "X" });
  await vi.waitUntil(
    async () => {
      const { accepted } = await transactionClient(running, { key }).feed(feedId);
      return accepted > 1000;
    },
    { timeout: 60_000, interval: 20 },
  );
  await running.stop();
  running = await openService({ state, vars });
  try {
    const mine = transactionClient(running, { key });
    const feed = await mine.ended(feedId);
    expect(feed).toMatchObject({ status: "Imported", accepted: count, duplicates: 0, rejectedCount: 0 });
    const totals = await mine.list<Total>("summary=country");
    expect(totals).toMatchObject([{ count, grossAmount: (44_625 * count) / 100, litres: 300 * count }]);
  } finally {
    await running.stop();
    await rm(state, { recursive: true });
  }
}, 400_000);
