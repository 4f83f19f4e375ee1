import { afterAll, beforeAll, expect, test } from "vitest";
import { inParts } from "../durable-objects/parts.ts";
import { consume } from "../src/consumer.ts";
import type { Env, Job } from "../src/kit/env.ts";
import type { OwnerObject } from "../src/kit/owners.ts";
import { newId } from "../src/kit/ids.ts";
import { asking } from "./asking.ts";
import { openService, type Company, type TestService } from "./service.ts";

let service: TestService;

beforeAll(async () => {
  service = await openService();
});

afterAll(() => service.stop());

async function subscriptionOf(company: Company, id: string): Promise<OwnerObject> {
  const objects = await service.mf.getDurableObjectNamespace("SUBSCRIPTIONS", "lorry");
  return objects.get(objects.idFromName(`${company.id}/${id}`)) as unknown as OwnerObject;
}

/** An object nobody has asked for ten seconds is put away and read again from its rows. */
const untilAsleep = () => new Promise((resolve) => setTimeout(resolve, 12_000));

test(
  "a state longer than a row may be is whole when it is read again, and short when it is short again",
  { timeout: 40_000 },
  async () => {
    const [company, id] = [service.company(), newId()];
    const object = await subscriptionOf(company, id);
    const open = (description: string) =>
      object.perform({
        company: company.id,
        id,
        name: "webhooks.open",
        ask: { eventTypes: ["All"], callbackUrl: "https://tms.beispiel.de/", payload: "Thin", sealed: "", description },
      });
    const read = async () =>
      (await asking(service, company.key)<{ description: string }>("GET", `/api/v1/webhooks/${id}`)).body.description;
    const long = "ż🚚".repeat(500_000);
    expect(await open(long)).toMatchObject({ version: 1 });
    await untilAsleep();
    expect((await read()) === long).toBe(true);
    expect(await open("Short")).toMatchObject({ version: 2 });
    await untilAsleep();
    expect(await read()).toBe("Short");
  },
);

test.each([0, 1, 399_999, 400_000, 400_001, 800_001])(
  "a text of %i characters and a lorry comes in parts that no character is cut by",
  (length) => {
    const text = `${"a".repeat(length)}🚚${"b".repeat(length)}`;
    const parts = inParts(text);
    expect(parts.join("") === text).toBe(true);
    for (const part of parts) {
      expect(part.length).toBeLessThanOrEqual(400_000);
      expect(part.isWellFormed()).toBe(true);
    }
  },
);

test("a row that the archive refuses holds back none of its batch", async () => {
  const written: string[] = [];
  const said: string[] = [];
  const env = archiveRefusing("b", written);
  const messages = ["a", "b", "c"].map((id) => ({
    body: { binding: "ORDERS", company: "one", id, work: "archive" },
    attempts: 1,
    ack: () => said.push(`${id} taken`),
    retry: () => said.push(`${id} again`),
  }));
  await consume({ messages } as unknown as MessageBatch<Job>, env);
  expect(written).toEqual(["a", "c"]);
  expect(said).toEqual(["a taken", "b again", "c taken"]);
});

/** An archive of which one id breaks every batch it is in, and owners that each have a row for it. */
function archiveRefusing(bad: string, written: string[]): Env {
  const row = (id: string) => ({ table: "orders", id, company: "one", terms: [], text: "", columns: {}, view: {} });
  const prepare = () => ({ bind: (_company: string, id: string) => id });
  const batch = async (ids: string[]) => {
    if (ids.includes(bad)) throw new Error("Too big");
    written.push(...new Set(ids));
  };
  const getByName = (name: string) => ({
    projection: async () => ({ version: 1, row: row(name.split("/")[1]!) }),
    archived: async () => undefined,
  });
  return { ARCHIVE: { prepare, batch }, ORDERS: { getByName } } as unknown as Env;
}
