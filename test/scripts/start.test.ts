import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { failedStart, start, statusOf, type Started } from "./npm-start.ts";

const run = promisify(execFile);
const number = "BS-26-04711";
let data: string;
let first: Started;

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), "lorry-start-"));
  first = await start(data, "0");
});

afterAll(async () => {
  first.kill();
  await rm(data, { recursive: true, force: true });
});

test("the greeting names the address, the keys and the docs, and they work", async () => {
  expect(first.greeting).toMatch(/key\s+demo \(another company's: demo2\)/);
  expect(first.greeting).toContain(`${first.url}/docs`);
  expect(await statusOf(`${first.url}/docs`)).toBe(200);
  expect(await statusOf(`${first.url}/api/v1/orders`, "demo")).toBe(200);
  expect(await statusOf(`${first.url}/api/v1/orders`, "demo2")).toBe(200);
  expect(await statusOf(`${first.url}/api/v1/orders`, "nobody")).toBe(401);
});

test("the curl command of the greeting extracts the sample order", async () => {
  const command = /^ {2}(curl .+)$/m.exec(first.greeting)?.[1];
  const { stdout } = await run("sh", ["-c", command!]);
  const reply = JSON.parse(stdout) as { orders: { data?: { orderNumber?: string } }[] };
  expect(reply.orders.map((order) => order.data?.orderNumber)).toEqual([number]);
});

test("requests are logged to the file and not to the screen", async () => {
  await fetch(`${first.url}/healthz`);
  await vi.waitFor(
    async () => {
      const lines = (await readFile(join(data, "logs", "lorry.jsonl"), "utf8")).trim().split("\n");
      expect(lines.map((line) => (JSON.parse(line) as { what: string }).what)).toContain("request");
    },
    { timeout: 50_000 },
  );
  expect(first.greeting).not.toContain('"what"');
  expect(first.complaints()).toBe("");
});

test("only their owner can read the local secrets", async () => {
  expect((await stat(join(data, "secrets.json"))).mode & 0o777).toBe(0o600);
});

test("a port in use is reported in one clear sentence", async () => {
  const port = new URL(first.url).port;
  const { code, screen } = await failedStart(data, port);
  expect(code).toBe(1);
  expect(screen).toMatch(new RegExp(`^Port ${port} on 127\\.0\\.0\\.1 is taken: [^\n]+\\.\n$`));
});

test.each(["http", "70000"])("PORT=%s is refused", async (port) => {
  const { code, screen } = await failedStart(data, port);
  expect(code).toBe(1);
  expect(screen).toBe(`PORT is "${port}", which is not a port: a whole number from 0 to 65535.\n`);
});
