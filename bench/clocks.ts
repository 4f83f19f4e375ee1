// Measures the cost of freights whose prices rise while nobody reads them. `node bench/clocks.ts` writes the figures
// into bench/README.md; with `--print` it only prints them.
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { build } from "../scripts/build.mjs";
import { startHost, type Host } from "./children.ts";
import { measuringConditions } from "./machine.ts";
import { cpuOf, foreignDuring } from "./processes.ts";
import { table, writeFigures } from "./readme.ts";
import { requestJson, company, freight } from "./world.ts";

const live = 10_000;
/** Number of freights whose price steps are a minute apart in the third measurement. */
const stepping = 300;
const minute = 60_000;

async function main(): Promise<void> {
  await build();
  const lorry = await startHost("lorry");
  try {
    const headers = { "x-api-key": await keyOf(lorry) };
    const rows: string[][] = [];
    const foreign = await foreignDuring(async () => {
      await quiet(lorry);
      rows.push(["none yet", "0", inWords(await cpuOfMinute(lorry)), ""]);
      const ids = await published(lorry, headers);
      await quiet(lorry);
      const idle = await cpuOfMinute(lorry);
      rows.push([`${live.toLocaleString("en-US")} live, price steps an hour apart`, "0", inWords(idle), ""]);
      await Promise.all(ids.slice(0, stepping).map((id) => steppedEachMinute(lorry, headers, id)));
      await sleep(minute);
      const busy = await cpuOfMinute(lorry);
      rows.push([
        `the same, ${stepping} of them with price steps a minute apart`,
        `${stepping}`,
        inWords(busy),
        ((busy - idle) / stepping).toFixed(1),
      ]);
    });
    await tell([
      measuringConditions(foreign),
      table(["freights", "price steps due in a minute", "CPU of that minute, ms", "CPU per step, ms"], rows),
    ]);
  } finally {
    await lorry.stop();
  }
}

async function keyOf({ urls, operatorKey }: Host): Promise<string> {
  const operator = { authorization: `Bearer ${operatorKey}` };
  return (await requestJson<{ key: string }>(`${urls["lorry"]}/api/v1/companies`, "POST", operator, company)).key;
}

async function published({ urls }: Host, headers: Record<string, string>): Promise<string[]> {
  const ids: string[] = [];
  const wanted = { ...headers, accept: "application/json" };
  const one = async () => {
    while (ids.length < live) {
      const place = ids.push("") - 1;
      const { freightId } = await requestJson<{ freightId: string }>(
        `${urls["lorry"]}/api/v1/freights`,
        "POST",
        wanted,
        freight("01:00:00"),
      );
      ids[place] = freightId;
    }
  };
  await Promise.all(Array.from({ length: 16 }, one));
  return ids;
}

async function steppedEachMinute({ urls }: Host, headers: Record<string, string>, id: string): Promise<void> {
  await requestJson(`${urls["lorry"]}/api/v1/freights/${id}`, "PUT", headers, freight("00:01:00"));
}

/**
 * Waits until the service is idle: for five seconds, it uses less than a hundredth of a processor. @throws if it is not
 * idle after five minutes
 */
async function quiet({ pid }: Host): Promise<void> {
  for (let rest = 60; rest > 0; rest--) {
    const before = cpuOf(pid);
    await sleep(5_000);
    if (cpuOf(pid) - before < 50_000) return;
  }
  throw new Error("The service does not become idle.");
}

async function cpuOfMinute({ pid }: Host): Promise<number> {
  const before = cpuOf(pid);
  await sleep(minute);
  return (cpuOf(pid) - before) / 1000;
}

const inWords = (milliseconds: number) => Math.round(milliseconds).toLocaleString("en-US");

async function tell(parts: string[]): Promise<void> {
  const figures = parts.join("\n\n");
  console.log(`${figures}\n`);
  if (!process.argv.includes("--print")) await writeFigures("clocks", figures);
}

await main();
