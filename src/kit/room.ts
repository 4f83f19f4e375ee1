import { megabyte } from "./body-reader.ts";
import { Problem } from "./problem.ts";

const lookMilliseconds = 50;
/** A share whose holder has not been heard of for so long is free again: the runtime may have ended its request. */
const silenceMilliseconds = 120_000;

/** A part of the memory that is taken. */
interface Share {
  bytes: number;
  until: number;
}

/**
 * Memory of an isolate that files may take up together. Waiting is done by looking again: a request that is ended by the
 * runtime frees nothing and wakes nobody.
 */
export class Room {
  private readonly bytes: number;
  private readonly shares = new Set<Share>();

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
    patienceMilliseconds: number,
    act: (stillBusy: () => void) => Promise<Outcome>,
  ): Promise<Outcome> {
    const share = await this.take(bytes, Date.now() + patienceMilliseconds);
    try {
      return await act(() => (share.until = Date.now() + silenceMilliseconds));
    } finally {
      this.shares.delete(share);
    }
  }

  private async take(bytes: number, end: number): Promise<Share> {
    while (!this.hasRoom(bytes)) {
      if (Date.now() >= end) throw overloaded();
      await new Promise((resolve) => setTimeout(resolve, lookMilliseconds));
    }
    const share = { bytes, until: Date.now() + silenceMilliseconds };
    this.shares.add(share);
    return share;
  }

  private hasRoom(bytes: number): boolean {
    let taken = 0;
    for (const share of this.shares) {
      if (share.until < Date.now()) this.shares.delete(share);
      else taken += share.bytes;
    }
    return taken === 0 || taken + bytes <= this.bytes;
  }
}

const overloaded = () => new Problem("overloaded", undefined, { headers: { "retry-after": "5" } });

/** An isolate has 128 MB; the service itself takes 33 MiB of them, and requests without files the rest. */
export const fileRoom = new Room(72 * megabyte);
