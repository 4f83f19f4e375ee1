import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { HostReady } from "./host.ts";
import type { ReceivedDelivery, ReceiverMode } from "./receiver.ts";
import type { Tally, Traffic } from "./traffic.ts";

/** A running server that is measured. */
export interface Host extends HostReady {
  /** The id of the host process; the Workers runtime is its child. */
  pid: number;
  stop: () => Promise<void>;
}

/** @throws if the server exits before it is ready */
export async function startHost(kind: "lorry" | "scanning" | "baselines"): Promise<Host> {
  const child = forked("host.ts", kind);
  const ready = await nextMessage<HostReady>(child);
  return { ...ready, pid: child.pid!, stop: () => ended(child) };
}

/** The running load generator. */
export interface Generator {
  pid: number;
  send: (traffic: Traffic) => Promise<Tally>;
  stop: () => Promise<void>;
}

export function startGenerator(): Generator {
  const child = forked("load.ts");
  return {
    pid: child.pid!,
    send(traffic) {
      child.send(traffic);
      return nextMessage<Tally>(child);
    },
    stop: () => ended(child),
  };
}

/** The running receiver of webhooks. */
export interface Receiver {
  url: string;
  pid: number;
  tell: (told: ReceiverMode) => Promise<ReceivedDelivery[]>;
  stop: () => Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const child = forked("receiver.ts");
  const url = await nextMessage<string>(child);
  const tell = (told: ReceiverMode) => {
    child.send(told);
    return nextMessage<ReceivedDelivery[]>(child);
  };
  return { url, pid: child.pid!, tell, stop: () => ended(child) };
}

const forked = (file: string, ...args: string[]) =>
  fork(join(import.meta.dirname, file), args, { serialization: "advanced" });

async function nextMessage<Message>(child: ChildProcess): Promise<Message> {
  const gone = new AbortController();
  const exit = once(child, "exit", { signal: gone.signal }).then(() => {
    throw new Error(`${child.spawnargs.slice(1).join(" ")} exited before it was ready.`);
  });
  try {
    return (await Promise.race([
      once(child, "message", { signal: gone.signal }).then(([message]) => message),
      exit,
    ])) as Message;
  } finally {
    gone.abort();
    exit.catch(() => {});
  }
}

async function ended(child: ChildProcess): Promise<void> {
  const exit = once(child, "exit");
  child.disconnect();
  await exit;
}
