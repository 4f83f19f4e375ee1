import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { apiClient, form, type ApiClient } from "../../support/api-client.ts";
import {
  uploadDocument,
  setDocumentStatus,
  createCarrierOrder,
  readOrder,
  type DocumentAnswer,
} from "../../support/carriers.ts";
import { openService, type TestService } from "../../support/service.ts";

let service: TestService;
let ask: ApiClient;

beforeAll(async () => {
  service = await openService();
  ask = apiClient(service, service.company().key);
});

afterAll(() => service.stop());

/** Lists the stored files of the order's documents. */
async function filesOf(orderId: string) {
  const bucket = await service.mf.getR2Bucket("FILES", "lorry");
  const { objects } = await bucket.list();
  return objects.filter(({ key }) => key.includes(`/${orderId}/`));
}

const sideOf = async (orderId: string) => (await readOrder(ask, orderId)).carrierOrder;

describe("a document", () => {
  test("is uploaded, listed and downloaded unchanged", async () => {
    const { orderId } = await createCarrierOrder(ask);
    const { status, headers, body } = await ask<DocumentAnswer>("POST", `/api/v1/orders/${orderId}/documents`, {
      body: form({ name: "CMR 0815 żółć.txt", bytes: "The note" }, { documentType: "CMR", comment: "Page 1 of 1" }),
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      type: "cmr",
      fileName: "CMR 0815 żółć.txt",
      contentType: "text/plain",
      sizeBytes: 8,
      status: "Uploaded",
      comment: "Page 1 of 1",
      uploadedBy: "Company",
    });
    const location = headers.get("location")!;
    expect(location).toBe(`/api/v1/orders/${orderId}/documents/${body.documentId}/content`);
    const content = await service.fetch(location, { headers: { "x-api-key": service.company().key } });
    expect(content.status).toBe(404);
    const own = await ask<string>("GET", location);
    expect(own).toMatchObject({ status: 200, body: "The note" });
    expect((await sideOf(orderId)).documents).toEqual([body]);
    expect((await sideOf(orderId)).status).toBe("InReview");
  });

  test.each(["documentType", "documenttype", "DocumentType"])("takes its type from the field %s", async (field) => {
    const { orderId } = await createCarrierOrder(ask);
    const { body } = await ask<DocumentAnswer>("POST", `/api/v1/orders/${orderId}/documents`, {
      body: form({ name: "a.txt", bytes: "A paper" }, { [field]: "cmr" }),
    });
    expect(body.type).toBe("cmr");
  });

  test("uploaded again is answered with the existing one", async () => {
    const { orderId } = await createCarrierOrder(ask);
    const first = await uploadDocument(ask, orderId, "cmr", "Twice");
    const second = await uploadDocument(ask, orderId, "cmr", "Twice");
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.body).toEqual(first.body);
    expect((await sideOf(orderId)).documents).toHaveLength(1);
  });

  test("of another type, or after the first was superseded, is a new one; its bytes are stored once", async () => {
    const { orderId } = await createCarrierOrder(ask);
    const first = await uploadDocument(ask, orderId, "cmr", "One scan");
    const second = await uploadDocument(ask, orderId, "invoice", "One scan");
    const better = await uploadDocument(ask, orderId, "cmr", "A better scan");
    await setDocumentStatus(ask, orderId, better.body.documentId, "Accepted");
    const again = await uploadDocument(ask, orderId, "cmr", "One scan");
    expect([first, second, again].map(({ status }) => status)).toEqual([201, 201, 201]);
    expect((await sideOf(orderId)).documents.map(({ type, status }) => `${type} ${status}`)).toEqual([
      "cmr Superseded",
      "invoice Uploaded",
      "cmr Accepted",
      "cmr Uploaded",
    ]);
    expect(await filesOf(orderId)).toHaveLength(2);
    for (const { body } of [first, second, again]) {
      const content = await ask<string>("GET", `/api/v1/orders/${orderId}/documents/${body.documentId}/content`);
      expect(content.body).toBe("One scan");
    }
  });

  test("is refused if the order has 200 documents, and its bytes are deleted", async () => {
    const { orderId } = await createCarrierOrder(ask);
    const scans = Array.from({ length: 204 }, (_, number) => `Scan ${number}`);
    const answers = await Promise.all(scans.map((scan) => uploadDocument(ask, orderId, "photo", scan)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(200);
    const refused = answers.filter(({ status }) => status === 409);
    expect(refused.map(({ body }) => body)).toEqual(
      refused.map(() => expect.objectContaining({ errorCode: "invalid_state", currentStatus: "AwaitingDocuments" })),
    );
    expect(await uploadDocument(ask, orderId, "cmr", "One more")).toMatchObject({ status: 409 });
    expect(await filesOf(orderId)).toHaveLength(200);
    const { documents } = await sideOf(orderId);
    expect(documents).toHaveLength(200);
    const taken = answers.findIndex(({ status }) => status === 201);
    expect(await uploadDocument(ask, orderId, "photo", scans[taken])).toMatchObject({
      status: 200,
      body: answers[taken]!.body,
    });
  });

  test("that is refused after its upload leaves no bytes", async () => {
    const { orderId } = await createCarrierOrder(ask);
    const { status } = await ask("POST", `/api/v1/orders/${orderId}/documents`, {
      body: form({ name: "a.txt", bytes: "Too late" }, { documentType: "cmr" }),
      headers: { "if-match": '"99"' },
    });
    expect(status).toBe(412);
    expect(await filesOf(orderId)).toEqual([]);
  });

  test("repeated with its idempotency key after the cancellation gets the first answer", async () => {
    const { orderId } = await createCarrierOrder(ask);
    const send = (key: string) =>
      ask<DocumentAnswer>("POST", `/api/v1/orders/${orderId}/documents`, {
        body: form({ name: "cmr.txt", bytes: "Once" }, { documentType: "cmr" }),
        headers: { "idempotency-key": key },
      });
    const first = await send("paper-1");
    await ask("DELETE", `/api/v1/orders/${orderId}`);
    const again = await send("paper-1");
    expect(again).toMatchObject({ status: 201, body: first.body });
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(await send("paper-2")).toMatchObject({ status: 409, body: { errorCode: "invalid_state" } });
    expect(await filesOf(orderId)).toHaveLength(1);
  });

  test("uploaded many times concurrently is one", async () => {
    const { orderId } = await createCarrierOrder(ask);
    const answers = await Promise.all(Array.from({ length: 20 }, () => uploadDocument(ask, orderId, "cmr", "At once")));
    expect(new Set(answers.map(({ body }) => body.documentId)).size).toBe(1);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  });

  test.each([
    ["text/html", "page.html", "<!doctype html><html><body><script>alert(1)</script></body></html>"],
    ["image/svg+xml", "drawing.svg", '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
  ])("with active content (%s) is served as an attachment", async (_, name, bytes) => {
    const { orderId } = await createCarrierOrder(ask);
    const { status, body } = await ask<DocumentAnswer>("POST", `/api/v1/orders/${orderId}/documents`, {
      body: form({ name, bytes }, { documentType: "cmr" }),
    });
    expect(status).toBe(201);
    const { headers } = await ask("GET", `/api/v1/orders/${orderId}/documents/${body.documentId}/content`);
    expect(headers.get("content-disposition")).toMatch(/^attachment/);
    expect(headers.get("content-security-policy")).toContain("sandbox");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  });

  test("without a type, with an unknown type, or for a cancelled order is refused", async () => {
    const { orderId } = await createCarrierOrder(ask);
    const send = (fields: Record<string, string>) =>
      ask<{ errorCode: string; errors?: { pointer: string }[] }>("POST", `/api/v1/orders/${orderId}/documents`, {
        body: form({ name: "a.txt", bytes: "A paper" }, fields),
      });
    for (const fields of [{}, { documentType: "passport" }]) {
      const { status, body } = await send(fields as Record<string, string>);
      expect({ status, pointer: body.errors?.[0]?.pointer }).toEqual({ status: 400, pointer: "/documentType" });
    }
    await ask("DELETE", `/api/v1/orders/${orderId}`);
    expect(await send({ documentType: "cmr" })).toMatchObject({ status: 409, body: { errorCode: "invalid_state" } });
    expect((await sideOf(orderId)).documents).toEqual([]);
  });

  test("is accepted or rejected, also after an earlier verdict; the same verdict again changes nothing", async () => {
    const { orderId } = await createCarrierOrder(ask);
    const { documentId } = (await uploadDocument(ask, orderId, "cmr")).body;
    const rejected = await setDocumentStatus(ask, orderId, documentId, "rejected", "Too dark");
    expect(rejected).toMatchObject({
      status: 200,
      body: { status: "Rejected", reason: "Too dark", orderStatus: "Rejected" },
    });
    const again = await setDocumentStatus(ask, orderId, documentId, "Rejected", "Much too dark");
    expect(again.body).toEqual(rejected.body);
    expect(again.headers.get("etag")).toBe(rejected.headers.get("etag"));
    const accepted = await setDocumentStatus(ask, orderId, documentId, "Accepted");
    expect(accepted.body).toMatchObject({ status: "Accepted", orderStatus: "Completed" });
    expect(accepted.body.reason).toBeUndefined();
    for (const status of ["Uploaded", "Superseded", "Good"])
      expect((await setDocumentStatus(ask, orderId, documentId, status)).status).toBe(400);
    expect((await setDocumentStatus(ask, orderId, "0193a5f2-7c1e-7a44-9d2b-5f0c3e1a8b77", "Accepted")).status).toBe(
      404,
    );
  });

  test("of another company or order is not found under this order", async () => {
    const other = apiClient(service, service.company().key);
    const [own, sibling, foreign] = [
      await createCarrierOrder(ask),
      await createCarrierOrder(ask),
      await createCarrierOrder(other),
    ];
    const theirs = (await uploadDocument(other, foreign.orderId, "cmr")).body.documentId;
    const siblings = (await uploadDocument(ask, sibling.orderId, "cmr")).body.documentId;
    const before = [await readOrder(other, foreign.orderId), await readOrder(ask, sibling.orderId)];
    for (const [orderId, documentId] of [
      [own.orderId, theirs],
      [own.orderId, siblings],
      [foreign.orderId, theirs],
      [foreign.orderId, siblings],
    ] as const) {
      const content = await ask("GET", `/api/v1/orders/${orderId}/documents/${documentId}/content`);
      expect(content).toMatchObject({ status: 404, body: { errorCode: "not_found" } });
      const verdict = await setDocumentStatus(ask, orderId, documentId, "Accepted");
      expect(verdict).toMatchObject({ status: 404, body: { errorCode: "not_found" } });
    }
    expect([await readOrder(other, foreign.orderId), await readOrder(ask, sibling.orderId)]).toEqual(before);
  });

  test("that is superseded stays superseded", async () => {
    const { orderId } = await createCarrierOrder(ask);
    const [first, second] = [
      (await uploadDocument(ask, orderId, "cmr")).body,
      (await uploadDocument(ask, orderId, "cmr")).body,
    ];
    await setDocumentStatus(ask, orderId, second.documentId, "Accepted");
    expect((await sideOf(orderId)).documents.map(({ status }) => status)).toEqual(["Superseded", "Accepted"]);
    const refused = await setDocumentStatus(ask, orderId, first.documentId, "Rejected");
    expect(refused).toMatchObject({
      status: 409,
      body: { errorCode: "invalid_state", currentStatus: "Superseded", allowed: [] },
    });
  });
});

// A model of how the order's status follows from its documents. It is independent of the implementation.

type Status = "Uploaded" | "Accepted" | "Rejected" | "Superseded";
interface Modelled {
  id: string;
  type: string;
  status: Status;
}

function expectedStatus(required: readonly string[], papers: Modelled[]): string {
  let answer = "Completed";
  const ranks = ["Completed", "InReview", "Rejected", "AwaitingDocuments"];
  for (const type of required) {
    const counting = papers.filter((paper) => paper.type === type && paper.status !== "Superseded");
    const last = counting[counting.length - 1];
    const says = !last
      ? "AwaitingDocuments"
      : { Accepted: "Completed", Rejected: "Rejected", Uploaded: "InReview" }[last.status as "Uploaded"];
    if (ranks.indexOf(says) > ranks.indexOf(answer)) answer = says;
  }
  return answer;
}

const act = fc.oneof(
  fc.record({ what: fc.constant("upload" as const), type: fc.constantFrom("cmr", "invoice", "photo") }),
  fc.record({
    what: fc.constant("judge" as const),
    which: fc.nat(5),
    status: fc.constantFrom("Accepted" as const, "Rejected" as const),
  }),
);

test("after any sequence of uploads and verdicts, the order's status follows from its documents", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(["cmr"], ["cmr", "invoice"], []),
      fc.array(act, { minLength: 1, maxLength: 12 }),
      async (required, acts) => {
        const { orderId } = await createCarrierOrder(ask, { requiredDocumentTypes: required.join(",") });
        const papers: Modelled[] = [];
        const verdicts: { status: number; expected: number }[] = [];
        for (const step of acts) {
          if (step.what === "upload") {
            const { body } = await uploadDocument(ask, orderId, step.type);
            papers.push({ id: body.documentId, type: step.type, status: "Uploaded" });
          } else if (papers.length > 0) {
            const paper = papers[step.which % papers.length]!;
            const { status } = await setDocumentStatus(ask, orderId, paper.id, step.status);
            verdicts.push({ status, expected: paper.status === "Superseded" ? 409 : 200 });
            const isNew = paper.status !== "Superseded" && paper.status !== step.status;
            if (isNew) paper.status = step.status;
            if (isNew && step.status === "Accepted")
              for (const earlier of papers.slice(0, papers.indexOf(paper)))
                if (earlier.type === paper.type) earlier.status = "Superseded";
          }
          const side = await sideOf(orderId);
          expect(side.status).toBe(expectedStatus(required, papers));
          expect(side.documents.map(({ documentId, status }) => [documentId, status])).toEqual(
            papers.map(({ id, status }) => [id, status]),
          );
          expect(side.missingDocumentTypes).toEqual(
            required.filter((type) => !papers.some((paper) => paper.type === type && paper.status !== "Superseded")),
          );
        }
        expect(verdicts.filter(({ status, expected }) => status !== expected)).toEqual([]);
      },
    ),
    { numRuns: 40 },
  );
});
