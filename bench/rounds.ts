import process from "node:process";
import type { Generator, Host } from "./children.ts";
import { cpuOf, cpuOfMachine } from "./processes.ts";
import { rows, type Row } from "./rows.ts";
import { waitUntilAllRead, type World } from "./world.ts";

/** The figures of one row in one round. A row is a measured request (see `rows.ts`). */
export interface Sample {
  /** Requests per second. */
  rate: number;
  /** Response times in milliseconds. */
  p50: number;
  p99: number;
  /** CPU microseconds per request that the server and its child processes used, also for work after the response. */
  cpu: number;
  /** For requests whose work continues after the response: finished items per second. */
  finished?: number;
  /** The share of the machine that processes outside the benchmark used meanwhile, from 0 to 1. */
  foreign: number;
}

/** The figures of all rounds, by the name of the row. */
export type Samples = Record<string, Sample[]>;

export interface Stage {
  hosts: Record<"lorry" | "baselines", Host>;
  generator: Generator;
  world: World;
  /** Orders posted so far. */
  posted: number;
}

/** Load and duration of a round. */
export interface Pressure {
  rounds: number;
  connections: number;
  milliseconds: number;
  /** A row that has a limit `most` sends this share of it, from 0 to 1. */
  share: number;
}

/**
 * Measures all rows in each round, so that a temporary slowdown of the machine affects a row and its baseline alike.
 */
export async function measure(stage: Stage, { rounds, ...pressure }: Pressure): Promise<Samples> {
  const samples: Samples = {};
  for (let round = 0; round < rounds; round++) {
    for (const [name, row] of Object.entries(rows)) (samples[name] ??= []).push(await once(stage, row, pressure));
  }
  return samples;
}

/** @throws if a response has another status than expected, because figures of refused requests would be misleading */
async function once(
  stage: Stage,
  row: Row,
  { connections, milliseconds, share }: Omit<Pressure, "rounds">,
): Promise<Sample> {
  const { generator, world } = stage;
  const { headers, ...ask } = row.ask(world);
  const host = row.server === "lorry" ? stage.hosts.lorry : stage.hosts.baselines;
  const key: Record<string, string> = row.server === "lorry" ? { "x-api-key": world.key } : {};
  const [before, machineBefore, ownBefore] = [cpuOf(host.pid), cpuOfMachine(), cpuOf(process.pid)];
  const began = performance.now();
  const tally = await generator.send({
    url: world.urls[row.server]!,
    ...ask,
    headers: { ...key, ...headers },
    connections,
    milliseconds,
    ...(row.most && { most: Math.ceil(row.most * share) }),
  });
  if (Object.keys(tally.failures).length > 0)
    throw new Error(`${row.name}: ${tally.requests} requests; failures by status: ${JSON.stringify(tally.failures)}`);
  if (row.most) await waitUntilAllRead(world, (stage.posted += tally.requests));
  const machine = cpuOfMachine() - machineBefore;
  return {
    rate: tally.requests / tally.seconds,
    p50: tally.p50,
    p99: tally.p99,
    cpu: (cpuOf(host.pid) - before) / tally.requests,
    ...(row.most && { finished: (tally.requests / (performance.now() - began)) * 1000 }),
    foreign:
      Math.max(0, machine - (cpuOf(process.pid) - ownBefore)) / ((performance.now() - began) * 1000 * processors),
  };
}

const processors = navigator.hardwareConcurrency;
