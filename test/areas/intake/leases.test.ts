import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { maxAttempts } from "../../../src/areas/intake/commands.ts";
import { leaseMilliseconds } from "../../../src/platform/lease.ts";
import { SimulatedOrder } from "../../support/simulated-order.ts";

// A file is read under a lease: by one consumer at a time, for as long as it takes, whatever becomes of the order's object.

const second = 1000;
const minute = 60 * second;

let life: SimulatedOrder;

beforeEach(() => {
  life = new SimulatedOrder();
});

afterEach(() => life.close());

const readBy = (order: Awaited<ReturnType<SimulatedOrder["order"]>>) => order.envelopes[0]?.data?.orderNumber;

test("a reading of three minutes is begun once and succeeds, though its object is evicted again and again", async () => {
  life.readingMilliseconds = 3 * minute;
  await life.receive();
  await life.pass(10 * minute);
  expect(life.instances).toBeGreaterThan(5);
  expect(life.readers).toHaveLength(1);
  expect(await life.order()).toMatchObject({ status: "Succeeded", attempts: 0 });
});

test("a renewal is no change of the order: it gets no version", async () => {
  life.readingMilliseconds = 3 * minute;
  await life.receive();
  await life.pass(second);
  const { version, lease } = await life.order();
  await life.pass(2 * minute);
  const later = await life.order();
  expect(later.version).toBe(version);
  expect(later.lease!.token).toBe(lease!.token);
  expect(later.lease!.expiresAt > lease!.expiresAt).toBe(true);
});

test("of two consumers that get the same work at one moment one reads", async () => {
  life.readingMilliseconds = minute;
  await life.receive();
  life.deliver();
  life.deliver();
  await life.pass(5 * minute);
  expect(life.readers).toHaveLength(1);
  expect(await life.order()).toMatchObject({ status: "Succeeded" });
});

test("a consumer that dies without news is an attempt, and another reads once its lease has expired", async () => {
  life.readingMilliseconds = 30 * second;
  await life.receive();
  await life.pass(5 * second);
  life.readers[0]!.isOver = true;
  await life.pass(10 * minute);
  expect(life.readers).toHaveLength(2);
  expect(life.readers[1]!.began).toBeGreaterThan(leaseMilliseconds);
  expect(await life.order()).toMatchObject({ status: "Succeeded", attempts: 1 });
});

test("a file that kills each consumer ends as failed", async () => {
  life.readingMilliseconds = 30 * second;
  await life.receive();
  for (let passed = 0; passed < 30 * minute; passed += second) {
    await life.pass(second);
    for (const reader of life.readers) reader.isOver = true;
  }
  expect(life.readers).toHaveLength(maxAttempts);
  expect(await life.order()).toMatchObject({ status: "Failed", envelopes: [{ errorCode: "engine_timeout" }] });
});

test("a fault of ours ends the lease at once and is no attempt", async () => {
  life.isStorageAway = true;
  await life.receive();
  await life.pass(second);
  expect(await life.order()).toMatchObject({ status: "Processing", attempts: 0, faults: 1 });
  life.isStorageAway = false;
  await life.pass(10 * second);
  expect(await life.order()).toMatchObject({ status: "Succeeded", attempts: 0 });
});

test("a consumer that was cut off stops once another may read", async () => {
  life.readingMilliseconds = 4 * minute;
  await life.receive();
  await life.pass(second);
  const [first] = life.readers;
  first!.isCutOff = true;
  await life.pass(10 * minute);
  expect(life.readers).toHaveLength(2);
  expect(first!.ended).toBeUndefined();
  expect(readBy(await life.order())).toBe("read 1");
});

test("what a consumer comes to whose lease was taken over is ignored, and nothing of it stays", async () => {
  life.readingMilliseconds = 3 * minute;
  await life.receive();
  await life.pass(second);
  const [first] = life.readers;
  first!.isCutOff = first!.isStubborn = true;
  await life.pass(2 * minute);
  expect(life.readers).toHaveLength(2);
  first!.isCutOff = false;
  await life.pass(10 * minute);
  expect(first!.ended).toBeLessThan(life.readers[1]!.ended!);
  const order = await life.order();
  expect([order.status, order.attempts, readBy(order)]).toEqual(["Succeeded", 1, "read 1"]);
  expect([...life.files.keys()]).toEqual([expect.stringContaining(order.evidence!)]);
});

describe.each([
  ["a page within seconds", 4 * second],
  ["each page in more than a minute", 75 * second],
])("an order that is deleted while its scan is read, %s,", (_, milliseconds) => {
  beforeEach(async () => {
    life.scan = { pages: 10, milliseconds };
    await life.receive();
    await life.pass(3 * second);
    await life.remove();
  });

  test("leaves nothing of what is seen after that, and no more pages are looked at", async () => {
    await life.pass(10 * minute);
    expect([...life.files.keys()]).toEqual([]);
    expect(life.pagesSeen).toBeLessThan(5);
    expect(await life.remains()).toMatchObject({ reply: { claim: "", isWritten: false } });
  });

  test("leaves nothing when its reader is killed before it hears of that", async () => {
    await life.pass(6 * second);
    life.readers[0]!.isOver = true;
    await life.pass(10 * minute);
    expect([...life.files.keys()]).toEqual([]);
    expect(await life.remains()).toMatchObject({ reply: { claim: "", isWritten: false } });
  });

  test("leaves nothing when its reader is cut off and goes on", async () => {
    life.readers[0]!.isCutOff = true;
    await life.pass(20 * minute);
    expect([...life.files.keys()]).toEqual([]);
  });
});
