/** Delay of the alarm that repeats a round if the instance ends before its timer fires, in milliseconds. */
export const guardMilliseconds = 5_000;

interface RoundTimerOptions {
  /** In milliseconds since 1970. */
  due: () => number | undefined;
  round: () => Promise<unknown>;
  failed: (error: unknown) => void;
}

/** Starts the rounds of a Durable Object when they are due. The alarm is only the fallback. */
export class RoundTimer {
  private readonly rounds: RoundTimerOptions;
  /** Earliest time of the next round after a failed one, in milliseconds since 1970. */
  private notBefore = 0;
  private timer: { for: number; id: ReturnType<typeof setTimeout> } | undefined;

  constructor(rounds: RoundTimerOptions) {
    this.rounds = rounds;
  }

  /** Sets the timer if a round is due soon. Must be called whenever new work may be due. */
  set(): void {
    const first = this.rounds.due();
    const due = first === undefined ? undefined : Math.max(first, this.notBefore);
    if (due === undefined || due > Date.now() + guardMilliseconds || (this.timer && this.timer.for <= due)) return;
    this.stop();
    this.timer = { for: due, id: setTimeout(() => void this.rings(), Math.max(0, due - Date.now())) };
  }

  stop(): void {
    clearTimeout(this.timer?.id);
    this.timer = undefined;
  }

  private async rings(): Promise<void> {
    this.timer = undefined;
    try {
      await this.rounds.round();
    } catch (error) {
      this.notBefore = Date.now() + guardMilliseconds;
      this.rounds.failed(error);
    }
    this.set();
  }
}
