import type { AttemptResult } from "../../src/platform/receivers/index.ts";
import type { Claimed } from "./rows.ts";

/** Maximum number of connections that a Durable Object may have open at once. */
const atOnce = 6;
/** Maximum number of attempts on record while all succeed, including those that wait for a connection. */
const mostOnRecord = 48;
/**
 * Ends of attempts are recorded together: at most this many, or those within 10 ms (2 ms if no attempt waits for a
 * connection).
 */
const gathered = 16;
const [gatherMilliseconds, idleMilliseconds] = [10, 2];

/** How an attempt ended. */
export interface End {
  row: Claimed;
  attempted: AttemptResult;
  /** Epoch of the health when the attempt began. */
  epoch: number;
  /** When the attempt began, in milliseconds since 1970. */
  began: number;
}

/** Makes one attempt. Never throws. */
type Fly = (row: Claimed) => Promise<Omit<End, "row">>;

/** Records ends, and makes deliveries that were not sent pending again. */
type Land = (ends: End[], unsent: Claimed[]) => void;

/**
 * The attempts of this instance. Each is recorded before it begins. Because that write waits for the disk, attempts are
 * recorded in advance while all succeed, and ends at about the same time are recorded together. After a failure, attempts that
 * have not begun are taken back.
 */
export class Flights {
  private readonly fly: Fly;
  private readonly land: Land;
  private readonly onRecord = new Set<string>();
  private readonly waiting: Claimed[] = [];
  private readonly ended: End[] = [];
  private flying = 0;
  private landing: { at: number; timer: ReturnType<typeof setTimeout> } | undefined;

  constructor(fly: Fly, land: Land) {
    this.fly = fly;
    this.land = land;
  }

  /** Whether this instance has the attempt on record. Other recorded attempts belong to an earlier instance. */
  has(attemptId: string): boolean {
    return this.onRecord.has(attemptId);
  }

  get size(): number {
    return this.onRecord.size;
  }

  /** Maximum number of attempts on record. */
  most(allGoesWell: boolean): number {
    return allGoesWell ? mostOnRecord : atOnce;
  }

  start(rows: Claimed[]): void {
    for (const row of rows) this.onRecord.add(row.attempt_id);
    this.waiting.push(...rows);
    this.fill();
  }

  /** Takes back the attempts that have not begun. @returns their deliveries */
  recall(): Claimed[] {
    const unsent = this.waiting.splice(0);
    for (const { attempt_id } of unsent) this.onRecord.delete(attempt_id);
    return unsent;
  }

  /** Records the ended attempts without waiting for more. */
  landNow(): void {
    if (this.ended.length === 0) return;
    clearTimeout(this.landing?.timer);
    this.landed();
  }

  private fill(): void {
    while (this.flying < atOnce && this.waiting.length > 0) void this.one(this.waiting.shift()!);
  }

  private async one(row: Claimed): Promise<void> {
    this.flying++;
    const end = await this.fly(row);
    this.flying--;
    this.ended.push({ row, ...end });
    if (end.attempted.delivered) this.fill();
    this.landIn(end.attempted.delivered ? this.patience() : 0);
  }

  private patience(): number {
    if (this.flying === 0 || this.ended.length >= gathered) return 0;
    return this.waiting.length > 0 ? gatherMilliseconds : idleMilliseconds;
  }

  private landIn(milliseconds: number): void {
    const at = Date.now() + milliseconds;
    if (this.landing && this.landing.at <= at) return;
    clearTimeout(this.landing?.timer);
    this.landing = { at, timer: setTimeout(() => this.landed(), milliseconds) };
  }

  private landed(): void {
    this.landing = undefined;
    const ends = this.ended.splice(0);
    for (const { row } of ends) this.onRecord.delete(row.attempt_id);
    const allWell = ends.every(({ attempted }) => attempted.delivered);
    this.land(ends, allWell ? [] : this.recall());
    this.fill();
  }
}
