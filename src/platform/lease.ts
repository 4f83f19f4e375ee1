import type { CommandContext } from "./decision.ts";
import { log, logFault } from "./log.ts";

// A lease ensures that one worker at a time runs a job.
//
// It is a random token with an expiry, stored in the state of the record, and therefore independent of how long a Durable Object
// stays in memory. The holder renews it while it works and sends the token with every result; a result with another token is
// ignored. An expired lease means that its holder died, and only that counts as a failed attempt: a holder that fails
// otherwise releases its lease.

/** As stored in the state of the record. */
export interface Lease {
  token: string;
  /** ISO 8601. */
  expiresAt: string;
}

/** Longer than code blocks the event loop, because a blocked holder cannot renew. The job of a killed worker waits this long. */
export const leaseMilliseconds = 30_000;
/** Allows one renewal to fail before the lease expires. */
export const renewalMilliseconds = 12_000;

/** @param at ISO 8601 */
export const leaseFor = (token: string, at: string): Lease => ({
  token,
  expiresAt: new Date(Date.parse(at) + leaseMilliseconds).toISOString(),
});

/** Whether the lease has a holder at a time. Values of earlier releases (`life`, `until`) have no holder. */
export const isHeld = (lease: Lease | undefined, at: string): boolean =>
  lease?.token !== undefined && lease.expiresAt > at;

/**
 * The time after which the holders of these leases can no longer write, ISO 8601; undefined if there is no holder. A holder that
 * learns of its loss stops within one renewal; one that gets no response stops when its lease expires, and its last write
 * arrives within the same duration again.
 */
export function lastWriteOf(leases: readonly (Lease | undefined)[]): string | undefined {
  const ends = leases.flatMap((lease) => (lease?.token === undefined ? [] : [Date.parse(lease.expiresAt)]));
  return ends.length > 0 ? new Date(Math.max(...ends) + leaseMilliseconds).toISOString() : undefined;
}

/** Whether results with this token count. An expired lease stays valid until another worker takes the job. */
export const isHolder = (lease: Lease | undefined, token: string): boolean =>
  lease !== undefined && lease.token === token;

/**
 * The number of attempts that ended without a result, including that of an expired lease. Earlier releases also counted slow
 * attempts that succeeded: with one of their leases the count restarts.
 */
export function attemptsAfter(lease: Lease | undefined, attempts: number): number {
  if (lease === undefined) return attempts;
  return lease.token === undefined ? 0 : attempts + 1;
}

/** The decision by which a holder renews its lease. @returns whether it still holds it */
export const renewLease = <State extends { lease?: Lease }>(
  state: State | undefined,
  { token }: { token: string },
  { at }: Pick<CommandContext, "at">,
) =>
  state && isHolder(state.lease, token)
    ? {
        state: { ...state, lease: { ...state.lease, ...leaseFor(token, at) } },
        keepsVersion: true as const,
        reply: { isHeld: true },
      }
    : { reply: { isHeld: false } };

/** Another worker took over: the holder must stop and write nothing more. */
export class LeaseLost extends Error {}

/** The lease of a running job. */
export interface HeldLease {
  token: string;
  /** Aborted with `LeaseLost` once the lease is known to be lost. */
  signal: AbortSignal;
  /** Renews the lease now, so that writes right after it are safe. @throws LeaseLost */
  confirm(): Promise<void>;
}

/** A job that one worker does at a time. */
export interface LeasedJob<Task, Reply> {
  /** Name in the log: `orders.read`. */
  name: string;
  /** The token of a lease that was taken before; a new one otherwise. */
  token?: string;
  /** Takes the lease. @returns the task; undefined if there is nothing to do, or another worker does it */
  begin: (token: string) => Promise<Task | undefined>;
  /** @returns whether the worker still holds the lease */
  renew: (token: string, task: Task) => Promise<boolean>;
  /** Releases the lease after a failure. */
  release: (token: string, task: Task, cause: unknown) => Promise<unknown>;
  work: (task: Task, lease: HeldLease) => Promise<Reply>;
}

/**
 * Runs a job under its lease, which is renewed until the job ends.
 * @returns undefined if there was nothing to do, or another worker does it or took it over
 * @throws the error of the job, after releasing the lease
 */
export async function underLease<Task, Reply>(job: LeasedJob<Task, Reply>): Promise<Reply | undefined> {
  const token = job.token ?? crypto.randomUUID();
  const task = await job.begin(token);
  if (task === undefined) return undefined;
  const lease = new Renewal(job.name, token, () => job.renew(token, task));
  try {
    return await job.work(task, lease);
  } catch (cause) {
    // After the lease is lost, errors no longer matter.
    if (cause instanceof LeaseLost || lease.signal.aborted) {
      log({ what: "lease.lost", job: job.name });
      return undefined;
    }
    await job.release(token, task, cause).catch((unreachable: unknown) => logFault(`${job.name}.release`, unreachable));
    throw cause;
  } finally {
    lease.stop();
  }
}

class Renewal implements HeldLease {
  readonly token: string;
  private readonly name: string;
  private readonly renew: () => Promise<boolean>;
  private readonly lost = new AbortController();
  private renewedAt = Date.now();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isOver = false;

  constructor(name: string, token: string, renew: () => Promise<boolean>) {
    this.name = name;
    this.token = token;
    this.renew = renew;
    this.renewLater();
  }

  get signal(): AbortSignal {
    return this.lost.signal;
  }

  async confirm(): Promise<void> {
    this.signal.throwIfAborted();
    const askedAt = Date.now();
    if (await this.renew()) this.renewedAt = askedAt;
    else this.lose();
    this.signal.throwIfAborted();
  }

  stop(): void {
    this.isOver = true;
    clearTimeout(this.timer);
  }

  private renewLater(): void {
    this.timer = setTimeout(() => void this.renewNow(), renewalMilliseconds);
  }

  /** If the renewal gets no response, the lease counts as lost when it expires, because another worker may hold it then. */
  private async renewNow(): Promise<void> {
    if (this.isOver) return;
    try {
      await this.confirm();
    } catch (cause) {
      if (!(cause instanceof LeaseLost)) logFault(`${this.name}.renew`, cause);
      if (Date.now() > this.renewedAt + leaseMilliseconds) this.lose();
    }
    if (!this.isOver && !this.signal.aborted) this.renewLater();
  }

  private lose(): void {
    if (!this.signal.aborted) this.lost.abort(new LeaseLost(`${this.name} was taken over.`));
  }
}
