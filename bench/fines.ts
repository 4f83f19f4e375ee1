// Measures how long it takes to assign 1,000 fines to drivers in a company with 5,000 vehicles and 50,000 assignments
// of drivers. `node bench/fines.ts` writes the figures into bench/README.md; with `--print` it only prints them.
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { build } from "../scripts/build.mjs";
import { startHost, type Host } from "./children.ts";
import { measuringConditions } from "./machine.ts";
import { cpuOf, foreignDuring, memoryOf } from "./processes.ts";
import { table, writeFigures } from "./readme.ts";
import { requestJson, company } from "./world.ts";

const [fleet, assignmentsEach, fines] = [5_000, 10, 1_000];
const [day, month] = [24 * 60 * 60 * 1000, 30];
const beginning = Date.UTC(2026, 0, 1);

interface Caller {
  base: string;
  headers: Record<string, string>;
}

interface Automation {
  status: number;
  data: { items: { driver: { name: string } | null; reference: string }[]; counts: Record<string, number> } | null;
}

/** A fine and the driver that must be found for it. The driver is undefined if the plate belongs to no vehicle. */
interface Told {
  fine: Record<string, unknown>;
  driver: string | undefined;
}

async function main(): Promise<void> {
  await build();
  const lorry = await startHost("lorry");
  try {
    const base = `${lorry.urls["lorry"]}/api/v1`;
    const operator = { authorization: `Bearer ${lorry.operatorKey}` };
    const { key } = await requestJson<{ key: string }>(`${base}/companies`, "POST", operator, company);
    const caller = { base, headers: { "x-api-key": key } };
    const lines: string[][] = [];
    const foreign = await foreignDuring(async () => {
      await postFleet(caller);
      const told = Array.from({ length: fines }, (_, at) => toldAs(at));
      lines.push(await automated("1,000 fines, one in ten with a misread or unknown plate", told, lorry, caller));
      lines.push(await automated("the same again: all of them duplicates", told, lorry, caller));
    });
    const head = [
      "",
      "seconds",
      "fines per second",
      "CPU ms per fine",
      "highest MiB",
      "entered",
      "right",
      "for review",
      "duplicates",
    ];
    const figures = `${measuringConditions(foreign)}\n\n${table(head, lines)}`;
    console.log(`${figures}\n`);
    if (!process.argv.includes("--print")) await writeFigures("fines", figures);
  } finally {
    await lorry.stop();
  }
}

const plateOf = (vehicle: number) => `WGM ${String(vehicle * 17 + 100_000)}`;
const driverOf = (vehicle: number, turn: number) => `Driver ${vehicle}-${turn}`;
const dateOf = (turn: number) => new Date(beginning + turn * month * day).toISOString();

/** Creates the vehicles. The driver of each vehicle changes every thirty days. */
async function postFleet({ base, headers }: Caller): Promise<void> {
  let next = 0;
  const some = async () => {
    for (let vehicle = next++; vehicle < fleet; vehicle = next++) {
      const assignments = Array.from({ length: assignmentsEach }, (_, turn) => ({
        driver: { name: driverOf(vehicle, turn) },
        from: dateOf(turn),
        to: dateOf(turn + 1),
      }));
      const body = { licensePlate: plateOf(vehicle), countryCode: "PL", assignments };
      await requestJson(`${base}/vehicles`, "POST", headers, body);
    }
  };
  await Promise.all(Array.from({ length: 8 }, some));
  const last = encodeURIComponent(plateOf(fleet - 1));
  for (let found = 0; found === 0; await sleep(250))
    found = (await requestJson<{ items: unknown[] }>(`${base}/vehicles?licensePlate=${last}`, "GET", headers)).items
      .length;
}

/**
 * Makes a fine. One in twenty has a plate with a misread character; another one in twenty has a plate that no vehicle
 * has.
 */
function toldAs(at: number): Told {
  const vehicle = (at * 37) % fleet;
  const turn = at % assignmentsEach;
  const moment = new Date(beginning + (turn * month + 3 + (at % 20)) * day + (at % 1440) * 60_000);
  const plate = plateOf(vehicle);
  const isMisread = at % 20 === 7;
  const isStrange = at % 20 === 17;
  const licensePlate = isStrange ? `KRA ${at}XY` : isMisread ? plate.replace("1", "I") : plate;
  return {
    fine: {
      reference: `PCN-${at}`,
      authority: "Stadt Leipzig",
      offenceAt: moment.toISOString(),
      countryCode: "DE",
      licensePlate,
      plateCountry: "PL",
      amount: 20 + (at % 50),
      currency: "EUR",
    },
    driver: isMisread || isStrange ? undefined : driverOf(vehicle, turn),
  };
}

async function automated(name: string, told: Told[], { pid }: Host, { base, headers }: Caller): Promise<string[]> {
  let highest = 0;
  const [cpu, began] = [cpuOf(pid), performance.now()];
  const body = { fines: told.map(({ fine }) => fine) };
  const { automationId } = await requestJson<{ automationId: string }>(
    `${base}/automations/fines`,
    "POST",
    headers,
    body,
  );
  let automation: Automation;
  do {
    await sleep(100);
    highest = Math.max(highest, memoryOf(pid)["workerd"] ?? 0);
    automation = await requestJson<Automation>(`${base}/automations/${automationId}`, "GET", headers);
  } while (automation.status < 2);
  const seconds = (performance.now() - began) / 1000;
  const { items, counts } = automation.data!;
  const driverBy = new Map(told.map(({ fine, driver }) => [fine["reference"], driver]));
  const right = items.filter(({ reference, driver }) => driver && driver.name === driverBy.get(reference)).length;
  return [
    name,
    seconds.toFixed(1),
    (fines / seconds).toFixed(0),
    ((cpuOf(pid) - cpu) / 1000 / fines).toFixed(1),
    `${Math.round(highest)}`,
    `${counts["entered"]}`,
    `${right}`,
    `${counts["needsReview"]}`,
    `${counts["duplicate"]}`,
  ];
}

await main();
