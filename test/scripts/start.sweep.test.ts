import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { assertFree } from "../../scripts/address.mjs";
import { orderIds, start, statusOf, type Started } from "./npm-start.ts";

const run = promisify(execFile);
let data: string;
let first: Started;

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), "lorry-start-"));
  first = await start(data, "0");
  // Runs the curl command of the greeting, which sends the sample order.
  await run("sh", ["-c", /^ {2}(curl .+)$/m.exec(first.greeting)![1]!]);
});

afterAll(async () => {
  first.kill();
  await rm(data, { recursive: true, force: true });
});

test.each(["SIGKILL", "SIGTERM", "SIGINT"] as const)("after %s it starts again with its data", async (signal) => {
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
  first = await start(data, port);
  expect(await orderIds(first.url)).toEqual(stored);
});

test("if killed without its process group, it leaves no process that holds the port", async () => {
  const port = Number(new URL(first.url).port);
  first.process.kill("SIGKILL");
  await vi.waitFor(() => expect(assertFree("127.0.0.1", port)).resolves.toBeUndefined(), { timeout: 50_000 });
  first = await start(data, String(port));
});

test.runIf(process.platform === "linux")("a restarted runtime also ends with its process", async () => {
  const port = Number(new URL(first.url).port);
  const [died] = await runtimesOf(first.process.pid!);
  process.kill(died!, "SIGKILL");
  await vi.waitFor(async () => expect(await runtimesOf(first.process.pid!)).not.toContain(died), { timeout: 50_000 });
  await vi.waitFor(async () => expect(await statusOf(`${first.url}/docs`)).toBe(200), { timeout: 50_000 });
  first.process.kill("SIGKILL");
  await vi.waitFor(() => expect(assertFree("127.0.0.1", port)).resolves.toBeUndefined(), { timeout: 50_000 });
  first = await start(data, String(port));
});

const runtimesOf = async (pid: number): Promise<number[]> => {
  const { stdout } = await run("ps", ["-o", "pid=,comm=", "--ppid", String(pid)]);
  return [...stdout.matchAll(/(\d+) workerd/g)].map(([, runtime]) => Number(runtime));
};
