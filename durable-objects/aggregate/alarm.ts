import { guardMilliseconds } from "../round-timer.ts";

/**
 * The runtime accepts no alarm after 2189, so an alarm is set for 2100 at the latest. If the due time is still later,
 * the alarm is set again when it fires.
 */
const farthest = Date.UTC(2100, 0);
/** If an alarm is overdue by more than this, it was lost or the clock was changed. It is then set again. */
const lostMilliseconds = 60_000;

interface AlarmOptions {
  /** In milliseconds since 1970. */
  due: () => number | undefined;
  failed: (error: unknown) => void;
}

/**
 * The alarm of a Durable Object. It fires even if the instance that set it has ended. A set alarm is only moved to an
 * earlier time: otherwise repeated changes could postpone due work, and setting an alarm costs two fsyncs.
 */
export class Alarm {
  private readonly storage: Pick<DurableObjectStorage, "getAlarm" | "setAlarm">;
  private readonly options: AlarmOptions;
  private firedFor = 0;
  private setFor: number | undefined;

  constructor(storage: Pick<DurableObjectStorage, "getAlarm" | "setAlarm">, rings: AlarmOptions) {
    this.storage = storage;
    this.options = rings;
  }

  /** Called when a new instance starts, because work may be due before the alarm that the previous instance set. */
  async restore(): Promise<void> {
    this.setFor = (await this.storage.getAlarm()) ?? undefined;
    await this.arm().catch((error: unknown) => this.retrySoon(error));
  }

  /**
   * Sets the alarm for the next due time. There must be no `await` between reading the due time and setting the alarm:
   * a change in between could need an earlier alarm.
   */
  async arm(): Promise<void> {
    const due = this.options.due();
    if (due !== undefined) await this.schedule(due);
  }

  /**
   * Called when the alarm fires. Does not throw. The platform drops an alarm that fails six times, so a substitute
   * alarm is set before the round begins; after the round the next due time replaces it.
   */
  async fire(info: AlarmInvocationInfo | undefined, round: () => Promise<void>): Promise<void> {
    this.firedFor = info?.scheduledTime ?? 0;
    this.setFor = undefined;
    await this.armAhead();
    const standIn = this.setFor;
    try {
      await round();
      const due = this.options.due();
      if (due === undefined) return;
      if (this.setFor === standIn) this.setFor = undefined;
      await this.schedule(due);
    } catch (error) {
      this.options.failed(error);
    }
  }

  clear(): void {
    this.setFor = undefined;
  }

  private async schedule(due: number): Promise<void> {
    const now = Date.now();
    const { setFor } = this;
    const isLost = setFor !== undefined && now - setFor > lostMilliseconds;
    // The runtime loses an alarm that is set for the same millisecond as the alarm that fired last. The new one is
    // therefore set for at least one millisecond later.
    const afterThisOne = this.firedFor - now < 1000 ? this.firedFor + 1 : 0;
    const at = Math.min(farthest, Math.max(now + 1, afterThisOne, isLost ? 0 : due));
    if (setFor === undefined || isLost || at < setFor) await this.set(at);
  }

  private async armAhead(): Promise<void> {
    let due: number | undefined;
    try {
      due = this.options.due();
    } catch (error) {
      return this.retrySoon(error);
    }
    if (due !== undefined) await this.set(Math.min(farthest, Math.max(Date.now() + guardMilliseconds, due)));
  }

  private async retrySoon(error: unknown): Promise<void> {
    await this.set(Date.now() + guardMilliseconds);
    this.options.failed(error);
  }

  private set(at: number): Promise<void> {
    this.setFor = at;
    return this.storage.setAlarm(at);
  }
}

/** Returns the earliest of the given times; undefined if there is none. */
export const earliest = (...times: (number | undefined)[]) =>
  times.reduce(
    (first, time) => (time === undefined ? first : first === undefined ? time : Math.min(first, time)),
    undefined,
  );
