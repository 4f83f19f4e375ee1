import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { apiClient, form, type ApiClient, type ApiRequest, type Wire } from "../support/api-client.ts";
import { carrierOrder } from "../support/carriers.ts";
import { openService, type TestService } from "../support/service.ts";

const megabyte = 2 ** 20;
let service: TestService;

beforeAll(async () => {
  service = await openService({ own: true });
});

afterAll(() => service.stop());

/** Makes a text that is fast to read and different at each call. */
function letter(bytes: number): Buffer {
  const line = `No. ${Math.random()}: we thank you for the good work and wish you a happy new year.\n`;
  return Buffer.alloc(bytes, line);
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const plain = { "content-type": "text/plain" };

/** Lists the R2 keys of a company's files and of uploads in progress. */
async function keysOf(company: string): Promise<string[]> {
  const bucket = await service.mf.getR2Bucket("FILES", "lorry");
  const lists = await Promise.all([`${company}/`, "uploads/"].map((prefix) => bucket.list({ prefix })));
  return lists.flatMap(({ objects }) => objects.map(({ key }) => key));
}

/** A route that accepts files, and the path where the stored file is read. */
interface Door {
  path: string;
  send: (bytes: Uint8Array) => ApiRequest;
  fileAt?: (answer: Wire) => string;
}

const asForm = (bytes: Uint8Array) => ({ body: form({ name: "letter.txt", bytes }) });
const asJson = (bytes: Uint8Array) => ({ json: { a: 1, file: base64(bytes), fileName: "letter.txt" } });
const asBytes = (bytes: Uint8Array) => ({ body: bytes, headers: plain });

const doors: [what: string, door: Door][] = [
  [
    "an order as raw bytes",
    { path: "/api/v1/orders/file", send: asBytes, fileAt: ({ orderId }) => `orders/${String(orderId)}` },
  ],
  [
    "an order in a form",
    { path: "/api/v1/orders/file", send: asForm, fileAt: ({ orderId }) => `orders/${String(orderId)}` },
  ],
  ["an order in JSON", { path: "/api/v1/orders", send: asJson, fileAt: ({ orderId }) => `orders/${String(orderId)}` }],
  [
    "a request for a quote",
    {
      path: "/api/v1/opportunities/file",
      send: asBytes,
      fileAt: ({ opportunityId }) => `opportunities/${String(opportunityId)}`,
    },
  ],
  [
    "a document in a form",
    { path: "/api/v1/documents", send: asForm, fileAt: ({ documentId }) => `documents/${String(documentId)}` },
  ],
  [
    "a document in JSON",
    { path: "/api/v1/documents", send: asJson, fileAt: ({ documentId }) => `documents/${String(documentId)}` },
  ],
  [
    "a driver's document",
    {
      path: "/api/v1/drivers-documents",
      send: asJson,
      fileAt: ({ documentId }) => `drivers-documents/${String(documentId)}`,
    },
  ],
  ["a quality check of a scan", { path: "/api/v1/documents/quality", send: asBytes }],
  ["a pile", { path: "/api/v1/document-collections/files", send: asForm }],
  ["fines", { path: "/api/v1/automations/fines", send: asForm }],
  ["a statement as raw bytes", { path: "/api/v1/transactions-feed", send: asBytes }],
  ["a statement in a form", { path: "/api/v1/transactions-feed", send: asForm }],
  [
    "a mail's attachment",
    {
      path: "/api/v1/classifications/email",
      send: (bytes) => ({ json: { subject: "a", attachments: [{ file: base64(bytes) }] } }),
    },
  ],
];

const readable = doors.filter(([, { fileAt }]) => fileAt);
const kept = doors.filter(([what]) => !/mail|statement/.test(what));

describe("a file that exceeds the memory buffer", () => {
  test.each(readable)("%s is stored byte for byte and only once", async (_, { path, send, fileAt }) => {
    const { key, id } = service.company();
    const ask = apiClient(service, key);
    const bytes = letter(12 * megabyte + 4_711);
    const { status, body } = await ask("POST", path, send(bytes));
    expect(status).toBeLessThan(300);
    const file = await ask("GET", `/api/v1/${fileAt!(body)}/file`, {
      headers: { range: `bytes=${bytes.length - 10}-` },
    });
    expect([file.headers.get("etag"), file.body]).toEqual([`"${sha256(bytes)}"`, bytes.subarray(-10).toString()]);
    expect(file.headers.get("content-range")).toBe(`bytes ${bytes.length - 10}-${bytes.length - 1}/${bytes.length}`);
    expect((await keysOf(id)).filter((name) => name.startsWith("uploads") || name.includes("/original-"))).toHaveLength(
      1,
    );
  });

  test("is recognised when it is uploaded again on another route, and is not stored again", async () => {
    const { key, id } = service.company();
    const ask = apiClient(service, key);
    const bytes = letter(6 * megabyte);
    const first = await ask("POST", "/api/v1/orders/file", asBytes(bytes));
    const again = await ask("POST", "/api/v1/orders", asJson(bytes));
    expect(again.body["duplicateOf"]).toBe(first.body["orderId"]);
    expect((await keysOf(id)).filter((name) => name.includes("/original-"))).toHaveLength(1);
    expect((await keysOf(id)).filter((name) => name.startsWith("uploads"))).toEqual([]);
  });

  test("is accepted once under an idempotency key; another file under that key is refused and leaves nothing behind", async () => {
    const { key, id } = service.company();
    const ask = apiClient(service, key);
    const [bytes, other] = [letter(6 * megabyte), letter(6 * megabyte)];
    const post = (file: Uint8Array) =>
      ask("POST", "/api/v1/orders", { json: { file: base64(file) }, headers: { "idempotency-key": "once" } });
    const [first, again, wrong] = [await post(bytes), await post(bytes), await post(other)];
    expect([first.status, again.headers.get("idempotency-replayed"), wrong.status]).toEqual([200, "true", 422]);
    expect((await keysOf(id)).filter((name) => !/extraction/.test(name))).toEqual([
      expect.stringContaining(`${id}/orders/${String(first.body["orderId"])}/original-`),
    ]);
  });

  test("of 25 MiB is accepted, as a form and in base64", async () => {
    const ask = apiClient(service, service.company().key);
    for (const send of [asForm, asJson]) {
      const { status, body } = await ask("POST", "/api/v1/documents", send(letter(25 * megabyte)));
      expect(status, JSON.stringify(body)).toBe(202);
    }
  });

  test("keeps its bytes and its position among the files of a collection", async () => {
    const { key, id } = service.company();
    const ask = apiClient(service, key);
    const files = [letter(3 * megabyte), letter(7 * megabyte), letter(3 * megabyte), letter(1_000)];
    const body = new FormData();
    for (const [at, bytes] of files.entries()) body.append("file", new File([bytes], `${at}.txt`));
    const { body: pile } = await ask("POST", "/api/v1/document-collections/files", { body });
    const { body: view } = await ask<{ files: { fileName: string; sizeBytes: number }[] }>(
      "GET",
      `/api/v1/document-collections/${String(pile["collectionId"])}`,
    );
    expect(view.files.map(({ sizeBytes }) => sizeBytes)).toEqual(files.map(({ length }) => length));
    const bucket = await service.mf.getR2Bucket("FILES", "lorry");
    const keys = (await keysOf(id)).filter((name) => name.includes("/piles/"));
    const stored = await Promise.all(
      keys.map(async (name) => sha256(Buffer.from(await (await bucket.get(name))!.arrayBuffer()))),
    );
    expect(stored).toEqual(files.map(sha256));
    expect((await keysOf(id)).filter((name) => name.startsWith("uploads"))).toEqual([]);
  });
});

describe("a refused file leaves nothing behind", () => {
  const program = (bytes: number) => Buffer.concat([Buffer.from("MZ\0\0\0\0"), Buffer.alloc(bytes, 1)]);
  /** Makes a zip archive that cannot be opened, which is only noticed when all of it has arrived. */
  const brokenZip = (bytes: number) => Buffer.concat([Buffer.from("PK\x03\x04"), Buffer.alloc(bytes, 1)]);

  async function refused(ask: ApiClient, company: string, path: string, sending: ApiRequest): Promise<string> {
    const { status, body } = await ask("POST", path, sending);
    expect(await keysOf(company)).toEqual([]);
    const [first] = (body["errors"] ?? []) as { pointer: string }[];
    return [String(status), body["errorCode"] as string | undefined, first?.pointer].filter(Boolean).join(" ");
  }

  test.each(kept)("%s", async (_, { path, send }) => {
    const { key, id } = service.company();
    const ask = apiClient(service, key);
    expect(await refused(ask, id, path, send(program(6 * megabyte)))).toBe("400 unsupported_file_type /file");
    expect(await refused(ask, id, path, send(brokenZip(6 * megabyte)))).toBe("400 file_unreadable /file");
  });

  test("statements: a file that is no statement, and a workbook that is too long", async () => {
    const { key, id } = service.company();
    const ask = apiClient(service, key);
    for (const send of [asBytes, asForm]) {
      const path = "/api/v1/transactions-feed";
      expect(await refused(ask, id, path, send(program(6 * megabyte)))).toBe("400 unsupported_file_type /file");
      expect(await refused(ask, id, path, send(brokenZip(6 * megabyte)))).toBe("400 file_unreadable /file");
      expect(await refused(ask, id, path, send(brokenZip(26 * megabyte)))).toBe("413 payload_too_large");
    }
  });

  const json = (file: string) => ({
    headers: { "content-type": "application/json" },
    body: `{"file":"${file}","fileName":"a.pdf"}`,
  });
  const junk = "#".repeat(1_000);
  test.each<[string, ApiRequest, string]>([
    [
      "base64 with another alphabet after 8 MiB",
      json(`${"QUJD".repeat(2 * megabyte)}_-`),
      "400 validation_failed /file",
    ],
    ["34 MiB that are not base64", json(junk.repeat(34_000)), "400 validation_failed /file"],
    ["36 MiB that are not base64", json(junk.repeat(37_000)), "413 payload_too_large"],
    ["26 MiB in base64", json("QUJD".repeat((26 * megabyte) / 3)), "413 payload_too_large"],
    [
      "a file of 6 MiB given twice",
      json(`${"QUJD".repeat(2 * megabyte)}","file":"QUJD`),
      "400 validation_failed /file",
    ],
    [
      "JSON that ends within the file",
      { ...json(""), body: `{"file":"${"QUJD".repeat(2 * megabyte)}` },
      "400 invalid_json",
    ],
    [
      "fields that are wrong beside the file",
      { json: { file: base64(letter(6 * megabyte)), type: 5 } },
      "400 validation_failed /type",
    ],
    [
      "a form whose fields are wrong",
      { body: form({ name: "a.txt", bytes: letter(6 * megabyte) }, { metadata: "[" }) },
      "400 validation_failed /metadata",
    ],
    [
      "a form of 1,001 parts",
      {
        body: form(
          { name: "a.txt", bytes: letter(6 * megabyte) },
          Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`a${at}`, ""])),
        ),
      },
      "400 validation_failed",
    ],
  ])("%s", async (_, sending, expected) => {
    const { key, id } = service.company();
    expect(await refused(apiClient(service, key), id, "/api/v1/documents", sending)).toBe(expected);
  });

  test("workbooks that arrive together and need more memory than there is", async () => {
    const { key, id } = service.company();
    const ask = apiClient(service, key);
    const workbooks = Array.from({ length: 4 }, () => asBytes(brokenZip(24 * megabyte)));
    const answers = await Promise.all(workbooks.map((sending) => ask("POST", "/api/v1/transactions-feed", sending)));
    expect(answers.map(({ status, body }) => [status, body["errorCode"]])).toEqual(
      workbooks.map(() => [400, "file_unreadable"]),
    );
    expect(await keysOf(id)).toEqual([]);
  });

  test("a collection whose last file is refused", async () => {
    const { key, id } = service.company();
    const body = new FormData();
    for (const bytes of [letter(6 * megabyte), letter(1_000), program(1_000)])
      body.append("file", new File([bytes], "a.pdf"));
    const ask = apiClient(service, key);
    expect(await refused(ask, id, "/api/v1/document-collections/files", { body })).toBe(
      "400 unsupported_file_type /file",
    );
  });

  test("documents of a carrier of which one is refused", async () => {
    const { key, id } = service.company();
    const ask = apiClient(service, key);
    const { body } = await ask<{ shareUrl: string }>("POST", "/api/v1/orders/upsert", { json: carrierOrder() });
    const papers = form({ name: "cmr.txt", bytes: letter(6 * megabyte) }, { documentType: "cmr" });
    papers.append("file", new File([program(6 * megabyte)], "photo.jpg"));
    const headers = { accept: "application/json" };
    const { pathname } = new URL(body.shareUrl);
    expect(await refused(apiClient(service), id, pathname, { body: papers, headers })).toBe(
      "400 unsupported_file_type /file",
    );
  });
});

describe("a client that sends a wrong length or disconnects leaves nothing behind", () => {
  /** Sends the beginning of a request: `head` and this many megabytes. Then disconnects. */
  async function hangUp(key: string, path: string, headers: string[], head: string, megabytes: number): Promise<void> {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    socket.on("error", () => undefined);
    const line = [`POST ${path} HTTP/1.1`, "Host: lorry", `X-Api-Key: ${key}`, ...headers, "", head].join("\r\n");
    const chunk = letter(megabyte).toString("base64").slice(0, megabyte);
    for (const piece of [line, ...Array<string>(megabytes).fill(chunk)])
      if (!socket.write(piece)) await new Promise<void>((resolve) => socket.once("drain", () => resolve()));
    await vi.waitUntil(() => socket.writableLength === 0);
    socket.destroy();
  }

  const length = `Content-Length: ${20 * megabyte}`;
  const boundary = 'Content-Type: multipart/form-data; boundary="mark"';
  const part = '--mark\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n';
  test.each([
    ["raw bytes", "/api/v1/orders/file", [length, "Content-Type: text/plain"], ""],
    ["a form", "/api/v1/documents", [length, boundary], part],
    ["JSON", "/api/v1/orders", [length, "Content-Type: application/json"], '{"file":"'],
    ["a pile", "/api/v1/document-collections/files", [length, boundary], part],
    ["a statement", "/api/v1/transactions-feed", [length, "Content-Type: text/csv"], "Date;Product;Quantity\r\n"],
  ])("%s, 12 of 20 MiB", async (_, path, headers, head) => {
    const { key, id } = service.company();
    await hangUp(key, path, headers, head, 12);
    // When the service has answered another request, it has also finished its cleanup.
    await apiClient(service, key)("POST", "/api/v1/classifications/email", { json: { text: "Hello there" } });
    expect(await keysOf(id)).toEqual([]);
  });
});
