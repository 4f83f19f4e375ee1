// Measures the live memory in the isolate of the built Worker while it receives and reads files of 25 MiB, on each
// upload route. `node bench/upload-memory.ts` writes the figures into bench/README.md; with `--print` it only prints
// them. Garbage is collected before each sample, so the figures do not depend on how busy the machine is.
import { randomBytes } from "node:crypto";
import process from "node:process";
import { serve } from "../scripts/serve.mjs";
import { pdfWith, scanPage } from "../test/support/files/hostile-pdfs.ts";
import { page, paragraph } from "../test/support/pictures/draw.ts";
import { jpeg } from "../test/support/pictures/jpeg.ts";
import { openHeap } from "./heap.ts";
import { table, writeFigures } from "./readme.ts";
import { requestJson } from "./world.ts";

const mebibyte = 2 ** 20;
const size = 25 * mebibyte;
const key = "memory";
const headers = { "x-api-key": key };

const picture = Buffer.from(await jpeg(page(paragraph(40))));
const entries = "/Width 1240 /Height 1754 /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /DCTDecode";

/**
 * Makes a PDF of twenty scanned pages. Each picture is padded with bytes that no decoder reads, so that the file has
 * the maximum size.
 */
function scans(): Buffer {
  const filled = (bytes: number) =>
    pdfWith(
      Array.from({ length: 20 }, () => scanPage({ entries, bytes: Buffer.concat([picture, Buffer.alloc(bytes)]) })),
    );
  const left = size - filled(0).length - 4096;
  return Buffer.from(filled(Math.floor(left / 20)));
}

const damaged = Buffer.concat([Buffer.from("%PDF-1.7\n"), randomBytes(size - 9)]);
const lines = Buffer.from(
  ["Date;Plate;Product;Litres;Total;Currency;Note"]
    .concat(
      Array.from(
        { length: 2000 },
        (_, line) => `05.10.2026;WGM ${10_000 + line};Diesel;100,00;150,00;EUR;${"a".repeat(13_000)}`,
      ),
    )
    .join("\n"),
);

let serial = 0;
/** Replaces the last bytes of a file, so that its digest is new. */
function another(file: Buffer): Buffer {
  const mark = `\n%${++serial}\n`;
  return Buffer.concat([file.subarray(0, size - mark.length), Buffer.from(mark)]);
}

const service = await serve({
  inspector: true,
  vars: {
    LOCAL_KEYS: JSON.stringify({ [key]: "11111111-1111-4111-8111-111111111111" }),
    SEAL_KEY: randomBytes(32).toString("base64"),
  },
});
const heap = await openHeap(service.mf);

interface Sent {
  type?: string;
  body: BodyInit;
}

const raw = (file: Buffer, type = "application/pdf"): Sent => ({ type, body: new Uint8Array(another(file)) });
function form(file: Buffer, fields: Record<string, string> = {}): Sent {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  body.set("file", new Blob([new Uint8Array(another(file))]), "file.pdf");
  return { body };
}
const base64 = (file: Buffer): Sent => ({
  type: "application/json",
  body: JSON.stringify({ file: another(file).toString("base64"), fileName: "file.pdf" }),
});

/**
 * Sends a file and waits until it is extracted. A request that is refused for lack of memory is sent again, as a client
 * would do.
 */
async function post(
  path: string,
  { type, body }: Sent,
  isRead: (answer: Record<string, string>) => string | undefined,
) {
  const target = path.startsWith("http") ? path : service.url + path;
  const init = {
    method: "POST",
    headers: { ...headers, accept: "application/json", ...(type && { "content-type": type }) },
    body,
  };
  let response = await fetch(target, init);
  for (; response.status === 503; response = await fetch(target, init)) await response.text();
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} responded with ${response.status}: ${text}`);
  const place = isRead(JSON.parse(text));
  for (const end = Date.now() + 600_000; place; await new Promise((passed) => setTimeout(passed, 200))) {
    const { status } = await requestJson<{ status: string }>(service.url + place, "GET", headers);
    if (status !== "Processing" && status !== "Importing") return;
    if (Date.now() > end) throw new Error(`${place} is still ${status}.`);
  }
}

const orderAt = ({ orderId }: Record<string, string>) => `/api/v1/orders/${orderId}`;
const order = (sent: () => Sent) => () => post("/api/v1/orders/file", sent(), orderAt);
const pdf = scans();
const { shareUrl } = await requestJson<{ shareUrl: string }>(`${service.url}/api/v1/orders/upsert`, "POST", headers, {
  orderNumber: "CO-1",
  requiredDocumentTypes: "cmr",
  carrier: { name: "Vzorová Doprava s.r.o.", vatCode: "CZ12345679" },
});

const doors: [what: string, send: () => Promise<void>, counts: number[]][] = [
  ["an order, as the raw body", order(() => raw(pdf)), [1, 2, 10]],
  ["an order, in a form", order(() => form(pdf)), [1, 2]],
  ["an order, in base64", () => post("/api/v1/orders", base64(pdf), orderAt), [1, 2]],
  ["an order that is damaged, as the raw body", order(() => raw(damaged)), [1, 2]],
  [
    "a quality check of a scan",
    () => post("/api/v1/documents/quality", raw(pdf), ({ documentId }) => `/api/v1/documents/quality/${documentId}`),
    [1, 2],
  ],
  [
    "a collection",
    () =>
      post(
        "/api/v1/document-collections/files",
        form(pdf),
        ({ collectionId }) => `/api/v1/document-collections/${collectionId}`,
      ),
    [1, 2],
  ],
  [
    "a document on the carrier's page",
    () => post(shareUrl, form(pdf, { documentType: "cmr" }), () => undefined),
    [1, 2],
  ],
  [
    "a statement in CSV",
    () =>
      post(
        "/api/v1/transactions-feed",
        raw(lines, "text/csv"),
        ({ feedId }) => `/api/v1/transactions-feed/feeds/${feedId}`,
      ),
    [1, 2],
  ],
];

const only = process.argv.find((each) => each.startsWith("--only="))?.slice(7);
const before = await heap.alive();
const rows: string[][] = [];
for (const [what, send, counts] of doors.filter(([name]) => !only || name.includes(only))) {
  const figures: string[] = [];
  for (const count of counts) {
    const most = await heap.highest(async () => {
      await Promise.all(Array.from({ length: count }, send));
    });
    figures.push(most.toFixed(0));
    console.error(what, count, most.toFixed(0), "after", (await heap.alive()).toFixed(0));
  }
  rows.push([what, ...figures, ...Array<string>(3 - figures.length).fill("")]);
}
rows.unshift(["idle, after the start", before.toFixed(0), "", ""]);
rows.push(["idle, after all requests", (await heap.alive()).toFixed(0), "", ""]);
const figures = table(["files of 25 MiB, highest live memory in MiB", "one", "two at once", "ten at once"], rows);
console.log(figures);
heap.close();
await service.stop();
if (!process.argv.includes("--print")) await writeFigures("uploads", figures);
process.exit(0);
