import { spawn, type ChildProcess } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { serve } from "../../scripts/serve.mjs";
import { KillableRuntime, waitUntilHealthy, type KillableService } from "./killable-service.ts";

/** The whole service in its own process group, so that `kill` kills every process of `npm start`. */
export class ServiceProcesses implements KillableService {
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

  async start(): Promise<number> {
    // Temporary files are in this folder, so that those of killed processes are deleted with it.
    const left = join(this.data, "tmp");
    mkdirSync(left, { recursive: true });
    const env = {
      ...process.env,
      ...this.vars,
      TMPDIR: left,
      PORT: String(this.port),
      DATA_DIR: this.data,
      RATE_LIMIT_PER_SECOND: "100000",
    };
    const started = spawn(process.execPath, ["scripts/start.mjs"], {
      detached: true,
      env,
      stdio: ["ignore", "ignore", "pipe"],
    });
    this.process = started;
    let complaint = "";
    started.stderr.on("data", (chunk: Buffer) => (complaint += chunk.toString()));
    return waitUntilHealthy(this.url, () => (started.exitCode === null ? undefined : complaint));
  }

  /** Kills the whole group with SIGKILL, so that no process can clean up. */
  async kill(): Promise<void> {
    const child = this.process;
    if (!child?.pid || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    process.kill(-child.pid, "SIGKILL");
    await ended;
  }

  end(): Promise<void> {
    return this.kill();
  }
}

/** Finds a port on which nothing listens. */
export async function freePort(): Promise<number> {
  const probe = createServer();
  await once(probe.listen(0, "127.0.0.1"), "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  return port;
}

/** Variables for webhooks whose attempts time out soon and that are never disabled. */
const vars = { WEBHOOK_TIMEOUT_MS: "500", FAILURE_LIMIT: "1000000" };

/** Prepares the product as `npm start` serves it. */
export const wholeService = async (folder: string): Promise<KillableService> =>
  new ServiceProcesses(await freePort(), folder, vars);

/** Starts the product so that `kill` kills only the Workers runtime. */
export const productRuntime = (folder: string): Promise<KillableService> =>
  KillableRuntime.of(() =>
    serve({
      state: folder,
      vars: {
        ...vars,
        RATE_LIMIT_PER_SECOND: "100000",
        ALLOW_PRIVATE_WEBHOOKS: "true",
        LOCAL_KEYS: JSON.stringify({ demo: randomUUID() }),
        SEAL_KEY: randomBytes(32).toString("base64"),
      },
    }),
  );
