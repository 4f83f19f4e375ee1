import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Freight } from "../../../src/areas/freights/model.ts";
import { offerCommands } from "../../../src/areas/freights/offers/commands.ts";
import { freightCommands as commands } from "../../../src/areas/freights/commands.ts";
import type { ArchivedFreight, FreightView } from "../../../src/areas/freights/views.ts";
import type { CommandContext } from "../../../src/platform/decision.ts";
import { SimulatedFreight, freightId } from "../../support/simulated-freight.ts";
import { freight, hour, minute } from "../../support/freights.ts";

// Rising prices and the expiry of a freight, on a simulated platform with its own clock.

const day = 24 * hour;
let life: SimulatedFreight;
/** When the test began, in Unix milliseconds. */
let began: number;

beforeEach(() => {
  life = new SimulatedFreight();
  began = Date.now();
});

afterEach(() => life.close());

const growing = () => ({ from: 1000, growTo: 1300, until: life.later(6 * hour), updateRate: "01:00:00" });

async function publish(more: Record<string, unknown> = {}): Promise<FreightView> {
  const said = await life.ask(commands.create, await life.said(freight(more)));
  return (said as { reply: FreightView }).reply;
}

const read = async () => {
  const said = await life.ask(commands.read, {});
  return "refused" in said! ? said.refused : said!.reply;
};
const readArchived = async () => ((await life.ask(commands.archived, {})) as { reply: ArchivedFreight }).reply;

const heard = () => life.heard.map(({ type, at, data }) => [type, Date.parse(at) - began, data.currentPrice]);

const momentAt = (milliseconds: number): CommandContext => ({
  at: life.later(milliseconds),
  company: "01a1f8ce-96ba-7fa1-b074-5747ca82ef51",
  id: freightId,
  version: 1,
  address: "https://lorry.example",
  secret: () => "",
});

test("the number of a freight is free from its expiry on, even before the expiry is committed", async () => {
  const asked = await life.said(freight({ payment: growing() }));
  const { state } = commands.create.decide(undefined, asked, momentAt(0)) as { state: Freight };
  const isLive = (milliseconds: number) =>
    (commands.number.decide(state, {}, momentAt(milliseconds)) as { reply: { made: { isLive: boolean } } }).reply.made
      .isLive;
  expect([0, 6 * hour - 1, 6 * hour].map(isLive)).toEqual([true, true, false]);
});

test("a growing price emits an event at the exact time of each step, and the freight expires after the last one", async () => {
  await publish({ payment: growing() });
  await life.pass(7 * hour);
  expect(heard()).toEqual([
    ["FreightPublished", 0, 1000],
    ["FreightPriceChanged", hour, 1060],
    ["FreightPriceChanged", 2 * hour, 1120],
    ["FreightPriceChanged", 3 * hour, 1180],
    ["FreightPriceChanged", 4 * hour, 1240],
    ["FreightPriceChanged", 5 * hour, 1300],
    ["FreightExpired", 6 * hour, 1300],
  ]);
  const { priceHistory, archiveReason, status, currentPrice } = await readArchived();
  expect(priceHistory.map(({ at, price }) => [Date.parse(at) - began, price])).toEqual([
    [0, 1000],
    [hour, 1060],
    [2 * hour, 1120],
    [3 * hour, 1180],
    [4 * hour, 1240],
    [5 * hour, 1300],
  ]);
  expect({ archiveReason, status, currentPrice }).toEqual({
    archiveReason: "Expired",
    status: "Expired",
    currentPrice: 1300,
  });
});

test("the archive follows each step and the expiry", async () => {
  await publish({ payment: growing() });
  await life.pass(2 * hour + minute);
  expect(life.row).toMatchObject({ columns: { price: "000000112000", archivedAt: null } });
  expect(life.row!.terms).toContain("place:Live");
  await life.pass(5 * hour);
  expect(life.row!.terms).toEqual(expect.arrayContaining(["place:Archive", "status:Expired"]));
  expect(life.row!.terms).not.toContain("place:Live");
});

test("reading shows the current price, even if the alarm is late", async () => {
  await publish({ payment: growing() });
  await life.away(2 * hour - 1);
  expect(await read()).toMatchObject({ currentPrice: 1060, nextPrice: 1120, nextPriceAt: life.later(1) });
  await life.away(1);
  expect(await read()).toMatchObject({ currentPrice: 1120, nextPrice: 1180, nextPriceAt: life.later(hour) });
  await life.away(3 * hour);
  const last = (await read()) as FreightView;
  expect(last).toMatchObject({ currentPrice: 1300, expiresAt: life.later(hour) });
  expect(last).not.toHaveProperty("nextPrice");
});

test("missed steps emit one event, with the current price", async () => {
  await publish({ payment: growing() });
  await life.pass(10);
  await life.away(3.5 * hour);
  await life.pass(minute);
  expect(heard()).toEqual([
    ["FreightPublished", 0, 1000],
    ["FreightPriceChanged", 3.5 * hour + 10, 1180],
  ]);
});

describe("a freight that expired while the object was not running", () => {
  beforeEach(async () => {
    await publish({ payment: growing() });
    await life.pass(10);
    await life.away(10 * hour);
  });

  test("is shown as expired before its alarm runs, and never changes again", async () => {
    expect(await read()).toBe("freight_archived");
    expect(await readArchived()).toMatchObject({ status: "Expired", archiveReason: "Expired", currentPrice: 1300 });
    expect(await life.ask(commands.replace, await life.said(freight()))).toMatchObject({
      refused: "invalid_state",
      extra: { currentStatus: "Expired", allowed: [] },
    });
  });

  test("expires once, also when it is withdrawn", async () => {
    await life.ask(commands.withdraw, {});
    await life.pass(minute);
    expect(heard().map(([type]) => type)).toEqual(["FreightPublished", "FreightExpired"]);
  });
});

test.each([
  ["at the end of its first loading", { endDate: 30 * hour }, 30 * hour],
  ["a day after the start of its first loading, if that has no end", {}, 44 * hour],
])("a freight with a fixed price expires %s", async (_, { endDate }: { endDate?: number }, ends) => {
  const period = { startDate: life.later(20 * hour), ...(endDate && { endDate: life.later(endDate) }) };
  const [loading, unloading] = freight()["locations"] as [object, object];
  await publish({ locations: [{ ...loading, period }, unloading] });
  await life.pass(ends - 1);
  expect(await read()).toMatchObject({ status: "Published", expiresAt: life.later(1) });
  await life.pass(1);
  expect(heard()).toEqual([
    ["FreightPublished", 0, 1000],
    ["FreightExpired", ends, 1000],
  ]);
});

test("the price of a draft does not grow, and the draft expires seven days after its first loading", async () => {
  await publish({ sources: [], payment: growing() });
  await life.pass(56 * hour + 7 * day - 1);
  expect(await read()).toMatchObject({ status: "Draft", currentPrice: 1000 });
  await life.pass(1);
  expect(heard()).toEqual([["FreightExpired", 56 * hour + 7 * day, 1000]]);
});

test("a changed price restarts its growth, and an unchanged one continues", async () => {
  const body = freight({ payment: growing() });
  await life.ask(commands.create, await life.said(body));
  await life.pass(2.5 * hour);
  await life.ask(commands.replace, await life.said({ ...body, comments: "Two drivers, please" }));
  expect(await read()).toMatchObject({ currentPrice: 1120, nextPriceAt: life.later(hour / 2) });
  await life.ask(commands.replace, await life.said({ ...body, payment: { ...growing(), from: 1100 } }));
  expect(await read()).toMatchObject({ currentPrice: 1100, nextPrice: 1140, nextPriceAt: life.later(hour) });
  await life.pass(hour);
  expect(heard().slice(-3)).toEqual([
    ["FreightUpdated", 2.5 * hour, 1120],
    ["FreightUpdated", 2.5 * hour, 1100],
    ["FreightPriceChanged", 3.5 * hour, 1140],
  ]);
});

test("an unanswered offer expires at its exact time", async () => {
  await publish();
  const said = {
    freightId,
    price: 900,
    carrier: { name: "Vzorová Doprava s.r.o.", email: "dispo@vzorova-doprava.example" },
    validUntil: life.later(90 * minute),
  };
  await life.ask(offerCommands.submit, { offerId: "01a1f8ce-96ba-7fa1-b074-5747ca82ef60", said });
  await life.pass(90 * minute - 1);
  expect(await read()).toMatchObject({ offers: { open: 1, best: 900 } });
  await life.pass(1);
  expect(await read()).toMatchObject({ offers: { open: 0 } });
  expect(heard().at(-1)).toEqual(["OfferExpired", 90 * minute, undefined]);
});

test("the number of an archived freight is released by a job", async () => {
  await publish({ payment: growing() });
  await life.pass(7 * hour);
  expect(life.works).toContain("freights.release");
  await life.ask(commands.released, {});
  const before = life.works.length;
  await life.pass(day);
  expect(life.works).toHaveLength(before);
});

test("a crash at any storage call loses no price step and emits none twice", async () => {
  life.close();
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 7, maxLength: 7 }), async (ends) => {
      life = new SimulatedFreight();
      began = Date.now();
      await publish({ payment: growing() });
      await life.pass(minute);
      for (const calls of ends) {
        life.endSoon(calls);
        await life.pass(hour);
      }
      await life.pass(10 * minute);
      expect(await read()).toBe("freight_archived");
      const told = life.heard.map(({ type, data }) => `${type} ${data.currentPrice}`);
      expect(told).toEqual([
        "FreightPublished 1000",
        ...[1060, 1120, 1180, 1240, 1300].map((price) => `FreightPriceChanged ${price}`),
        "FreightExpired 1300",
      ]);
      life.close();
    }),
    { numRuns: 60 },
  );
});

const email = "anna@trans.example";
const stand = (turn: number, isBlocked: boolean) => life.ask(commands.stand, { email, turn, isBlocked });

test("the block of an account with the highest turn counts, although an earlier unblock arrives later", async () => {
  await publish({ owner: email });
  await stand(2, true);
  await stand(4, true);
  await stand(3, false);
  expect(await read()).toMatchObject({ status: "Suspended" });
  await stand(5, false);
  expect(await read()).toMatchObject({ status: "Published" });
});

test("an owner whose email changes only in case keeps the number of its last block", async () => {
  await publish({ owner: email });
  await stand(5, false);
  const asked = await life.said(freight({ owner: email.toUpperCase() }));
  expect(await life.ask(commands.replace, { ...asked, isHeld: true })).toMatchObject({ reply: { view: {} } });
  await stand(4, true);
  expect(await read()).toMatchObject({ status: "Published" });
});

test("an unblock that changes nothing keeps the price step that was due", async () => {
  const asked = await life.said(freight({ owner: email, payment: growing() }));
  const { state } = commands.create.decide(undefined, asked, momentAt(0)) as { state: Freight };
  const unblocked = commands.stand.decide(state, { email, turn: 2, isBlocked: false }, momentAt(1.5 * hour));
  expect(unblocked).toMatchObject({ state: { ownerTurn: 2 }, events: [{ type: "FreightPriceChanged" }] });
});
