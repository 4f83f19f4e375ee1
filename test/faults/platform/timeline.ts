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

  /** Runs something after so much true time, in order. */
  after(milliseconds: number, run: () => void): void {
    const at = this.passed + milliseconds;
    const place = this.timers.findIndex((one) => one.at > at);
    this.timers.splice(place < 0 ? this.timers.length : place, 0, { at, run });
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
      await settled();
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
export const settled = async (): Promise<void> => {
  await turn();
};
