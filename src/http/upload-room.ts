import { megabyte } from "./body-reader.ts";
import { Problem } from "../platform/problem.ts";

const lookMilliseconds = 50;
/** A share whose holder has not been heard of for so long is free again: the runtime may have ended its request. */
const silenceMilliseconds = 120_000;
/** A waiting request that has not looked for so long is gone. */
const goneMilliseconds = 10_000;

/** A part of the memory that is taken. */
interface Share {
  bytes: number;
  until: number;
}

/** How somebody waits for memory. */
interface Waiting {
  patienceMilliseconds: number;
  /** So much stays free for others. Who leaves something waits in line with others who do. */
  leaves?: number;
}

/**
 * Memory of an isolate that files may take up together. Waiting is done by looking again: a request that is ended by the
 * runtime frees nothing and wakes nobody.
 */
export class Room {
  private readonly bytes: number;
  private readonly shares = new Set<Share>();
  /** Who waits in line, the first first, and when each has looked last. */
  private readonly line = new Map<object, number>();

  constructor(bytes: number) {
    this.bytes = bytes;
  }

  /**
   * Does something that takes so much memory, as soon as there is room; what takes more than there is, alone.
   * @param act gets a function that it calls now and then where it takes long
   * @throws Problem `overloaded` where there is no room in time
   */
  async with<Outcome>(
    bytes: number,
    waiting: Waiting,
    act: (stillBusy: () => void) => Promise<Outcome>,
  ): Promise<Outcome> {
    const share = await this.take(bytes, waiting);
    try {
      return await act(() => (share.until = Date.now() + silenceMilliseconds));
    } finally {
      this.shares.delete(share);
    }
  }

  private async take(bytes: number, { patienceMilliseconds, leaves = 0 }: Waiting): Promise<Share> {
    const end = Date.now() + patienceMilliseconds;
    const ticket = {};
    try {
      while (!(this.isNext(ticket, leaves > 0) && this.hasRoom(bytes, leaves))) {
        if (Date.now() >= end) throw overloaded();
        await new Promise((resolve) => setTimeout(resolve, lookMilliseconds));
      }
    } finally {
      this.line.delete(ticket);
    }
    const share = { bytes, until: Date.now() + silenceMilliseconds };
    this.shares.add(share);
    return share;
  }

  private isNext(ticket: object, isInLine: boolean): boolean {
    if (!isInLine) return true;
    this.line.set(ticket, Date.now());
    for (const [each, lookedAt] of this.line) {
      if (lookedAt > Date.now() - goneMilliseconds) return each === ticket;
      this.line.delete(each);
    }
    return true;
  }

  private hasRoom(bytes: number, leaves: number): boolean {
    let taken = 0;
    for (const share of this.shares) {
      if (share.until < Date.now()) this.shares.delete(share);
      else taken += share.bytes;
    }
    return taken === 0 || taken + bytes + leaves <= this.bytes;
  }
}

const overloaded = () => new Problem("overloaded", undefined, { headers: { "retry-after": "5" } });

/** An isolate has 128 MB; the service itself takes 33 MiB of them, and requests without files the rest. */
export const fileRoom = new Room(72 * megabyte);
