import type { CommandContext } from "./decision.ts";
import { log, logFault } from "./log.ts";

// Leases: of all who could work on a thing, one does.
//
// A lease is a random token with an expiry. It is stored with the thing that is worked on and therefore does not depend on how
// long an object stays in memory. The holder renews it while it works and sends the token with every report; a report with
// any other token is ignored. An expired lease means that its holder died, and only that counts as a failed attempt: a holder
// that fails and can still say so releases its lease.

/** As it is stored with the thing. */
export interface Lease {
  token: string;
  /** ISO 8601. */
  expiresAt: string;
}

/** Longer than code computes without letting a timer fire, for no lease is renewed meanwhile; the job of a killed worker waits this long. */
export const leaseMilliseconds = 30_000;
/** One renewal may get lost before the lease expires. */
export const renewalMilliseconds = 12_000;

/** @param at ISO 8601 */
export const leaseFor = (token: string, at: string): Lease => ({
  token,
  expiresAt: new Date(Date.parse(at) + leaseMilliseconds).toISOString(),
});

/** Whether somebody holds it at a moment. What earlier releases stored instead (`life`, `until`) is held by nobody. */
export const isHeld = (lease: Lease | undefined, at: string): boolean =>
  lease?.token !== undefined && lease.expiresAt > at;

/**
 * When the holders of these leases have certainly written their last, ISO 8601; undefined where nobody holds one. A holder
 * that is told of its loss stops within one renewal; one that hears nothing stops once its lease has expired, and what it was
 * writing then arrives within as long again.
 */
export function lastWriteOf(leases: readonly (Lease | undefined)[]): string | undefined {
  const ends = leases.flatMap((lease) => (lease?.token === undefined ? [] : [Date.parse(lease.expiresAt)]));
  return ends.length > 0 ? new Date(Math.max(...ends) + leaseMilliseconds).toISOString() : undefined;
}

/** Whether reports with this token count. After its expiry a lease stays valid until somebody else takes the job. */
export const isHolder = (lease: Lease | undefined, token: string): boolean =>
  lease !== undefined && lease.token === token;

/**
 * How many attempts have ended without news, that of a lease which nobody holds any more included. Earlier releases counted
 * attempts that succeeded slowly: with a lease of theirs the count begins anew.
 */
export function attemptsAfter(lease: Lease | undefined, attempts: number): number {
  if (lease === undefined) return attempts;
  return lease.token === undefined ? 0 : attempts + 1;
}

/** The step by which a holder renews its lease. @returns whether it is still the holder's */
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

/** The lease was taken over: whoever works under it must stop and write nothing more. */
export class LeaseLost extends Error {}

/** What a holder works under. */
export interface HeldLease {
  token: string;
  /** Aborted with `LeaseLost` once the lease is known to be lost. */
  signal: AbortSignal;
  /** Renews the lease now: what is written right after this collides with nobody. @throws LeaseLost */
  confirm(): Promise<void>;
}

/** A job that one worker does at a time. */
export interface LeasedJob<Task, Reply> {
  /** As the log calls it: `orders.read`. */
  name: string;
  /** The lease's token when it was taken before; a new one otherwise. */
  token?: string;
  /** Takes the lease. @returns what is to be done; nothing where there is nothing to do, or somebody else does it */
  begin: (token: string) => Promise<Task | undefined>;
  /** @returns whether the lease is still the holder's */
  renew: (token: string, task: Task) => Promise<boolean>;
  /** The work broke off: gives the lease back. */
  release: (token: string, task: Task, cause: unknown) => Promise<unknown>;
  work: (task: Task, lease: HeldLease) => Promise<Reply>;
}

/**
 * Does a job under its lease, which is renewed until the work ends.
 * @returns nothing where there was nothing to do, somebody else does it, or somebody took it over
 * @throws what the work throws, after the lease was given back
 */
export async function underLease<Task, Reply>(job: LeasedJob<Task, Reply>): Promise<Reply | undefined> {
  const token = job.token ?? crypto.randomUUID();
  const task = await job.begin(token);
  if (task === undefined) return undefined;
  const lease = new Renewal(job.name, token, () => job.renew(token, task));
  try {
    return await job.work(task, lease);
  } catch (cause) {
    // Whatever broke off once the lease was lost, nobody waits for it any more.
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

  /** Where the renewal gets no answer the lease is given up when it has expired, for by then somebody else may hold it. */
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
