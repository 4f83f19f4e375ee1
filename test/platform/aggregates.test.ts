import { expect, test } from "vitest";
import { splitText } from "../../durable-objects/aggregate/state-rows.ts";
import { consume } from "../../src/queue.ts";
import type { Env, Job } from "../../src/platform/env.ts";

test.each([0, 1, 399_999, 400_000, 400_001, 800_001])(
  "a text of %i characters and an emoji is split without cutting a character",
  (length) => {
    const text = `${"a".repeat(length)}🚚${"b".repeat(length)}`;
    const parts = splitText(text);
    expect(parts.join("") === text).toBe(true);
    for (const part of parts) {
      expect(part.length).toBeLessThanOrEqual(400_000);
      expect(part.isWellFormed()).toBe(true);
    }
  },
);

test("a row that the archive refuses does not block the other rows of its batch", async () => {
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

/**
 * Makes a fake archive that refuses every batch with the id `bad`, and fake aggregates, each of which has a row to
 * archive.
 */
function archiveRefusing(bad: string, written: string[]): Env {
  const row = (id: string) => ({ table: "orders", id, company: "one", terms: [], text: "", columns: {}, view: {} });
  const prepare = () => ({ bind: (rows: string) => (JSON.parse(rows) as { id: string }[]).map(({ id }) => id) });
  const batch = async (statements: string[][]) => {
    const ids = statements.flat();
    if (ids.includes(bad)) throw new Error("Too big");
    written.push(...new Set(ids));
  };
  const getByName = (name: string) => ({
    projection: async () => ({ version: 1, row: row(name.split("/")[1]!), events: [], audit: [], upTo: 0 }),
    archived: async () => undefined,
  });
  return { ARCHIVE: { prepare, batch }, ORDERS: { getByName } } as unknown as Env;
}
