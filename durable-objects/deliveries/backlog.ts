import type { DeliveryRows, Entry } from "./rows.ts";

/** What a disabled subscription keeps: so many, so much and so long; the oldest go first. */
const kept = { rows: 100_000, bytes: 512 * 1024 * 1024, milliseconds: 14 * 24 * 60 * 60 * 1000 };

/** Keeps what waits for a disabled subscription within its bounds. */
export class Backlog {
  private readonly rows: DeliveryRows;
  /** Bytes of what waits, and when the oldest of it came; undefined when not known. */
  private bytes: number | undefined;
  private oldest: number | undefined;

  constructor(rows: DeliveryRows) {
    this.rows = rows;
  }

  /** When the oldest has waited as long as it may, in milliseconds since 1970. */
  nextDue(): number | undefined {
    this.oldest ??= this.rows.oldestWaiting();
    return this.oldest === undefined ? undefined : this.oldest + kept.milliseconds;
  }

  /** Drops the oldest of what is too many, too much or too old. @returns what was dropped */
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

  /** What the tables hold counts. */
  forget(): void {
    this.bytes = this.oldest = undefined;
  }
}
