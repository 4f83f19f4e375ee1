import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serve } from "../scripts/serve.mjs";
import type { Versioned } from "../src/platform/archive/archive.ts";
import { fillArchive } from "./archive-fill.ts";
import { Connection } from "./connection.ts";
import { median, percentile } from "./median.ts";

const [rounds, requestsEach] = [5, 60];

/** A running service with rows in its archive. */
export interface Filled {
  url: string;
  key: string;
  stop: () => Promise<void>;
}

/** Starts a service with the given archive rows, and with a company whose key has no rate limit. */
export async function serviceWithRows(rows: (company: string) => Iterable<Versioned>[]): Promise<Filled> {
  const state = await mkdtemp(join(tmpdir(), "lorry-bench-"));
  const [company, key] = [randomUUID(), randomUUID()];
  for (const some of rows(company)) await fillArchive(state, some);
  const vars = { LOCAL_KEYS: JSON.stringify({ [key]: company }), RATE_LIMIT_PER_SECOND: "100000" };
  const service = await serve({ state, vars });
  const stop = async () => {
    await service.stop();
    await rm(state, { recursive: true, force: true });
  };
  return { url: service.url, key, stop };
}

/** The milliseconds of each request, for the same query in a small and in a large archive. */
export interface Times {
  small: number[];
  large: number[];
}

export interface BenchRequest {
  of: Filled;
  path: string;
}

/**
 * Measures a request at both services in turn, so that both run under the same conditions of the machine. Round 0 is a
 * warm-up.
 */
export async function timed(...asked: [small: BenchRequest, large: BenchRequest]): Promise<Times> {
  const [small, large]: number[][] = [[], []];
  for (let round = 0; round <= rounds; round++) {
    const times = [await askedOften(asked[0]), await askedOften(asked[1])];
    if (round === 0) continue;
    small!.push(...times[0]!);
    large!.push(...times[1]!);
  }
  return { small: small!, large: large! };
}

/** @throws if a response has another status than expected */
async function askedOften({ of: { url, key }, path }: BenchRequest): Promise<number[]> {
  const request = Buffer.from(`GET ${path} HTTP/1.1\r\nhost: ${new URL(url).host}\r\nx-api-key: ${key}\r\n\r\n`);
  const connection = await Connection.open(url);
  const times: number[] = [];
  for (let sent = 0; sent < requestsEach; sent++) {
    const began = performance.now();
    const status = await connection.ask(request);
    times.push(performance.now() - began);
    if (status !== 200) throw new Error(`${path} responded with ${status}.`);
  }
  connection.close();
  return times;
}

/** Returns the header of a table. `line` makes its rows. */
export const headOf = (page: string, match: string, small: string, large: string): string[] => [
  page,
  match,
  `p50 ms of ${small}`,
  `p50 ms of ${large}`,
  "ratio",
  `p99 ms of ${small}`,
  `p99 ms of ${large}`,
];

export function line(name: string, matches: number, { small, large }: Times): string[] {
  const [before, after] = [median(small), median(large)];
  const figures = [before, after, after / before, percentile(small, 0.99), percentile(large, 0.99)];
  return [name, matches.toLocaleString("en-US"), ...figures.map((figure) => figure.toFixed(2))];
}

/** Counts the rows of a list by reading all its pages. @param path the path of the list; it may end in a query */
export async function matching(of: Filled, path: string): Promise<number> {
  let count = 0;
  for await (const { items } of pages(of, path)) count += items;
  return count;
}

/** Reads a list page by page until it has returned at least `place` rows. Returns the cursor of the next page. */
export async function cursorAt(of: Filled, path: string, place: number): Promise<string> {
  let count = 0;
  for await (const { items, nextCursor } of pages(of, path))
    if ((count += items) >= place && nextCursor) return nextCursor;
  throw new Error(`The list ends before ${place}.`);
}

async function* pages(
  { url, key }: Filled,
  path: string,
): AsyncGenerator<{ items: number; nextCursor: string | undefined }> {
  for (let cursor: string | undefined = ""; cursor !== undefined;) {
    const asked: string = `${url}${path}${path.includes("?") ? "&" : "?"}limit=100${cursor && `&cursor=${cursor}`}`;
    const answer = await fetch(asked, { headers: { "x-api-key": key } });
    const page = await answer.json<{ items: unknown[]; nextCursor?: string }>();
    yield { items: page.items.length, nextCursor: page.nextCursor };
    cursor = page.nextCursor;
  }
}
