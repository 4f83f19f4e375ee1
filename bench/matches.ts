// Measures searches for vehicles near a place and for matches, with 1,000 vehicles and freights of a company and with
// 20,000. `node bench/matches.ts` writes the figures into bench/README.md; with `--print` it only prints them.
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { build } from "../scripts/build.mjs";
import { serve } from "../scripts/serve.mjs";
import { fillArchive } from "./archive-fill.ts";
import { measuringConditions } from "./machine.ts";
import { fleetRows, center } from "./match-rows.ts";
import { median } from "./median.ts";
import { foreignDuring } from "./processes.ts";
import { table, writeFigures } from "./readme.ts";

const [few, many] = [1_000, 20_000];
const [rounds, requestsEach] = [5, 20];
const day = 24 * 60 * 60 * 1000;

/** A running service whose archive contains vehicles and freights of one company, with the paths to request. */
interface Filled {
  ask: (path: string) => Promise<{ items: unknown[] }>;
  paths: Record<string, string>;
  stop: () => Promise<void>;
}

async function main(): Promise<void> {
  await build();
  const [small, large] = [await filled(few), await filled(many)];
  try {
    const lines: string[][] = [];
    const foreign = await foreignDuring(async () => {
      for (const name of Object.keys(large.paths)) lines.push(await measured(name, small, large));
    });
    const head = ["query", "results of 1,000", "results of 20,000", "p50 ms of 1,000", "p50 ms of 20,000", "ratio"];
    const figures = `${measuringConditions(foreign)}\n\n${table(head, lines)}`;
    console.log(figures);
    if (!process.argv.includes("--print")) await writeFigures("matches", figures);
  } finally {
    await Promise.all([small.stop(), large.stop()]);
  }
}

/**
 * Measures a request at both services in turn, so that both run under the same conditions of the machine. Round 0 is a
 * warm-up.
 */
async function measured(name: string, small: Filled, large: Filled): Promise<string[]> {
  const [ofSmall, ofLarge]: number[][] = [[], []];
  for (let round = 0; round <= rounds; round++) {
    const times = [await timed(small, small.paths[name]!), await timed(large, large.paths[name]!)];
    if (round === 0) continue;
    ofSmall!.push(...times[0]!);
    ofLarge!.push(...times[1]!);
  }
  const counts = await Promise.all(
    [small, large].map(async ({ ask, paths }) => (await ask(paths[name]!)).items.length),
  );
  const [one, other] = [median(ofSmall!), median(ofLarge!)];
  return [name, ...counts.map(String), ...[one, other, other / one].map((figure) => figure.toFixed(2))];
}

async function filled(count: number): Promise<Filled> {
  const state = await mkdtemp(join(tmpdir(), "lorry-bench-"));
  const [company, key] = [randomUUID(), randomUUID()];
  await fillArchive(state, fleetRows(company, count, Date.now()));
  const service = await serve({
    state,
    vars: { LOCAL_KEYS: JSON.stringify({ [key]: company }), RATE_LIMIT_PER_SECOND: "100000" },
  });
  const stop = async () => {
    await service.stop();
    await rm(state, { recursive: true, force: true });
  };
  const asked = async (path: string, body?: unknown) => {
    const headers = { "x-api-key": key, accept: "application/json", "content-type": "application/json" };
    const init = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
    const answer = await fetch(`${service.url}${path}`, init);
    if (!answer.ok) throw new Error(`${path} responded with ${answer.status}: ${await answer.text()}`);
    return answer;
  };
  const at = (days: number) => new Date(Date.now() + days * day).toISOString();
  const place = { countryCode: "DE", coordinates: center };
  const loading = { address: place, period: { startDate: at(2), endDate: at(3) } };
  const unloading = { type: "Unloading", address: place, period: { startDate: at(3), endDate: at(4) } };
  const { freightId } = await (
    await asked("/api/v1/freights", { sources: [1], locations: [{ type: "Loading", ...loading }, unloading] })
  ).json<{ freightId: string }>();
  const { vehicleId } = await (await asked("/api/v1/vehicles", { loading, range: 100 })).json<{ vehicleId: string }>();
  const near = `near=${center.latitude},${center.longitude}`;
  const week = `availableFrom=${at(0).slice(0, 10)}&availableTo=${at(7).slice(0, 10)}`;
  return {
    stop,
    ask: async (path) => (await asked(path)).json(),
    paths: {
      "vehicles within 50 km": `/api/v1/vehicles?limit=200&${near},50`,
      "vehicles within 500 km": `/api/v1/vehicles?limit=50&${near},500`,
      "vehicles within 150 km, free that week": `/api/v1/vehicles?limit=200&${near},150&${week}`,
      "vehicles for a freight": `/api/v1/freights/${freightId}/matches?limit=200`,
      "freights for a vehicle, 100 km": `/api/v1/vehicles/${vehicleId}/matches?limit=200`,
    },
  };
}

/** Sends the request repeatedly and returns the milliseconds of each. */
async function timed({ ask }: Filled, path: string): Promise<number[]> {
  const times: number[] = [];
  for (let sent = 0; sent < requestsEach; sent++) {
    const began = performance.now();
    await ask(path);
    times.push(performance.now() - began);
  }
  return times;
}

await main();
