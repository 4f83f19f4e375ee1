import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Response as Answer } from "miniflare";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { operations, type NamedOperation } from "../../../src/api.ts";
import { problemMedia } from "../../../src/platform/problem.ts";
import { openapi } from "../../../src/http/openapi.ts";
import { openService, type TestService } from "../../support/service.ts";
import { expectConforming } from "./conform.ts";
import { createCompany, type TestCompany } from "./company.ts";
import { goodRequest, send, type Request } from "./requests.ts";

let folder: string;
let service: TestService;
let firm: TestCompany;
/** The operation that each request was meant for, by request id. */
const meant = new Map<string, string>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "lorry-contract-"));
  service = await openService({
    internet: () => new Answer(null, { status: 204 }),
    logs: join(folder, "log.jsonl"),
    vars: { LOCAL_MAIL: "true", CORS_ORIGINS: "https://console.beispiel.de" },
  });
  firm = await createCompany(service);
});

afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

const good = (named: NamedOperation) => goodRequest(named, service, firm);

async function asked(named: NamedOperation, request: Request) {
  const answer = await expectConforming(named, await send(service, request));
  meant.set(answer.headers.get("x-request-id")!, named.id);
  return answer;
}

describe.each(operations)("$id", (named) => {
  const { status = 200 } = named.operation;

  test("returns a documented reply without further fields", async () => {
    const { headers, ...answer } = await asked(named, await good(named));
    expect(answer.status).toBe(status);
    expect(headers.get("access-control-allow-origin")).toBeNull();
    expect(headers.get("cache-control")).toBe(named.operation.returnsFile ? "private, no-cache" : "no-store");
    expect(headers.has("ratelimit")).toBe(named.operation.access.includes(":"));
  });
});

test.each([
  "/api",
  "/api/v1",
  "/api/v1/nothing",
  "/api/v3/orders",
  "/api/v1/orders/a/b/c",
  "/oauth2",
  "/api/v1/orders%2Ffile",
  "/API/V1/ORDERS/x/y",
])("%s does not exist", async (path) => {
  const answer = await send(service, { method: "POST", path, headers: { authorization: `Bearer ${firm.key}` } });
  expect(answer.status).toBe(404);
  expect(answer.headers.get("content-type")).toBe(problemMedia);
  expect(await answer.json()).toMatchObject({
    status: 404,
    errorCode: "not_found",
    instance: path,
    requestId: answer.headers.get("x-request-id"),
  });
});

test.each(["/healthz", "/openapi.json", "/docs", "/docs/errors", "/errors/not_found"])(
  "%s has a request id",
  async (path) => {
    const answer = await send(service, { method: "GET", path, headers: {} });
    expect(answer.status).toBeLessThan(400);
    expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  },
);

test("the served contract is the generated one", async () => {
  expect(await (await service.fetch("/openapi.json")).json()).toEqual(JSON.parse(JSON.stringify(openapi())));
});

test("every request of these tests reached the operation that it was meant for", async () => {
  const log = () =>
    readFile(join(folder, "log.jsonl"), "utf8").then((text) =>
      text
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as { what: string; requestId?: string; operation?: string }),
    );
  const wanted = [...meant.keys()];
  await vi.waitFor(async () => expect((await log()).some(({ requestId }) => requestId === wanted.at(-1))).toBe(true), {
    timeout: 50_000,
  });
  const answered = new Map(
    (await log()).flatMap(({ what, requestId, operation }) =>
      what === "request" && requestId ? [[requestId, operation] as const] : [],
    ),
  );
  for (const [requestId, id] of meant) expect(answered.get(requestId)).toBe(id);
  expect(new Set(meant.values())).toEqual(new Set(operations.map(({ id }) => id)));
});
