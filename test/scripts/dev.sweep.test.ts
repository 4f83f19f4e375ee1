import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { assertFree, freePort } from "../../scripts/address.mjs";

// Runs `npm run dev` with empty state, in its own folders and on its own port.

const run = promisify(execFile);
const host = "127.0.0.1";
/**
 * Time limit for the start. Bundling two Workers and starting two runtimes takes about fifteen seconds on a quiet
 * machine.
 */
const startMilliseconds = 400_000;
let data: string;
let url: string;
let port: number;
let dev: ChildProcess;
let screen = "";

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), "lorry-dev-"));
  port = await freePort(host);
  url = `http://${host}:${port}`;
  dev = launch();
  for (const stream of [dev.stdout, dev.stderr]) stream?.on("data", (chunk: Buffer) => (screen += chunk.toString()));
  const answers = () =>
    fetch(`${url}/healthz`, { signal: AbortSignal.timeout(2_000) }).then(
      ({ ok }) => ok,
      () => false,
    );
  await vi.waitUntil(async () => dev.exitCode !== null || (await answers()), {
    timeout: startMilliseconds,
    interval: 200,
  });
  if (dev.exitCode !== null) throw new Error(`It ended with ${dev.exitCode}: ${screen}`);
}, startMilliseconds + 60_000);

afterAll(async () => {
  if ((await processesOf(dev.pid!)).length > 0) process.kill(-dev.pid!, "SIGKILL");
  await rm(data, { recursive: true, force: true });
});

test("extracts a file, writes into its own folder only, and leaves no process when it is stopped", async () => {
  const body = new FormData();
  body.set("file", new Blob([await readFile("docs/sample-order.pdf")]), "sample-order.pdf");
  const headers = { "x-api-key": "demo", prefer: "wait=60" };
  const answer = await fetch(`${url}/api/v1/orders/file`, { method: "POST", headers, body });
  expect(answer.status, screen).toBe(200);
  const { orders } = await answer.json<{ orders: { data?: { orderNumber?: string } }[] }>();
  expect(orders.map((order) => order.data?.orderNumber)).toEqual(["BS-26-04711"]);
  expect((await readdir(data)).toSorted()).toEqual(expect.arrayContaining(["dev", "dev.env", "secrets.json"]));
  expect(await readdir(join(data, "dev"))).not.toEqual([]);

  const ended = once(dev, "exit");
  dev.kill("SIGTERM");
  expect((await ended)[0]).toBe(0);
  await vi.waitFor(async () => expect(await processesOf(dev.pid!)).toEqual([]), { timeout: 50_000 });
  await expect(assertFree(host, port)).resolves.toBeUndefined();
});

/** Starts the script as npm does, but without a shell, as the leader of a process group. */
const launch = (): ChildProcess =>
  spawn(process.execPath, ["scripts/dev.mjs"], {
    detached: true,
    env: {
      ...process.env,
      PATH: [join(process.cwd(), "node_modules/.bin"), process.env.PATH].join(delimiter),
      PORT: String(port),
      DATA_DIR: data,
      // By default, wrangler's registry of running Workers is shared by all processes of a user.
      WRANGLER_REGISTRY_PATH: join(data, "registry"),
    },
    stdio: ["ignore", "pipe", "pipe"],
  });

/** Lists the running processes of a group. */
async function processesOf(group: number): Promise<string[]> {
  const { stdout } = await run("ps", ["-A", "-o", "pgid=,stat=,args="]);
  return stdout
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line.startsWith(`${group} `) && !/^\d+\s+Z/.test(line));
}
