import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { apiClient, type ApiClient } from "../../support/api-client.ts";
import { uploadDocument as uploadByCompany, setDocumentStatus, readOrder } from "../../support/carriers.ts";
import { pdfPages } from "../../support/papers/pdf.ts";
import { openService, type TestService } from "../../support/service.ts";
import { uploadFormOf, guestOf, json, note, shareOrder, type UploadReply } from "../../support/share-links.ts";

const logs = join(tmpdir(), `lorry-share-${process.pid}.log`);
let service: TestService;
let ask: ApiClient;
let guest: ReturnType<typeof guestOf>;

beforeAll(async () => {
  service = await openService({ logs });
  ask = apiClient(service, service.company().key);
  guest = guestOf(service);
});

afterAll(() => service.stop());

describe("documents", () => {
  test("are uploaded with a plain form, several at once, and shown", async () => {
    const { path, orderId } = await shareOrder(ask, { requiredDocumentTypes: "cmr" });
    const form = uploadFormOf([note("page one"), note("page two")], { documentType: "cmr", comment: " Two pages " });
    form.append("file", new File([], ""));
    const sent = await guest.send(path, form);
    expect(sent.status).toBe(303);
    expect(sent.headers.get("cache-control")).toBe("no-store");
    const { body } = await guest.visit(sent.headers.get("location")!);
    expect(body).toContain("Files received: 2");
    expect(body).toContain("All documents received. We are checking them.");
    expect(body.match(/class="comment">Two pages</g)).toHaveLength(2);
    const { carrierOrder } = await readOrder(ask, orderId);
    expect(carrierOrder).toMatchObject({ status: "InReview", missingDocumentTypes: [] });
    expect(carrierOrder.documents.map(({ fileName, uploadedBy }) => [fileName, uploadedBy])).toEqual([
      ["page one.txt", "Carrier"],
      ["page two.txt", "Carrier"],
    ]);

    const again = await guest.send(path, uploadFormOf([note("page one")]));
    expect((await guest.visit(again.headers.get("location")!)).body).toContain("Already received: 1");
  });

  test("are answered as JSON on request, and the same bytes are recognised", async () => {
    const { path } = await shareOrder(ask);
    const first = await guest.send<UploadReply>(
      path,
      uploadFormOf([note("one"), note("two")], { documentType: "Invoice" }),
      json,
    );
    expect(first).toMatchObject({
      status: 201,
      body: {
        documents: [
          { type: "invoice", fileName: "one.txt", status: "Uploaded", known: false },
          { type: "invoice", fileName: "two.txt", status: "Uploaded", known: false },
        ],
      },
    });
    const second = await guest.send<UploadReply>(path, uploadFormOf([note("one")], { documentType: "invoice" }), json);
    expect(second.status).toBe(200);
    expect(second.body.documents).toEqual([{ ...first.body.documents[0], known: true }]);
  });

  test("of the company count for their type, but the carrier cannot see or download them", async () => {
    const { path, orderId } = await shareOrder(ask, { requiredDocumentTypes: "cmr,invoice" });
    const { body: theirs } = await ask<{ documentId: string }>("POST", `/api/v1/orders/${orderId}/documents`, {
      body: uploadFormOf([{ name: "Own copy.txt", bytes: "CMR note both have" }], {
        documentType: "cmr",
        comment: "From us",
      }),
    });
    await uploadByCompany(ask, orderId, "photo");
    const { body } = await guest.visit(path);
    expect(body).toContain("Still missing: invoice");
    for (const text of ["Own copy", "From us", theirs.documentId, 'id="name-photo"']) expect(body).not.toContain(text);
    expect((await guest.visit(`${path}/documents/${theirs.documentId}`)).status).toBe(404);
    const same = await guest.send<UploadReply>(path, uploadFormOf([note("both have")]), json);
    expect(same).toMatchObject({ status: 201, body: { documents: [{ fileName: "both have.txt", known: false }] } });
  });

  test("show the reason of a rejection, and thanks once all are accepted", async () => {
    const { path, orderId } = await shareOrder(ask, { requiredDocumentTypes: "cmr" });
    const bad = await guest.handInOne(path, note("blurred"));
    await setDocumentStatus(ask, orderId, bad.documentId, "Rejected", "The stamp cannot be read");
    const rejected = (await guest.visit(path)).body;
    expect(rejected).toMatch(/Please send again: CMR consignment note/);
    expect(rejected).toMatch(/The stamp cannot be read\s+<span>Please send a better one\./);

    const good = await guest.handInOne(path, note("sharp"));
    expect((await guest.visit(path)).body).toContain("All documents received");
    await setDocumentStatus(ask, orderId, good.documentId, "Accepted");
    const thanks = (await guest.visit(path)).body;
    expect(thanks).toContain("Thank you! All documents have been accepted.");
    expect(thanks).toContain('id="form-cmr"');
  });

  const encrypted = pdfPages([["secret"]]);
  test.each([
    ["an empty file", { name: "leer.pdf", bytes: "" }, 400, "file_empty", "leer.pdf: Diese Datei ist leer."],
    [
      "a program",
      { name: "a.exe", bytes: `MZ${"\0".repeat(99)}` },
      400,
      "unsupported_file_type",
      "a.exe: Diese Datei können wir nicht annehmen.",
    ],
    [
      "a video",
      { name: "a.mp4", bytes: "\0\0\0 ftypmp42\0\0\0\0\x01\x02\x03\x04\x05\x06\x07\x08" },
      400,
      "unsupported_file_type",
      "a.mp4: Diese Datei können",
    ],
    [
      "a truncated PDF",
      { name: "a.pdf", bytes: encrypted.slice(0, 150) },
      400,
      "file_unreadable",
      "a.pdf: Diese Datei ist beschädigt.",
    ],
    [
      "too large a request",
      { name: "a.pdf", bytes: new Uint8Array(27 * 1024 * 1024) },
      413,
      "payload_too_large",
      "Das ist zu groß.",
    ],
  ])("%s is refused at its form, in the visitor's language", async (_, file, status, code, words) => {
    const { path, orderId, token } = await shareOrder(ask, { requiredDocumentTypes: "cmr,invoice" });
    const filledIn = () => uploadFormOf([note("good"), file], { documentType: "invoice" });
    const plain = await guest.send(path, filledIn(), { "accept-language": "de" });
    expect(plain.status).toBe(status);
    const [, form] = plain.body.split('id="form-invoice"');
    expect(status === 413 ? plain.body : form).toContain(words);
    expect(plain.body).toContain('role="alert"');
    const spoken = await guest.send<{ instance: string; errorCode: string }>(path, filledIn(), json);
    expect(spoken).toMatchObject({ status, body: { errorCode: code, instance: "/share" } });
    expect(JSON.stringify(spoken.body)).not.toContain(token);
    expect((await readOrder(ask, orderId)).carrierOrder.documents).toEqual([]);
  });

  test.each([
    ["no file", uploadFormOf([]), 400, "Please choose a file first."],
    ["an empty field", uploadFormOf([{ name: "", bytes: "" }]), 400, "Please choose a file first."],
    ["an unknown type", uploadFormOf([note("kind")], { documentType: "passport" }), 400, "The form has an error."],
    [
      "a comment that is too long",
      uploadFormOf([note("long")], { documentType: "cmr", comment: "x".repeat(501) }),
      400,
      "The form has an error.",
    ],
  ])("a form with %s is shown again with the error", async (_, form, status, words) => {
    const { path } = await shareOrder(ask);
    const reply = await guest.send(path, form);
    expect(reply.status).toBe(status);
    expect(reply.body).toContain(words);
  });

  test("are refused from a form on another site", async () => {
    const { path, orderId } = await shareOrder(ask);
    const from = (site: string) => guest.send(path, uploadFormOf([note(site)]), { "sec-fetch-site": site });
    expect(await from("cross-site")).toMatchObject({ status: 403, body: expect.stringContaining("<h1>") });
    const script = { "sec-fetch-site": "cross-site", ...json };
    expect(await guest.send(path, uploadFormOf([note("script")]), script)).toMatchObject({
      status: 403,
      body: { status: 403, errorCode: "validation_failed", instance: "/share" },
    });
    expect((await from("same-origin")).status).toBe(303);
    expect((await readOrder(ask, orderId)).carrierOrder.documents).toHaveLength(1);
  });

  test("are refused in a body that is no form", async () => {
    const { path } = await shareOrder(ask);
    const reply = await apiClient(service)("POST", path, { json: {}, headers: json });
    expect(reply).toMatchObject({ status: 415, body: { errorCode: "unsupported_media_type" } });
  });
});

describe("an uploaded document", () => {
  test("can be downloaded by its carrier, with its link only", async () => {
    const { path } = await shareOrder(ask);
    const other = await shareOrder(ask);
    const { documentId } = await guest.handInOne(path, note("mine"));
    const { status, body, headers } = await guest.visit(`${path}/documents/${documentId}`);
    expect({ status, body }).toEqual({ status: 200, body: "CMR note mine" });
    expect(headers.get("content-security-policy")).toContain("sandbox");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("x-robots-tag")).toBe("noindex");
    expect((await guest.visit(`${other.path}/documents/${documentId}`)).status).toBe(404);
    expect((await guest.visit(`${path}/documents/none`)).status).toBe(404);
    expect((await guest.visit(`${path}/documents/${documentId}`, {}, "POST")).headers.get("allow")).toBe("GET, HEAD");
    expect((await guest.visit(`${path}/documents/${documentId}`, { range: "bytes=0-2" })).body).toBe("CMR");
  });

  test.each([
    ["page.html", "<!doctype html><html><body><script>alert(1)</script><p>CMR note</p></body></html>"],
    ["drawing.svg", '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
  ])("with active content, %s, is served as an attachment", async (name, bytes) => {
    const { path } = await shareOrder(ask);
    const taken = await guest.send<UploadReply>(path, uploadFormOf([{ name, bytes }]), json);
    expect(taken.status).toBe(201);
    const { headers } = await guest.visit(`${path}/documents/${taken.body.documents[0]!.documentId}`);
    expect(headers.get("content-disposition")).toMatch(/^attachment/);
    expect(headers.get("content-security-policy")).toContain("sandbox");
  });
});

test("the token is in no log line and no error response", async () => {
  const { path, token } = await shareOrder(ask);
  const { documentId } = await guest.handInOne(path, note("quiet"));
  const asked = [
    ["GET", path],
    ["GET", `${path}/documents/${documentId}`],
    ["GET", `${path}/documents/none`],
    ["GET", `${path}/more/of/it`],
    ["DELETE", path],
    ["OPTIONS", path],
    ["POST", path],
  ] as const;
  for (const [method, at] of asked) {
    const { headers, body, status } = await guest.visit(at, json, method);
    expect(status < 400 ? "" : JSON.stringify(body)).not.toContain(token);
    expect([...headers].join()).not.toContain(token);
  }
  await expect.poll(() => readFile(logs, "utf8"), { timeout: 50_000 }).toContain("share.file");
  expect(await readFile(logs, "utf8")).not.toContain(token);
});
