import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { expect, vi } from "vitest";

/** A running `npm start`, in its own process group. */
export interface Started {
  url: string;
  greeting: string;
  process: ChildProcess;
  complaints: () => string;
  /**
   * Sends a signal to the whole process group. Resolves with the exit code, or with null if the signal killed the
   * process.
   */
  end: (signal: NodeJS.Signals) => Promise<number | null>;
  kill: () => void;
}

export async function start(data: string, port: string): Promise<Started> {
  const child = launch(data, port);
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

export async function failedStart(data: string, port: string): Promise<{ code: number | null; screen: string }> {
  const child = launch(data, port);
  let screen = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => (screen += chunk.toString()));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, screen };
}

/** Starts the script as npm does, but without a shell. */
const launch = (data: string, port: string): ChildProcess =>
  spawn(process.execPath, ["scripts/start.mjs"], {
    detached: true,
    env: { ...process.env, PORT: port, DATA_DIR: data },
    stdio: ["ignore", "pipe", "pipe"],
  });

export const statusOf = async (url: string, key?: string): Promise<number> =>
  (await fetch(url, { headers: key ? { "x-api-key": key } : {} })).status;

export async function orderIds(url: string): Promise<string[]> {
  const answer = await fetch(`${url}/api/v1/orders`, { headers: { "x-api-key": "demo" } });
  const { items } = await answer.json<{ items: { orderId: string }[] }>();
  return items.map(({ orderId }) => orderId);
}
