import type { ChildProcess } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { basename } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** A service that can be killed with SIGKILL at any moment and restarted with its stored data. */
export interface KillableService {
  readonly url: string;
  /** @returns milliseconds until `/healthz` answers */
  start(): Promise<number>;
  kill(): Promise<void>;
  /** Stops the service for good. */
  end(): Promise<void>;
}

/**
 * Waits until `/healthz` answers with 200. @returns the milliseconds that this took; @throws after two minutes, or if
 * `hasEnded` returns a reason
 */
export async function waitUntilHealthy(url: string, hasEnded: () => string | undefined): Promise<number> {
  const began = performance.now();
  for (;;) {
    if (await answers(url)) return performance.now() - began;
    const ended = hasEnded();
    if (ended !== undefined) throw new Error(`The service did not start: ${ended}`);
    if (performance.now() - began > 120_000) throw new Error("The service did not answer within two minutes.");
    await sleep(20);
  }
}

const answers = (url: string): Promise<boolean> =>
  fetch(`${url}/healthz`, { signal: AbortSignal.timeout(2_000) }).then(
    ({ ok }) => ok,
    () => false,
  );

/**
 * A Workers runtime that this process started. The runtime stores everything itself (objects, archive, files, queues),
 * so killing only the runtime loses as much as killing the whole service. It also restarts faster, because Miniflare
 * starts the runtime again with the same settings.
 */
export class KillableRuntime implements KillableService {
  readonly url: string;
  private readonly stop: () => Promise<void>;
  private readonly started: ChildProcess[];
  private readonly note: (message: unknown) => void;

  /** @param open starts a service at a fixed address. Until `end`, nothing else may start a runtime in this process. */
  static async of(open: () => Promise<{ url: string; stop: () => Promise<void> }>): Promise<KillableRuntime> {
    const started: ChildProcess[] = [];
    const note = (message: unknown) => void started.push((message as { process: ChildProcess }).process);
    subscribe("child_process", note);
    return new KillableRuntime(await open(), started, note);
  }

  private constructor(
    { url, stop }: { url: string; stop: () => Promise<void> },
    started: ChildProcess[],
    note: (message: unknown) => void,
  ) {
    this.url = url;
    this.stop = stop;
    this.started = started;
    this.note = note;
  }

  start(): Promise<number> {
    return waitUntilHealthy(this.url, () => undefined);
  }

  async kill(): Promise<void> {
    const runtime = this.started.findLast(({ spawnfile }) => basename(spawnfile) === "workerd")!;
    if (runtime.exitCode !== null || runtime.signalCode !== null) throw new Error("The runtime ended by itself.");
    const ended = once(runtime, "exit");
    runtime.kill("SIGKILL");
    await ended;
  }

  async end(): Promise<void> {
    unsubscribe("child_process", this.note);
    await this.stop();
  }
}
