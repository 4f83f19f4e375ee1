import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { memoryOf } from "../../bench/processes.ts";
import { apiClient } from "../support/api-client.ts";
import { bomb, head, hostile, pours, sendsAndCloses, type Hostile } from "../support/hostile-receivers.ts";
import { openService, type TestService } from "../support/service.ts";

const limitMilliseconds = 4_000;
const folder = mkdtempSync(join(tmpdir(), "lorry-receivers-"));
const logs = join(folder, "lorry.jsonl");
const opened: Hostile[] = [];
let service: TestService;

beforeAll(async () => {
  service = await openService({ internet: "sockets", logs, vars: { WEBHOOK_TIMEOUT_MS: String(limitMilliseconds) } });
});

afterAll(async () => {
  await service.stop();
  await Promise.all(opened.map(({ close }) => close()));
  rmSync(folder, { recursive: true, force: true });
});

async function open(...behaviour: Parameters<typeof hostile>): Promise<Hostile> {
  const receiver = await hostile(...behaviour);
  opened.push(receiver);
  return receiver;
}

/** A log line about a delivery attempt. */
interface Attempted {
  status?: number;
  error?: string;
  milliseconds: number;
}

interface Webhook {
  pending: number;
  lastSuccessAt?: string;
  lastFailure?: { status?: number; error?: string };
}

/** Creates a webhook in a new company and causes an event for it. @returns a function that reads the webhook */
async function told(callbackUrl: string): Promise<() => Promise<Webhook>> {
  const ask = apiClient(service, service.company().key);
  const made = await ask<{ subscriptionId: string }>("POST", "/api/v1/webhooks", {
    json: { eventType: "All", callbackUrl },
  });
  expect(made.status).toBe(201);
  await ask("POST", "/api/v1/orders", {
    json: { inputText: `Nothing to carry for ${callbackUrl}.` },
    headers: { prefer: "wait=15" },
  });
  return async () => (await ask<Webhook>("GET", `/api/v1/webhooks/${made.body.subscriptionId}`)).body;
}

/** Finds the log line about the first attempt to deliver the event. */
function lineAbout(event: string): string | undefined {
  const lines = readFileSync(logs, "utf8").split("\n");
  return lines.find((line) => line.includes(event) && line.includes('"what":"delivery"'));
}

/** Causes a delivery to a receiver. Returns the logged result of the first attempt, and the webhook as its owner sees it. */
async function attempt(receiver: Hostile): Promise<{ attempted: Attempted; line: string; webhook: Webhook }> {
  const read = await told(receiver.url);
  const line = await vi.waitFor(
    () => {
      const found = receiver.heard[0] && lineAbout(receiver.heard[0]);
      if (!found) throw new Error("Nothing has been logged yet.");
      return found;
    },
    { timeout: 50_000, interval: 100 },
  );
  return { attempted: JSON.parse(line) as Attempted, line, webhook: await read() };
}

const ok = "HTTP/1.1 200 OK";
const plenty = 64 * 1024 * 1024;

test.runIf(process.platform === "linux")(
  "decompression bombs and endless responses do not stay in memory",
  async () => {
    const memory = () => Object.values(memoryOf(process.pid)).reduce((sum, mebibytes) => sum + mebibytes);
    const rounds = async (count: number) => {
      for (let i = 0; i < count; i++) {
        const packed = await open(sendsAndCloses(head(ok, "content-encoding: gzip"), bomb));
        const flood = await open(pours(head(ok), plenty));
        await Promise.all([attempt(packed), attempt(flood)]);
      }
    };
    await rounds(2);
    const before = memory();
    await rounds(10);
    expect(memory() - before).toBeLessThan(300);
  },
);
