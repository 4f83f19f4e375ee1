// What a page of the list takes among 1,000 orders of a company and among 100,000: `node bench/archive.ts`, by default into
// bench/README.md, with `--print` only onto the screen.
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { build } from "../scripts/build.mjs";
import { serve } from "../scripts/serve.mjs";
import { fillArchive } from "./archive-fill.ts";
import { archiveRows, customerVatCode } from "./archive-rows.ts";
import { circumstances } from "./circumstances.ts";
import { Connection } from "./connection.ts";
import { median } from "./median.ts";
import { foreignDuring } from "./processes.ts";
import { table, writeFigures } from "./readme.ts";

const [few, many, ofOthers] = [1_000, 100_000, 20_000];
const [rounds, requestsEach] = [5, 60];

/** What is asked for, by how it is told. A page is fifty orders unless it says otherwise. */
const queries: Record<string, string> = {
  "no filter": "",
  "a status half of them have": "status=Succeeded",
  "a rare status": "status=Failed",
  "customer's VAT code": `customerVatCode=${customerVatCode("17")}`,
  "licence plate": "licensePlate=WGM12345",
  "number, exact": "orderNumber=BS-26-000500",
  "number, beginning of most": "orderNumber=BS*",
  "number, beginning of few": "orderNumber=AX-26-000*",
  "number, its end": "orderNumber=*0512",
  "number, somewhere": "orderNumber=*26*051*",
  "loading in one week of three years": "loadingFrom=2025-03-03&loadingTo=2025-03-09",
  "loading in one quarter": "loadingFrom=2024-01-01&loadingTo=2024-03-31",
  "a word all of them have": "text=warehouse",
  "a word of an eighth": "text=tyres",
  "a word of one in 250": "text=town017",
  "a beginning of ten such words": "text=town01",
  "a word of three orders": "text=nightingale",
  "two words": "text=muster%20glass",
  "internal id": "internalId=TMS-500",
  "half and a third: status, country": "status=Succeeded&loadingCountry=PL",
  "half and one of a hundred: status, customer": `status=Succeeded&customerVatCode=${customerVatCode("17")}`,
  "all and three: word, plate": "text=warehouse&licensePlate=WGM12345",
  "country and a week of loading": "loadingCountry=PL&loadingFrom=2025-03-03&loadingTo=2025-03-09",
  "customer, by number": `customerVatCode=${customerVatCode("17")}&sort=orderNumber`,
  "status, by loading": "status=Succeeded&sort=loadingDate",
  "changed in the last three days": "updatedSince=2026-11-16",
};
const deep = "no filter, after nine tenths of the list";

/** A running service whose archive holds orders of one company. */
interface Filled {
  url: string;
  key: string;
  stop: () => Promise<void>;
}

/** Milliseconds of every request, of the same question asked of both. */
interface Times {
  small: number[];
  large: number[];
}

async function main(): Promise<void> {
  await build();
  const small = await filled(few, []);
  const large = await filled(many, [ofOthers / 2, ofOthers / 2]);
  try {
    const questions = [...Object.entries(queries), [deep, ""] as const].map(([name, query]) => ({ name, query }));
    const places = { small: await cursorAt(small, 0.9 * few), large: await cursorAt(large, 0.9 * many) };
    const lines: string[][] = [];
    const foreign = await foreignDuring(async () => {
      for (const { name, query } of questions) {
        const cursor = name === deep ? places : undefined;
        const times = await timed(
          { of: small, path: pathOf(query, cursor?.small) },
          { of: large, path: pathOf(query, cursor?.large) },
        );
        lines.push(line(name, await matching(large, query), times));
      }
    });
    await tell(`${circumstances(foreign)}\n\n${table(head, lines)}`);
  } finally {
    await Promise.all([small.stop(), large.stop()]);
  }
}

const head = [
  "a page of the list",
  "orders that match",
  "p50 ms of 1,000",
  "p50 ms of 100,000",
  "ratio",
  "p99 ms of 1,000",
  "p99 ms of 100,000",
];

function line(name: string, matches: number, { small, large }: Times): string[] {
  const [middle, end] = [
    median,
    (times: number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)]!,
  ];
  const figures = [middle(small), middle(large), middle(large) / middle(small), end(small), end(large)];
  return [name, matches.toLocaleString("en-US"), ...figures.map((figure) => figure.toFixed(2))];
}

const pathOf = (query: string, cursor?: string) =>
  `/api/v1/orders?limit=50&${query}${cursor ? `&cursor=${cursor}` : ""}`;

/** A service with so many orders of a company, whose key is never too fast, and orders of others beside them. */
async function filled(orders: number, others: number[]): Promise<Filled> {
  const state = await mkdtemp(join(tmpdir(), "lorry-bench-"));
  const [company, key] = [randomUUID(), randomUUID()];
  await fillArchive(state, archiveRows(company, orders));
  for (const count of others) await fillArchive(state, archiveRows(randomUUID(), count));
  const vars = { LOCAL_KEYS: JSON.stringify({ [key]: company }), RATE_LIMIT_PER_SECOND: "100000" };
  const service = await serve({ state, vars });
  const stop = async () => {
    await service.stop();
    await rm(state, { recursive: true, force: true });
  };
  return { url: service.url, key, stop };
}

/** In turn, so that both have the same machine; what comes before the first round only warms up. */
async function timed(...asked: [small: Asked, large: Asked]): Promise<Times> {
  const [small, large]: number[][] = [[], []];
  for (let round = 0; round <= rounds; round++) {
    const times = [await askedOften(asked[0]), await askedOften(asked[1])];
    if (round === 0) continue;
    small!.push(...times[0]!);
    large!.push(...times[1]!);
  }
  return { small: small!, large: large! };
}

interface Asked {
  of: Filled;
  path: string;
}

/** @throws when an answer is not the good one */
async function askedOften({ of: { url, key }, path }: Asked): Promise<number[]> {
  const request = Buffer.from(`GET ${path} HTTP/1.1\r\nhost: ${new URL(url).host}\r\nx-api-key: ${key}\r\n\r\n`);
  const connection = await Connection.open(url);
  const times: number[] = [];
  for (let sent = 0; sent < requestsEach; sent++) {
    const began = performance.now();
    const status = await connection.ask(request);
    times.push(performance.now() - began);
    if (status !== 200) throw new Error(`${path} answered ${status}.`);
  }
  connection.close();
  return times;
}

/** How many orders a query finds, by walking all of its pages. */
async function matching(of: Filled, query: string): Promise<number> {
  let count = 0;
  for await (const { items } of pages(of, query)) count += items;
  return count;
}

/** The cursor of the first page that ends beyond so many orders. */
async function cursorAt(of: Filled, place: number): Promise<string> {
  let count = 0;
  for await (const { items, nextCursor } of pages(of, ""))
    if ((count += items) >= place && nextCursor) return nextCursor;
  throw new Error(`The list ends before ${place}.`);
}

async function* pages({ url, key }: Filled, query: string): AsyncGenerator<{ items: number; nextCursor?: string }> {
  for (let cursor: string | undefined = ""; cursor !== undefined;) {
    const path: string = `/api/v1/orders?limit=100&${query}${cursor && `&cursor=${cursor}`}`;
    const answer = await fetch(`${url}${path}`, { headers: { "x-api-key": key } });
    const page = await answer.json<{ items: unknown[]; nextCursor?: string }>();
    yield { items: page.items.length, nextCursor: page.nextCursor };
    cursor = page.nextCursor;
  }
}

async function tell(figures: string): Promise<void> {
  console.log(figures);
  if (!process.argv.includes("--print")) await writeFigures("archive", figures);
}

await main();
