import { guardMilliseconds } from "../round-timer.ts";

/** The runtime takes no alarm for after 2189: one that rings before anything is due is set again. */
const farthest = Date.UTC(2100, 0);

interface Rings {
  /** When it is needed next, in milliseconds since 1970. */
  due: () => number | undefined;
  /** Hears why a ring broke off; the next one carries on. */
  failed: (error: unknown) => void;
}

/**
 * The alarm of an object: it carries on what is left to do, in whatever life of it. Setting one is dear (two fsyncs), so
 * that it is set again only for a time that comes first, or much later.
 */
export class Alarm {
  private readonly storage: DurableObjectStorage;
  private readonly rings: Rings;
  /** The time the last one was set for that has rung, and the one that is set. */
  private rang = 0;
  private setFor: number | undefined;

  constructor(storage: DurableObjectStorage, rings: Rings) {
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
    if (due === undefined) return;
    const now = Date.now();
    // The runtime loses an alarm that is set again for the millisecond it is running for, so the next one is always later.
    const afterThisOne = this.rang - now < 1000 ? this.rang + 1 : 0;
    const at = Math.min(farthest, Math.max(now + 1, afterThisOne, due));
    const { setFor = 0 } = this;
    const inTime = setFor > now && setFor <= at && at - setFor <= guardMilliseconds;
    if (!inTime) await this.set(at);
  }

  /**
   * It rings. The platform forgets an alarm that fails six times, so that this one is set for what is left, should the round
   * break off, before the round begins; and never fails.
   */
  async ring(info: AlarmInvocationInfo | undefined, round: () => Promise<void>): Promise<void> {
    this.rang = info?.scheduledTime ?? 0;
    this.setFor = undefined;
    await this.armAhead();
    try {
      await round();
      await this.arm();
    } catch (error) {
      this.rings.failed(error);
    }
  }

  /** It is not set any more. */
  forget(): void {
    this.setFor = undefined;
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
