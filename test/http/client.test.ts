import { readFile } from "node:fs/promises";
import { Response as Answer } from "miniflare";
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from "vitest";
import type { OrderEnvelope } from "../../src/areas/orders/model.ts";
import { client, LorryError, type Client } from "../../src/http/client.ts";
import { openService, type TestService } from "../support/service.ts";

let service: TestService;
let lorry: Client;

beforeAll(async () => {
  service = await openService({ internet: () => new Answer(null, { status: 204 }) });
  lorry = client(service.url, service.company().key);
});

afterAll(() => service.stop());

const refused = (call: Promise<unknown>) =>
  call.then(
    () => expect.unreachable("The service did not refuse."),
    (error: unknown) => error as LorryError,
  );

test("posts a text and gets its order", async () => {
  const { orderId } = await lorry.orders.create(
    { body: { inputText: "Transport order, Hamburg to Warsaw" } },
    { waitSeconds: 20 },
  );
  const order = await lorry.orders.read({ params: { orderId } });
  expect(order.sequenceId).toBe(0);
  expect(await lorry.orders.readAll({ params: { orderId } }, { waitSeconds: 20 })).toContainEqual(order);
});

test("posts a file with its fields, and downloads it unchanged", async () => {
  const file = new File(["Transport order 17, Köln to Łódź"], "Zlecenie Łódź.txt");
  const fields = { additionalInfo: "From the mail", metadata: { internalId: "A 17" } };
  const { orderId } = await lorry.orders.createFromFile({ file, fields }, { waitSeconds: 20 });

  const response = await lorry.orders.file({ params: { orderId } });
  expect(await response.text()).toBe("Transport order 17, Köln to Łódź");
  expect(response.headers.get("content-disposition")).toContain(encodeURIComponent("Łódź"));
  expect((await lorry.orders.read({ params: { orderId } })).metadata).toEqual({ internalId: "A 17" });

  const part = await lorry.orders.file({ params: { orderId } }, { headers: { range: "bytes=0-8" } });
  expect({ status: part.status, text: await part.text() }).toEqual({ status: 206, text: "Transport" });
});

test("a blob keeps the name it is given", async () => {
  const { orderId } = await lorry.orders.createFromFile({
    file: new Blob(["Transport order 18"]),
    fileName: "eighteen.txt",
  });
  const response = await lorry.orders.file({ params: { orderId } });
  expect(response.headers.get("content-disposition")).toContain("eighteen.txt");
});

test("numbers and strings are written into the query", async () => {
  const { items } = await lorry.orders.list({ query: { limit: 1, sort: "-createdAt", status: undefined } });
  expect(items.length).toBeLessThan(2);
  expect((await lorry.webhooks.eventTypes()).items.length).toBeGreaterThan(0);
});

test("a repeated request is harmless, and the response headers are accessible", async () => {
  const replayed: (string | null)[] = [];
  const how = {
    idempotencyKey: "client-1",
    onResponse: ({ headers }: Response) => void replayed.push(headers.get("idempotency-replayed")),
  };
  const body = { eventType: "All", callbackUrl: "https://receiver.beispiel.de/hooks" } as const;
  const [first, second] = [await lorry.webhooks.create({ body }, how), await lorry.webhooks.create({ body }, how)];
  expect(second.subscriptionId).toBe(first.subscriptionId);
  expect(replayed).toEqual([null, "true"]);
});

test("a change is refused if the record has changed since the given ETag", async () => {
  await lorry.companies.update({ body: { name: "Trans Beispiel" } });
  const error = await refused(lorry.companies.update({ body: { name: "Other" } }, { ifMatch: '"999"' }));
  expect(error).toMatchObject({ status: 412, errorCode: "version_mismatch" });
});

test("an operation without a reply returns an empty object", async () => {
  const { subscriptionId } = await lorry.webhooks.create({
    body: { eventType: "All", callbackUrl: "https://receiver.beispiel.de/hooks" },
  });
  expect(await lorry.webhooks.remove({ params: { subscriptionId } })).toEqual({});
});

test("a token is requested with a form, and authenticates like a key", async () => {
  const { key } = await lorry.keys.create({ body: { scopes: ["orders:read"] } });
  const [client_id = "", client_secret = ""] = key!.split(".");
  const { access_token } = await lorry.keys.token({
    body: { grant_type: "client_credentials", client_id, client_secret },
  });
  expect(await client(service.url, access_token).orders.list()).toHaveProperty("items");
});

describe("a refusal", () => {
  test("is an error that names every wrong field", async () => {
    const error = await refused(lorry.keys.create({ body: { scopes: [] } }));
    expect(error).toBeInstanceOf(LorryError);
    expect(error).toMatchObject({ status: 400, errorCode: "validation_failed", errors: [{ pointer: "/scopes" }] });
    expect(error.requestId).toBe(error.problem["requestId"]);
  });

  test("of an id that contains a path has the code invalid_id", async () => {
    const error = await refused(lorry.orders.read({ params: { orderId: "../webhooks?x=1#" } }));
    expect(error).toMatchObject({ status: 400, errorCode: "invalid_id" });
  });

  test.each(["", ".", ".."])("of the id %j is made before anything is sent", async (orderId) => {
    await expect(lorry.orders.file({ params: { orderId } })).rejects.toThrow(new TypeError("orderId is missing."));
  });

  test("with Retry-After has the number of seconds", async () => {
    const busy = () =>
      Promise.resolve(Response.json({ errorCode: "rate_limited" }, { status: 429, headers: { "retry-after": "7" } }));
    const error = await refused(client("https://lorry.beispiel.de", "k", busy).orders.list());
    expect(error).toMatchObject({ status: 429, errorCode: "rate_limited", retryAfterSeconds: 7 });
  });

  test("of another server is reported with its status", async () => {
    const broken = () => Promise.resolve(new Response("<h1>Bad gateway</h1>", { status: 502 }));
    const error = await refused(client("https://lorry.beispiel.de", "k", broken).orders.list());
    expect(error).toMatchObject({ status: 502, errorCode: "", errors: [], message: "The service answered 502." });
  });
});

test("an aborted request rejects", async () => {
  const aborted = lorry.orders.list({}, { signal: AbortSignal.abort() });
  await expect(aborted).rejects.toMatchObject({ name: "AbortError" });
});

test("at run time the client imports nothing of the server", async () => {
  const source = await readFile("src/http/client.ts", "utf8");
  const imports = source.split("\n").filter((line) => line.startsWith("import ") && !line.startsWith("import type "));
  expect(imports).toEqual(['import routes from "./client-routes.json" with { type: "json" };']);
});

test("types: input that an operation does not accept does not compile", () => {
  const wrong = (api: Client) => [
    // @ts-expect-error -- the parameter is missing
    api.orders.read(),
    // @ts-expect-error -- the parameter has another name
    api.orders.read({ params: { id: "a" } }),
    // @ts-expect-error -- the value is not a status
    api.orders.list({ query: { status: "Done" } }),
    // @ts-expect-error -- there is no such query parameter
    api.orders.list({ query: { colour: "red" } }),
    // @ts-expect-error -- the file is missing
    api.orders.createFromFile({ fields: {} }),
    // @ts-expect-error -- there is no such event
    api.webhooks.create({ body: { eventType: "OrderVanished", callbackUrl: "https://a.beispiel.de" } }),
    // @ts-expect-error -- the body is missing
    api.companies.update(),
    // @ts-expect-error -- there is no such operation
    api.orders.remove({ params: { orderId: "a" } }),
  ];
  expect(wrong).toBeTypeOf("function");
  expectTypeOf<Client["orders"]["readAll"]>().returns.resolves.toExtend<OrderEnvelope[]>();
  expectTypeOf<Client["orders"]["file"]>().returns.resolves.toEqualTypeOf<Response>();
});
