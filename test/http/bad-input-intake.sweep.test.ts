import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { apiClient, form, type ApiClient } from "../support/api-client.ts";
import { failedFiles, strangeFiles } from "./bad-input/files.ts";
import { intakeRows, driverDocumentUpdateRows } from "./bad-input/intake.ts";
import { refusalOf, refused } from "./bad-input/refusals.ts";
import type { Hostile } from "./bad-input/row.ts";
import { openService, type TestService } from "../support/service.ts";

let service: TestService;
let ask: ApiClient;
/** The only document. */
let documentId: string;

beforeAll(async () => {
  service = await openService();
  ask = apiClient(service, service.company().key);
  const body = form({ name: "card.txt", bytes: "Nothing that a driver carries." });
  const taken = await ask<{ documentId: string }>("POST", "/api/v1/drivers-documents", {
    body,
    headers: { prefer: "wait=20" },
  });
  ({ documentId } = taken.body);
});

afterAll(() => service.stop());

test.each([...intakeRows, ...driverDocumentUpdateRows])("$what is refused and stores nothing", async (row) => {
  const version = async () => (await ask("GET", `/api/v1/drivers-documents/${documentId}`)).headers.get("etag");
  const before = await version();
  const path = row.path!.replace("{id}", documentId);
  expect(await refused(ask, { ...row, path })).toEqual(refusalOf(row));
  expect(await version()).toBe(before);
});

test("after all refused requests the company has one document and no profile", async () => {
  const items = async (list: string) => (await ask<{ items: unknown[] }>("GET", `/api/v1/${list}`)).body.items;
  await vi.waitUntil(async () => (await items("drivers-documents")).length > 0, { timeout: 50_000 });
  expect(await items("drivers-documents")).toHaveLength(1);
  expect(await items("documents")).toEqual([]);
  expect(await items("opportunities")).toEqual([]);
  const profile = await ask("GET", "/api/v1/mapping-profiles/opportunities");
  expect(profile.body).toMatchObject({ configured: false });
});

/** All routes that accept files, each with the path where its result is read. The routes of orders have other tests. */
const doors: Record<string, (made: Record<string, unknown>) => string> = {
  documents: ({ documentId }) => `documents/${String(documentId)}`,
  "drivers-documents": ({ documentId }) => `drivers-documents/${String(documentId)}`,
  "opportunities/file": ({ opportunityId }) => `opportunities/${String(opportunityId)}`,
  "documents/quality": ({ documentId }) => `documents/quality/${String(documentId)}`,
  "document-collections/files": ({ collectionId }) => `document-collections/${String(collectionId)}`,
  "automations/fines": ({ automationId }) => `automations/${String(automationId)}`,
  "transactions-feed": ({ feedId }) => `transactions-feed/feeds/${String(feedId)}`,
};
/** The values of a status that mean that the work is not finished. */
const open: unknown[] = ["Processing", "Importing", 0, 1];

/** Posts a file to a route and returns the final result. `transactions-feed` refuses a file that is not a statement. */
async function endAt(door: string, name: string, bytes: Uint8Array | string): Promise<unknown> {
  const made = await ask<Record<string, unknown>>("POST", `/api/v1/${door}`, { body: form({ name, bytes }) });
  if (door === "transactions-feed" && made.status === 400) return made.body["errorCode"];
  expect(made.status, `${door}: ${JSON.stringify(made.body).slice(0, 300)}`).toBe(202);
  const place = `/api/v1/${doors[door]!(made.body)}`;
  return vi.waitFor(
    async () => {
      const { status, body } = await ask<{ status?: unknown } | { status?: unknown }[]>("GET", place);
      expect(status, door).toBe(200);
      const [first] = [body].flat();
      expect(open, door).not.toContain(first?.status);
      return first?.status;
    },
    { timeout: 150_000, interval: 100 },
  );
}

const [long, short] = [true, false].map((isLong) =>
  [...failedFiles, ...strangeFiles].filter((file) => Boolean(file.isLong) === isLong),
) as [Hostile[], Hostile[]];

test.concurrent.each(short)("$what reaches a final state on every route", async ({ name = "document.txt", make }) => {
  const bytes = make();
  const ends = await Promise.all(Object.keys(doors).map((door) => endAt(door, name, bytes)));
  expect(ends).not.toContain(undefined);
});

/** Routes that open every file. Each file that takes long is posted to only one of them. */
const opening = Object.keys(doors).filter((door) => door !== "transactions-feed");
const longOnes = long.map((file, at) => ({ ...file, door: opening[at % opening.length]! }));

test.each(longOnes)("$what reaches a final state on $door", async ({ name = "document.txt", make, door }) => {
  expect(await endAt(door, name, make())).not.toBeUndefined();
});
