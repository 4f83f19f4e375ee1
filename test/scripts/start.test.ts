import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { assertFree } from "../../scripts/address.mjs";

const run = promisify(execFile);
const number = "BS-26-04711";
let data: string;
let first: Started;

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), "lorry-start-"));
  first = await start("0");
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

test("the pasted curl reads the sample order", async () => {
  const command = /^ {2}(curl .+)$/m.exec(first.greeting)?.[1];
  const { stdout } = await run("sh", ["-c", command!]);
  const reply = JSON.parse(stdout) as { orders: { data?: { orderNumber?: string } }[] };
  expect(reply.orders.map((order) => order.data?.orderNumber)).toEqual([number]);
});

test("the requests are in the log and not on the screen", async () => {
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

test("only their owner reads the local secrets", async () => {
  expect((await stat(join(data, "secrets.json"))).mode & 0o777).toBe(0o600);
});

test("a taken port is one clear sentence", async () => {
  const port = new URL(first.url).port;
  const { code, screen } = await failedStart(port);
  expect(code).toBe(1);
  expect(screen).toMatch(new RegExp(`^Port ${port} on 127\\.0\\.0\\.1 is taken: [^\n]+\\.\n$`));
});

test.each(["http", "70000"])("PORT=%s is refused", async (port) => {
  const { code, screen } = await failedStart(port);
  expect(code).toBe(1);
  expect(screen).toBe(`PORT is "${port}", which is not a port: a whole number from 0 to 65535.\n`);
});

test.each(["SIGKILL", "SIGTERM", "SIGINT"] as const)("after %s it starts again and remembers", async (signal) => {
  const { port } = new URL(first.url);
  const stored = await vi.waitFor(
    async () => {
      const ids = await orderIds(first.url);
      expect(ids).toHaveLength(1);
      return ids;
    },
    { timeout: 50_000 },
  );

  const code = await first.end(signal);
  expect(code).toBe(signal === "SIGKILL" ? null : 0);
  first = await start(port);
  expect(await orderIds(first.url)).toEqual(stored);
});

test("killed alone, without its group, it leaves nothing that holds the port", async () => {
  const port = Number(new URL(first.url).port);
  first.process.kill("SIGKILL");
  await vi.waitFor(() => expect(assertFree("127.0.0.1", port)).resolves.toBeUndefined(), { timeout: 50_000 });
  first = await start(String(port));
});

test.runIf(process.platform === "linux")("a runtime that was started again ends with it as well", async () => {
  const port = Number(new URL(first.url).port);
  const [died] = await runtimesOf(first.process.pid!);
  process.kill(died!, "SIGKILL");
  await vi.waitFor(async () => expect(await runtimesOf(first.process.pid!)).not.toContain(died), { timeout: 50_000 });
  await vi.waitFor(async () => expect(await statusOf(`${first.url}/docs`)).toBe(200), { timeout: 50_000 });
  first.process.kill("SIGKILL");
  await vi.waitFor(() => expect(assertFree("127.0.0.1", port)).resolves.toBeUndefined(), { timeout: 50_000 });
  first = await start(String(port));
});

interface Started {
  url: string;
  greeting: string;
  process: ChildProcess;
  complaints: () => string;
  /** Ends the whole process group; answers the exit code, null after a kill. */
  end: (signal: NodeJS.Signals) => Promise<number | null>;
  kill: () => void;
}

async function start(port: string): Promise<Started> {
  const child = launch(port);
  const group = -(child.pid ?? 0);
  let greeting = "";
  let complaints = "";
  child.stderr?.on("data", (chunk: Buffer) => (complaints += chunk.toString()));
  child.stdout?.on("data", (chunk: Buffer) => (greeting += chunk.toString()));
  await vi.waitFor(() => expect(greeting, complaints).toContain("curl"), { timeout: 60_000, interval: 50 });
  return {
    url: /http:\S+/.exec(greeting)?.[0] ?? "",
    greeting,
    process: child,
    complaints: () => complaints,
    async end(signal) {
      const ended = once(child, "exit");
      process.kill(group, signal);
      return ((await ended) as [number | null])[0];
    },
    kill: () => void process.kill(group, "SIGKILL"),
  };
}

async function failedStart(port: string): Promise<{ code: number | null; screen: string }> {
  const child = launch(port);
  let screen = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => (screen += chunk.toString()));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, screen };
}

/** As npm starts it; the shell is replaced. */
const launch = (port: string): ChildProcess =>
  spawn(process.execPath, ["scripts/start.mjs"], {
    detached: true,
    env: { ...process.env, PORT: port, DATA_DIR: data },
    stdio: ["ignore", "pipe", "pipe"],
  });

const runtimesOf = async (pid: number): Promise<number[]> => {
  const { stdout } = await run("ps", ["-o", "pid=,comm=", "--ppid", String(pid)]);
  return [...stdout.matchAll(/(\d+) workerd/g)].map(([, runtime]) => Number(runtime));
};

const statusOf = async (url: string, key?: string): Promise<number> =>
  (await fetch(url, { headers: key ? { "x-api-key": key } : {} })).status;

async function orderIds(url: string): Promise<string[]> {
  const answer = await fetch(`${url}/api/v1/orders`, { headers: { "x-api-key": "demo" } });
  const { items } = await answer.json<{ items: { orderId: string }[] }>();
  return items.map(({ orderId }) => orderId);
}
