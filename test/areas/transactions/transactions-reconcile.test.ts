import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { reconciliationDiff, type InvoiceLine } from "../../../src/areas/transactions/reconciliation-diff.ts";
import { openService, type TestService } from "../../support/service.ts";
import { transactionClient, purchase, type TransactionClient } from "../../support/transactions.ts";

let service: TestService;
const fresh = (): TransactionClient => transactionClient(service, service.company());

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

async function read(mine: TransactionClient, text: string, name = "invoice.txt"): Promise<string> {
  const form = new FormData();
  form.set("file", new File([text], name));
  form.set("type", "Invoices");
  const answer = await mine.asked("/documents", { method: "POST", body: form, headers: { prefer: "wait=60" } });
  return (await answer.json<{ documentId: string }>()).documentId;
}

const settle = (mine: TransactionClient, body: object, status = 200) =>
  mine.json<Record<string, unknown>>("/transactions-feed/reconcile", "POST", body, status);

const october = { from: "2026-10-01", to: "2026-10-31" };
const usual: Amounts = { net: "500.00", vat: "95.00", gross: "595.00" };
const fill = (day: number, more: Record<string, unknown> = {}) =>
  purchase({ occurredAt: `2026-10-${String(day).padStart(2, "0")}T08:00`, ...more });

describe("an invoice of a period", () => {
  test("covers neither transactions of another invoice nor ignored ones", async () => {
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

  test("is compared with net amounts if the transactions have no others", async () => {
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

  test("counts every transaction, and changes each of them", async () => {
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

describe("differences", () => {
  const line = (name: string, net: number) =>
    `<cac:InvoiceLine><cbc:InvoicedQuantity unitCode="C62">1</cbc:InvoicedQuantity><cbc:LineExtensionAmount>${net}.00</cbc:LineExtensionAmount><cac:Item><cbc:Name>${name}</cbc:Name></cac:Item></cac:InvoiceLine>`;
  const ubl = (net: number, lines: string) =>
    `<?xml version="1.0"?><Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2" xmlns:cac="a" xmlns:cbc="b"><cbc:ID>BK/9</cbc:ID><cbc:IssueDate>2026-10-12</cbc:IssueDate><cbc:DocumentCurrencyCode>EUR</cbc:DocumentCurrencyCode><cac:LegalMonetaryTotal><cbc:TaxExclusiveAmount>${net}.00</cbc:TaxExclusiveAmount></cac:LegalMonetaryTotal>${lines}</Invoice>`;

  test("cover all rows and invoice lines, however many there are", async () => {
    const mine = fresh();
    const row = (at: number, product: string) => `T-${at};05.10.2026;WGM 12345;${product};${at},00;EUR\n`;
    const rows = Array.from({ length: 1300 }, (_, at) => row(at + 1, "Wash"));
    const text = `Transaction ID;Date;Plate;Product;Net amount;Currency\n${rows.join("")}${row(2001, "Toll")}${row(2002, "Toll")}`;
    const { feedId } = await mine.file(text, "statement.csv");
    expect(await mine.ended(feedId)).toMatchObject({ accepted: 1302 });
    const lines = Array.from({ length: 1299 }, (_, at) => line(`Wash ${at + 1}`, at + 1));
    const bytes = ubl(852_457, `${lines.join("")}${line("Toll, October", 4003)}${line("Ferry", 9000)}`);
    const documentId = await read(mine, bytes, "invoice.xml");
    const { missing, extra, ...told } = await settle(mine, { documentId, feedId });
    expect(told).toMatchObject({ result: "Different", transactions: { count: 1302, netAmount: 849_653 } });
    expect(missing).toEqual([{ description: "Ferry", quantity: 1, amount: 9000 }]);
    expect(extra).toMatchObject([{ externalId: "T-1300", netAmount: 1300 }]);
  });

  test("match a line with one transaction, or with the sum of a product", () => {
    const bought = [595, 595, 595, 595, 70].map((gross, n) => ({
      n,
      net: null,
      gross: gross * 100,
      productName: n < 3 ? "Diesel" : "Toll",
    }));
    const billed = (amount: number): InvoiceLine => ({ amount, cents: amount * 100, by: "gross" });
    expect(reconciliationDiff([billed(1785), billed(595), billed(70)], bought)).toEqual({ missing: [], extra: [] });
    expect(reconciliationDiff([billed(70), billed(70)], bought)).toEqual({
      missing: [billed(70)],
      extra: [0, 1, 2, 3],
    });
    expect(reconciliationDiff([{ ...billed(70), by: "net" }], bought).missing).toHaveLength(1);
  });
});

test("an invoice without a currency is refused for transactions of several currencies", async () => {
  const mine = fresh();
  await mine.vehicle({ licensePlate: "WGM 12345" });
  await mine.post([fill(1), fill(5, { currency: "PLN" })]);
  const documentId = await read(mine, invoice("BK/1", { net: "1000.00", vat: "190.00", gross: "1190.00" }, ""));
  expect(await settle(mine, { documentId, ...october }, 409)).toMatchObject({ errorCode: "invalid_state" });
  expect(await mine.list("status=Reconciled")).toEqual([]);
});

test("a reconciliation is in the audit log as a change of transactions", async () => {
  const company = service.company();
  const mine = transactionClient(service, company);
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
