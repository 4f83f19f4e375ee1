import { strToU8, zipSync } from "fflate";
import { writeXlsx } from "hucre";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { openService, type TestService } from "../../support/service.ts";
import {
  heading,
  listStatements,
  purchase,
  row,
  rows,
  statementBucket,
  transactionClient,
  utf8,
  type Feed,
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

describe("the result of an import", () => {
  /** An amount above the maximum of a transaction. */
  const beyond = "99999999999,00";
  const csv = (...amounts: string[]) => heading + amounts.map((gross, at) => row(at, { gross })).join("");
  test.each<[string, (mine: TransactionClient) => Promise<Feed>, object]>([
    ["all rows", (mine) => mine.post([purchase(), purchase()]), { status: "Imported", accepted: 2 }],
    [
      "some rows",
      (mine) => mine.post([purchase(), "nothing"]),
      {
        status: "Partial",
        accepted: 1,
        rejectedCount: 1,
        message: "1 of 2 rows could not be accepted. See the field rejected.",
      },
    ],
    [
      "no row",
      (mine) => mine.post([{}, "nothing"]),
      { status: "Failed", accepted: 0, rejectedCount: 2, errorCode: "all_rows_rejected" },
    ],
    [
      "some rows of a file",
      (mine) => mine.file(csv("12,50", beyond), "a.csv"),
      { status: "Partial", accepted: 1, rejectedCount: 1 },
    ],
    [
      "no row of a file",
      (mine) => mine.file(csv(beyond, beyond), "a.csv"),
      { status: "Failed", accepted: 0, rejectedCount: 2, errorCode: "all_rows_rejected" },
    ],
  ])("with %s valid is in the response, the feed and the event", async (_, post, wanted) => {
    const mine = fresh();
    const feed = await post(mine);
    expect(feed).toMatchObject(wanted);
    expect(await mine.feed(feed.feedId)).toEqual(feed);
    await vi.waitFor(
      async () => {
        const told = await mine.asked("/events?eventType=TransactionFeedImported&payload=Full");
        const { items } = await told.json<{ items: object[] }>();
        expect(items).toMatchObject([{ status: feed.status, data: wanted }]);
      },
      { timeout: 50_000 },
    );
  });

  test("is no failure if the valid rows are all duplicates", async () => {
    const mine = fresh();
    const item = purchase();
    await mine.post([item]);
    expect(await mine.post([item])).toMatchObject({ status: "Imported", duplicates: 1 });
    expect(await mine.post([item, "nothing"])).toMatchObject({ status: "Partial", duplicates: 1, rejectedCount: 1 });
  });
});

describe("several imports", () => {
  test("a row with an impossible time is rejected, and the other rows and the next file are imported", async () => {
    const mine = fresh();
    const wrong = "N-7;31.12.9999 23:30;WGM 12345;Diesel;12,00;EUR;US\n";
    const first = await mine.file(utf8(heading + row(1) + wrong + row(2)), "first.csv");
    expect(first).toMatchObject({ status: "Partial", accepted: 2, rejectedCount: 1 });
    expect(first.rejected).toMatchObject([{ row: 3, errors: [{ field: "occurredAt", code: "invalid" }] }]);
    const second = await mine.file(utf8(heading + rows(3, 10)), "second.csv");
    expect(second).toMatchObject({ status: "Imported", accepted: 3 });
    const late = purchase({ occurredAt: "9999-12-31T23:30", countryCode: "US", postalCode: "10001" });
    const posted = await mine.post([late, purchase()]);
    expect(posted).toMatchObject({ accepted: 1, rejected: [{ row: 1, errors: [{ field: "occurredAt" }] }] });
  });
});

describe("stored files", () => {
  test("the text of a workbook's rows is deleted after the import, also after a failed one", async () => {
    const company = service.company();
    const mine = transactionClient(service, company);
    const cells = [heading.trim().split(";"), ...[1, 2, 3].map((at) => row(at).trim().split(";"))];
    const good = await writeXlsx({ sheets: [{ name: "Rows", rows: cells }] });
    const feed = await mine.file(new Uint8Array(good), "good.xlsx");
    expect(await mine.ended(feed.feedId)).toMatchObject({ status: "Imported", accepted: 3 });
    const other = await writeXlsx({
      sheets: [
        {
          name: "Rows",
          rows: [
            ["Name", "Town"],
            ["Muster", "Ulm"],
          ],
        },
      ],
    });
    const bad = await mine.file(new Uint8Array(other), "bad.xlsx");
    expect(await mine.ended(bad.feedId)).toMatchObject({ status: "Failed" });
    await vi.waitFor(
      async () => expect((await listStatements(files, company)).map((key) => key.split("/")[3])).toHaveLength(2),
      {
        timeout: 60_000,
      },
    );
    expect((await listStatements(files, company)).every((key) => key.includes("/original-"))).toBe(true);
  });

  test("an ODS file that unpacks to more than the limit is refused as damaged", async () => {
    const mine = transactionClient(service, service.company());
    const bomb = zipSync({
      mimetype: [strToU8("application/vnd.oasis.opendocument.spreadsheet"), { level: 0 }],
      "content.xml": new Uint8Array(64 * 1024 * 1024),
    });
    const feed = await mine.file(bomb, "bomb.ods");
    expect(await mine.ended(feed.feedId)).toMatchObject({ status: "Failed", errorCode: "file_corrupted" });
  });

  test("a refused form leaves none", async () => {
    const company = service.company();
    const mine = transactionClient(service, company);
    const refused = async (form: FormData) =>
      expect((await mine.asked("/transactions-feed", { method: "POST", body: form })).status).toBe(400);
    const file = () => new File([heading + row(1)], "statement.csv");
    const wrong = new FormData();
    wrong.set("file", file());
    wrong.set("metadata", "no map");
    await refused(wrong);
    const two = new FormData();
    two.append("file", file());
    two.append("file", file());
    await refused(two);
    expect(await listStatements(files, company)).toEqual([]);
  });
});

describe("receipt numbers", () => {
  const receipt =
    heading +
    row(1, { gross: "595,00" }) +
    row(1, { product: "AdBlue", gross: "40,00" }) +
    row(1, { product: "Parkgebühr", gross: "12,00" });

  test("several products of one receipt are several transactions, and each is recognised as a duplicate", async () => {
    const mine = fresh();
    expect(await mine.file(utf8(receipt), "a.csv")).toMatchObject({ accepted: 3, duplicates: 0, rejectedCount: 0 });
    expect(await mine.list("externalId=N-1")).toHaveLength(3);
    expect(await mine.list<{ grossAmount: number }>("summary=country")).toMatchObject([{ count: 3, grossAmount: 647 }]);
    expect(await mine.file(utf8(receipt), "again.csv")).toMatchObject({ accepted: 0, duplicates: 3 });
  });

  test("products that the first statement lacks are added by the second", async () => {
    const mine = fresh();
    await mine.file(utf8(heading + row(1, { gross: "595,00" })), "a.csv");
    expect(await mine.file(utf8(receipt), "b.csv")).toMatchObject({ accepted: 2, duplicates: 1 });
  });

  test("the same product twice under one number is rejected as a conflict", async () => {
    const mine = fresh();
    const feed = await mine.file(utf8(heading + row(1, { gross: "595,00" }) + row(1, { gross: "40,00" })), "a.csv");
    expect(feed).toMatchObject({ accepted: 1, duplicates: 0, rejectedCount: 1 });
    expect(feed.rejected).toMatchObject([{ row: 3, errors: [{ field: "externalId", code: "conflict" }] }]);
  });

  test("another product under a known number in a later statement is rejected as a conflict", async () => {
    const mine = fresh();
    await mine.file(utf8(heading + row(1, { gross: "595,00" })), "a.csv");
    const adBlue = heading + row(1, { product: "AdBlue", gross: "40,00" });
    const later = await mine.file(utf8(adBlue), "b.csv");
    expect(later).toMatchObject({ accepted: 0, duplicates: 0, rejectedCount: 1 });
    expect(later.rejected).toMatchObject([{ row: 2, errors: [{ field: "externalId", code: "conflict" }] }]);
    const renamed = heading + row(1, { product: "Diesel B7", gross: "595,00" });
    expect(await mine.file(utf8(renamed), "c.csv")).toMatchObject({ accepted: 0, duplicates: 1, rejectedCount: 0 });
  });

  test("a void of one product voids no other", async () => {
    const mine = fresh();
    await mine.file(utf8(receipt), "a.csv");
    await mine.file(
      utf8(
        `Transaction ID;Date;Plate;Product;Gross;Currency;Country;Transaction type\n${row(1, { product: "AdBlue", gross: "40,00" }).trim()};Void\n`,
      ),
      "b.csv",
    );
    const voided = await mine.list("status=Voided");
    expect(voided.map(({ type, productName }) => `${String(type)} ${String(productName)}`).sort()).toEqual([
      "Purchase AdBlue",
      "Void AdBlue",
    ]);
  });
});

describe("a credit", () => {
  const given = { productName: "Diesel", quantity: -40, netAmount: undefined, vatAmount: undefined, grossAmount: -50 };
  const credit = (more: object = {}) => ({ ...purchase({ externalId: "N-1" }), ...given, ...more });
  const asked = async ({ list }: TransactionClient) => list<{ count: number; grossAmount: number }>("summary=country");

  test.each<[string, object, object[], number]>([
    ["with a number", {}, [], -50],
    ["without a number", { externalId: undefined }, [], -50],
    ["as one of several products of a receipt", { productName: "AdBlue" }, [purchase({ externalId: "N-1" })], 545],
  ])(
    "that was stored as a purchase with a negative amount is recognised as a duplicate, %s",
    async (_, more, beside, grossAmount) => {
      const mine = fresh();
      const first = await mine.post([...beside, credit({ type: "Purchase", ...more })]);
      expect(first).toMatchObject({ accepted: beside.length + 1, rejected: [] });
      expect(await mine.post([credit(more)])).toMatchObject({ accepted: 0, duplicates: 1, rejected: [] });
      expect(await asked(mine)).toMatchObject([{ grossAmount }]);
    },
  );

  test("in two equal parts: the second part is rejected as a conflict, the repeated first part is a duplicate", async () => {
    const mine = fresh();
    const [first, second] = [credit({ occurredAt: "2026-10-06T08:00" }), credit({ occurredAt: "2026-10-07T08:00" })];
    expect(await mine.post([purchase({ externalId: "N-1" })])).toMatchObject({ accepted: 1 });
    expect(await mine.post([first])).toMatchObject({ accepted: 1 });
    expect(await mine.post([second])).toMatchObject({
      accepted: 0,
      duplicates: 0,
      rejected: [{ row: 1, errors: [{ field: "externalId", code: "conflict" }] }],
    });
    expect(await mine.post([first, { ...first, occurredAt: "2026-10-06" }])).toMatchObject({ duplicates: 2 });
    expect(await asked(mine)).toMatchObject([{ count: 2, grossAmount: 545 }]);
  });
});

test("amounts above the maximum are rejected, and are in no total", async () => {
  const mine = fresh();
  const text = `Transaction ID;Date;Plate;Product;Quantity;Gross;Currency\nN-1;2026-10-05;WGM 12345;Diesel;9999999999999;595,00;EUR\nN-2;2026-10-05;WGM 12345;Diesel;400;99999999999999;EUR\nN-3;2026-10-05;WGM 12345;Diesel;400;595,00;EUR\n`;
  const feed = await mine.file(utf8(text), "statement.csv");
  expect(feed.rejected).toMatchObject([
    { row: 2, errors: [{ field: "quantity", code: "too_big" }] },
    { row: 3, errors: [{ field: "grossAmount", code: "too_big" }] },
  ]);
  expect(await mine.list("summary=month")).toMatchObject([{ count: 1, litres: 400, grossAmount: 595 }]);
});

test("24:00 is the midnight at the end of the day", async () => {
  const mine = fresh();
  await mine.file(
    utf8(
      "Transaction ID;Date;Time;Plate;Product;Gross;Currency;Country\nN-1;31.10.2026;24:00;WGM 12345;Diesel;595,00;EUR;DE\nN-2;30.10.2026;23:59;WGM 12345;Diesel;59,00;EUR;DE\n",
    ),
    "apart.csv",
  );
  expect(await mine.list("externalId=N-1")).toMatchObject([{ occurredAt: "2026-10-31T23:00:00.000Z" }]);
  await mine.file(
    utf8(
      "Transaction ID;Date and time;Plate;Product;Gross;Currency;Country\nM-1;2026-10-31 24:00;WGM 12345;Diesel;595,00;EUR;DE\nM-2;2026-10-30 23:59;WGM 12345;Diesel;59,00;EUR;DE\n",
    ),
    "together.csv",
  );
  expect(await mine.list("externalId=M-1")).toMatchObject([{ occurredAt: "2026-10-31T23:00:00.000Z" }]);
});
