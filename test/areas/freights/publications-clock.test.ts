import * as fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { publicationCommands } from "../../../src/areas/freights/publications/commands.ts";
import { publishJob } from "../../../src/areas/freights/publications/model.ts";
import { freightCommands } from "../../../src/areas/freights/commands.ts";
import type { ArchivedFreight } from "../../../src/areas/freights/views.ts";
import type { CallResult } from "../../../src/areas/sources/call-connector.ts";
import { SimulatedFreight } from "../../support/simulated-freight.ts";
import { freight, hour, minute } from "../../support/freights.ts";

// Calls to sources at the right times, on a simulated platform with its own clock.

let life: SimulatedFreight;
/** When the test began, in Unix milliseconds. */
let began: number;
/** All calls to sources. */
let calls: { after: number; wanted: string; price?: number | undefined; version: number }[];
/** Returns the result of the next call to a source. */
let answer: () => CallResult;

beforeEach(() => start());
afterEach(() => life.close());

function start(): void {
  life = new SimulatedFreight();
  began = Date.now();
  calls = [];
  answer = () => ({});
}

/** Creates a freight at a connector, with a price that grows for six hours in hourly steps. */
async function publish(): Promise<void> {
  const payment = { from: 1000, growTo: 1300, until: life.later(6 * hour), updateRate: "01:00:00" };
  await life.ask(freightCommands.create, await life.said(freight({ sources: [2], payment })));
}

/** Lets time pass in steps of `beat` milliseconds, and runs the publish job whenever it is requested. */
async function pass(milliseconds: number, beat = 1000): Promise<void> {
  for (let left = milliseconds; left > 0; left -= beat) {
    await life.pass(Math.min(beat, left));
    if (life.works.splice(0).includes(publishJob)) await work();
  }
}

async function work(): Promise<void> {
  const said = await life.ask(publicationCommands.untold, {});
  if (!said || "refused" in said) return;
  const { left, freight: shown } = said.reply;
  for (const { source, wanted, version } of left) {
    calls.push({ after: Date.now() - began, wanted, price: shown.currentPrice, version });
    await life.ask(publicationCommands.told, { source, version, told: answer() });
  }
}

const publications = async () => {
  const said = await life.ask(freightCommands.archived, {});
  return (said as { reply: ArchivedFreight }).reply.publications;
};

/** Rounds to five seconds, because a call is noticed up to one second after it is due. */
const secondsOf = (milliseconds: number) => 5 * Math.round(milliseconds / 5000);

test("a source receives each price step and the removal on time", async () => {
  await publish();
  await pass(6 * hour + minute, 10_000);
  expect(calls.map(({ after, wanted, price }) => [Math.round(after / hour), wanted, price])).toEqual([
    [0, "Publish", 1000],
    [1, "Update", 1060],
    [2, "Update", 1120],
    [3, "Update", 1180],
    [4, "Update", 1240],
    [5, "Update", 1300],
    [6, "Remove", 1300],
  ]);
  expect(await publications()).toEqual([{ source: 2, status: "Removed" }]);
});

test("a failing source is called again after growing pauses, up to the limit", async () => {
  answer = () => ({ error: "The source answered 500.", final: false });
  await publish();
  await life.ask(freightCommands.withdraw, {});
  await pass(2 * hour);
  const waits = calls.slice(1).map(({ after }, at) => secondsOf(after - calls[at]!.after));
  expect(waits).toEqual([15, 30, 60, 120, ...Array.from({ length: 15 }, () => 300)]);
  expect(await publications()).toEqual([{ source: 2, status: "Failed", error: "The source answered 500." }]);
});

test("whenever the object crashes, the last call to a source is the removal", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat({ max: 60 }), { maxLength: 12 }), async (ends) => {
      life.close();
      start();
      await publish();
      for (const calledOften of ends) {
        life.endSoon(calledOften);
        await pass(20 * minute, 5000);
      }
      await pass(7 * hour, 30_000);
      expect(calls.at(-1)).toMatchObject({ wanted: "Remove" });
      expect(await publications()).toEqual([{ source: 2, status: "Removed" }]);
      const versions = calls.map(({ version }) => version);
      expect(versions).toEqual(versions.toSorted((a, b) => a - b));
    }),
    { numRuns: 15 },
  );
});
