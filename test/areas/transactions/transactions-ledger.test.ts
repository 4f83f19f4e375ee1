import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { openService, type TestService } from "../../support/service.ts";
import {
  transactionClient,
  purchase,
  type TransactionClient,
  type TransactionAnswer,
} from "../../support/transactions.ts";

let service: TestService;
const fresh = (): TransactionClient => transactionClient(service, service.company());

beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.stop());

interface Total {
  vehicleId?: string;
  driver?: string;
  countryCode?: string;
  month?: string;
  currency?: string;
  count: number;
  litres: number;
  netAmount: number;
  vatAmount: number;
  grossAmount: number;
  kinds: Record<string, number>;
}

const cents = (amount: unknown) => Math.round(Number(amount ?? 0) * 100);

/** Computes, from the list of transactions, the totals that the service should show. */
function totalsOf(items: TransactionAnswer[], by: (item: TransactionAnswer) => unknown) {
  const groups = Map.groupBy(
    items.filter(({ status }) => status !== "Voided" && status !== "Ignored"),
    (item) => JSON.stringify([by(item) ?? null, item["currency"] ?? null]),
  );
  return Object.fromEntries(
    [...groups].map(([key, some]) => {
      const sum = (field: string) => some.reduce((total, item) => total + cents(item[field]), 0);
      return [key, [some.length, sum("netAmount"), sum("vatAmount"), sum("grossAmount")]];
    }),
  );
}

const shownTotals = (totals: Total[], by: (total: Total) => unknown) =>
  Object.fromEntries(
    totals.map((total) => [
      JSON.stringify([by(total) ?? null, total.currency ?? null]),
      [total.count, cents(total.netAmount), cents(total.vatAmount), cents(total.grossAmount)],
    ]),
  );

const money = fc.integer({ min: -5_000_000, max: 5_000_000 }).map((amount) => amount / 100);
const line = fc.record({
  occurredAt: fc
    .tuple(fc.integer({ min: 7, max: 10 }), fc.integer({ min: 1, max: 28 }), fc.integer({ min: 0, max: 23 }))
    .map(
      ([month, day, hour]) =>
        `2026-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}T${String(hour).padStart(2, "0")}:30`,
    ),
  licensePlate: fc.constantFrom("WGM 12345", "PO 99999", "XX 00000"),
  countryCode: fc.constantFrom("DE", "PL", "FR"),
  currency: fc.constantFrom("EUR", "PLN"),
  type: fc.constantFrom("Purchase", "Purchase", "Purchase", "Refund", "Void"),
  productName: fc.constantFrom("Diesel", "AdBlue", "Maut"),
  quantity: fc.integer({ min: 0, max: 900_000 }).map((milli) => milli / 1000),
  netAmount: money,
  vatAmount: money,
  grossAmount: money,
});

describe("totals", () => {
  test("are the sums of the listed transactions, after any import and change", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { minLength: 20, maxLength: 60 }),
        fc.array(fc.nat(), { maxLength: 8 }),
        async (lines, chosen) => {
          const mine = fresh();
          await mine.vehicle({
            licensePlate: "WGM 12345",
            assignments: [{ driver: { name: "Jan" }, from: "2026-08-01" }],
          });
          await mine.post(lines.map((each, at) => ({ ...each, externalId: `T-${at % 50}` })));
          await mine.vehicle({ licensePlate: "PO 99999" });
          await vi.waitFor(async () => expect(await mine.list("licensePlate=PO99999&status=Unmatched")).toEqual([]), {
            timeout: 50_000,
          });
          const before = await mine.list();
          for (const at of chosen) {
            const { transactionId, status } = before[at % before.length]!;
            const next =
              status === "Unmatched" || status === "Flagged" ? "Ignored" : status === "Matched" ? "Voided" : undefined;
            if (next)
              await mine.asked(`/transactions-feed/${transactionId}`, {
                method: "PUT",
                body: JSON.stringify({ status: next }),
                headers: { "content-type": "application/json" },
              });
          }
          const items = await mine.list();
          const counted = await mine.list<Total>("summary=country");
          expect(shownTotals(counted, ({ countryCode }) => countryCode)).toEqual(
            totalsOf(items, (item) => item["countryCode"]),
          );
          const vehicles = await mine.list<Total>("summary=vehicle");
          expect(shownTotals(vehicles, ({ vehicleId }) => vehicleId)).toEqual(
            totalsOf(items, (item) => item["vehicleId"]),
          );
          const drivers = await mine.list<Total>("summary=driver");
          expect(shownTotals(drivers, ({ driver }) => driver)).toEqual(
            totalsOf(items, (item) => (item["driver"] as { name: string } | undefined)?.name),
          );
          // With this filter, the service computes the totals from all transactions instead of returning stored totals.
          const looked = await mine.list<Total>("summary=month&occurredFrom=2026-01-01");
          const kept = await mine.list<Total>("summary=month");
          expect(looked).toEqual(kept);
          for (const total of kept)
            expect(cents(total.grossAmount)).toBe(
              Object.values(total.kinds).reduce((sum, gross) => sum + cents(gross), 0),
            );
        },
      ),
      { numRuns: 5, endOnFailure: true },
    );
  });

  test("amounts are returned as they were posted, to the cent", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(money, { minLength: 1, maxLength: 50 }), async (amounts) => {
        const mine = fresh();
        await mine.post(
          amounts.map((grossAmount, at) =>
            purchase({
              externalId: `T-${at}`,
              grossAmount,
              occurredAt: `2026-10-05T08:${String(at).padStart(2, "0")}`,
              type: "Purchase",
            }),
          ),
        );
        const items = await mine.list("sort=createdAt");
        expect(items.map((item) => item["grossAmount"])).toEqual(amounts.map((amount) => amount + 0));
      }),
      { numRuns: 5, endOnFailure: true },
    );
  });
});

describe("changes by a caller", () => {
  test("are accepted if the status allows them, and refused otherwise", async () => {
    const mine = fresh();
    const { vehicleId } = await mine.vehicle({ licensePlate: "WGM 12345" });
    const at = (day: number) => ({ occurredAt: `2026-10-${String(day).padStart(2, "0")}T08:00` });
    const matched = async (day: number) => mine.one(purchase(at(day)));
    const unmatched = async (day: number) => mine.one(purchase({ ...at(day), licensePlate: "XX 0000" }));
    const flagged = async (day: number) => mine.one(purchase({ ...at(day), grossAmount: 700 }));
    const goes: [() => Promise<TransactionAnswer>, object, number, string][] = [
      [() => matched(1), { status: "Reconciled" }, 200, "Reconciled"],
      [() => matched(2), { status: "Flagged", comment: "Ask the driver." }, 200, "Flagged"],
      [() => matched(3), { status: "Voided" }, 200, "Voided"],
      [() => matched(4), { status: "Ignored" }, 409, "Matched"],
      [() => unmatched(5), { status: "Ignored" }, 200, "Ignored"],
      [() => unmatched(6), { status: "Matched" }, 400, "Unmatched"],
      [() => unmatched(7), { status: "Matched", vehicleId }, 200, "Matched"],
      [() => unmatched(8), { vehicleId }, 200, "Matched"],
      [() => unmatched(9), { licensePlate: "WGM-12345" }, 200, "Matched"],
      [() => unmatched(10), { vehicleId: crypto.randomUUID() }, 400, "Unmatched"],
      [() => unmatched(11), { status: "Reconciled" }, 409, "Unmatched"],
      [() => flagged(12), { status: "Matched" }, 200, "Matched"],
      [() => flagged(13), { status: "Ignored" }, 200, "Ignored"],
      [() => flagged(14), { status: "Voided" }, 200, "Voided"],
      [() => flagged(15), { status: "Reconciled" }, 409, "Flagged"],
    ];
    for (const [make, change, status, after] of goes) {
      const { transactionId } = await make();
      const answer = await mine.asked(`/transactions-feed/${transactionId}`, {
        method: "PUT",
        body: JSON.stringify(change),
        headers: { "content-type": "application/json" },
      });
      const text = await answer.text();
      expect([status, JSON.stringify(change)], text).toEqual([answer.status, JSON.stringify(change)]);
      const read = await mine.asked(`/transactions-feed/${transactionId}`);
      expect(await read.json(), JSON.stringify(change)).toMatchObject({ status: after });
    }
  });

  test("are refused for a voided transaction, and identical values change no version", async () => {
    const mine = fresh();
    await mine.vehicle({ licensePlate: "WGM 12345" });
    const { transactionId } = await mine.one(purchase());
    await mine.change(transactionId, { status: "Voided", comment: "Not ours" });
    for (const status of ["Matched", "Ignored", "Reconciled", "Flagged"]) {
      const refused = (await mine.change(transactionId, { status }, 409)) as unknown as Record<string, unknown>;
      expect(refused).toMatchObject({ errorCode: "invalid_state", currentStatus: "Voided", allowed: [] });
    }
    const path = `/transactions-feed/${transactionId}`;
    const put = (body: object, headers = {}) =>
      mine.asked(path, {
        method: "PUT",
        body: JSON.stringify(body),
        headers: { "content-type": "application/json", ...headers },
      });
    const first = await put({ comment: "Not ours" });
    expect(first.headers.get("etag")).toBe('"2"');
    expect((await put({ comment: "Ours" }, { "if-match": '"1"' })).status).toBe(412);
    expect((await put({ comment: "Ours" }, { "if-match": '"2"' })).headers.get("etag")).toBe('"3"');
  });
});

test("feedback can correct the plate of a transaction", async () => {
  const mine = fresh();
  const { vehicleId } = await mine.vehicle({ licensePlate: "WGM 12345" });
  const { transactionId: id } = await mine.one(purchase({ licensePlate: "WGN 12345" }));
  const said = (corrections: object[], status: number) =>
    mine.json<Record<string, unknown>>(
      "/feedback",
      "POST",
      { subject: { type: "Transaction", id }, rating: "Bad", corrections },
      status,
    );
  expect(await said([{ path: "/grossAmount", value: 1 }], 400)).toMatchObject({ errorCode: "validation_failed" });
  expect(await said([{ path: "/licensePlate", value: "WGM12345" }], 201)).toMatchObject({
    kind: "transaction",
    corrections: [{ path: "/licensePlate", before: "WGN12345", value: "WGM12345" }],
    fields: [{ field: "/licensePlate", right: 0, wrong: 1 }],
  });
  expect(await (await mine.asked(`/transactions-feed/${id}`)).json()).toMatchObject({
    status: "Matched",
    vehicleId,
    anomalies: [],
  });
  const unknown = { subject: { type: "Transaction", id: crypto.randomUUID() }, rating: "Good" };
  await mine.json("/feedback", "POST", unknown, 404);
});

describe("invoices", () => {
  const invoice = (gross: string, net: string, vat: string, number = "BK/2026/11") =>
    `INVOICE ${number}\nDate: 12.10.2026\nDue date: 26.11.2026\n\nSeller:\nBeispielkarte GmbH\nHafenstr. 4, 20457 Hamburg\n\nBuyer:\nTrans Beispiel Sp. z o.o.\nul. Polna 7, 63-300 Pleszew\nVAT PL5260250274\n\nFuel and toll, October\nNet ${net}\nVAT 19 % ${vat}\nTotal ${gross} EUR\n`;

  async function posted(mine: TransactionClient, text: string): Promise<string> {
    const form = new FormData();
    form.set("file", new File([text], "invoice.txt"));
    form.set("type", "Invoices");
    const answer = await mine.asked("/documents", { method: "POST", body: form, headers: { prefer: "wait=20" } });
    return (await answer.json<{ documentId: string }>()).documentId;
  }

  const settle = (mine: TransactionClient, body: object) =>
    mine.json<Record<string, unknown>>("/transactions-feed/reconcile", "POST", body, 200);

  test("with equal totals reconcile the matched transactions; others show the difference", async () => {
    const mine = fresh();
    await mine.vehicle({ licensePlate: "WGM 12345" });
    const { feedId } = await mine.post([
      purchase({ invoiceNumber: "BK/2026/11" }),
      purchase({
        invoiceNumber: "BK 2026 11",
        occurredAt: "2026-10-06T08:00",
        netAmount: 100,
        vatAmount: 19,
        grossAmount: 119,
        quantity: 80,
      }),
      purchase({
        invoiceNumber: "BK-2026-11",
        occurredAt: "2026-10-06T09:00",
        licensePlate: "XX 0000",
        netAmount: 10,
        vatAmount: 1.9,
        grossAmount: 11.9,
        quantity: 8,
      }),
    ]);
    const wrong = await posted(mine, invoice("725.91", "610.00", "115.91"));
    expect(await settle(mine, { documentId: wrong })).toMatchObject({
      result: "Different",
      transactions: { count: 3, netAmount: 610, vatAmount: 115.9, grossAmount: 725.9 },
      difference: 0.01,
      reconciled: 0,
    });
    expect(await mine.list("status=Reconciled")).toEqual([]);
    const right = await posted(mine, invoice("725.90", "610.00", "115.90"));
    expect(await settle(mine, { documentId: right })).toMatchObject({
      result: "Reconciled",
      difference: 0,
      reconciled: 2,
      unsettled: 1,
    });
    expect(await mine.list("status=Reconciled")).toMatchObject([{ documentId: right }, { documentId: right }]);
    expect(await settle(mine, { documentId: right, feedId })).toMatchObject({
      result: "Reconciled",
      reconciled: 2,
      unsettled: 1,
    });
  });

  test("that are unknown, and documents of another kind, are refused", async () => {
    const mine = fresh();
    expect(
      (
        await mine.json<{ errorCode: string }>(
          "/transactions-feed/reconcile",
          "POST",
          { documentId: crypto.randomUUID() },
          404,
        )
      ).errorCode,
    ).toBe("not_found");
    const document = await posted(mine, "Nothing but words.");
    const backwards = { documentId: document, from: "2026-10-31", to: "2026-10-01" };
    expect(await mine.json("/transactions-feed/reconcile", "POST", backwards, 400)).toMatchObject({
      errors: [{ pointer: "/to" }],
    });
    expect(
      (await mine.json<{ errorCode: string }>("/transactions-feed/reconcile", "POST", { documentId: document }, 409))
        .errorCode,
    ).toBe("invalid_state");
  });
});
