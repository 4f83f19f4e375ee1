import { Response as Answer } from "miniflare";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { operations, type NamedOperation } from "../../../src/api.ts";
import { takesIfMatch, takesIfNoneMatch } from "../../../src/http/openapi/row.ts";
import { problemMedia } from "../../../src/platform/problem.ts";
import { openService, type TestService } from "../../support/service.ts";
import { expectConforming, refusalIn } from "./conform.ts";
import { createCompany, type TestCompany } from "./company.ts";
import { goodRequest, send, type Request } from "./requests.ts";

let service: TestService;
let firm: TestCompany;
const page = "https://console.beispiel.de";

beforeAll(async () => {
  service = await openService({
    internet: () => new Answer(null, { status: 204 }),
    vars: { LOCAL_MAIL: "true", CORS_ORIGINS: `https://other.beispiel.de, ${page}` },
  });
  firm = await createCompany(service);
});

afterAll(() => service.stop());

const good = (named: NamedOperation) => goodRequest(named, service, firm);
const asked = async (named: NamedOperation, request: Request) => expectConforming(named, await send(service, request));
const with_ = ({ headers, ...request }: Request, more: Record<string, string>): Request => ({
  ...request,
  headers: { ...headers, ...more },
});

describe.each(operations)("$id", (named) => {
  const { method, path } = named.operation;

  test("responds to pages of an allowed origin only", async () => {
    const allowed = await asked(named, with_(await good(named), { origin: page }));
    expect(allowed.headers.get("access-control-allow-origin")).toBe(page);
    expect(allowed.headers.get("vary")).toContain("Origin");
    expect(allowed.headers.get("access-control-expose-headers")).toContain("X-Request-Id");
    const refused = await asked(named, with_(await good(named), { origin: "https://elsewhere.beispiel.de" }));
    expect(refused.headers.get("access-control-allow-origin")).toBeNull();
  });

  test("allows the preflight request of its page", async () => {
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

  test("refuses other methods, and names the supported ones", async () => {
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
  test("responds to HEAD with the same headers and no body", async () => {
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
  test("returns 304 to a client that has the current version", async () => {
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
  test("is refused with the ETag of another version", async () => {
    const request = await good(named);
    const refused = await asked(named, with_(request, { "if-match": '"999999"' }));
    expect(refusalIn(refused)).toEqual({ status: 412, code: "version_mismatch" });
    expect((await asked(named, with_(request, { "if-match": "*" }))).status).toBeLessThan(300);
  });
});

test("a change accepts the ETag that a read returned", async () => {
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
