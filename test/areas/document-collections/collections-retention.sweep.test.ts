import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Env } from "../../../src/platform/env.ts";
import { apiClient, form, type ApiClient } from "../../support/api-client.ts";
import { completePrivacyRequest, forgottenAfter } from "../../support/privacy.ts";
import { pdfPages } from "../../support/papers/pdf.ts";
import { invoice, root, splitCollection } from "../../support/document-collections.ts";
import { openService, type TestService } from "../../support/service.ts";

let service: TestService;

beforeAll(async () => {
  service = await openService({ own: true });
});

afterAll(() => service.stop());

test("collections and quality records are kept as long as configured; documents stay", async () => {
  const { id: company, key } = service.company();
  const ask = apiClient(service, key);
  const scan = {
    name: "scan.pdf",
    bytes: pdfPages([
      [...invoice("FV/160/2026"), "Page 1 of 1"],
      ["Note", "Page 1 of 1"],
    ]),
  };
  const { collectionId, documents } = await splitCollection(ask, [scan]);
  expect(documents.map(({ type }) => type)).toEqual(["Invoices", "Other"]);
  const looked = await ask<{ documentId: string }>("POST", "/api/v1/documents/quality", {
    body: form(scan),
    headers: { prefer: "wait=30" },
  });
  const json = { documentCollections: 30, quality: 60 };
  expect((await ask("PUT", "/api/v1/privacy/retention", { json })).body).toEqual(json);

  const env = (await service.mf.getBindings("lorry")) as unknown as Env;
  const afterDays = (days: number) => forgottenAfter(env, company, json, days);
  const status = async (path: string) => (await ask("GET", `/api/v1/${path}`)).status;
  const pile = root.replace("/api/v1/", "");
  await afterDays(29);
  expect(await status(`${pile}/${collectionId}`)).toBe(200);
  await afterDays(31);
  expect(await status(`${pile}/${collectionId}`)).toBe(404);
  expect(await status(`documents/quality/${looked.body.documentId}`)).toBe(200);
  expect(await status(`documents/invoice/${documents[0]!.documentId}`)).toBe(200);
  await afterDays(61);
  expect(await status(`documents/quality/${looked.body.documentId}`)).toBe(404);
  const { delimitedPrefixes } = await env.FILES.list({ prefix: `${company}/`, delimiter: "/" });
  expect(delimitedPrefixes).toEqual([`${company}/documents/`]);
});

test("a file without a record is deleted only after the retention period", async () => {
  const { id: company } = service.company();
  const env = (await service.mf.getBindings("lorry")) as unknown as Env;
  const key = `${company}/quality/0193a5f2-7c1e-7a44-9d2b-5f0c3e1a8b77/original`;
  await env.FILES.put(key, "A scan");
  await forgottenAfter(env, company, { quality: 30 }, 29);
  expect(await env.FILES.head(key)).not.toBeNull();
  await forgottenAfter(env, company, { quality: 30 }, 31);
  expect(await env.FILES.head(key)).toBeNull();
});

test(
  "the scan of a collection stays stored after its document is deleted, and after an erasure that matches nothing",
  { timeout: 200_000 },
  async () => {
    const { id: company, key } = service.company();
    const ask = apiClient(service, key);
    const bytes = pdfPages([invoice("FV/161/2026")]);
    const { documents } = await splitCollection(ask, [{ name: "scan.pdf", bytes }]);
    const document = `/api/v1/documents/invoice/${documents[0]!.documentId}`;
    await listedOnce(ask);
    const env = (await service.mf.getBindings("lorry")) as unknown as Env;
    await forgottenAfter(env, company, { documents: 30 }, 31);
    expect((await ask("GET", document)).status).toBe(404);
    expect(await completePrivacyRequest(ask, "erase", { name: "Nobody Whatsoever" })).toMatchObject({
      records: 0,
      files: 0,
    });
    const { objects } = await env.FILES.list({ prefix: `${company}/piles/` });
    expect(objects).toHaveLength(1);
  },
);

/** Waits until the archive lists the document, so that the retention job finds it. */
const listedOnce = (ask: ApiClient) =>
  vi.waitFor(
    async () => expect((await ask<{ items: unknown[] }>("GET", "/api/v1/documents")).body.items).toHaveLength(1),
    { timeout: 60_000, interval: 100 },
  );
