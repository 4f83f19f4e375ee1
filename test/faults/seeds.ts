/** Numbers of 0..1 by Mulberry32: small, and the same everywhere. */
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

/** Seeds of a row: few in every `npm run test:full`, all of them with `npm run test:faults -- --full`. */
export const seeds = (few: number, all: number): number[] =>
  Array.from({ length: isFull ? all : few }, (_, index) => index + 1);

/** What a row of many seeds may take. One that is given up goes on behind the next one's back, and makes that fail too. */
export const patience = { timeout: isFull ? 24 * 3_600_000 : 900_000 };
