import { afterAll, beforeAll, expect, test } from "vitest";
import { apiClient } from "../support/api-client.ts";
import { openService, type TestService } from "../support/service.ts";

let service: TestService;

beforeAll(async () => {
  service = await openService({
    vars: { RATE_LIMIT_PER_SECOND: "plenty", CORS_ORIGINS: "https://tms.beispiel.de" },
  });
});

afterAll(() => service.stop());

const pages = ["/", "/healthz", "/openapi.json", "/docs", "/docs/errors", "/errors/not_found"];

test.each(pages)("%s allows only GET and HEAD", async (path) => {
  for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) {
    const { status, headers, body } = await apiClient(service)(method, path);
    expect({ method, status, allow: headers.get("allow") }).toEqual({ method, status: 405, allow: "GET, HEAD" });
    expect(body).toMatchObject({ errorCode: "method_not_allowed", requestId: headers.get("x-request-id") });
  }
  expect((await apiClient(service)("GET", path)).status).toBeLessThan(400);
  expect((await apiClient(service)("HEAD", path)).status).toBeLessThan(400);
});

test("an invalid rate limit setting counts as not set", async () => {
  const { status, headers } = await apiClient(service, service.company().key)("GET", "/api/v1/company");
  expect({ status, policy: headers.get("ratelimit-policy") }).toEqual({
    status: 200,
    policy: '"key";q=100;w=1;burst=200',
  });
});

test("a browser may read file name and range headers across origins", async () => {
  const { headers } = await apiClient(service, service.company().key)("GET", "/api/v1/company", {
    headers: { origin: "https://tms.beispiel.de" },
  });
  expect(headers.get("access-control-expose-headers")?.split(", ")).toEqual(
    expect.arrayContaining(["Content-Disposition", "Content-Range", "ETag"]),
  );
});

test("an endless body does not delay the response to a request without a key", async () => {
  let timer: NodeJS.Timeout;
  const body = new ReadableStream({
    start: (controller) => void (timer = setInterval(() => controller.enqueue(new Uint8Array(16)), 100)),
    cancel: () => clearInterval(timer),
  });
  const began = Date.now();
  const response = await service.fetch("/api/v1/orders", { method: "POST", body, duplex: "half" } as RequestInit);
  expect(response.status).toBe(401);
  expect(Date.now() - began).toBeLessThan(20_000);
});
