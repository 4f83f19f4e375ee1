import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** The whole service as a process group of its own, which can be killed outright and started again on the same data. */
export class Lorry {
  readonly url: string;
  private readonly port: number;
  private readonly data: string;
  private readonly vars: Record<string, string>;
  private process: ChildProcess | undefined;

  constructor(port: number, data: string, vars: Record<string, string> = {}) {
    this.vars = vars;
    this.port = port;
    this.data = data;
    this.url = `http://127.0.0.1:${port}`;
  }

  /** @returns milliseconds until it answered */
  async start(): Promise<number> {
    const began = performance.now();
    const env = {
      ...process.env,
      ...this.vars,
      PORT: String(this.port),
      DATA_DIR: this.data,
      RATE_LIMIT_PER_SECOND: "100000",
    };
    this.process = spawn(process.execPath, ["scripts/start.mjs"], {
      detached: true,
      env,
      stdio: ["ignore", "ignore", "pipe"],
    });
    let complaint = "";
    this.process.stderr?.on("data", (chunk: Buffer) => (complaint += chunk.toString()));
    while (!(await this.answers())) {
      if (this.process.exitCode !== null) throw new Error(`The service did not start: ${complaint}`);
      if (performance.now() - began > 30_000) throw new Error("The service did not answer within 30 seconds.");
      await sleep(50);
    }
    return performance.now() - began;
  }

  /** Kills the whole group with signal 9: nothing gets to say goodbye. */
  async kill(): Promise<void> {
    const child = this.process;
    if (!child?.pid || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    process.kill(-child.pid, "SIGKILL");
    await ended;
  }

  private async answers(): Promise<boolean> {
    return fetch(`${this.url}/healthz`, { signal: AbortSignal.timeout(2_000) }).then(
      ({ ok }) => ok,
      () => false,
    );
  }
}

/** A port nobody listens on. */
export async function freePort(): Promise<number> {
  const probe = createServer();
  await once(probe.listen(0, "127.0.0.1"), "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  return port;
}
