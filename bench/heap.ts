import type { Miniflare } from "miniflare";

/** Measures the live memory in the isolate of the Worker: its heap and its array buffers, in MiB. */
export interface Heap {
  /** Collects the garbage and returns the live memory. */
  alive: () => Promise<number>;
  /**
   * Runs `act` and returns the highest live memory meanwhile. Samples are taken between turns of the Worker's event
   * loop.
   */
  highest: (act: () => Promise<void>) => Promise<number>;
  close: () => void;
}

interface Usage {
  usedSize: number;
  embedderHeapUsedSize: number;
  backingStorageSize: number;
}

/** Connects to the inspector of a service that was started with `inspector: true`. */
export async function openHeap(mf: Miniflare): Promise<Heap> {
  const { host } = await mf.getInspectorURL();
  const socket = new WebSocket(`ws://${host}/core:user:lorry`);
  const waiting = new Map<number, (result: unknown) => void>();
  let sent = 0;
  socket.addEventListener("message", ({ data }) => {
    const { id = 0, result } = JSON.parse(String(data)) as { id?: number; result?: unknown };
    waiting.get(id)?.(result);
    waiting.delete(id);
  });
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve);
    socket.addEventListener("error", reject);
  });
  const call = <Result>(method: string): Promise<Result> =>
    new Promise((resolve) => {
      waiting.set(++sent, resolve as (result: unknown) => void);
      socket.send(JSON.stringify({ id: sent, method }));
    });
  const alive = async () => {
    await call("HeapProfiler.collectGarbage");
    const { usedSize, embedderHeapUsedSize, backingStorageSize } = await call<Usage>("Runtime.getHeapUsage");
    if (process.env.TRACE && usedSize + backingStorageSize > 50 * 2 ** 20)
      process.stderr.write(
        `[${(usedSize / 2 ** 20).toFixed(0)} ${(embedderHeapUsedSize / 2 ** 20).toFixed(0)} ${(backingStorageSize / 2 ** 20).toFixed(0)}]`,
      );
    return (usedSize + embedderHeapUsedSize + backingStorageSize) / 2 ** 20;
  };
  const highest = async (act: () => Promise<void>) => {
    let [most, isOver] = [0, false];
    const looking = (async () => {
      while (!isOver) {
        const a = await alive();
        if (process.env.TRACE) process.stderr.write(a.toFixed(0) + " ");
        most = Math.max(most, a);
      }
    })();
    await act().finally(() => (isOver = true));
    await looking;
    return most;
  };
  return { alive, highest, close: () => socket.close() };
}
