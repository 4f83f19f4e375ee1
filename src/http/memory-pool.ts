import { megabyte } from "./body-reader.ts";
import { Problem } from "../platform/problem.ts";

const pollMilliseconds = 50;
/** A reservation that is not renewed for this long becomes free, because the runtime may have ended its request. */
const reservationMilliseconds = 120_000;
/** A waiting request that has not polled for this long is assumed to have ended. */
const waiterMilliseconds = 10_000;
/** Maximum time, in milliseconds, that a request waits for memory. */
export const requestWaitMilliseconds = 10_000;

interface Reservation {
  bytes: number;
  until: number;
}

interface ReserveOptions {
  waitMilliseconds?: number;
  /**
   * Bytes that must stay free for other callers. Callers with this option get memory in order of arrival; all others
   * get it as soon as it is free.
   */
  keepFreeBytes?: number;
}

/**
 * Shares the memory of an isolate among files. Callers poll, because a request that the runtime has ended cannot
 * release its reservation.
 */
export class MemoryPool {
  private readonly bytes: number;
  private readonly reservations = new Set<Reservation>();
  /** Time of the last poll of each waiting caller with `keepFreeBytes`, in order of arrival. */
  private readonly queue = new Map<object, number>();

  constructor(bytes: number) {
    this.bytes = bytes;
  }

  /**
   * Runs `act` as soon as `bytes` are free. If `bytes` exceeds the whole pool, `act` runs alone.
   * @param act gets a function that renews the reservation, to be called at least every two minutes
   * @throws Problem `overloaded` if the memory does not become free in time
   */
  async with<Outcome>(
    bytes: number,
    options: ReserveOptions,
    act: (renew: () => void) => Promise<Outcome>,
  ): Promise<Outcome> {
    const reservation = await this.reserve(bytes, options);
    try {
      return await act(() => (reservation.until = Date.now() + reservationMilliseconds));
    } finally {
      this.reservations.delete(reservation);
    }
  }

  private async reserve(
    bytes: number,
    { waitMilliseconds = requestWaitMilliseconds, keepFreeBytes = 0 }: ReserveOptions,
  ): Promise<Reservation> {
    const end = Date.now() + waitMilliseconds;
    const ticket = {};
    try {
      while (!(this.isNext(ticket, keepFreeBytes > 0) && this.hasFree(bytes, keepFreeBytes))) {
        if (Date.now() >= end) throw new Problem("overloaded", undefined, { headers: { "retry-after": "5" } });
        await new Promise((resolve) => setTimeout(resolve, pollMilliseconds));
      }
    } finally {
      this.queue.delete(ticket);
    }
    const reservation = { bytes, until: Date.now() + reservationMilliseconds };
    this.reservations.add(reservation);
    return reservation;
  }

  private isNext(ticket: object, isQueued: boolean): boolean {
    if (!isQueued) return true;
    this.queue.set(ticket, Date.now());
    for (const [waiter, polledAt] of this.queue) {
      if (polledAt > Date.now() - waiterMilliseconds) return waiter === ticket;
      this.queue.delete(waiter);
    }
    return true;
  }

  private hasFree(bytes: number, keepFreeBytes: number): boolean {
    let reserved = 0;
    for (const reservation of this.reservations) {
      if (reservation.until < Date.now()) this.reservations.delete(reservation);
      else reserved += reservation.bytes;
    }
    return reserved === 0 || reserved + bytes + keepFreeBytes <= this.bytes;
  }
}

/** An isolate has 128 MB: the service itself needs 33 MiB, and requests without files need the rest. */
export const fileMemory = new MemoryPool(72 * megabyte);
