import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import {
  simulateInternet,
  type ReceiverBehaviour,
  type ReceivedRequest,
  type ReceiverResponse,
} from "../support/simulated-internet.ts";
import { openService, type TestService } from "../support/service.ts";
import { issueTokens, jsonResponse, subscribe, subscribeWithTokens } from "../support/webhooks.ts";

const internet = simulateInternet();
let service: TestService;

beforeAll(async () => {
  service = await openService({ internet: internet.answer });
});

afterAll(async () => {
  internet.close();
  await service.stop();
});

const formOf = ({ body }: ReceivedRequest) => Object.fromEntries(new URLSearchParams(body));

describe("a token server", () => {
  test("receives id and secret by Basic authentication, form-encoded", async () => {
    const { tell, arrived, server, shown } = await subscribeWithTokens(service, internet, issueTokens(), {
      clientId: "lorry:1",
      clientSecret: "ü%& +~",
      scope: "orders events",
    });
    await tell({});
    await arrived();
    const [heard] = server.received;
    const [, credentials = ""] = heard!.headers["authorization"]!.split(" ");
    expect(Buffer.from(credentials, "base64").toString()).toBe("lorry%3A1:%C3%BC%25%26+%2B%7E");
    expect(heard).toMatchObject({ method: "POST", headers: { "content-type": "application/x-www-form-urlencoded" } });
    expect(formOf(heard!)).toEqual({ grant_type: "client_credentials", scope: "orders events" });
    expect(shown()).toEqual(["Bearer token-1"]);
  });

  test("receives id and secret in the form if configured", async () => {
    const { tell, arrived, server } = await subscribeWithTokens(service, internet, issueTokens(), {
      clientSecret: "ü%& +~",
      clientAuthentication: "post",
    });
    await tell({});
    await arrived();
    expect(server.received[0]!.headers).not.toHaveProperty("authorization");
    expect(formOf(server.received[0]!)).toEqual({
      grant_type: "client_credentials",
      client_id: "lorry",
      client_secret: "ü%& +~",
    });
  });

  test.each([0, -1, undefined, null, "3600", 3600, "soon", 1e300])(
    "whose token expires in %j is asked once for consecutive deliveries",
    async (expires_in) => {
      const { tell, arrived, server, receiver, shown } = await subscribeWithTokens(
        service,
        internet,
        issueTokens({ expires_in }),
      );
      for (let i = 1; i <= 3; i++) {
        await tell({});
        await receiver.waitForRequests(i);
      }
      await arrived();
      expect(shown()).toEqual(["Bearer token-1", "Bearer token-1", "Bearer token-1"]);
      expect(server.received).toHaveLength(1);
    },
  );

  test("that is slow is asked once for many concurrent deliveries", async () => {
    const give = issueTokens();
    const slow: ReceiverBehaviour = async (heard) => {
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      return give(heard);
    };
    const { tell, arrived, server, receiver } = await subscribeWithTokens(service, internet, slow);
    await tell({}, {}, {}, {}, {}, {});
    await arrived();
    expect({ asked: server.received.length, told: receiver.received.length }).toEqual({ asked: 1, told: 6 });
  });

  test.each<[string, ReceiverResponse, string]>([
    [
      "rejects the client",
      jsonResponse({ error: "invalid_client" }, 401),
      "The token server failed: 401 invalid_client",
    ],
    ["broke", { status: 500, body: "Oops" }, "The token server failed: 500, without a usable token"],
    ["redirects", { status: 302, headers: { location: "/" } }, "302, without a usable token"],
    ["sends something else", { status: 200, body: "<html>" }, "200, without a usable token"],
    ["sends an empty response", { status: 200 }, "200, without a usable token"],
    ["issues no token", jsonResponse({ token_type: "Bearer" }), "200, without a usable token"],
    [
      "issues a token of another type",
      jsonResponse({ access_token: "t", token_type: "mac" }),
      "200, without a usable token",
    ],
    [
      "issues a token with a line break",
      jsonResponse({ access_token: "t\r\nX-Evil: 1" }),
      "200, without a usable token",
    ],
    ["issues a number as a token", jsonResponse({ access_token: 4711 }), "200, without a usable token"],
    [
      "puts a sentence into the error code",
      jsonResponse({ error: "no s3cret <b>" }, 400),
      "400, without a usable token",
    ],
    [
      "sends 10 MB",
      jsonResponse({ padding: "x".repeat(10_000_000), access_token: "t" }),
      "200, without a usable token",
    ],
  ])("that %s is reported as such, and the receiver is not called", async (_, said, detail) => {
    const { tell, failed, server, receiver } = await subscribeWithTokens(service, internet, () => said);
    await tell({});
    const failure = await failed();
    expect(failure).toMatchObject({ error: "token", detail: expect.stringContaining(detail) as string });
    expect(failure.status).toBeUndefined();
    expect({ asked: server.received.length, told: receiver.received.length }).toEqual({ asked: 1, told: 0 });
  });
});

describe("a receiver that responds with 401", () => {
  test("once gets a new token in the same attempt, which is kept", async () => {
    const { tell, arrived, receiver, server, shown, read } = await subscribeWithTokens(
      service,
      internet,
      issueTokens(),
    );
    receiver.respondWith(({ headers }) => ({ status: headers["authorization"] === "Bearer token-2" ? 200 : 401 }));
    await tell({});
    await arrived();
    expect(shown()).toEqual(["Bearer token-1", "Bearer token-2"]);
    expect(await read()).not.toHaveProperty("lastFailure");
    await tell({});
    await receiver.waitForRequests(3);
    await arrived();
    expect(shown()).toEqual(["Bearer token-1", "Bearer token-2", "Bearer token-2"]);
    expect(server.received).toHaveLength(2);
  });

  test("always is called twice in an attempt, and so is the token server", async () => {
    const { tell, failed, receiver, server, shown } = await subscribeWithTokens(service, internet, issueTokens());
    receiver.respondWith(() => ({ status: 401 }));
    await tell({});
    expect(await failed()).toMatchObject({ status: 401 });
    expect(shown()).toEqual(["Bearer token-1", "Bearer token-2"]);
    expect(server.received).toHaveLength(2);
  });

  test("to many concurrent requests causes one token request, not many", async () => {
    const { tell, arrived, receiver, server } = await subscribeWithTokens(service, internet, issueTokens());
    await tell({});
    await arrived();
    receiver.respondWith(({ headers }) => ({ status: headers["authorization"] === "Bearer token-1" ? 401 : 200 }));
    await tell({}, {}, {}, {}, {}, {});
    await receiver.waitForRequests(13);
    await arrived();
    expect({ asked: server.received.length, told: receiver.received.length }).toEqual({ asked: 2, told: 13 });
  });

  test("ends the attempt if the token server issues no other token", async () => {
    let given = 0;
    const once: ReceiverBehaviour = () =>
      ++given === 1 ? jsonResponse({ access_token: "t" }) : jsonResponse({ error: "access_denied" }, 403);
    const { tell, failed, receiver, server } = await subscribeWithTokens(service, internet, once);
    receiver.respondWith(() => ({ status: 401 }));
    await tell({});
    expect(await failed()).toMatchObject({ error: "token", detail: "The token server failed: 403 access_denied" });
    expect({ asked: server.received.length, told: receiver.received.length }).toEqual({ asked: 2, told: 1 });
  });
});

describe("a receiver whose connection fails", () => {
  let outside: TestService;
  const servers: Server[] = [];

  beforeAll(async () => {
    outside = await openService({ internet: "sockets" });
  });

  afterAll(async () => {
    await outside.stop();
    for (const server of servers) server.close();
  });

  type Behaviour = "reset" | number;

  /**
   * Starts a server that issues tokens and responds to deliveries: with the given behaviours in turn, and then with
   * 200.
   */
  async function behaving(behaviours: Behaviour[]) {
    const shown: string[] = [];
    let given = 0;
    const server = createServer((request, response) => {
      if (request.url === "/token") return response.end(JSON.stringify({ access_token: `token-${++given}` }));
      const behaviour = behaviours[shown.length] ?? 200;
      shown.push(request.headers["authorization"]!);
      return behaviour === "reset" ? request.socket.resetAndDestroy() : response.writeHead(behaviour).end();
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const authentication = { type: "OAuth2", tokenUrl: `${url}/token`, clientId: "lorry", clientSecret: "s3cret" };
    return { shown, ...(await subscribe(outside, { callbackUrl: `${url}/hook`, authentication })) };
  }

  test("once is called once more in the same attempt", async () => {
    const { tell, arrived, shown, read } = await behaving(["reset"]);
    await tell({});
    await arrived();
    expect(shown).toEqual(["Bearer token-1", "Bearer token-1"]);
    expect(await read()).not.toHaveProperty("lastFailure");
  });

  test.each<[Behaviour[], { status?: number; error?: string }, string[]]>([
    [["reset", "reset"], { error: "connection" }, ["token-1", "token-1", "token-1"]],
    [[401, "reset"], { error: "connection" }, ["token-1", "token-2", "token-2"]],
    [["reset", 401], { status: 401 }, ["token-1", "token-1", "token-2"]],
  ])("and then shows %j is not called a third time, and later gets a valid token", async (behaviours, how, tokens) => {
    const { tell, failed, shown } = await behaving(behaviours);
    await tell({});
    expect(await failed()).toMatchObject(how);
    expect(shown).toHaveLength(2);
    await tell({});
    const expected = tokens.map((token) => `Bearer ${token}`);
    // The failed delivery is retried a few seconds later.
    await vi.waitFor(() => expect(shown.slice(0, expected.length)).toEqual(expected), { timeout: 50_000 });
  });
});
