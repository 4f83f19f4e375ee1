import process from "node:process";
import type { Generator, Host } from "./children.ts";
import { cpuOf, cpuOfMachine } from "./processes.ts";
import { rows, type Row } from "./rows.ts";
import { waitUntilAllRead, type World } from "./world.ts";

/** What one round of one row came to. */
export interface Sample {
  /** Requests per second. */
  rate: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** Microseconds of CPU for each request, of the server and everything it started, work left behind included. */
  cpu: number;
  /** Things brought to their end per second, where requests leave work behind. */
  finished?: number;
  /** Part of the machine that processes outside the benchmark took meanwhile, 0..1. */
  foreign: number;
}

/** Every round of every row, by the row's name. */
export type Samples = Record<string, Sample[]>;

export interface Stage {
  hosts: Record<"lorry" | "baselines", Host>;
  generator: Generator;
  world: World;
  /** Orders posted so far. */
  posted: number;
}

/** How hard a round presses, and for how long. `most` bounds the rows that leave work behind. */
export interface Pressure {
  rounds: number;
  connections: number;
  milliseconds: number;
  /** Part of a row's own bound, 0..1. */
  share: number;
}

/** All rows in turn, so many rounds: what slows the machine for a while slows the baseline beside it too. */
export async function measure(stage: Stage, { rounds, ...pressure }: Pressure): Promise<Samples> {
  const samples: Samples = {};
  for (let round = 0; round < rounds; round++) {
    for (const [name, row] of Object.entries(rows)) (samples[name] ??= []).push(await once(stage, row, pressure));
  }
  return samples;
}

/** @throws when any answer is not the good one: figures of refusals are no figures */
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
    throw new Error(
      `${row.name}: ${tally.requests} requests, and of these failed, by status: ${JSON.stringify(tally.failures)}`,
    );
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
