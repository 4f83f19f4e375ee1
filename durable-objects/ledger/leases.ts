/** A reader that has not been heard of for so long is thought dead. */
const leaseMilliseconds = 60_000;

/**
 * Who reads which feed. It only saves work: of two that read the same feed each portion is taken from one alone. So what is
 * held ends with the life of the object.
 */
export class LedgerLeases {
  private readonly held = new Map<string, { reader: string; until: number }>();

  /** Takes a feed, or goes on with it. @returns false when another reads it */
  hold(feedId: string, reader: string): boolean {
    if (this.isOfOther(feedId, reader)) return false;
    this.held.set(feedId, { reader, until: Date.now() + leaseMilliseconds });
    return true;
  }

  /** Whoever reads it was heard of. */
  renew(feedId: string): void {
    const known = this.held.get(feedId);
    if (known) known.until = Date.now() + leaseMilliseconds;
  }

  release(feedId: string): void {
    this.held.delete(feedId);
  }

  /** Feeds that others read. */
  ofOthers(reader: string): string[] {
    return [...this.held.keys()].filter((feedId) => this.isOfOther(feedId, reader));
  }

  private isOfOther(feedId: string, reader: string): boolean {
    const known = this.held.get(feedId);
    return known !== undefined && known.reader !== reader && known.until > Date.now();
  }
}
