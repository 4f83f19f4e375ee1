import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { asking, form, type Asking } from "./asking.ts";
import { failedFiles, strangeFiles } from "./bad-input/files.ts";
import { intakeRows, saidRows } from "./bad-input/intake.ts";
import { refusalOf, refused } from "./bad-input/refusing.ts";
import { openService, type TestService } from "./service.ts";

let service: TestService;
let ask: Asking;
/** The one document there is. */
let documentId: string;

beforeAll(async () => {
  service = await openService({ vars: { RATE_LIMIT_PER_SECOND: "100000" } });
  ask = asking(service, service.company().key);
  const body = form({ name: "card.txt", bytes: "Nothing that a driver carries." });
  const taken = await ask<{ documentId: string }>("POST", "/api/v1/drivers-documents", {
    body,
    headers: { prefer: "wait=20" },
  });
  ({ documentId } = taken.body);
});

afterAll(() => service.stop());

test.each([...intakeRows, ...saidRows])("$what is refused, and nothing is kept of it", async (row) => {
  const version = async () => (await ask("GET", `/api/v1/drivers-documents/${documentId}`)).headers.get("etag");
  const before = await version();
  const path = row.path!.replace("{id}", documentId);
  expect(await refused(ask, { ...row, path })).toEqual(refusalOf(row));
  expect(await version()).toBe(before);
});

test("after all of it the company has the one document and no profile", async () => {
  const items = async (list: string) => (await ask<{ items: unknown[] }>("GET", `/api/v1/${list}`)).body.items;
  await vi.waitUntil(async () => (await items("drivers-documents")).length > 0, { timeout: 30_000 });
  expect(await items("drivers-documents")).toHaveLength(1);
  expect(await items("documents")).toEqual([]);
  expect(await items("opportunities")).toEqual([]);
  const profile = await ask("GET", "/api/v1/mapping-profiles/opportunities");
  expect(profile.body).toMatchObject({ configured: false });
});

const kinds: [string, string][] = [
  ["documents", "document"],
  ["drivers-documents", "document"],
  ["opportunities/file", "opportunities"],
];

/** Each of them at one of the doors. */
const hostile = [...failedFiles, ...strangeFiles].map((file, at) => ({ ...file, kind: kinds[at % kinds.length]! }));

test.each(hostile)("$what comes to an end at $kind.0", async ({ name = "document.txt", make, kind: [door, held] }) => {
  const { status, body } = await ask<Record<string, unknown>>("POST", `/api/v1/${door}`, {
    body: form({ name, bytes: make() }),
    headers: { prefer: "wait=30" },
  });
  expect(status, JSON.stringify(body).slice(0, 300)).toBe(200);
  expect(body["status"]).not.toBe("Processing");
  expect(body).toHaveProperty(held);
});
