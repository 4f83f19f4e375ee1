import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { apiClient, form } from "../../support/api-client.ts";
import { disguises, falsePictures, lockedScan, paintedWith, unpainted } from "../../support/files/hostile-pdfs.ts";
import { deflateSync } from "node:zlib";
import { orderLines } from "../../support/papers/order.ts";
import { drawLines } from "../../support/papers/pdf.ts";
import { page, paragraph } from "../../support/pictures/draw.ts";
import { jpeg } from "../../support/pictures/jpeg.ts";
import type { Envelope, Received } from "../../support/orders.ts";
import { openService, type TestService } from "../../support/service.ts";

// PDFs whose streams would decompress to more than the memory of an isolate. Every filter that a stream can declare is
// tested.

vi.setConfig({ testTimeout: 120_000 });

let service: TestService;

beforeAll(async () => {
  service = await openService({ own: true });
});

afterAll(() => service.stop());

/** Posts a file as an order and waits until it is extracted. */
async function read(bytes: Uint8Array): Promise<Envelope[]> {
  const ask = apiClient(service, service.company().key);
  const { status, body } = await ask<Received>("POST", "/api/v1/orders/file", { body: form({ name: "a.pdf", bytes }) });
  expect([200, 202], JSON.stringify(body)).toContain(status);
  const orders = () => ask<Envelope[]>("GET", `/api/v2/orders/${body.orderId}`);
  await vi.waitFor(async () => expect((await orders()).status).toBe(200), { timeout: 100_000, interval: 100 });
  return (await orders()).body;
}

test.for(Object.entries(disguises))("a PDF whose page content is packed with %s is refused", async ([, make]) => {
  expect(await read(make())).toMatchObject([{ status: "Failed", errorCode: "file_corrupted" }]);
});

test.for(Object.entries(falsePictures))(
  "page content that is declared as a picture is not decompressed: %s",
  async ([, make]) => {
    expect(await read(make())).toMatchObject([{ status: "Failed", errorCode: "no_text_found" }]);
  },
);

test.for(Object.entries(unpainted))("a stream that no page draws is not decompressed: %s", async ([, make]) => {
  expect(await read(make())).toMatchObject([{ status: "Failed", errorCode: "no_text_found" }]);
});

test.for<[string, (painting: Buffer) => { filters: string; bytes: Buffer }]>([
  ["a short name", (painting) => ({ filters: "/Fl", bytes: deflateSync(painting) })],
  ["a name in figures", (painting) => ({ filters: "/Fl#61teDecode", bytes: deflateSync(painting) })],
  ["letters", (painting) => ({ filters: "[ /AHx ]", bytes: Buffer.from(`${painting.toString("hex")}>`) })],
  ["two names", (painting) => ({ filters: "[/Fl/Fl]", bytes: deflateSync(deflateSync(painting)) })],
])("an order whose page content is packed with %s is extracted", async ([, packed]) => {
  const painting = Buffer.from(drawLines(orderLines({ number: "OR-2026-0311" })), "latin1");
  expect(await read(paintedWith(packed(painting)))).toMatchObject([{ data: { orderNumber: "OR-2026-0311" } }]);
});

test("a long encrypted document is accepted without a verdict", async () => {
  const scan = await lockedScan(await jpeg(page(paragraph(20))), "1.4");
  const ask = apiClient(service, service.company().key);
  const { body: order } = await ask<{ shareUrl: string }>("POST", "/api/v1/orders/upsert", {
    json: { orderNumber: "OR-2026-0312", carrier: { name: "Vzorová Doprava s.r.o.", vatCode: "CZ12345679" } },
  });
  const sent = await service.fetch(new URL(order.shareUrl).pathname, {
    method: "POST",
    body: form({ name: "scan.pdf", bytes: scan }, { documentType: "photo" }),
    headers: { accept: "application/json" },
  });
  const { documents } = await sent.json<{ documents: { quality?: object }[] }>();
  expect(documents.map(({ quality }) => quality)).toEqual([undefined]);
});
