/**
 * Makes a generator of pseudorandom numbers from 0 to 1 (Mulberry32), which yields the same numbers on every platform.
 */
export function seeded(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export const isFull = process.env["FAULTS"] === "full";

/** Lists the seeds of a sweep: `few` in `npm run test:full`, `all` with `npm run test:faults -- --full`. */
export const seeds = (few: number, all: number): number[] =>
  Array.from({ length: isFull ? all : few }, (_, index) => index + 1);

/**
 * Time limit of a test with many seeds. It is long, because a test that times out continues in the background and makes
 * the next test fail too.
 */
export const patience = { timeout: isFull ? 24 * 3_600_000 : 900_000 };
