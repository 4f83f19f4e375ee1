import { afterAll, beforeAll, expect, test } from "vitest";
import type { FreightView } from "../src/areas/freights/views.ts";
import { asking, type Asking } from "./asking.ts";
import { freight, post, put, read, withdraw, type Refused } from "./freights.ts";
import { openService, type TestService } from "./service.ts";

let service: TestService;

beforeAll(async () => {
  service = await openService({ vars: { RATE_LIMIT_PER_SECOND: "100000" } });
});

afterAll(() => service.stop());

const newcomer = () => asking(service, service.company().key);
const outcomes = [200, 409];

/** When somebody surely had the number: from the answer that gave it to the request that gave it back. */
interface Held {
  from: number;
  to: number;
}

async function takeAndGiveBack(ask: Asking, body: unknown, held: Held[]): Promise<number> {
  const { status, body: made } = await post<FreightView & Refused>(ask, body);
  if (status !== 200) {
    expect(made.errorCode).toMatch(/^(duplicate_external_number|in_progress)$/);
    return status;
  }
  const from = performance.now();
  await read(ask, made.freightId);
  held.push({ from, to: performance.now() });
  expect((await withdraw(ask, made.freightId)).status).toBe(204);
  return status;
}

test("a number that many take and give back at once is never that of two", async () => {
  const ask = newcomer();
  const body = freight();
  const held: Held[] = [];
  const statuses: number[] = [];
  const worker = async () => {
    for (let time = 0; time < 12; time++) statuses.push(await takeAndGiveBack(ask, body, held));
  };
  await Promise.all(Array.from({ length: 6 }, worker));
  expect(new Set(statuses)).toEqual(new Set(outcomes));
  const inTurn = held.toSorted((one, other) => one.from - other.from);
  expect(inTurn.length).toBeGreaterThan(5);
  for (const [index, { from }] of inTurn.slice(1).entries()) expect(from).toBeGreaterThanOrEqual(inTurn[index]!.to);
  expect((await post(ask, body)).status).toBe(200);
});

test("of many freights that are given one number at once one gets it, and the others keep theirs", async () => {
  const ask = newcomer();
  const bodies = Array.from({ length: 10 }, () => freight());
  const ids = await Promise.all(bodies.map(async (body) => (await post(ask, body)).body.freightId));
  const answers = await Promise.all(
    ids.map((id, at) => put<FreightView & Refused>(ask, id, { ...bodies[at], externalNumber: "ONE" })),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  for (const [at, { status, body }] of answers.entries()) {
    expect(outcomes).toContain(status);
    const { externalNumber } = (await read(ask, ids[at]!)).body;
    expect(externalNumber).toBe(status === 200 ? "ONE" : bodies[at]!["externalNumber"]);
    if (status === 409) expect(body.errorCode).toBe("duplicate_external_number");
  }
});

test("a repeated request finds its freight again, whoever has the number by then", async () => {
  const ask = newcomer();
  const body = freight();
  const headers = { "idempotency-key": "once" };
  const first = await post(ask, body, headers);
  await withdraw(ask, first.body.freightId);
  const next = await post(ask, body);
  const again = await post(ask, body, headers);
  expect(next.body.freightId).not.toBe(first.body.freightId);
  expect({ replayed: again.headers.get("idempotency-replayed"), body: again.body }).toEqual({
    replayed: "true",
    body: first.body,
  });
});
