import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { LedgerObject } from "../../../durable-objects/ledger.ts";
import {
  feedOf,
  whyGivenUp,
  withBeginning,
  withoutReader,
  withBatch,
  withReader,
  type Feed,
} from "../../../durable-objects/ledger/feeds.ts";
import { importInRequest } from "../../../src/areas/transactions/jobs.ts";
import type { ImportInterruption, PostedFeed, Task } from "../../../src/areas/transactions/ledger.ts";
import type { Env } from "../../../src/platform/env.ts";
import { leaseMilliseconds } from "../../../src/platform/lease.ts";
import { SimulatedObject } from "../../support/simulated-object.ts";

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
/** Starts a run that then ends without reporting anything. */
const begunAgain = (feed: Feed): Feed => withReader(feed, "reader", feed.createdAt);
const broken = (feed: Feed): Feed => withoutReader(withReader(feed, "reader", feed.createdAt), "Fault");
const times = (count: number, feed: Feed, change: (feed: Feed) => Feed): Feed =>
  count === 0 ? feed : times(count - 1, change(feed), change);
const nothing = { accepted: 0, duplicates: 0, matched: 0, unmatched: 0, flagged: 0, voided: 0, rejected: [], news: [] };
const cursor = { offset: 10, row: 1, carried: {} };

describe("a statement", () => {
  test("that was started three times without progress is given up by the next run", () => {
    expect(whyGivenUp(times(3, posted(), begunAgain))).toBeUndefined();
    expect(whyGivenUp(times(4, posted(), begunAgain))?.[0]).toBe("engine_timeout");
    const fails = (feed: Feed) => withoutReader(withReader(feed, "reader", feed.createdAt), "File");
    expect(whyGivenUp(times(2, posted(), fails))).toBeUndefined();
    expect(whyGivenUp(times(3, posted(), fails))?.[0]).toBe("engine_timeout");
  });

  test("that is interrupted by internal errors does not count as started, and is given up in the end", () => {
    expect(whyGivenUp(times(11, posted(), broken))).toBeUndefined();
    expect(whyGivenUp(times(12, posted(), broken))?.[0]).toBe("engine_unavailable");
  });

  test("that made progress has its counts reset", () => {
    const worn = times(2, times(11, posted(), broken), begunAgain);
    for (const further of [
      withBatch(worn, { entries: [], rejected: [], cursor, isLast: false }, nothing, worn.createdAt),
      withBeginning(worn, cursor),
    ]) {
      expect(further).not.toHaveProperty("begun");
      expect(further).not.toHaveProperty("faults");
    }
  });
});

/** Runs an import with these failing bindings. Returns the reason that the run reports when it is interrupted. */
async function leftFor(broken: {
  FILES?: object;
  COMPANIES?: object;
  take?: () => Promise<never>;
}): Promise<ImportInterruption[]> {
  const left: ImportInterruption[] = [];
  const task: Task = { feedId: "f", file, cursor: { offset: 0, row: 0, carried: {} } };
  const ledger = {
    next: async () => (left.length === 0 ? task : undefined),
    leave: async (_: string, why: ImportInterruption) => void left.push(why),
    staged: async () => undefined,
    take: broken.take ?? (async () => undefined),
  };
  const files = { get: async () => ({ bytes: async () => new TextEncoder().encode(text) }) };
  const owner = { execute: async () => `${JSON.stringify({ version: 1 })}\n{}` };
  const env = {
    FILES: broken.FILES ?? files,
    COMPANIES: broken.COMPANIES ?? { getByName: () => owner },
    LEDGERS: { getByName: () => ledger },
  } as unknown as Env;
  await importInRequest(env, "company", { reader: "me", feedId: "f", until: Date.now() + 60_000 });
  return left;
}

describe("the cause of a failed import", () => {
  beforeAll(() => void vi.spyOn(console, "error").mockImplementation(() => undefined));
  afterAll(() => void vi.restoreAllMocks());

  const refused = (message: string) => async () => {
    throw new Error(message);
  };

  test("is internal if its file cannot be loaded", async () => {
    const head = async () => ({ size: text.length });
    expect(await leftFor({ FILES: { get: refused("get: Unspecified error (0)"), head } })).toEqual(["Fault"]);
    const away = refused("Network connection lost.");
    expect(await leftFor({ FILES: { get: away, head: away } })).toEqual(["Fault"]);
  });

  test("is internal if the company or the ledger does not respond", async () => {
    const perform = refused("Durable Object reset because its code was updated.");
    expect(await leftFor({ COMPANIES: { getByName: () => ({ perform }) } })).toEqual(["Fault"]);
    expect(await leftFor({ take: refused("Network connection lost.") })).toEqual(["Fault"]);
  });

  test("is the file if it is shorter than before", async () => {
    const get = refused("get: The requested range is not satisfiable (10039)");
    expect(await leftFor({ FILES: { get, head: async () => ({ size: 3 }) } })).toEqual(["File"]);
  });
});

/** The product's ledger object on a simulated platform. */
class LedgerLife extends SimulatedObject<LedgerObject> {
  constructor() {
    super(LedgerObject);
  }

  /** Ends the current instance of the object, as an eviction does, and returns a new one. */
  evicted = (): LedgerObject => {
    this.end();
    return this.object();
  };

  protected env(): Env {
    const nobody = { getByName: () => ({ subscribers: async () => [] }) };
    const queue = { send: async () => undefined };
    return { COMPANIES: nobody, CHANGES: queue, WORK: queue } as unknown as Env;
  }
}

describe("a statement that is being imported", () => {
  let life: LedgerLife;
  beforeEach(() => {
    life = new LedgerLife();
  });
  afterEach(() => life.close());

  const first = { feedId: "f", reader: "first" };
  const further = { offset: 40, row: 1, carried: {}, layout: {} as never };
  const post = async () => {
    const { company } = life;
    const handed: PostedFeed = { company, feed: { feedId: "f", file, fingerprint: "" }, reader: first.reader };
    await life.evicted().post(JSON.stringify(handed));
    expect((await life.evicted().next(first.reader, { only: "f" }))?.feedId).toBe("f");
  };

  test("is imported by no other run meanwhile, however often its ledger is evicted", async () => {
    await post();
    for (let renewal = 0; renewal < 10; renewal++) {
      await life.pass(leaseMilliseconds - 1);
      expect(await life.evicted().next("second")).toBeUndefined();
      expect(await life.evicted().hold(first)).toBe(true);
    }
    await life.evicted().staged(first, further);
    await life.pass(leaseMilliseconds - 1);
    expect(await life.evicted().next("second")).toBeUndefined();
  });

  test("is imported by another run after its lease expires, and late calls of the first run are ignored", async () => {
    await post();
    await life.pass(leaseMilliseconds);
    const second = { feedId: "f", reader: "second" };
    expect((await life.evicted().next(second.reader))?.feedId).toBe("f");
    expect(await life.evicted().hold(first)).toBe(false);
    await life.evicted().staged(first, further);
    await life.evicted().fail(first, "file_corrupted", "It is over.");
    await life.evicted().leave(first, "Fault");
    expect(
      await life.evicted().take(first, 0, JSON.stringify({ entries: [], rejected: [], isLast: true })),
    ).toBeUndefined();
    expect(await life.evicted().next("third")).toBeUndefined();
    expect((await life.evicted().feed("f"))?.status).toBe("Importing");
    await life.evicted().fail(second, "file_corrupted", "It is over.");
    expect((await life.evicted().feed("f"))?.status).toBe("Failed");
  });

  test("is continued by another run at once if its run stops", async () => {
    await post();
    await life.evicted().leave(first, "Others");
    expect((await life.evicted().next("second"))?.feedId).toBe("f");
  });
});
