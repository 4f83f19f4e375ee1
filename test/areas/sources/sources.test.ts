import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { apiClient, type ApiClient, type Wire } from "../../support/api-client.ts";
import { simulateInternet } from "../../support/simulated-internet.ts";
import { connectSource } from "../../support/publications.ts";
import { openService, type TestService } from "../../support/service.ts";

interface Source extends Wire {
  source: number;
  secret?: string;
}

const internet = simulateInternet();
let service: TestService;
let ask: ApiClient;

beforeAll(async () => {
  service = await openService({ internet: internet.answer });
});

afterAll(async () => {
  internet.close();
  await service.stop();
});

const aCompany = () => (ask = apiClient(service, service.company().key));
const register = (more: Wire = {}) =>
  ask<Source>("POST", "/api/v1/sources", {
    json: { name: "Exchange", endpoint: "https://exchange.beispiel.de/lorry", ...more },
  });
const listed = async () => (await ask<{ items: Source[] }>("GET", "/api/v1/sources")).body.items;

describe("sources", () => {
  test("of a new company contain only the built-in board", async () => {
    aCompany();
    expect(await listed()).toEqual([
      {
        source: 1,
        name: "Board",
        builtIn: true,
        url: expect.stringMatching(/\/board$/),
        calls: ["Publish", "Update", "Remove"],
        alternativeLocations: false,
      },
    ]);
    expect((await ask("GET", "/api/v1/sources/1")).body).toEqual((await listed())[0]);
  });

  test("are registered with a number and a secret that is shown once", async () => {
    aCompany();
    const made = await register({
      authentication: { type: "basic", username: "lorry", password: "s3cret" },
      calls: ["remove", "publish"],
      alternativeLocations: true,
    });
    expect(made.status).toBe(201);
    expect(made.headers.get("location")).toBe("/api/v1/sources/2");
    const { secret, ...shown } = made.body;
    expect(secret).toMatch(/^whsec_/);
    expect(shown).toEqual({
      source: 2,
      name: "Exchange",
      builtIn: false,
      endpoint: "https://exchange.beispiel.de/lorry",
      authentication: { type: "Basic", username: "lorry", password: "***" },
      calls: ["Publish", "Remove"],
      alternativeLocations: true,
      createdAt: expect.any(String),
      updatedAt: shown.createdAt,
    });
    expect((await ask("GET", "/api/v1/sources/2")).body).toEqual(shown);
    expect((await listed()).at(-1)).toEqual(shown);
  });

  test("get numbers that are never reused", async () => {
    aCompany();
    expect((await register()).body.source).toBe(2);
    expect((await register()).body.source).toBe(3);
    expect((await ask("DELETE", "/api/v1/sources/3")).status).toBe(204);
    expect((await register()).body.source).toBe(4);
    expect((await listed()).map(({ source }) => source)).toEqual([1, 2, 4]);
    expect((await ask("DELETE", "/api/v1/sources/3")).status).toBe(204);
    expect((await ask("GET", "/api/v1/sources/3")).status).toBe(404);
  });

  test("are created once for each idempotency key", async () => {
    aCompany();
    const sending = {
      json: { name: "Exchange", endpoint: "https://exchange.beispiel.de/lorry" },
      headers: { "idempotency-key": "one" },
    };
    const [first, again] = [
      await ask<Source>("POST", "/api/v1/sources", sending),
      await ask<Source>("POST", "/api/v1/sources", sending),
    ];
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(await listed()).toHaveLength(2);
  });

  test("belong to their company", async () => {
    aCompany();
    await register();
    aCompany();
    expect(await listed()).toHaveLength(1);
    expect((await ask("GET", "/api/v1/sources/2")).status).toBe(404);
    expect((await ask("DELETE", "/api/v1/sources/2")).status).toBe(404);
  });

  test("include the built-in board, which cannot be deleted or changed", async () => {
    aCompany();
    for (const method of ["DELETE", "PUT"]) {
      const json = method === "PUT" ? { json: { name: "Mine", endpoint: "https://mine.beispiel.de/" } } : {};
      const { status, body } = await ask(method, "/api/v1/sources/1", json);
      expect({ status, code: body["errorCode"] }).toEqual({ status: 409, code: "invalid_state" });
    }
  });

  test.each(["0", "-1", "01", "x", "1.5", "9999999999"])("are not found under the number %s", async (number) => {
    aCompany();
    for (const method of ["GET", "DELETE", "PUT"]) {
      const json = method === "PUT" ? { json: { name: "Mine", endpoint: "https://mine.beispiel.de/" } } : {};
      const { status, body } = await ask(method, `/api/v1/sources/${number}`, json);
      expect({ status, code: body["errorCode"] }).toEqual({ status: 404, code: "not_found" });
    }
  });

  test.each([
    ["no name", { name: undefined }, "name"],
    ["an empty name", { name: "" }, "name"],
    ["no endpoint", { endpoint: undefined }, "endpoint"],
    ["an unknown call", { calls: ["Shout"] }, "calls[0]"],
    ["no calls", { calls: [] }, "calls"],
    [
      "a masked secret",
      { authentication: { type: "ApiKey", headerName: "X-Key", apiKey: "***" } },
      "authentication.apiKey",
    ],
    ["an unknown type of authentication", { authentication: { type: "Digest" } }, "authentication.type"],
  ])("with %s are refused, and the error names the field", async (_, wrong, field) => {
    aCompany();
    const { status, body } = await register(wrong);
    expect({ status, fields: (body["errors"] as { field: string }[]).map((error) => error.field) }).toEqual({
      status: 400,
      fields: [field],
    });
  });

  test("at an address that may not be called are refused", async () => {
    aCompany();
    const { status, body } = await register({ endpoint: "https://user:secret@exchange.beispiel.de/" });
    expect({ status, code: body["errorCode"], fields: fieldsOf(body) }).toEqual({
      status: 422,
      code: "webhook_target_refused",
      fields: ["endpoint"],
    });
    expect(await listed()).toHaveLength(1);
  });
});

describe("a changed source", () => {
  test("is called at its new address, with its new authentication", async () => {
    const [former, receiver] = [internet.address(), internet.address()];
    const { ask, publish, standing, source } = await connectSource(service, former);
    const json = {
      name: "Elsewhere",
      endpoint: receiver.url,
      authentication: { type: "ApiKey", headerName: "X-Exchange-Key", apiKey: "k3y" },
    };
    expect((await ask("PUT", `/api/v1/sources/${source}`, { json })).status).toBe(200);
    const id = await publish({ sources: [source] });
    await standing(id, [{ status: "Published" }]);
    expect(receiver.received.map(({ headers }) => headers["x-exchange-key"])).toEqual(["k3y"]);
    expect(former.received).toEqual([]);
  });

  const path = "/api/v1/sources/2";
  const endpoint = "https://exchange.beispiel.de/lorry";
  const put = (json: Wire) => ask<Source>("PUT", path, { json });
  const basic = { type: "Basic", username: "lorry", password: "s3cret" };

  test("is stored as it was sent, and keeps its number, creation time and authentication", async () => {
    aCompany();
    const made = (await register({ authentication: basic })).body;
    const changed = await put({ name: "Another", endpoint, calls: ["Publish"], alternativeLocations: true });
    expect(changed.status).toBe(200);
    expect(changed.body).toEqual({
      source: 2,
      name: "Another",
      builtIn: false,
      endpoint,
      authentication: { ...basic, password: "***" },
      calls: ["Publish"],
      alternativeLocations: true,
      createdAt: made["createdAt"],
      updatedAt: expect.any(String),
    });
    expect(changed.body["updatedAt"]! > made["updatedAt"]!).toBe(true);
    expect((await ask("GET", path)).body).toEqual(changed.body);
    const changedSince = encodeURIComponent(changed.body["updatedAt"] as string);
    const listing = await ask<{ items: Source[] }>("GET", `/api/v1/sources?updatedSince=${changedSince}`);
    expect(listing.body.items).toEqual([changed.body]);
    const again = await put({ name: "Another", endpoint, calls: ["Publish"], alternativeLocations: true });
    expect(again.body).toEqual(changed.body);
  });

  test("needs its full secret again if its address changes", async () => {
    aCompany();
    await register({ authentication: basic });
    const elsewhere = { name: "Exchange", endpoint: "https://other.beispiel.de/lorry" };
    for (const authentication of [undefined, { ...basic, password: "***" }]) {
      const refused = await put({ ...elsewhere, ...(authentication && { authentication }) });
      expect(refused.status).toBe(400);
      expect(fieldsOf(refused.body)).toEqual([authentication ? "authentication.password" : "authentication"]);
    }
    expect((await put({ ...elsewhere, authentication: basic })).body).toMatchObject(elsewhere);
  });

  test.each([
    ["no name", { endpoint }, "name"],
    ["no endpoint", { name: "Exchange" }, "endpoint"],
    ["an unknown call", { name: "Exchange", endpoint, calls: ["Shout"] }, "calls[0]"],
  ])("with %s is refused, and the error names the field", async (_, json, field) => {
    aCompany();
    await register();
    const { status, body } = await put(json);
    expect([status, fieldsOf(body)]).toEqual([400, [field]]);
  });

  test("with an address that may not be called is refused, and stays unchanged", async () => {
    aCompany();
    const { secret: _, ...made } = (await register()).body;
    const refused = await put({ name: "Exchange", endpoint: "https://user:secret@exchange.beispiel.de/" });
    expect([refused.status, fieldsOf(refused.body)]).toEqual([422, ["endpoint"]]);
    expect((await ask("GET", path)).body).toEqual(made);
  });

  test("of another company, or that was deleted, is not found", async () => {
    aCompany();
    await register();
    const owner = ask;
    aCompany();
    const json = { name: "Mine", endpoint };
    expect((await put(json)).status).toBe(404);
    ask = owner;
    await ask("DELETE", path);
    expect((await put(json)).status).toBe(404);
  });
});

const fieldsOf = (body: Wire) => (body["errors"] as { field: string }[]).map(({ field }) => field);

describe("if private addresses are blocked", () => {
  let careful: TestService;
  beforeAll(async () => {
    careful = await openService({ vars: { ALLOW_PRIVATE_WEBHOOKS: "" } });
  });
  afterAll(() => careful.stop());

  test.each(["http://exchange.beispiel.de/", "https://127.0.0.1/", "https://localhost/", "https://10.0.0.7/x"])(
    "a source at %s is refused",
    async (endpoint) => {
      const { status, body } = await apiClient(careful, careful.company().key)("POST", "/api/v1/sources", {
        json: { name: "Exchange", endpoint },
      });
      expect({ status, code: body["errorCode"], fields: fieldsOf(body) }).toEqual({
        status: 422,
        code: "webhook_target_refused",
        fields: ["endpoint"],
      });
    },
  );
});
