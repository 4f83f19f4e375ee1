import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { simulateInternet } from "../support/simulated-internet.ts";
import { openService, type TestService } from "../support/service.ts";
import { handOver, issueTokens, subscribe, subscribeWithTokens } from "../support/webhooks.ts";

const internet = simulateInternet();
let service: TestService;

beforeAll(async () => {
  service = await openService({ internet: internet.answer });
});

afterAll(async () => {
  internet.close();
  await service.stop();
});

describe("a token server", () => {
  test("that does not respond is abandoned after ten seconds", async () => {
    const { tell, failed, server, receiver } = await subscribeWithTokens(service, internet, internet.silence);
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
  server.respondWith(issueTokens());
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
