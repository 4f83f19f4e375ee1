import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { apiClient, form } from "../../support/api-client.ts";
import { completePrivacyRequest } from "../../support/privacy.ts";
import { openService, type TestService } from "../../support/service.ts";

// Privacy requests for a person whose name is in a file that does not fit into the memory, or in a scan.

let service: TestService;

beforeAll(async () => {
  service = await openService({ own: true });
});

afterAll(() => service.stop());

const petra = { name: "Petra Sondermann" };
const mebibyte = 1024 * 1024;
const header = "Receipt no;Date;Time;Plate;Product;Quantity;Gross;Currency;Remark\n";
const row = (number: number, remark: string) =>
  `${number};05.10.2026;08:14;WGM 12345;Diesel;400,00;595,00;EUR;${remark}\n`;

/** Makes a statement of about this many bytes, with few but long rows. The last row contains `last`. */
function statement(bytes: number, last: string): Blob {
  const remark = "x".repeat(15_000);
  const rows = Array.from({ length: Math.ceil(bytes / 15_050) }, (_, number) => row(number, remark));
  return new Blob([header, ...rows, row(99_999, last)], { type: "text/csv" });
}

test("a person in a long file is found, and other files stay", { timeout: 300_000 }, async () => {
  const { id: company, key } = service.company();
  const ask = apiClient(service, key);
  const posted = async (file: Blob) => {
    const { status, body } = await ask<{ feedId: string }>("POST", "/api/v1/transactions-feed", {
      body: file,
      headers: { "content-type": "text/csv" },
    });
    expect(status, JSON.stringify(body)).toBe(202);
    return body.feedId;
  };
  const named = await posted(statement(60 * mebibyte, `Driver ${petra.name}`));
  const other = await posted(statement(34 * mebibyte, "Driver unknown"));
  const bucket = await service.mf.getR2Bucket("FILES", "lorry");
  const originals = async () => {
    const { objects } = await bucket.list({ prefix: `${company}/transactions-feed/` });
    return objects.map(({ key: name }) => name.split("/")).filter(([, , , file]) => file!.startsWith("original"));
  };
  expect(new Set((await originals()).map(([, , feedId]) => feedId))).toEqual(new Set([named, other]));
  await vi.waitFor(
    async () => {
      const { body } = await ask<{ items: { status: string }[] }>("GET", "/api/v1/transactions-feed/feeds");
      expect(body.items.map(({ status }) => status)).toEqual(["Imported", "Imported"]);
    },
    { timeout: 120_000, interval: 500 },
  );

  const gathered = await completePrivacyRequest(ask, "export", petra);
  const path = `/api/v1/privacy/requests/${gathered.privacyRequestId}/result`;
  const { body: result } = await ask<{ files: string[] }>("GET", path);
  expect(result.files).toEqual([expect.stringContaining(`transactions-feed/${named}/original`)]);

  await completePrivacyRequest(ask, "erase", petra);
  expect((await originals()).map(([, , feedId]) => feedId)).toEqual([other]);
  expect((await ask("GET", path)).status).toBe(404);
});

test("a person in a scan is found by the recognised text, and the scan is deleted", { timeout: 200_000 }, async () => {
  const { id: company, key } = service.company();
  const ask = apiClient(service, key);
  const bucket = await service.mf.getR2Bucket("FILES", "lorry");
  const paper = "Nothing in these bytes is anybody's name. Loading: Leipzig. Unloading: Wroclaw.";
  const scanned = async (seen: string) => {
    const { body } = await ask<{ orderId: string }>("POST", "/api/v1/orders/file", {
      body: form({ name: "scan.txt", bytes: `${paper} ${seen.length}` }),
      headers: { prefer: "wait=20" },
    });
    // Stores recognised text, as the extraction of a scan does.
    await bucket.put(`${company}/orders/${body.orderId}/ocr/page.json`, JSON.stringify({ text: seen, words: [] }));
    return body.orderId;
  };
  const named = await scanned(`Driver ${petra.name}`);
  const other = await scanned("Driver unknown");
  await vi.waitFor(
    async () => expect((await ask<{ items: unknown[] }>("GET", "/api/v1/orders")).body.items).toHaveLength(2),
    { timeout: 50_000, interval: 100 },
  );
  expect(await completePrivacyRequest(ask, "erase", petra)).toMatchObject({ records: 0, files: 2 });
  const fileOf = async (orderId: string) => (await ask("GET", `/api/v1/orders/${orderId}/file`)).status;
  expect([await fileOf(named), await fileOf(other)]).toEqual([404, 200]);
});
