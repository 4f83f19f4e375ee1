import { guardMilliseconds } from "../round-timer.ts";

/** The runtime takes no alarm for after 2189: one that rings before anything is due is set again. */
const farthest = Date.UTC(2100, 0);
/** An alarm that is late by more than this was lost, or the clock was changed: it is set again. */
const lostMilliseconds = 60_000;

interface Rings {
  /** When it is needed next, in milliseconds since 1970. */
  due: () => number | undefined;
  /** Hears why a ring broke off; the next one carries on. */
  failed: (error: unknown) => void;
}

/**
 * The alarm of an object: it carries on what is left to do, in whatever life of it. One rule holds for every object: an alarm
 * that is set is only ever brought forward. Whatever falls due later is found when it rings, and only then is the next one
 * set, for the earliest due time. So nothing that keeps happening can put off what is due. It also saves writes: setting an
 * alarm costs two fsyncs.
 */
export class Alarm {
  private readonly storage: Pick<DurableObjectStorage, "getAlarm" | "setAlarm">;
  private readonly rings: Rings;
  /** The time the last one was set for that has rung, and the one that is set. */
  private rang = 0;
  private setFor: number | undefined;

  constructor(storage: Pick<DurableObjectStorage, "getAlarm" | "setAlarm">, rings: Rings) {
    this.storage = storage;
    this.rings = rings;
  }

  /** A new life of the object begins: what is due now may be due sooner than the last life knew. */
  async wake(): Promise<void> {
    this.setFor = (await this.storage.getAlarm()) ?? undefined;
    await this.arm().catch((error: unknown) => this.soon(error));
  }

  /** No await between reading what is due and setting the alarm, or a change in between would lose its own. */
  async arm(): Promise<void> {
    const due = this.rings.due();
    if (due !== undefined) await this.schedule(due);
  }

  /**
   * It rings. The platform forgets an alarm that fails six times, so that a stand-in is set before the round begins, should
   * the round break off; and this never fails. After the round the stand-in gives way to what is due next.
   */
  async ring(info: AlarmInvocationInfo | undefined, round: () => Promise<void>): Promise<void> {
    this.rang = info?.scheduledTime ?? 0;
    this.setFor = undefined;
    await this.armAhead();
    const standIn = this.setFor;
    try {
      await round();
      const due = this.rings.due();
      if (due === undefined) return;
      if (this.setFor === standIn) this.setFor = undefined;
      await this.schedule(due);
    } catch (error) {
      this.rings.failed(error);
    }
  }

  /** It is not set any more. */
  forget(): void {
    this.setFor = undefined;
  }

  private async schedule(due: number): Promise<void> {
    const now = Date.now();
    const { setFor } = this;
    const isLost = setFor !== undefined && now - setFor > lostMilliseconds;
    // The runtime loses an alarm that is set again for the millisecond it is running for, so the next one is always later.
    const afterThisOne = this.rang - now < 1000 ? this.rang + 1 : 0;
    const at = Math.min(farthest, Math.max(now + 1, afterThisOne, isLost ? 0 : due));
    if (setFor === undefined || isLost || at < setFor) await this.set(at);
  }

  private async armAhead(): Promise<void> {
    let due: number | undefined;
    try {
      due = this.rings.due();
    } catch (error) {
      return this.soon(error);
    }
    if (due !== undefined) await this.set(Math.min(farthest, Math.max(Date.now() + guardMilliseconds, due)));
  }

  /** Where it cannot be known what is due. */
  private async soon(error: unknown): Promise<void> {
    await this.set(Date.now() + guardMilliseconds);
    this.rings.failed(error);
  }

  private set(at: number): Promise<void> {
    this.setFor = at;
    return this.storage.setAlarm(at);
  }
}
