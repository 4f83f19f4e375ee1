import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate as turn } from "node:timers/promises";
import { vi } from "vitest";

const start = Date.parse("2026-11-20T09:00:00.000Z");
/** Kept from before any replacement, which a test that timed out may have left behind. */
const real = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout };

/** Simulated time that advances only on request, and a wall clock that may deviate from it. */
export class Timeline {
  /** Simulated milliseconds since the start. */
  passed = 0;
  private skew = 0;
  private frozen = false;
  private readonly timers: { at: number; run: () => void }[] = [];

  constructor() {
    vi.useFakeTimers({ toFake: ["Date"], now: start });
  }

  /** Runs a function after `milliseconds` of simulated time. @returns a function that cancels it */
  after(milliseconds: number, run: () => void): () => void {
    const timer = { at: this.passed + milliseconds, run };
    const place = this.timers.findIndex((one) => one.at > timer.at);
    this.timers.splice(place < 0 ? this.timers.length : place, 0, timer);
    return () => {
      const found = this.timers.indexOf(timer);
      if (found >= 0) this.timers.splice(found, 1);
    };
  }

  /**
   * Replaces `setTimeout` and `clearTimeout` with simulated timers. @param lives is called when a timer is set. The
   * function that it returns tells whether the object instance that set the timer still runs.
   */
  fakeTimers(lives: () => () => boolean) {
    const timers = new Map<unknown, () => void>();
    return [
      vi.spyOn(globalThis, "setTimeout").mockImplementation(((run: () => void, milliseconds = 0, ...more: []) => {
        // The HTTP client of the shared test service runs in this process and needs real time.
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

  /** Advances the time to a moment and runs all timers that are due until then. */
  async to(moment: number): Promise<void> {
    while (this.timers[0] && this.timers[0].at <= moment) {
      const { at, run } = this.timers.shift()!;
      this.set(at);
      run();
      await runPendingPromises();
    }
    this.set(Math.max(this.passed, moment));
  }

  /** Moves the wall clock forwards, or back if `milliseconds` is negative. */
  jump(milliseconds: number): void {
    this.skew += milliseconds;
    this.set(this.passed);
  }

  /** Stops the wall clock, or lets it continue from where it stopped. */
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

/** Runs all pending promise callbacks. */
export const runPendingPromises = async (): Promise<void> => {
  await turn();
};
