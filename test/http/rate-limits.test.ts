import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { callerOf } from "../../src/http/caller.ts";
import type { Recognised } from "../../src/platform/credential.ts";
import type { Env } from "../../src/platform/env.ts";
import { networkOf, takeKeyToken, takeLinkToken } from "../../src/http/rate-limit.ts";
import { Problem } from "../../src/platform/problem.ts";
import { apiClient, type ApiClient } from "../support/api-client.ts";
import { createCarrierOrder } from "../support/carriers.ts";
import { openService, type TestService } from "../support/service.ts";

const [wrongPerMinute, ceiling] = [5, 50];
const operator = "operator-of-the-tests";
let service: TestService;

beforeAll(async () => {
  service = await openService({
    vars: {
      RATE_LIMIT_PER_SECOND: "10",
      RATE_LIMIT_CEILING_PER_SECOND: `${ceiling}`,
      WRONG_KEYS_PER_MINUTE: `${wrongPerMinute}`,
    },
  });
});

afterAll(() => service.stop());
afterEach(() => void vi.useRealTimers());

interface Founded {
  keyId: string;
  key: string;
}

const found = async (facts: object = {}) =>
  (
    await apiClient(service, undefined)<Founded>("POST", "/api/v1/companies", {
      json: { name: "Trans Beispiel", ...facts },
      headers: { authorization: `Bearer ${operator}` },
    })
  ).body;

let keys = 0;
/** Makes a well-formed key of a company that does not exist. */
const madeUp = () => `lorry_${(++keys).toString(16).padStart(40, "0")}.${"A".repeat(43)}`;
/** Makes a client with the given IP address. */
const from = (address: string, key?: string): ApiClient =>
  apiClient(
    {
      fetch: (path, init) =>
        service.fetch(path, { ...init, headers: { ...(init?.headers as object), "cf-connecting-ip": address } }),
    },
    key,
  );
const statuses = async (count: number, ask: () => Promise<{ status: number }>) => {
  const answers: number[] = [];
  for (let n = 0; n < count; n++) answers.push((await ask()).status);
  return answers;
};
const refusedAfter = (status: number) => [...Array<number>(wrongPerMinute).fill(status), 429];

describe("wrong keys", () => {
  test("of one address are refused unchecked after a number of failures, while a valid key still works", async () => {
    const { key } = await found();
    const ours = from("198.51.100.1", key);
    expect((await ours("GET", "/api/v1/company")).status).toBe(200);
    const guess = () => from("198.51.100.1", madeUp())("GET", "/api/v1/company");
    expect(await statuses(wrongPerMinute + 1, guess)).toEqual(refusedAfter(401));
    const refused = await guess();
    expect(refused.body).toMatchObject({ errorCode: "rate_limited" });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await ours("GET", "/api/v1/company")).status).toBe(200);
    expect((await from("198.51.100.2", madeUp())("GET", "/api/v1/company")).status).toBe(401);
  });

  test("sent concurrently are limited too", async () => {
    const guesses = Array.from({ length: 40 }, () => from("198.51.100.3", madeUp())("GET", "/api/v1/company"));
    const looked = (await Promise.all(guesses)).filter(({ status }) => status === 401);
    expect(looked).toHaveLength(wrongPerMinute);
  });

  test.each([
    ["a malformed key", () => ({ "x-api-key": "nobody" })],
    [
      "a token",
      () => ({ authorization: `Bearer lorryt_${(++keys).toString(16).padStart(32, "0")}.${"A".repeat(43)}` }),
    ],
    ["Basic", () => ({ authorization: `Basic ${btoa(madeUp().replace(".", ":"))}` })],
  ])("count as well as %s", async (name, headers) => {
    const ask = from(`198.51.100.1${name.length}`);
    const guess = () => ask("GET", "/api/v1/company", { headers: headers() });
    expect(await statuses(wrongPerMinute + 1, guess)).toEqual(refusedAfter(401));
  });

  test("include client secrets and the operator's key", async () => {
    const client = () => ({ grant_type: "client_credentials", client_id: "a", client_secret: madeUp() });
    const trade = () => from("198.51.100.20")("POST", "/oauth2/token", { body: new URLSearchParams(client()) });
    expect(await statuses(wrongPerMinute + 1, trade)).toEqual(refusedAfter(401));
    const headers = { authorization: "Bearer guessed" };
    const rule = () => from("198.51.100.21")("POST", "/api/v1/companies", { json: { name: "A" }, headers });
    expect(await statuses(wrongPerMinute + 1, rule)).toEqual(refusedAfter(401));
    expect((await from("198.51.100.21")("GET", "/api/v1/company")).status).toBe(401);
  });

  test("of one /64 are counted together, and those of the next /64 separately", async () => {
    let host = 0;
    const guess = () => from(`2001:db8:1:2::${(++host).toString(16)}`, madeUp())("GET", "/api/v1/company");
    expect(await statuses(wrongPerMinute + 1, guess)).toEqual(refusedAfter(401));
    expect((await from("2001:db8:1:3::1", madeUp())("GET", "/api/v1/company")).status).toBe(401);
  });
});

test("invalid links of one address are refused unchecked after a number of failures, and a valid one still opens", async () => {
  const { shareUrl } = await createCarrierOrder(apiClient(service, service.company().key));
  const ask = from("198.51.100.30");
  const open = () => ask("GET", new URL(shareUrl).pathname);
  expect((await open()).status).toBe(200);
  const kinds = ["share", "freight"];
  const guess = () => ask("GET", `/${kinds[keys % 2]}/${(++keys).toString(16).padStart(64, "A")}`);
  expect(await statuses(wrongPerMinute + 1, guess)).toEqual(refusedAfter(404));
  const ends = await ask("POST", `/mail/${"A".repeat(64)}`);
  expect(ends.status).toBe(429);
  expect((await open()).status).toBe(200);
});

test("visitors of the board are counted by /64", async () => {
  let host = 0;
  const look = () => from(`2001:db8:9:9::${(++host).toString(16)}`)("GET", "/board/freights.json");
  const answers = await Promise.all(Array.from({ length: 40 }, look));
  expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
  expect((await from("2001:db8:9:a::1")("GET", "/board/freights.json")).status).toBe(200);
});

describe("a company's own rate limit", () => {
  test("is bounded by the operator's ceiling", async () => {
    const ask = apiClient(service, (await found()).key);
    const put = (requestsPerSecond: number) =>
      ask("PUT", "/api/v1/company", { json: { name: "Trans Beispiel", requestsPerSecond } });
    expect(await put(ceiling + 1)).toMatchObject({
      status: 400,
      body: { errorCode: "validation_failed", errors: [{ field: "requestsPerSecond", code: "too_big" }] },
    });
    expect((await put(ceiling)).status).toBe(200);
    expect((await found({ requestsPerSecond: ceiling + 1 })).key).toBeUndefined();
  });

  test("that was stored by an earlier release applies up to the ceiling", () => {
    const caller = { company: "c", keyId: "k", scopes: [], requestsPerSecond: 100_000 };
    expect(takeKeyToken(caller, {} as Env)["ratelimit-policy"]).toBe('"key";q=1000;w=1;burst=2000');
    const raised = { RATE_LIMIT_CEILING_PER_SECOND: "5000" } as Env;
    expect(takeKeyToken({ ...caller, keyId: "l" }, raised)["ratelimit-policy"]).toBe('"key";q=5000;w=1;burst=10000');
  });

  test("applies to token requests", async () => {
    const { keyId, key } = await found({ requestsPerSecond: 1 });
    const client = { grant_type: "client_credentials", client_id: keyId, client_secret: key.slice(keyId.length + 1) };
    const trade = () => apiClient(service)("POST", "/oauth2/token", { body: new URLSearchParams(client) });
    const traded = await Promise.all(Array.from({ length: 8 }, trade));
    expect(traded.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    expect(traded.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
  });
});

test("if there are too many buckets, the least recently used are deleted", () => {
  vi.useFakeTimers({ now: 0 });
  const isLimited = (link: string) => {
    try {
      takeLinkToken(link);
      return false;
    } catch (error) {
      return error instanceof Problem && error.reason === "rate_limited";
    }
  };
  while (!isLimited("mine"));
  for (let thousand = 0; thousand < 25; thousand++) {
    for (let other = 0; other < 1000; other++) takeLinkToken(`other-${thousand}-${other}`);
    expect(isLimited("mine"), `${thousand}`).toBe(true);
  }
});

describe("an invalid key", () => {
  /**
   * Start time of the next test. It is later each time, so that the clock never goes back and all buckets are full
   * again.
   */
  let later = Date.UTC(2026, 10, 23);

  function counted(answer: Recognised) {
    let looks = 0;
    const recognise = async () => (looks++, answer);
    const env = { COMPANIES: { getByName: () => ({ recognise }) } } as unknown as Env;
    const key = madeUp();
    const request = new Request("https://lorry.example/", { headers: { "x-api-key": key } });
    return { ask: () => callerOf(request, env).catch((error: unknown) => error), looks: () => looks };
  }

  test.each(["unauthenticated", "key_expired"] as const)(
    "that is refused as %s is looked up once a minute",
    async (refused) => {
      vi.useFakeTimers({ now: (later += 3_600_000) });
      const { ask, looks } = counted({ refused });
      for (let n = 0; n < 10; n++) expect(await ask()).toMatchObject({ reason: refused });
      expect(looks()).toBe(1);
      vi.advanceTimersByTime(61_000);
      expect(await ask()).toMatchObject({ reason: refused });
      expect(looks()).toBe(2);
    },
  );

  test("that is sent repeatedly is counted separately from keys that must be looked up", async () => {
    const stale = madeUp();
    const again = () => from("198.51.100.40", stale)("GET", "/api/v1/company");
    const answers = await statuses(wrongPerMinute + 2, again);
    expect(answers).toEqual([401, ...refusedAfter(401)]);
    expect((await from("198.51.100.40", madeUp())("GET", "/api/v1/company")).status).toBe(401);
  });

  test("is still verified if only its account is blocked", async () => {
    vi.useFakeTimers({ now: (later += 3_600_000) });
    const { ask, looks } = counted({ refused: "account_blocked" });
    for (let n = 0; n < 3; n++) expect(await ask()).toMatchObject({ reason: "account_blocked" });
    expect(looks()).toBe(3);
  });
});

test.each([
  ["192.0.2.1", "192.0.2.1"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["2001:0DB8:0:0:ffff:ffff:ffff:ffff", "2001:db8:0:0::/64"],
  ["2001:db8:0:1::1", "2001:db8:0:1::/64"],
  ["no address", "no address"],
])("%s is counted as %s", (address, network) => {
  expect(networkOf({ headers: new Headers({ "cf-connecting-ip": address }) })).toBe(network);
});
