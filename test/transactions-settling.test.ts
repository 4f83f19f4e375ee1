import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { openService, type TestService } from "./service.ts";
import { books, purchase, type Books } from "./transactions.ts";

let service: TestService;
const fresh = (): Books => books(service, service.company());

beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.stop());

interface Amounts {
  net: string;
  vat: string;
  gross: string;
}

const invoice = (number: string, { net, vat, gross }: Amounts, currency = " EUR") =>
  `INVOICE ${number}\nDate: 12.10.2026\nDue date: 26.11.2026\n\nSeller:\nBeispielkarte GmbH\nHafenstr. 4, 20457 Hamburg\n\nBuyer:\nTrans Beispiel Sp. z o.o.\nul. Polna 7, 63-300 Pleszew\nVAT PL5260250274\n\nFuel and toll, October\nNet ${net}\nVAT 19 % ${vat}\nTotal ${gross}${currency}\n`;

async function read(mine: Books, text: string): Promise<string> {
  const form = new FormData();
  form.set("file", new File([text], "invoice.txt"));
  form.set("type", "Invoices");
  const answer = await mine.asked("/documents", { method: "POST", body: form, headers: { prefer: "wait=60" } });
  return (await answer.json<{ documentId: string }>()).documentId;
}

const settle = (mine: Books, body: object, status = 200) =>
  mine.json<Record<string, unknown>>("/transactions-feed/reconcile", "POST", body, status);

const october = { from: "2026-10-01", to: "2026-10-31" };
const usual: Amounts = { net: "500.00", vat: "95.00", gross: "595.00" };
const fill = (day: number, more: Record<string, unknown> = {}) =>
  purchase({ occurredAt: `2026-10-${String(day).padStart(2, "0")}T08:00`, ...more });

describe("an invoice of a period", () => {
  test("is for what no other invoice was for, and not for what is ignored", async () => {
    const mine = fresh();
    await mine.vehicle({ licensePlate: "WGM 12345" });
    const { feedId } = await mine.post([fill(1)]);
    const first = await read(mine, invoice("BK/1", usual));
    expect(await settle(mine, { documentId: first, feedId })).toMatchObject({ result: "Reconciled", reconciled: 1 });
    await mine.post([fill(5), fill(9, { licensePlate: "XX 0000" })]);
    const [stranger] = await mine.list("licensePlate=XX0000");
    await mine.change(stranger!.transactionId, { status: "Ignored" });
    const second = await read(mine, invoice("BK/2", usual));
    expect(await settle(mine, { documentId: second, ...october })).toMatchObject({
      result: "Reconciled",
      transactions: { count: 1, grossAmount: 595 },
      reconciled: 1,
    });
    const settled = await mine.list("status=Reconciled&sort=occurredAt");
    expect(settled.map(({ documentId }) => documentId)).toEqual([first, second]);
    expect(await settle(mine, { documentId: first, ...october })).toMatchObject({
      result: "Reconciled",
      reconciled: 1,
    });
  });

  test("is held against net amounts where the transactions tell no others", async () => {
    const mine = fresh();
    await mine.vehicle({ licensePlate: "WGM 12345" });
    await mine.post([fill(1, { vatAmount: undefined, grossAmount: undefined })]);
    const documentId = await read(mine, invoice("BK/1", usual));
    expect(await settle(mine, { documentId, ...october })).toMatchObject({
      result: "Reconciled",
      difference: 0,
      reconciled: 1,
    });
  });

  test("counts every transaction, and changes each of them", { timeout: 120_000 }, async () => {
    const mine = fresh();
    await mine.vehicle({ licensePlate: "WGM 12345" });
    const rows = Array.from(
      { length: 3000 },
      (_, at) => `T-${at};${String(1 + (at % 28)).padStart(2, "0")}.10.2026;WGM 12345;Wash;${at + 1},00;EUR\n`,
    );
    const text = `Transaction ID;Date;Plate;Product;Gross amount;Currency\n${rows.join("")}`;
    const { feedId } = await mine.file(text, "statement.csv");
    const { matched } = await mine.ended(feedId);
    expect(matched).toBe(3000);
    const documentId = await read(mine, invoice("BK/1", { net: "3782773.11", vat: "718726.89", gross: "4501500.00" }));
    expect(await settle(mine, { documentId, feedId })).toMatchObject({
      result: "Reconciled",
      transactions: { count: 3000, grossAmount: 4_501_500 },
      reconciled: 3000,
      unsettled: 0,
    });
    const settled = await mine.list(`feedId=${feedId}`);
    expect(settled.every((one) => one.status === "Reconciled" && one["documentId"] === documentId)).toBe(true);
    const one = await mine.asked(`/transactions-feed/${settled[0]!.transactionId}`);
    expect(one.headers.get("etag")).toMatch(/^"2[-"]/);
  });
});

test("an invoice without a currency is for transactions of one", async () => {
  const mine = fresh();
  await mine.vehicle({ licensePlate: "WGM 12345" });
  await mine.post([fill(1), fill(5, { currency: "PLN" })]);
  const documentId = await read(mine, invoice("BK/1", { net: "1000.00", vat: "190.00", gross: "1190.00" }, ""));
  expect(await settle(mine, { documentId, ...october }, 409)).toMatchObject({ errorCode: "invalid_state" });
  expect(await mine.list("status=Reconciled")).toEqual([]);
});

test("reconciling is in the audit log as a change of transactions", async () => {
  const company = service.company();
  const mine = books(service, company);
  await mine.vehicle({ licensePlate: "WGM 12345" });
  await mine.post([fill(1)]);
  const documentId = await read(mine, invoice("BK/1", usual));
  await settle(mine, { documentId, ...october });
  await vi.waitFor(
    async () => {
      const answer = await mine.asked("/audit?operation=transactions.reconcile");
      const { items } = await answer.json<{ items: object[] }>();
      expect(items).toMatchObject([{ resource: { type: "Transactions", id: company.id }, about: documentId }]);
    },
    { timeout: 60_000 },
  );
});
