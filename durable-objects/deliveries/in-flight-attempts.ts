import type { AttemptResult } from "../../src/platform/receivers/index.ts";
import type { Claimed } from "./rows.ts";

/** Maximum number of connections that a Durable Object may have open at once. */
const maxConnections = 6;
/**
 * Maximum number of attempts whose start is recorded and whose end is not, as long as all attempts succeed. Attempts
 * that wait for a connection are included.
 */
const maxRecorded = 48;
/**
 * Ended attempts are recorded together, as soon as `batchSize` have ended. An ended attempt waits for others at most
 * `batchMilliseconds`, or `idleMilliseconds` if no attempt waits for a connection.
 */
const batchSize = 16;
const [batchMilliseconds, idleMilliseconds] = [10, 2];

export interface EndedAttempt {
  row: Claimed;
  attempted: AttemptResult;
  /** Epoch of the health when the attempt began. */
  epoch: number;
  /** In milliseconds since 1970. */
  began: number;
}

/** Never throws. */
type MakeAttempt = (row: Claimed) => Promise<Omit<EndedAttempt, "row">>;

/** Records the ends of attempts, and makes the deliveries in `unsent` pending again. */
type RecordEnds = (ends: EndedAttempt[], unsent: Claimed[]) => void;

/**
 * The attempts of this instance. Each is recorded before it begins. Recording waits for the disk, so several attempts
 * are recorded in advance while all succeed, and several ended attempts are recorded together. After a failure,
 * attempts that have not begun are taken back.
 */
export class InFlightAttempts {
  private readonly makeAttempt: MakeAttempt;
  private readonly recordEnds: RecordEnds;
  private readonly recorded = new Set<string>();
  private readonly waiting: Claimed[] = [];
  private readonly ended: EndedAttempt[] = [];
  private connections = 0;
  private nextRecording: { at: number; timer: ReturnType<typeof setTimeout> } | undefined;

  constructor(makeAttempt: MakeAttempt, recordEnds: RecordEnds) {
    this.makeAttempt = makeAttempt;
    this.recordEnds = recordEnds;
  }

  /** Whether the attempt belongs to this instance. Any other attempt in the table was left by an earlier instance. */
  has(attemptId: string): boolean {
    return this.recorded.has(attemptId);
  }

  get size(): number {
    return this.recorded.size;
  }

  limit(allSucceed: boolean): number {
    return allSucceed ? maxRecorded : maxConnections;
  }

  start(rows: Claimed[]): void {
    for (const row of rows) this.recorded.add(row.attempt_id);
    this.waiting.push(...rows);
    this.fill();
  }

  /** Takes back the attempts that have not begun. @returns their deliveries */
  takeBack(): Claimed[] {
    const unsent = this.waiting.splice(0);
    for (const { attempt_id } of unsent) this.recorded.delete(attempt_id);
    return unsent;
  }

  recordNow(): void {
    if (this.ended.length === 0) return;
    clearTimeout(this.nextRecording?.timer);
    this.recordEnded();
  }

  private fill(): void {
    while (this.connections < maxConnections && this.waiting.length > 0) void this.attempt(this.waiting.shift()!);
  }

  private async attempt(row: Claimed): Promise<void> {
    this.connections++;
    const end = await this.makeAttempt(row);
    this.connections--;
    this.ended.push({ row, ...end });
    if (end.attempted.delivered) this.fill();
    this.recordIn(end.attempted.delivered ? this.recordingDelay() : 0);
  }

  private recordingDelay(): number {
    if (this.connections === 0 || this.ended.length >= batchSize) return 0;
    return this.waiting.length > 0 ? batchMilliseconds : idleMilliseconds;
  }

  private recordIn(milliseconds: number): void {
    const at = Date.now() + milliseconds;
    if (this.nextRecording && this.nextRecording.at <= at) return;
    clearTimeout(this.nextRecording?.timer);
    this.nextRecording = { at, timer: setTimeout(() => this.recordEnded(), milliseconds) };
  }

  private recordEnded(): void {
    this.nextRecording = undefined;
    const ends = this.ended.splice(0);
    for (const { row } of ends) this.recorded.delete(row.attempt_id);
    const allSucceeded = ends.every(({ attempted }) => attempted.delivered);
    this.recordEnds(ends, allSucceeded ? [] : this.takeBack());
    this.fill();
  }
}
