import type { CommandContext } from "./decision.ts";
import { log, logFault } from "./log.ts";

// A lease ensures that one worker at a time runs a job.
//
// A lease is a random token with an expiry. It is stored in the state of the record, so it does not depend on how long
// a Durable Object stays in memory. The holder renews the lease while it works and sends the token with every result; a
// result with another token is ignored. An expired lease means that its holder died. Only an expired lease counts as a
// failed attempt, because a holder that fails in another way releases its lease.

/** A lease as stored in the state of the record. */
export interface Lease {
  token: string;
  /** ISO 8601. */
  expiresAt: string;
}

/**
 * Duration of a lease. A blocked event loop cannot renew a lease, but is never blocked for this long. The job of a
 * killed worker is delayed by at most this time.
 */
export const leaseMilliseconds = 30_000;
/** One renewal may fail before the lease expires. */
export const renewalMilliseconds = 12_000;

/**
 * Creates a lease for a token.
 * @param at ISO 8601
 */
export const leaseFor = (token: string, at: string): Lease => ({
  token,
  expiresAt: new Date(Date.parse(at) + leaseMilliseconds).toISOString(),
});

/** Whether the lease has a holder at a time. Leases of earlier releases (with `life` and `until`) have no holder. */
export const isHeld = (lease: Lease | undefined, at: string): boolean =>
  lease?.token !== undefined && lease.expiresAt > at;

/**
 * Returns the time after which the holders of these leases can no longer write, ISO 8601; undefined if there is no
 * holder. A holder that gets no response stops when its lease expires, and its last write arrives within the duration
 * of a lease after that.
 */
export function lastWriteOf(leases: readonly (Lease | undefined)[]): string | undefined {
  const ends = leases.flatMap((lease) => (lease?.token === undefined ? [] : [Date.parse(lease.expiresAt)]));
  return ends.length > 0 ? new Date(Math.max(...ends) + leaseMilliseconds).toISOString() : undefined;
}

/** Whether results with this token are accepted. An expired lease remains valid until another worker takes the job. */
export const isHolder = (lease: Lease | undefined, token: string): boolean =>
  lease !== undefined && lease.token === token;

/**
 * Returns the number of attempts whose holder died. A lease that is still stored counts as one more. After a lease of
 * an earlier release, the count restarts at 0, because such releases also counted slow attempts that succeeded.
 */
export function attemptsAfter(lease: Lease | undefined, attempts: number): number {
  if (lease === undefined) return attempts;
  return lease.token === undefined ? 0 : attempts + 1;
}

/** Renews a lease, as a decision of the aggregate. The reply states whether the token still holds the lease. */
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

/** Thrown when another worker has taken over. The holder must stop and write nothing more. */
export class LeaseLost extends Error {}

/** The lease of a running job. */
export interface HeldLease {
  token: string;
  /** Aborted with `LeaseLost` when the lease is lost. */
  signal: AbortSignal;
  /**
   * Renews the lease, so that an immediate write is safe.
   * @throws LeaseLost
   */
  confirm(): Promise<void>;
}

/** A job that only one worker runs at a time. */
export interface LeasedJob<Task, Reply> {
  /** Name of the job in the log, such as `orders.read`. */
  name: string;
  /** The token of a lease that is already taken; otherwise a new token is generated. */
  token?: string;
  /** Takes the lease. @returns the task; undefined if there is nothing to do, or another worker has the lease */
  begin: (token: string) => Promise<Task | undefined>;
  /** @returns whether the worker still holds the lease */
  renew: (token: string, task: Task) => Promise<boolean>;
  /** Called when the job fails. */
  release: (token: string, task: Task, cause: unknown) => Promise<unknown>;
  work: (task: Task, lease: HeldLease) => Promise<Reply>;
}

/**
 * Runs a job and renews its lease until the job ends.
 * @returns undefined if there was nothing to do, or another worker has or took the lease
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
    // After the loss of the lease, an error of the job is irrelevant.
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

  /** Without a response, the lease counts as lost when it expires, because another worker may hold it then. */
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
