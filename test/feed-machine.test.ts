import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import {
  feedOf,
  whyGivenUp,
  withBeginning,
  withFault,
  withPortion,
  type Feed,
} from "../durable-objects/ledger/feeds.ts";
import { importAsked } from "../src/areas/transactions/importing.ts";
import type { LeftFor, Task } from "../src/areas/transactions/ledger.ts";
import type { Env } from "../src/kit/env.ts";

const text = "Date;Plate;Product;Gross;Currency\n2026-10-05;WGM 12345;Diesel;595,00;EUR\n";
const file = {
  key: "a",
  name: "a.csv",
  mediaType: "text/csv",
  sizeBytes: text.length,
  sha256: "00",
  format: "Csv",
};
const posted = (): Feed => feedOf({ feedId: "f", file, fingerprint: "" }, "2026-11-20T09:00:00.000Z");
const begunAgain = (feed: Feed): Feed => ({ ...feed, begun: (feed.begun ?? 0) + 1 });
const times = (count: number, feed: Feed, change: (feed: Feed) => Feed): Feed =>
  count === 0 ? feed : times(count - 1, change(feed), change);
const nothing = { accepted: 0, duplicates: 0, matched: 0, unmatched: 0, flagged: 0, voided: 0, rejected: [], news: [] };
const cursor = { offset: 10, row: 1, carried: {} };

describe("a statement", () => {
  test("that was begun three times and came no further is given up", () => {
    expect(whyGivenUp(times(2, posted(), begunAgain))).toBeUndefined();
    expect(whyGivenUp(times(3, posted(), begunAgain))?.[0]).toBe("engine_timeout");
  });

  test("that breaks off by faults of ours was not begun, and has an end as well", () => {
    const broken = (feed: Feed) => withFault(begunAgain(feed));
    expect(whyGivenUp(times(11, posted(), broken))).toBeUndefined();
    expect(whyGivenUp(times(12, posted(), broken))?.[0]).toBe("engine_unavailable");
  });

  test("that came further is as one that was never begun", () => {
    const worn = times(2, times(11, posted(), withFault), begunAgain);
    for (const further of [
      withPortion(worn, { entries: [], rejected: [], cursor, isLast: false }, nothing, worn.createdAt),
      withBeginning(worn, cursor),
    ]) {
      expect(further).not.toHaveProperty("begun");
      expect(further).not.toHaveProperty("faults");
    }
  });
});

/** Why a statement was left by whoever read it where these do not answer. */
async function leftFor(broken: {
  FILES?: object;
  COMPANIES?: object;
  take?: () => Promise<never>;
}): Promise<LeftFor[]> {
  const left: LeftFor[] = [];
  const task: Task = { feedId: "f", file, cursor: { offset: 0, row: 0, carried: {} } };
  const ledger = {
    next: async () => (left.length === 0 ? task : undefined),
    leave: async (_: string, why: LeftFor) => void left.push(why),
    staged: async () => undefined,
    take: broken.take ?? (async () => undefined),
  };
  const files = { get: async () => ({ bytes: async () => new TextEncoder().encode(text) }) };
  const owner = { perform: async () => `${JSON.stringify({ version: 1 })}\n{}` };
  const env = {
    FILES: broken.FILES ?? files,
    COMPANIES: broken.COMPANIES ?? { getByName: () => owner },
    LEDGERS: { getByName: () => ledger },
  } as unknown as Env;
  await importAsked(env, "company", { reader: "me", feedId: "f", until: Date.now() + 60_000 });
  return left;
}

describe("whose fault it is that a statement cannot be read", () => {
  beforeAll(() => void vi.spyOn(console, "error").mockImplementation(() => undefined));
  afterAll(() => void vi.restoreAllMocks());

  const refused = (message: string) => async () => {
    throw new Error(message);
  };

  test("is ours where its file is not given out", async () => {
    const head = async () => ({ size: text.length });
    expect(await leftFor({ FILES: { get: refused("get: Unspecified error (0)"), head } })).toEqual(["Fault"]);
    const away = refused("Network connection lost.");
    expect(await leftFor({ FILES: { get: away, head: away } })).toEqual(["Fault"]);
  });

  test("is ours where the company or the ledger does not answer", async () => {
    const perform = refused("Durable Object reset because its code was updated.");
    expect(await leftFor({ COMPANIES: { getByName: () => ({ perform }) } })).toEqual(["Fault"]);
    expect(await leftFor({ take: refused("Network connection lost.") })).toEqual(["Fault"]);
  });

  test("is the file's where it is shorter than it was", async () => {
    const get = refused("get: The requested range is not satisfiable (10039)");
    expect(await leftFor({ FILES: { get, head: async () => ({ size: 3 }) } })).toEqual(["File"]);
  });
});
