import { writeXlsx } from "hucre";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { openService, type TestService } from "../../support/service.ts";
import {
  heading,
  listStatements,
  row,
  rows,
  statementBucket,
  transactionClient,
  utf8,
  type TransactionClient,
} from "../../support/transactions.ts";

let service: TestService;
let files: R2Bucket;
const fresh = (): TransactionClient => transactionClient(service, service.company());

beforeAll(async () => {
  service = await openService();
  files = await statementBucket(service);
});
afterAll(() => service.stop());

/** Makes a file whose import takes much longer than its request waits. */
const long = () => utf8(heading + rows(600_000));

describe("several imports", () => {
  test(
    "a short file is imported with its response while a long one is being imported",
    { timeout: 300_000 },
    async () => {
      const company = service.company();
      const mine = transactionClient(service, company);
      const first = await mine.file(long(), "long.csv");
      expect(first.status).toBe("Importing");
      const [key] = await listStatements(files, company);
      const form = new FormData();
      form.set("file", new File([heading + rows(3, 900_000)], "short.csv"));
      const headers = { prefer: "wait=60" };
      const answer = await mine.asked("/transactions-feed", { method: "POST", body: form, headers });
      const read = await mine.feed(first.feedId);
      expect(await answer.json()).toMatchObject({ status: "Imported", accepted: 3 });
      expect(read).toMatchObject({ status: "Importing" });
      await files.delete(key!);
      expect(await mine.ended(first.feedId)).toMatchObject({ status: "Failed", errorCode: "file_corrupted" });
    },
  );

  test(
    "a file that cannot be read is given up after three attempts, and the next file is imported",
    { timeout: 300_000 },
    async () => {
      const company = service.company();
      const mine = transactionClient(service, company);
      const { feedId, status } = await mine.file(long(), "long.csv");
      expect(status).toBe("Importing");
      // Replaces the stored file with one that is shorter than the part that was already read.
      const [key] = await listStatements(files, company);
      await files.put(key!, "Nothing");
      const next = await mine.file(utf8(heading + rows(3, 900_000)), "next.csv");
      expect(await mine.ended(next.feedId)).toMatchObject({ status: "Imported", accepted: 3 });
      expect(await mine.ended(feedId)).toMatchObject({ status: "Failed", errorCode: "engine_timeout" });
    },
  );
});

describe("stored files", () => {
  test("a long workbook is imported in the background", { timeout: 300_000 }, async () => {
    const mine = fresh();
    const noise = () => Array.from({ length: 4 }, () => crypto.randomUUID()).join(" ");
    const cells = Array.from({ length: 20_000 }, (_, at) => [...row(at).trim().split(";"), noise()]);
    const bytes = await writeXlsx({
      sheets: [{ name: "Rows", rows: [[...heading.trim().split(";"), "Noise"], ...cells] }],
    });
    expect(bytes.length).toBeGreaterThan(2 * 1024 * 1024);
    const { feedId } = await mine.file(new Uint8Array(bytes), "long.xlsx");
    expect(await mine.ended(feedId)).toMatchObject({ status: "Imported", accepted: 20_000 });
  });
});

test("a row that changes during the import is counted with its final status", { timeout: 300_000 }, async () => {
  const mine = fresh();
  const typed = (at: number, plate: string, type: string) =>
    `N-${at};2026-10-05 08:14;${plate};Diesel;${at + 1},50;EUR;DE;${type}\n`;
  const others = Array.from({ length: 60_000 }, (_, at) => typed(at + 1, "WGM 12345", "Purchase")).join("");
  const own = (type: string) => typed(0, "PO 7KL21", type);
  const text = `${heading.trim()};Transaction type\n${own("Purchase")}${others}${own("Void")}`;
  const posting = mine.file(utf8(text), "statement.csv");
  await vi.waitUntil(async () => (await mine.list("externalId=N-0")).length > 0, { timeout: 200_000, interval: 20 });
  await mine.vehicle({ licensePlate: "PO 7KL21" });
  expect(await mine.ended((await posting).feedId)).toMatchObject({
    status: "Imported",
    accepted: 60_002,
    matched: 0,
    unmatched: 60_000,
    voided: 2,
  });
});

test("many short rows that are all flagged are imported", { timeout: 300_000 }, async () => {
  const mine = fresh();
  await mine.vehicle({ licensePlate: "A 1" });
  const lines = Array.from({ length: 14_000 }, (_, at) => `1.1.26;A1;1;1;${at + 10}\n`).join("");
  const { feedId } = await mine.file(utf8(`Date;Plate;Net;VAT;Gross\n${lines}`), "short.csv");
  const { items } = await (await mine.asked(`/transactions-feed?feedId=${feedId}&limit=1`)).json<{ items: object[] }>();
  expect(items).toMatchObject([{ status: "Flagged" }]);
  expect(await mine.ended(feedId)).toMatchObject({ status: "Imported", accepted: 14_000, flagged: 14_000 });
});
