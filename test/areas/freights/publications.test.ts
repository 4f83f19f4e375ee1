import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { simulateInternet, type ReceivedRequest } from "../../support/simulated-internet.ts";
import { simulateDns, resolverAddress } from "../../support/simulated-dns.ts";
import { callIn, connectSource, publishing, secrets } from "../../support/publications.ts";
import { openService, type TestService } from "../../support/service.ts";
import { apiClient } from "../../support/api-client.ts";

const internet = simulateInternet();
let service: TestService;

beforeAll(async () => {
  service = await openService({ internet: internet.answer, vars: { WEBHOOK_TIMEOUT_MS: "4000" } });
});

afterAll(async () => {
  internet.close();
  await service.stop();
});

const saying = (heard: ReceivedRequest[]) => heard.map((one) => callIn(one).action);

describe("a freight", () => {
  test("is published at its sources, and shows the URLs that they return", async () => {
    const receiver = internet.address();
    receiver.respondWith(() => ({ status: 201, body: JSON.stringify({ url: "https://exchange.beispiel.de/f/1" }) }));
    const { publish, standing, source, secret } = await connectSource(service, receiver);
    const id = await publish({ sources: [1, source] });
    await standing(id, [
      { source: 1, status: "Published", url: `${service.url}/board/${id}` },
      { source, status: "Published", url: "https://exchange.beispiel.de/f/1" },
    ]);
    const [heard] = receiver.received;
    expect(callIn(heard!)).toMatchObject({
      action: "Publish",
      source,
      version: 1,
      freight: { freightId: id, status: "Published", currentPrice: 1111.11, comments: "Printing paper" },
    });
    expect(() => new Webhook(secret).verify(heard!.body, heard!.headers)).not.toThrow();
  });

  test("is sent without private fields of the owner", async () => {
    const receiver = internet.address();
    const { publish, change, withdraw, standing, source } = await connectSource(service, receiver);
    const id = await publish({ sources: [source] });
    await standing(id, [{ status: "Published" }]);
    await change(id, { sources: [source], comments: "Glass" });
    await receiver.waitForRequests(2);
    await withdraw(id);
    await standing(id, [{ status: "Removed" }]);
    expect(saying(receiver.received)).toEqual(["Publish", "Update", "Remove"]);
    for (const { body, headers } of receiver.received)
      for (const secret of secrets) expect(JSON.stringify([body, headers])).not.toContain(secret);
  });

  test("is updated when it changes, with a higher version each time", async () => {
    const receiver = internet.address();
    const { publish, change, standing, source } = await connectSource(service, receiver);
    const id = await publish({ sources: [source] });
    await standing(id, [{ status: "Published" }]);
    await change(id, { sources: [source], comments: "Glass" });
    await receiver.waitForRequests(2);
    await standing(id, [{ status: "Published" }]);
    await change(id, { sources: [source], comments: "Steel" });
    await receiver.waitForRequests(3);
    const calls = receiver.received.map(callIn);
    expect(calls.map(({ action, freight }) => [action, freight.comments])).toEqual([
      ["Publish", "Printing paper"],
      ["Update", "Glass"],
      ["Update", "Steel"],
    ]);
    expect(calls.map(({ version }) => version)).toEqual(calls.map(({ version }) => version).toSorted((a, b) => a - b));
    expect(new Set(calls.map(({ version }) => version)).size).toBe(3);
  });

  test("is removed from a source that it no longer names, and can be published there again", async () => {
    const receiver = internet.address();
    const { publish, change, standing, source } = await connectSource(service, receiver);
    const id = await publish({ sources: [source] });
    await standing(id, [{ status: "Published" }]);
    await change(id, { sources: [1] });
    await standing(id, [
      { source: 1, status: "Published" },
      { source, status: "Removed" },
    ]);
    await change(id, { sources: [1, source] });
    await standing(id, [
      { source: 1, status: "Published" },
      { source, status: "Published" },
    ]);
    expect(saying(receiver.received)).toEqual(["Publish", "Remove", "Publish"]);
  });

  test("is removed everywhere when it expires", async () => {
    const receiver = internet.address();
    const { publish, standing, source } = await connectSource(service, receiver);
    const until = new Date(Date.now() + 8000).toISOString();
    const id = await publish({
      sources: [1, source],
      payment: { from: 1000, growTo: 1100, until, updateRate: "01:00:00" },
    });
    await standing(id, [{ status: "Published" }, { status: "Published" }]);
    await standing(id, [
      { source: 1, status: "Removed" },
      { source, status: "Removed" },
    ]);
    expect(saying(receiver.received)).toEqual(["Publish", "Remove"]);
    expect(callIn(receiver.received[1]!).freight.status).toBe("Expired");
  });

  test("is removed everywhere when it is booked", async () => {
    const receiver = internet.address();
    const { ask, publish, standing, source } = await connectSource(service, receiver);
    const id = await publish({ sources: [source] });
    await standing(id, [{ status: "Published" }]);
    const carrier = { name: "Vzorová Doprava s.r.o.", email: "dispo@doprava.beispiel.cz" };
    const made = await ask<{ offerId: string }>("POST", "/api/v1/freights/offers", {
      json: { freightId: id, price: 1200, carrier },
    });
    expect(made.status).toBe(201);
    const path = `/api/v1/freights/${id}/offers/${made.body.offerId}`;
    expect((await ask("PUT", path, { json: { action: "Accept" } })).status).toBe(200);
    await standing(id, [{ status: "Removed" }]);
    expect(callIn(receiver.received.at(-1)!)).toMatchObject({ action: "Remove", freight: { status: "Booked" } });
  });

  test("is sent with alternative towns to sources that allow them, and to no others", async () => {
    const [open, closed] = [internet.address(), internet.address()];
    const { ask, publish, standing, source } = await connectSource(service, open, { alternativeLocations: true });
    const other = await ask<{ source: number }>("POST", "/api/v1/sources", {
      json: { name: "Strict", endpoint: closed.url },
    });
    const id = await publish({
      sources: [source, other.body.source],
      useAlternativeLocations: true,
      alternativeLocationsRange: { fromKm: 10, toKm: 80 },
    });
    await standing(id, [{ status: "Published" }, { status: "Published" }]);
    const { alternatives } = callIn(open.received[0]!).freight;
    expect(alternatives).toEqual([
      { sequence: 1, type: "Loading", towns: expect.arrayContaining([expect.objectContaining({ countryCode: "DE" })]) },
      {
        sequence: 2,
        type: "Unloading",
        towns: expect.arrayContaining([expect.objectContaining({ countryCode: "PL" })]),
      },
    ]);
    expect(callIn(closed.received[0]!).freight.alternatives).toBeUndefined();
  });
});

describe("a source", () => {
  test("that takes no updates gets none", async () => {
    const receiver = internet.address();
    const { publish, change, withdraw, standing, source } = await connectSource(service, receiver, {
      calls: ["Publish", "Remove"],
    });
    const id = await publish({ sources: [source] });
    await standing(id, [{ status: "Published" }]);
    await change(id, { sources: [source], comments: "Glass" });
    await standing(id, [{ status: "Published" }]);
    await withdraw(id);
    await standing(id, [{ status: "Removed" }]);
    expect(saying(receiver.received)).toEqual(["Publish", "Remove"]);
  });

  test("that is not registered is shown as NotConfigured, until it is registered", async () => {
    const receiver = internet.address();
    const { ask, publish, standing, listed } = await connectSource(service, receiver);
    const id = await publish({ sources: [1, 3] });
    await standing(id, [
      { source: 1, status: "Published" },
      { source: 3, status: "NotConfigured" },
    ]);
    await listed(id, 3);
    const second = await ask<{ source: number }>("POST", "/api/v1/sources", {
      json: { name: "Second", endpoint: receiver.url },
    });
    expect(second.body.source).toBe(3);
    await standing(id, [
      { source: 1, status: "Published" },
      { source: 3, status: "Published" },
    ]);
    expect(saying(receiver.received)).toEqual(["Publish"]);
  });

  test("that was deleted is shown as NotConfigured", async () => {
    const receiver = internet.address();
    const { ask, publish, change, standing, listed, source } = await connectSource(service, receiver);
    const id = await publish({ sources: [source] });
    await standing(id, [{ status: "Published" }]);
    await listed(id, source);
    expect((await ask("DELETE", `/api/v1/sources/${source}`)).status).toBe(204);
    await standing(id, [{ source, status: "NotConfigured" }]);
    await change(id, { sources: [source], comments: "Glass" });
    await standing(id, [{ source, status: "NotConfigured" }]);
    expect(saying(receiver.received)).toEqual(["Publish"]);
  });

  test("with OAuth receives a token, which is requested once", async () => {
    const [receiver, tokens] = [internet.address(), internet.address()];
    tokens.respondWith(() => ({ status: 200, body: JSON.stringify({ access_token: "t0k3n", expires_in: 3600 }) }));
    receiver.respondWith(({ headers }) => ({ status: headers["authorization"] === "Bearer t0k3n" ? 200 : 401 }));
    const { publish, withdraw, standing, source } = await connectSource(service, receiver, {
      authentication: { type: "OAuth2", tokenUrl: tokens.url, clientId: "lorry", clientSecret: "s3cret" },
    });
    const id = await publish({ sources: [source] });
    await standing(id, [{ status: "Published" }]);
    await withdraw(id);
    await standing(id, [{ status: "Removed" }]);
    expect(tokens.received).toHaveLength(1);
  });

  test("that answers 401 is called again only after the next change, and its response is not shown", async () => {
    const receiver = internet.address();
    receiver.respondWith(({ headers }) => ({ status: 401, body: JSON.stringify({ key: headers["x-key"] }) }));
    const { publish, change, seen, standing, source } = await connectSource(service, receiver, {
      authentication: { type: "ApiKey", headerName: "X-Key", apiKey: "wr0ng" },
    });
    const id = await publish({ sources: [source] });
    await standing(id, [{ status: "Failed", error: "The source answered 401." }]);
    expect(JSON.stringify(await seen(id))).not.toContain("wr0ng");
    receiver.respondWith(() => ({ status: 200 }));
    await change(id, { sources: [source], comments: "Glass" });
    await standing(id, [{ status: "Published" }]);
    expect((await seen(id))[0]).not.toHaveProperty("error");
    expect(saying(receiver.received)).toEqual(["Publish", "Publish"]);
  });

  test("that redirects is not followed", async () => {
    const [receiver, elsewhere] = [internet.address(), internet.address()];
    receiver.respondWith(() => ({ status: 302, headers: { location: elsewhere.url } }));
    const { publish, standing, source } = await connectSource(service, receiver);
    const id = await publish({ sources: [source] });
    await standing(id, [{ status: "Failed", error: "The source answered 302." }]);
    expect(elsewhere.received).toEqual([]);
  });

  test.each([
    ["an http URL", "http://exchange.beispiel.de/f"],
    ["a URL with credentials", "https://user:secret@exchange.beispiel.de/f"],
    ["a URL that is too long", `https://exchange.beispiel.de/${"x".repeat(500)}`],
    ["a javascript URL", "javascript:alert(1)"],
    ["a number", 4711],
  ])("that returns %s is not linked to", async (_, url) => {
    const receiver = internet.address();
    receiver.respondWith(() => ({ status: 200, body: JSON.stringify({ url }) }));
    const { publish, seen, standing, source } = await connectSource(service, receiver);
    const id = await publish({ sources: [source] });
    await standing(id, [{ status: "Published" }]);
    expect((await seen(id))[0]).not.toHaveProperty("url");
  });

  test("receives one call at a time for a freight, and the removal last", async () => {
    const receiver = internet.address();
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    let atOnce = 0;
    let most = 0;
    receiver.respondWith(async (heard) => {
      most = Math.max(most, ++atOnce);
      if (callIn(heard).action === "Publish") await held;
      atOnce--;
      return { status: 200 };
    });
    const { publish, change, withdraw, standing, source } = await connectSource(service, receiver);
    const id = await publish({ sources: [source] });
    await receiver.waitForRequests(1);
    await change(id, { sources: [source], comments: "Glass" });
    await withdraw(id);
    answer();
    await standing(id, [{ status: "Removed" }], 100_000);
    // A call may be repeated, but no other call may come between the repetitions.
    expect([...new Set(saying(receiver.received))]).toEqual(["Publish", "Remove"]);
    expect(most).toBe(1);
  });

  test("that does not answer delays no other source", async () => {
    const [slow, quick] = [internet.address(), internet.address()];
    slow.respondWith(() => internet.silence());
    const { ask, publish, standing, source } = await connectSource(service, slow);
    const other = await ask<{ source: number }>("POST", "/api/v1/sources", {
      json: { name: "Quick", endpoint: quick.url },
    });
    const id = await publish({ sources: [source, other.body.source] });
    await standing(id, [{ status: "Pending" }, { status: "Published" }]);
    expect(saying(quick.received)).toEqual(["Publish"]);
  });
});

test("freights are published in parallel, without waiting for each other", async () => {
  const receiver = internet.address();
  receiver.respondWith(async () => {
    await receiver.waitForRequests(3);
    return { status: 200 };
  });
  const { publish, standing, source } = await connectSource(service, receiver);
  const ids = [await publish({ sources: [source] }), await publish({ sources: [source] })];
  ids.push(await publish({ sources: [source] }));
  for (const id of ids) await standing(id, [{ status: "Published" }]);
  expect(receiver.received).toHaveLength(3);
});

describe("if private addresses are blocked", () => {
  const names = simulateDns();
  const outside = simulateInternet();
  let careful: TestService;

  beforeAll(async () => {
    const vars = { ALLOW_PRIVATE_WEBHOOKS: "", DNS_RESOLVER: resolverAddress };
    careful = await openService({ internet: (sent) => names.answer(sent) ?? outside.answer(sent), vars });
  });
  afterAll(async () => {
    outside.close();
    await careful.stop();
  });

  test("a source whose name resolves to one is not called, and shows an error", async () => {
    const receiver = outside.address("https://exchange.beispiel.de/lorry");
    names.lead("exchange.beispiel.de", "93.184.216.34");
    const { publish, standing, source } = await connectSource(careful, receiver);
    names.lead("exchange.beispiel.de", "10.0.0.7");
    const id = await publish({ sources: [source] });
    await standing(id, [{ status: "Failed", error: "The host name has an IP address that is not public." }]);
    expect(receiver.received).toEqual([]);
  });
});

test("sources of another company are not configured", async () => {
  const receiver = internet.address();
  await connectSource(service, receiver);
  const { publish, standing } = publishing(apiClient(service, service.company().key));
  const id = await publish({ sources: [2] });
  await standing(id, [{ source: 2, status: "NotConfigured" }]);
  expect(receiver.received).toEqual([]);
});
