import type { DeliveryRows, Entry } from "./rows.ts";

/**
 * Maximum number, bytes and age of the deliveries that wait while a subscription is disabled or paused. Beyond these
 * limits, the oldest deliveries are dropped.
 */
const kept = { rows: 100_000, bytes: 512 * 1024 * 1024, milliseconds: 14 * 24 * 60 * 60 * 1000 };

/** Limits the deliveries that wait while a subscription is disabled or paused. */
export class Backlog {
  private readonly rows: DeliveryRows;
  /** Bytes of the waiting deliveries; undefined if not known. */
  private bytes: number | undefined;
  private oldest: number | undefined;

  constructor(rows: DeliveryRows) {
    this.rows = rows;
  }

  /** When the oldest delivery reaches the maximum age, in milliseconds since 1970. */
  nextDue(): number | undefined {
    this.oldest ??= this.rows.oldestWaiting();
    return this.oldest === undefined ? undefined : this.oldest + kept.milliseconds;
  }

  /** Drops the oldest deliveries beyond the limits. @returns the dropped deliveries */
  bound(added: Entry[], now: number): { okey: string }[] {
    const before = this.bytes ?? this.rows.openBytes();
    this.bytes = before + added.reduce((sum, { body }) => sum + body.length, 0);
    if (this.bytes > kept.bytes) this.bytes = this.rows.openBytes();
    const tooMany = Math.max(0, this.rows.open() - kept.rows);
    const tooMuch = this.bytes > kept.bytes ? Math.max(added.length, 100) : 0;
    const isOld = (this.nextDue() ?? Infinity) <= now;
    const dropped = [
      ...this.rows.dropOldest(Math.max(tooMany, tooMuch), now),
      ...(isOld ? this.rows.dropBefore(now - kept.milliseconds, now) : []),
    ];
    this.bytes -= dropped.reduce((sum, { bytes }) => sum + bytes, 0);
    if (isOld || dropped.length > 0) this.oldest = undefined;
    return dropped;
  }

  forget(): void {
    this.bytes = this.oldest = undefined;
  }
}
