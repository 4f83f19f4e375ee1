import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { AggregateObject } from "../../src/platform/aggregates.ts";
import { newId } from "../../src/platform/ids.ts";
import { openService, type TestService } from "../support/service.ts";

async function subscriptionOf({ mf }: TestService, company: string, id: string): Promise<AggregateObject> {
  const objects = await mf.getDurableObjectNamespace("SUBSCRIPTIONS", "lorry");
  return objects.get(objects.idFromName(`${company}/${id}`)) as unknown as AggregateObject;
}

test("a state longer than a row may be is whole after a restart, and short when it is short again", async () => {
  const state = await mkdtemp(join(tmpdir(), "lorry-owners-"));
  const [company, id] = [newId(), newId()];
  const long = "ż🚚".repeat(500_000);
  /** In a service of its own: what was there before, and then another description. */
  const reopened = async (description: string) => {
    const service = await openService({ state });
    try {
      const object = await subscriptionOf(service, company, id);
      const perform = async (name: string, ask: object) =>
        (await object.execute(JSON.stringify({ company, id, name, ask })))
          .split("\n")
          .map((line) => line && JSON.parse(line));
      const [outcome, before] = await perform("webhooks.look", {});
      await perform("webhooks.open", { description, sealed: "a.b" });
      return outcome.refused ?? before.description;
    } finally {
      await service.stop();
    }
  };
  expect(await reopened(long)).toBe("not_found");
  expect((await reopened("Short")) === long).toBe(true);
  expect(await reopened("Shorter")).toBe("Short");
  await rm(state, { recursive: true });
});
