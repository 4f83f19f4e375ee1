import { afterAll, beforeAll, expect, test } from "vitest";
import type { FreightView } from "../../../src/areas/freights/views.ts";
import { apiClient, type ApiClient } from "../../support/api-client.ts";
import { freight, post, put, read, withdraw, type Refused } from "../../support/freights.ts";
import { openService, type TestService } from "../../support/service.ts";

let service: TestService;

beforeAll(async () => {
  service = await openService();
});

afterAll(() => service.stop());

const newcomer = () => apiClient(service, service.company().key);
/** Possible results of a request for a number. */
const outcomes = ["Taken", "duplicate_external_number", "in_progress"];

/**
 * The time in which a freight certainly had the number: from the response to its creation until the request to withdraw
 * it.
 */
interface Held {
  from: number;
  to: number;
}

/** Creates a freight with the number and withdraws it again. @returns one of `outcomes` */
async function takeAndGiveBack(ask: ApiClient, body: unknown, held: Held[]): Promise<string> {
  const { status, body: made } = await post<FreightView & Refused>(ask, body);
  if (status !== 200) return made.errorCode;
  const from = performance.now();
  await read(ask, made.freightId);
  held.push({ from, to: performance.now() });
  await withdraw(ask, made.freightId);
  return "Taken";
}

test("a number that is claimed and released concurrently never belongs to two freights", async () => {
  const ask = newcomer();
  const body = freight();
  const held: Held[] = [];
  const came = new Set<string>();
  const worker = async () => {
    for (let time = 0; time < 12; time++) came.add(await takeAndGiveBack(ask, body, held));
  };
  await Promise.all(Array.from({ length: 6 }, worker));
  expect([...came].filter((one) => !outcomes.includes(one))).toEqual([]);
  const inTurn = held.toSorted((one, other) => one.from - other.from);
  expect(inTurn.length).toBeGreaterThan(5);
  for (const [index, { from }] of inTurn.slice(1).entries()) expect(from).toBeGreaterThanOrEqual(inTurn[index]!.to);
  expect((await post(ask, body)).status).toBe(200);
});

test("of many freights that request one number concurrently one gets it, and the others keep theirs", async () => {
  const ask = newcomer();
  const bodies = Array.from({ length: 10 }, () => freight());
  const ids = await Promise.all(bodies.map(async (body) => (await post(ask, body)).body.freightId));
  const answers = await Promise.all(
    ids.map((id, at) => put<FreightView & Refused>(ask, id, { ...bodies[at], externalNumber: "ONE" })),
  );
  const winner = answers.findIndex(({ status }) => status === 200);
  const others = answers.toSpliced(winner, 1);
  expect(new Set(others.map(({ body }) => body.errorCode))).toEqual(new Set(["duplicate_external_number"]));
  const numbers = await Promise.all(ids.map(async (id) => (await read(ask, id)).body.externalNumber));
  expect(numbers).toEqual(bodies.map(({ externalNumber }) => externalNumber).with(winner, "ONE"));
});

test("a repeated request answers its own freight, even if another one has the number by then", async () => {
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
