/** Seeded random numbers: the same seed yields the same documents on every machine. */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /**
   * Makes an independent generator, so that an additional random number in one part does not change the other parts.
   */
  fork(name: string): Chance {
    let hash = this.#state ^ 0x9e3779b9;
    for (const letter of name) hash = Math.imul(hash ^ letter.codePointAt(0)!, 0x01000193);
    return new Chance(hash);
  }

  /** Returns a uniformly distributed number in [0, 1), computed by mulberry32. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }

  /** Picks a random integer; both limits are included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  /** Picks a random multiple of `step`; both limits are included. */
  stepped(low: number, high: number, step: number): number {
    return this.between(Math.ceil(low / step), Math.floor(high / step)) * step;
  }

  happens(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(list: readonly T[]): T {
    if (list.length === 0) throw new RangeError("Nothing to pick from.");
    return list[Math.floor(this.next() * list.length)]!;
  }

  /** Makes a value with the given probability; otherwise returns undefined. */
  maybe<T>(probability: number, make: () => T): T | undefined {
    return this.happens(probability) ? make() : undefined;
  }

  /** Picks a key with a probability in proportion to its weight. */
  weighted<K extends string>(weights: Partial<Record<K, number>>): K {
    const entries = Object.entries(weights) as [K, number][];
    let left = this.next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [key, weight] of entries) if ((left -= weight) < 0) return key;
    return entries.at(-1)![0];
  }

  shuffled<T>(list: readonly T[]): T[] {
    const left = [...list];
    const out: T[] = [];
    while (left.length > 0) out.push(left.splice(Math.floor(this.next() * left.length), 1)[0]!);
    return out;
  }

  /** Fills a pattern: `#` becomes a digit, `@` a letter, `&` a digit or a letter. Other characters are kept. */
  code(pattern: string, letters = "ABCDEFGHJKLMNPRSTUVWXYZ"): string {
    return pattern.replaceAll(/[#@&]/g, (slot) => {
      if (slot === "#") return String(this.between(0, 9));
      return slot === "@" ? this.pick([...letters]) : this.pick([..."0123456789", ...letters]);
    });
  }
}
