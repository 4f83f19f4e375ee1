import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate as turn } from "node:timers/promises";
import { vi } from "vitest";

const start = Date.parse("2026-11-20T09:00:00.000Z");

/** Time that passes only when it is told to, and a clock on the wall that may be wrong about it. */
export class Timeline {
  /** Milliseconds that have truly passed. */
  passed = 0;
  private skew = 0;
  private frozen = false;
  private readonly timers: { at: number; run: () => void }[] = [];

  constructor() {
    vi.useFakeTimers({ toFake: ["Date"], now: start });
  }

  /** Runs something after so much true time, in order. @returns what calls it off */
  after(milliseconds: number, run: () => void): () => void {
    const timer = { at: this.passed + milliseconds, run };
    const place = this.timers.findIndex((one) => one.at > timer.at);
    this.timers.splice(place < 0 ? this.timers.length : place, 0, timer);
    return () => {
      const found = this.timers.indexOf(timer);
      if (found >= 0) this.timers.splice(found, 1);
    };
  }

  /** What `setTimeout` and `clearTimeout` do in this time. @param lives whether whoever sets a timer still lives when it fires */
  fakeTimers(lives: () => () => boolean) {
    const timers = new Map<unknown, () => void>();
    const real = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout };
    return [
      vi.spyOn(globalThis, "setTimeout").mockImplementation(((run: () => void, milliseconds = 0, ...more: []) => {
        // The HTTP client of a service that other test files share lives in this process and needs real time.
        if (new Error().stack?.includes("node_modules/undici/")) return real.setTimeout(run, milliseconds, ...more);
        const isAlive = lives();
        const id = Symbol("timer");
        const fire = () => {
          timers.delete(id);
          if (isAlive()) run();
        };
        timers.set(id, this.after(milliseconds, AsyncLocalStorage.bind(fire)));
        return id;
      }) as never),
      vi.spyOn(globalThis, "clearTimeout").mockImplementation((id) => {
        const cancel = timers.get(id);
        if (!cancel) return real.clearTimeout(id);
        cancel();
        timers.delete(id);
      }),
    ];
  }

  next(): number | undefined {
    return this.timers[0]?.at;
  }

  /** Lets time pass to a moment, with everything that is due until then. */
  async to(moment: number): Promise<void> {
    while (this.timers[0] && this.timers[0].at <= moment) {
      const { at, run } = this.timers.shift()!;
      this.set(at);
      run();
      await runPendingPromises();
    }
    this.set(Math.max(this.passed, moment));
  }

  /** The clock on the wall is set, forwards or back. */
  jump(milliseconds: number): void {
    this.skew += milliseconds;
    this.set(this.passed);
  }

  /** The clock on the wall stands still, or goes on from where it stood. */
  stand(still: boolean): void {
    this.frozen = still;
  }

  stop(): void {
    vi.useRealTimers();
  }

  private set(moment: number): void {
    if (this.frozen) this.skew -= moment - this.passed;
    this.passed = moment;
    vi.setSystemTime(start + this.passed + this.skew);
  }
}

/** Everything that only waits for promises has run. */
export const runPendingPromises = async (): Promise<void> => {
  await turn();
};
