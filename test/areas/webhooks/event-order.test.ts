import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openJournal } from "../../../scripts/journal.mjs";
import { apiClient } from "../../support/api-client.ts";
import { simulateInternet, type ReceivedRequest } from "../../support/simulated-internet.ts";
import { openService, type TestService } from "../../support/service.ts";

const internet = simulateInternet();
let service: TestService;

beforeAll(async () => {
  service = await openService({ internet: internet.answer });
});

afterAll(async () => {
  internet.close();
  await service.stop();
});

interface Told {
  id: string;
  eventType: string;
  sequence: number;
}
const told = (heard: ReceivedRequest[]) => heard.map(({ body }) => JSON.parse(body) as Told);

/**
 * Creates a company with a carrier order. `change` updates the order; `listen` creates a webhook and returns its
 * receiver.
 */
async function ordering() {
  const { key } = service.company();
  const ask = apiClient(service, key);
  const said = (internalComments: string) => ({
    json: { orderNumber: "A-1", carrier: { name: "Carrier" }, internalComments },
  });
  const { body } = await ask<{ orderId: string }>("POST", "/api/v1/orders", said("first"));
  const change = (comment: string) => ask("PUT", `/api/v1/orders/${body.orderId}`, said(comment));
  const listen = async () => {
    const address = internet.address();
    await ask("POST", "/api/v1/webhooks", { json: { eventType: "All", callbackUrl: address.url } });
    return address;
  };
  return { change, listen };
}

test("a new webhook receives only events that happen after its creation", async () => {
  const { change, listen } = await ordering();
  await change("second");
  const address = await listen();
  await change("third");
  await change("fourth");
  const events = told(await address.waitForRequests(2));
  expect(events.map(({ eventType, sequence }) => [eventType, sequence])).toEqual([
    ["CarrierOrderUpdated", 3],
    ["CarrierOrderUpdated", 4],
  ]);
});

test("events of concurrent changes are delivered one by one, in order, each once", async () => {
  const { change, listen } = await ordering();
  const address = await listen();
  await Promise.all(Array.from({ length: 20 }, (_, turn) => change(`turn ${turn}`)));
  const events = told(await address.waitForRequests(20));
  expect(events.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 20 }, (_, turn) => turn + 2));
  expect(new Set(events.map(({ id }) => id)).size).toBe(20);
});

test("the journal splits lines that are written together, and wraps other text as one line of JSON", async () => {
  const folder = await mkdtemp(join(tmpdir(), "lorry-journal-"));
  const journal = openJournal(join(folder, "log.jsonl"));
  journal.write({ level: "log", message: '{"what":"request"}\n{"what":"work"}', at: 0 });
  journal.write({ level: "warn", message: "{not ours}\nat all", at: 0 });
  journal.close();
  const lines = (await readFile(join(folder, "log.jsonl"), "utf8")).trim().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { what: "request" },
    { what: "work" },
    { at: "1970-01-01T00:00:00.000Z", level: "warn", message: "{not ours}\nat all" },
  ]);
  await rm(folder, { recursive: true });
});
