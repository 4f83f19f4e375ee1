import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { freightCommands as commands } from "../../src/areas/freights/commands.ts";
import type { FreightView } from "../../src/areas/freights/views.ts";
import { SimulatedFreight } from "../support/simulated-freight.ts";
import { freight, minute } from "../support/freights.ts";

// An aggregate updates the archive and informs its subscribers, despite failures and restarts.

const petra = { name: "Petra Sondermann" };
let life: SimulatedFreight;

beforeEach(() => {
  life = new SimulatedFreight();
});

afterEach(() => life.close());

const publish = async (internalComments: string) =>
  life.ask(commands.create, await life.said(freight({ externalNumber: "FR-1", internalComments })));

const change = async (internalComments: string) =>
  life.ask(commands.replace, await life.said(freight({ externalNumber: "FR-1", internalComments })));

const commentsInArchive = () => (life.row?.view as FreightView | undefined)?.internalComments;

describe("an erasure while the archive is unavailable", () => {
  const comments = { "of one who is named": "Ask Petra Sondermann", "of nobody": "Ask the office" };

  test.each(Object.entries(comments))("%s leaves the newest version in the archive", async (_, said) => {
    await publish("First");
    await life.pass(minute);
    life.isArchiveAway = true;
    await change(said);
    await life.erase(petra);
    life.end();
    life.isArchiveAway = false;
    await life.pass(minute);
    expect(commentsInArchive()).toBe(said.replace(petra.name, "Erased Person"));
  });

  test("ends without further events", async () => {
    await publish("Ask Petra Sondermann");
    await life.erase(petra);
    await life.pass(minute);
    const before = life.told;
    await life.pass(minute);
    expect(life.told).toBe(before);
  });
});

test("changes after a long archive outage are archived soon, even if an instance ended in between", async () => {
  await publish("First");
  life.isArchiveAway = true;
  await change("Second");
  await life.pass(20 * minute);
  await change("Third");
  life.end();
  life.isArchiveAway = false;
  await life.pass(minute / 2);
  expect(commentsInArchive()).toBe("Third");
});

test("a failed commit leaves nothing behind, and the next one is complete", async () => {
  await life.whileBroken(() => publish("First"));
  expect(await life.ask(commands.read, {})).toMatchObject({ refused: "not_found" });
  await publish("Second");
  await life.whileBroken(() => change("Third"));
  await change("Fourth");
  await life.pass(minute);
  expect(commentsInArchive()).toBe("Fourth");
  expect(life.heard.map(({ type }) => type)).toEqual(["FreightPublished", "FreightUpdated"]);
});

describe("a lag report to the company about a record that the archive lacks", () => {
  test("is not sent while the archive keeps up", async () => {
    await publish("First");
    await life.pass(minute);
    await change("Second");
    await life.pass(minute);
    expect(life.lagReports).toBe(0);
  });

  test.each([
    ["within one instance", async () => undefined],
    ["although the instance ends after the commit", async () => life.end()],
    ["although the object keeps changing", () => keepsChanging()],
  ])("is sent soon, and once, %s", async (_, then) => {
    life.isArchiveAway = true;
    await publish("First");
    await then();
    await life.pass(minute / 2);
    expect(life.isLagging).toBe(true);
    life.isArchiveAway = false;
    await life.pass(10 * minute);
    expect(life.isLagging).toBe(false);
    expect(life.lagReports).toBe(1);
  });

  test("is sent although the company is unavailable at first", async () => {
    life.isArchiveAway = life.isCompanyAway = true;
    await publish("First");
    await life.pass(minute / 2);
    life.isCompanyAway = false;
    await life.pass(minute);
    expect(life.isLagging).toBe(true);
  });

  test("is withdrawn when the archive has the record, even after a restart", async () => {
    life.isArchiveAway = true;
    await publish("First");
    await life.pass(minute);
    expect(life.isLagging).toBe(true);
    life.end();
    life.isArchiveAway = false;
    await life.pass(10 * minute);
    expect(life.isLagging).toBe(false);
    expect(commentsInArchive()).toBe("First");
  });

  async function keepsChanging(): Promise<void> {
    for (let time = 0; time < 20; time++) {
      await change(`Change ${time}`);
      await life.pass(1000);
    }
  }
});
