import { afterAll, beforeAll, expect, test } from "vitest";
import type { Env } from "../src/kit/env.ts";
import { retain } from "../src/areas/privacy/retention.ts";
import { asking, form } from "./asking.ts";
import { pdfPages } from "./papers/pdf.ts";
import { invoice, root, takenApart } from "./piling.ts";
import { openService, type TestService } from "./service.ts";

let service: TestService;

beforeAll(async () => {
  service = await openService();
});

afterAll(() => service.stop());

test("a pile and what was looked at for its quality are kept as long as the company says; documents stay", async () => {
  const { id: company, key } = service.company();
  const ask = asking(service, key);
  const scan = {
    name: "scan.pdf",
    bytes: pdfPages([
      [...invoice("FV/160/2026"), "Page 1 of 1"],
      ["Note", "Page 1 of 1"],
    ]),
  };
  const { collectionId, documents } = await takenApart(ask, [scan]);
  expect(documents.map(({ type }) => type)).toEqual(["Invoices", "Other"]);
  const looked = await ask<{ documentId: string }>("POST", "/api/v1/documents/quality", {
    body: form(scan),
    headers: { prefer: "wait=30" },
  });
  const json = { documentCollections: 30, quality: 60 };
  expect((await ask("PUT", "/api/v1/privacy/retention", { json })).body).toEqual(json);

  const env = (await service.mf.getBindings("lorry")) as unknown as Env;
  const afterDays = (days: number) => retain({ company }, env, Date.now() + days * 24 * 60 * 60 * 1000);
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
