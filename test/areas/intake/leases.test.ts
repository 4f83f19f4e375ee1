import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { maxAttempts } from "../../../src/areas/intake/commands.ts";
import { leaseMilliseconds } from "../../../src/platform/lease.ts";
import { SimulatedOrder } from "../../support/simulated-order.ts";

// The lease of an extraction. It lasts as long as the extraction, even if the object of the order is evicted, and
// admits only one worker at a time.

const second = 1000;
const minute = 60 * second;

let life: SimulatedOrder;

beforeEach(() => {
  life = new SimulatedOrder();
});

afterEach(() => life.close());

const readBy = (order: Awaited<ReturnType<SimulatedOrder["order"]>>) => order.envelopes[0]?.data?.orderNumber;

test("an extraction of three minutes starts once and succeeds, although its object is evicted repeatedly", async () => {
  life.readingMilliseconds = 3 * minute;
  await life.receive();
  await life.pass(10 * minute);
  expect(life.instances).toBeGreaterThan(5);
  expect(life.readers).toHaveLength(1);
  expect(await life.order()).toMatchObject({ status: "Succeeded", attempts: 0 });
});

test("a renewal of the lease does not change the version of the order", async () => {
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

test("of two workers that get the same job concurrently one extracts the file", async () => {
  life.readingMilliseconds = minute;
  await life.receive();
  life.deliver();
  life.deliver();
  await life.pass(5 * minute);
  expect(life.readers).toHaveLength(1);
  expect(await life.order()).toMatchObject({ status: "Succeeded" });
});

test("a worker that dies silently counts as an attempt, and another one starts once the lease has expired", async () => {
  life.readingMilliseconds = 30 * second;
  await life.receive();
  await life.pass(5 * second);
  life.readers[0]!.isOver = true;
  await life.pass(10 * minute);
  expect(life.readers).toHaveLength(2);
  expect(life.readers[1]!.began).toBeGreaterThan(leaseMilliseconds);
  expect(await life.order()).toMatchObject({ status: "Succeeded", attempts: 1 });
});

test("a file that kills each worker fails with engine_timeout", async () => {
  life.readingMilliseconds = 30 * second;
  await life.receive();
  for (let passed = 0; passed < 30 * minute; passed += second) {
    await life.pass(second);
    for (const reader of life.readers) reader.isOver = true;
  }
  expect(life.readers).toHaveLength(maxAttempts);
  expect(await life.order()).toMatchObject({ status: "Failed", envelopes: [{ errorCode: "engine_timeout" }] });
});

test("an internal fault releases the lease at once and does not count as an attempt", async () => {
  life.isStorageAway = true;
  await life.receive();
  await life.pass(second);
  expect(await life.order()).toMatchObject({ status: "Processing", attempts: 0, faults: 1 });
  life.isStorageAway = false;
  await life.pass(10 * second);
  expect(await life.order()).toMatchObject({ status: "Succeeded", attempts: 0 });
});

test("a worker that is cut off stops once another one may start", async () => {
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

test("the result of a worker that has lost its lease is ignored, and its files are deleted", async () => {
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
  ["a few seconds a page", 4 * second],
  ["more than a minute a page", 75 * second],
])("an order that is deleted during the extraction of its scan (%s)", (_, milliseconds) => {
  beforeEach(async () => {
    life.scan = { pages: 10, milliseconds };
    await life.receive();
    await life.pass(3 * second);
    await life.remove();
  });

  test("leaves no files, and no further pages are extracted", async () => {
    await life.pass(10 * minute);
    expect([...life.files.keys()]).toEqual([]);
    expect(life.pagesSeen).toBeLessThan(5);
    expect(await life.remains()).toMatchObject({ reply: { claim: "", isWritten: false } });
  });

  test("leaves no files if its worker is killed before it notices the deletion", async () => {
    await life.pass(6 * second);
    life.readers[0]!.isOver = true;
    await life.pass(10 * minute);
    expect([...life.files.keys()]).toEqual([]);
    expect(await life.remains()).toMatchObject({ reply: { claim: "", isWritten: false } });
  });

  test("leaves no files if its worker is cut off and continues", async () => {
    life.readers[0]!.isCutOff = true;
    await life.pass(20 * minute);
    expect([...life.files.keys()]).toEqual([]);
  });
});
