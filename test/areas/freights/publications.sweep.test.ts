import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { simulateInternet, type ReceivedRequest } from "../../support/simulated-internet.ts";
import { callIn, connectSource, connectSourceTo, publishing } from "../../support/publications.ts";
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

describe("a source", () => {
  test.concurrent("that fails is called again, and the error is shown until then", async () => {
    const receiver = internet.address();
    receiver.respondWith(() => ({ status: receiver.received.length === 1 ? 503 : 200 }));
    const { publish, standing, source } = await connectSource(service, receiver);
    const id = await publish({ sources: [source] });
    await standing(id, [{ status: "Pending", error: "The source answered 503." }]);
    await standing(id, [{ status: "Published" }], 100_000);
    const [first, again] = receiver.received;
    expect(again!.headers["webhook-id"]).toBe(first!.headers["webhook-id"]);
    expect(again!.body).toBe(first!.body);
  });

  test.concurrent("that does not answer is called again", async () => {
    const receiver = internet.address();
    receiver.respondWith(() => (receiver.received.length === 1 ? internet.silence() : { status: 200 }));
    const { publish, standing, source } = await connectSource(service, receiver);
    const id = await publish({ sources: [source] });
    await standing(id, [{ status: "Pending", error: "The source did not answer in time." }]);
    await standing(id, [{ status: "Published" }], 100_000);
    expect(saying(receiver.received)).toEqual(["Publish", "Publish"]);
  });
});

describe("with another SEAL_KEY", () => {
  const outside = simulateInternet();
  let state: string;
  beforeAll(async () => void (state = await mkdtemp(join(tmpdir(), "lorry-"))));
  afterAll(async () => {
    outside.close();
    await rm(state, { recursive: true });
  });

  test("a source whose secrets cannot be decrypted is not called, and shows an error", async () => {
    const vars = { LOCAL_KEYS: JSON.stringify({ k: crypto.randomUUID() }) };
    const receiver = outside.address();
    const opened = () => openService({ internet: outside.answer, state, vars });
    const before = await opened();
    await connectSourceTo(apiClient(before, "k"), receiver);
    await before.stop();
    const after = await opened();
    try {
      const { publish, standing } = publishing(apiClient(after, "k"));
      const id = await publish({ sources: [2] });
      await standing(id, [{ status: "Failed", error: expect.stringContaining("Register the source again") as string }]);
      expect(receiver.received).toEqual([]);
    } finally {
      await after.stop();
    }
  });
});
