import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Response as Answer } from "miniflare";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { operations, type Named } from "../../../src/api.ts";
import { problemMedia } from "../../../src/platform/problem.ts";
import { takesIfMatch, takesIfNoneMatch } from "../../../src/http/openapi/row.ts";
import { openapi } from "../../../src/http/openapi.ts";
import { openService, type TestService } from "../../support/service.ts";
import { conforming, type ErrorBody } from "./conform.ts";
import { found, type Firm } from "./firm.ts";
import { goodRequest, send, type Request } from "./requests.ts";

let folder: string;
let service: TestService;
let firm: Firm;
/** Which row each request was meant for. */
const meant = new Map<string, string>();
const page = "https://console.beispiel.de";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "lorry-contract-"));
  service = await openService({
    internet: () => new Answer(null, { status: 204 }),
    logs: join(folder, "log.jsonl"),
    vars: { LOCAL_MAIL: "true", CORS_ORIGINS: `https://other.beispiel.de, ${page}` },
  });
  firm = await found(service);
});

afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

const good = (named: Named) => goodRequest(named, service, firm);
const code = ({ status, body }: { status: number; body: unknown }) => ({ status, code: (body as ErrorBody).errorCode });

async function asked(named: Named, request: Request) {
  const answer = await conforming(named, await send(service, request));
  meant.set(answer.headers.get("x-request-id")!, named.id);
  return answer;
}

const with_ = ({ headers, ...request }: Request, more: Record<string, string>): Request => ({
  ...request,
  headers: { ...headers, ...more },
});

describe.each(operations)("$id", (named) => {
  const { method, path, status = 200 } = named.operation;

  test("answers as it has announced, and says no more", async () => {
    const { headers, ...answer } = await asked(named, await good(named));
    expect(answer.status).toBe(status);
    expect(headers.get("access-control-allow-origin")).toBeNull();
    expect(headers.get("cache-control")).toBe(named.operation.givesFile ? "private, no-cache" : "no-store");
    expect(headers.has("ratelimit")).toBe(named.operation.access.includes(":"));
  });

  test("answers a page of an allowed origin, and no other", async () => {
    const allowed = await asked(named, with_(await good(named), { origin: page }));
    expect(allowed.headers.get("access-control-allow-origin")).toBe(page);
    expect(allowed.headers.get("vary")).toContain("Origin");
    expect(allowed.headers.get("access-control-expose-headers")).toContain("X-Request-Id");
    const refused = await asked(named, with_(await good(named), { origin: "https://elsewhere.beispiel.de" }));
    expect(refused.headers.get("access-control-allow-origin")).toBeNull();
  });

  test("lets its page ask first", async () => {
    const request = await good(named);
    const asks = {
      origin: page,
      "access-control-request-method": method,
      "access-control-request-headers": "x-api-key, content-type",
    };
    const answer = await send(service, { method: "OPTIONS", path: request.path, headers: asks });
    expect(answer.status).toBe(204);
    expect(answer.headers.get("access-control-allow-methods")).toContain(method);
    expect(answer.headers.get("access-control-allow-headers")).toMatch(/X-Api-Key.*/);
  });

  test("does not take other methods, and says which it takes", async () => {
    for (const other of ["PATCH", "OPTIONS"]) {
      const answer = await send(service, {
        method: other,
        path: path.replace(/:\w+/g, "0193a5f2-0000-7000-8000-000000000000"),
        headers: {},
      });
      expect(answer.status).toBe(405);
      expect(answer.headers.get("allow")?.split(", ")).toContain(method);
      expect(answer.headers.get("content-type")).toBe(problemMedia);
      expect(answer.headers.get("x-request-id")).toBeTruthy();
      expect(await answer.json()).toMatchObject({ status: 405, errorCode: "method_not_allowed" });
    }
  });
});

describe.each(operations.filter(({ operation }) => operation.method === "GET"))("$id", (named) => {
  test("answers HEAD with the same headers and nothing else", async () => {
    const request = await good(named);
    const [whole, head] = [await send(service, request), await send(service, { ...request, method: "HEAD" })];
    expect(head.status).toBe(whole.status);
    expect(await head.text()).toBe("");
    expect((await whole.text()).length).toBeGreaterThan(0);
    for (const name of ["content-type", "etag", "cache-control", "content-disposition"])
      expect(head.headers.get(name), name).toBe(whole.headers.get(name));
  });
});

describe.each(operations.filter(({ operation }) => takesIfNoneMatch(operation)))("$id", (named) => {
  test("spares whoever has this version", async () => {
    const request = with_(await good(named), named.operation.waits ? { prefer: "wait=20" } : {});
    const { headers } = await asked(named, request);
    const etag = headers.get("etag")!;
    expect(etag).toMatch(/^"[^"]+"$/);
    for (const seen of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const spared = await asked(named, with_(request, { "if-none-match": seen }));
      expect({ status: spared.status, etag: spared.headers.get("etag") }, seen).toEqual({ status: 304, etag });
    }
    expect((await asked(named, with_(request, { "if-none-match": '"other"' }))).status).toBe(200);
  });
});

describe.each(operations.filter(({ operation }) => takesIfMatch(operation)))("$id", (named) => {
  test("is refused to whoever has seen another version", async () => {
    const request = await good(named);
    const refused = await asked(named, with_(request, { "if-match": '"999999"' }));
    expect(code(refused)).toEqual({ status: 412, code: "version_mismatch" });
    expect((await asked(named, with_(request, { "if-match": "*" }))).status).toBeLessThan(300);
  });
});

test("what a read answered as its version, a change takes as its version", async () => {
  for (const named of operations.filter(({ operation }) => takesIfMatch(operation))) {
    const request = await good(named);
    const reader = operations.find(
      ({ operation }) => operation.method === "GET" && operation.path === named.operation.path,
    );
    if (!reader) continue;
    const { headers } = await asked(reader, {
      method: "GET",
      path: request.path,
      headers: { authorization: request.headers["authorization"]! },
    });
    const changed = await asked(named, with_(request, { "if-match": headers.get("etag")! }));
    expect(changed.status, named.id).toBeLessThan(300);
  }
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
])("there is nothing at %s", async (path) => {
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
  "%s carries a request id like everything else",
  async (path) => {
    const answer = await send(service, { method: "GET", path, headers: {} });
    expect(answer.status).toBeLessThan(400);
    expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  },
);

test("the contract is served as the list makes it", async () => {
  expect(await (await service.fetch("/openapi.json")).json()).toEqual(JSON.parse(JSON.stringify(openapi())));
});

test("every request of these tests was answered by the row it was meant for", async () => {
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
