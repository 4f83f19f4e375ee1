import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { simulateInternet, type ReceiverBehaviour, type ReceiverResponse } from "../support/simulated-internet.ts";
import { openService, type TestService } from "../support/service.ts";
import { handOver, subscribe, type Subscribed } from "../support/webhooks.ts";

const internet = simulateInternet();
let service: TestService;

beforeAll(async () => {
  service = await openService({ internet: internet.answer });
});

afterAll(async () => {
  internet.close();
  await service.stop();
});

const json = (said: unknown, status = 200): ReceiverResponse => ({ status, body: JSON.stringify(said) });

/** Creates a receiver that requires tokens from a token server, and a webhook to this receiver. */
async function guarded(answering: ReceiverBehaviour, more: Record<string, unknown> = {}) {
  const server = internet.address();
  server.respondWith(answering);
  const receiver = internet.address();
  const subscribed: Subscribed = await subscribe(service, {
    callbackUrl: receiver.url,
    authentication: { type: "OAuth2", tokenUrl: server.url, clientId: "lorry", clientSecret: "s3cret", ...more },
  });
  const shown = () => receiver.received.map(({ headers }) => headers["authorization"]);
  return { ...subscribed, server, receiver, shown };
}

/** Makes a token server issue a new token for each request. */
function numbered(said: Record<string, unknown> = {}): ReceiverBehaviour {
  let given = 0;
  return () => json({ access_token: `token-${++given}`, token_type: "Bearer", expires_in: 3600, ...said });
}

describe("a token server", () => {
  test("that does not respond is abandoned after ten seconds", async () => {
    const { tell, failed, server, receiver } = await guarded(internet.silence);
    await tell({});
    expect(await failed()).toMatchObject({ error: "token", detail: "The token server failed: timeout" });
    expect({ asked: server.received.length, told: receiver.received.length }).toEqual({ asked: 1, told: 0 });
  });
});

test("a token survives the process that requested it", async () => {
  const state = await mkdtemp(join(tmpdir(), "lorry-token-"));
  const company = { id: crypto.randomUUID(), key: "token-company" };
  const vars = {
    LOCAL_KEYS: JSON.stringify({ [company.key]: company.id }),
    SEAL_KEY: Buffer.alloc(32, 7).toString("base64"),
  };
  const server = internet.address();
  server.respondWith(numbered());
  const receiver = internet.address();
  const open = () => openService({ internet: internet.answer, state, vars });

  const before = await open();
  const authentication = { type: "OAuth2", tokenUrl: server.url, clientId: "lorry", clientSecret: "s3cret" };
  const { tell, arrived, id } = await subscribe(before, { callbackUrl: receiver.url, authentication }, company);
  await tell({});
  await arrived();
  await before.stop();

  const after = await open();
  await handOver(after, company, id, [{}]);
  await receiver.waitForRequests(2);
  await after.stop();
  await rm(state, { recursive: true, force: true });
  expect(receiver.received.map(({ headers }) => headers["authorization"])).toEqual([
    "Bearer token-1",
    "Bearer token-1",
  ]);
  expect(server.received).toHaveLength(1);
});
