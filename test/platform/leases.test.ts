import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ClaimObject } from "../../durable-objects/claim.ts";
import { commands as collections } from "../../src/areas/document-collections/commands.ts";
import { commands as driversDocuments } from "../../src/areas/drivers-documents/commands.ts";
import { commands as mails } from "../../src/areas/mails/commands.ts";
import { commands as requests } from "../../src/areas/privacy/commands.ts";
import { withLock } from "../../src/platform/lock.ts";
import type { CommandContext } from "../../src/platform/decision.ts";
import type { Env } from "../../src/platform/env.ts";
import { leaseMilliseconds } from "../../src/platform/lease.ts";
import type { Claim } from "../../src/platform/aggregates.ts";
import { SimulatedObject, objectId } from "../support/simulated-object.ts";

// Leases of jobs. The lease of an extraction has its own tests.

const start = Date.parse("2026-11-20T09:00:00.000Z");
const moment = (milliseconds = 0): CommandContext => ({
  at: new Date(start + milliseconds).toISOString(),
  company: "01a1f8ce-96ba-7fa1-b074-5747ca82ef51",
  id: objectId,
  version: 1,
  address: "",
  secret: (about) => about,
});
const file = { key: "a", name: "mail.eml", mediaType: "message/rfc822", sizeBytes: 1, sha256: "00" };

type Commands = Record<string, { decide: (state: never, ask: never, context: CommandContext) => unknown }>;
interface Made {
  state?: object;
  reply: { go?: unknown; isHeld?: boolean };
  keepsVersion?: boolean;
}

/** A simulated record, to which a worker sends commands. */
class Thing {
  state: object | undefined;
  private readonly commands: Commands;

  constructor(commands: Commands) {
    this.commands = commands;
  }

  ask(name: string, ask: object, milliseconds = 0): Made {
    const made = this.commands[name]!.decide(this.state as never, ask as never, moment(milliseconds)) as Made;
    this.state = made.state ?? this.state;
    return made;
  }
}

const mail = () => {
  const thing = new Thing(mails);
  thing.ask("receive", { file, isAutomatic: false });
  return thing;
};
const request = () => {
  const thing = new Thing(requests);
  thing.ask("ask", { kind: "Erasure", person: { name: "Petra Sondermann" } });
  return thing;
};

describe.each([
  ["routing a mail", mail, "attempts", "faults", ["routed", { status: "Routed", routed: [] }]],
  ["processing all records", request, "tries", "tries", ["came", { found: { records: 0, files: 0, events: 0 } }]],
] as const)("%s", (_, made, count, broken, [end, outcome]) => {
  const [first, second] = [{ token: "first" }, { token: "second" }];
  const isWork = ({ reply: { go } }: Made) => go !== undefined && go !== "Busy" && go !== "Done";

  test("is done by one worker, as long as it renews its lease", () => {
    const thing = made();
    expect(isWork(thing.ask("begin", first))).toBe(true);
    for (let at = 0; at < 5 * leaseMilliseconds; at += leaseMilliseconds - 1) {
      expect(isWork(thing.ask("begin", second, at))).toBe(false);
      expect(thing.ask("renew", first, at)).toMatchObject({ keepsVersion: true, reply: { isHeld: true } });
    }
    expect(thing.state).toMatchObject({ [count]: 0 });
  });

  test("is taken over after it expires, and the results of the previous holder are ignored", () => {
    const thing = made();
    thing.ask("begin", first);
    expect(isWork(thing.ask("begin", second, leaseMilliseconds))).toBe(true);
    expect(thing.state).toMatchObject({ [count]: 1 });
    expect(thing.ask("renew", first).reply).toEqual({ isHeld: false });
    expect(thing.ask("release", first).state).toBeUndefined();
    expect(thing.ask(end, { ...first, ...outcome }).state).toBeUndefined();
    expect(thing.ask(end, { ...second, ...outcome }).state).toBeDefined();
  });

  test("restarts at once after it was released", () => {
    const thing = made();
    thing.ask("begin", first);
    thing.ask("release", first);
    expect(isWork(thing.ask("begin", second))).toBe(true);
    expect(thing.state).toMatchObject({ [broken]: 1 });
  });
});

const collection = () => {
  const thing = new Thing(collections);
  thing.ask("receive", { file, files: [{ ...file, fileId: "0" }], attaches: false });
  thing.ask("begin", { token: "first" });
  thing.ask("spread", { token: "first", parts: ["0:1-6", "0:7-9"] });
  thing.ask("lookAhead", { token: "second", part: "0:7-9" });
  return thing;
};
const driverDocument = () => {
  const thing = new Thing(driversDocuments);
  thing.ask("receive", { file });
  thing.ask("begin", { token: "first" });
  return thing;
};

describe.each([
  ["a pile", collection],
  ["a driver's document", driverDocument],
])("%s that is deleted while it is extracted", (_, made) => {
  test("is cleaned up until its readers can no longer write", () => {
    const thing = made();
    thing.ask("remove", {}, 5_000);
    const isWritten = (at: number) => thing.ask("remains", {}, at).reply;
    expect(isWritten(leaseMilliseconds + 5_000)).toMatchObject({ isWritten: true });
    expect(isWritten(2 * leaseMilliseconds)).toMatchObject({ isWritten: false });
    expect(thing.ask("renew", { token: "first" }).reply).toEqual({ isHeld: false });
  });
});

test("a mail survives an outage of many attempts, and from the seventh on skips what fails", () => {
  const thing = mail();
  for (let fault = 0; fault < 50; fault++) {
    const begun = thing.ask("begin", { token: `${fault}` });
    expect(begun.reply).toMatchObject({ go: "Route", skipsFaulty: fault >= 7 });
    thing.ask("release", { token: `${fault}` });
  }
  expect(thing.state).toMatchObject({ status: "Received", faults: 50 });
});

/** The product's claim object on a simulated platform, with a new instance for every call. */
class SimulatedClaim extends SimulatedObject<ClaimObject> {
  constructor() {
    super(ClaimObject);
  }

  private evicted(): ClaimObject {
    this.end();
    return this.object();
  }

  protected env(): Env {
    return {} as Env;
  }

  readonly callers = {
    CLAIMS: {
      getByName: () => ({
        take: (claim: Claim) => this.evicted().take(claim),
        renew: (claim: Claim) => this.evicted().renew(claim),
        release: (claim: Claim) => this.releases(claim),
      }),
    },
  } as unknown as Env;

  /** Runs a task under the lock. @returns the holder, which a test can kill by setting `isOver` */
  does(act: (signal: AbortSignal) => Promise<unknown>) {
    const one = { isOver: false };
    void this.running.run(one, () => withLock(this.callers, this.company, "name", act));
    return one;
  }

  /** Releases the claim. Tests may replace this. */
  releases: (claim: Claim) => Promise<void> = (claim) => this.evicted().release(claim);
}

describe("a locked task", () => {
  let life: SimulatedClaim;
  let begun: number;
  const lasting = (milliseconds: number) => async () => {
    begun++;
    await new Promise((passed) => setTimeout(passed, milliseconds));
  };

  beforeEach(() => {
    life = new SimulatedClaim();
    begun = 0;
  });
  afterEach(() => life.close());

  test("runs in one holder at a time, however long it takes, and the lock is free afterwards", async () => {
    life.does(lasting(5 * leaseMilliseconds));
    for (let passed = 0; passed < 5 * leaseMilliseconds; passed += leaseMilliseconds / 2) {
      await life.pass(leaseMilliseconds / 2 - 1);
      life.does(lasting(0));
    }
    expect(begun).toBe(1);
    await life.pass(leaseMilliseconds);
    life.does(lasting(0));
    await life.pass(0);
    expect(begun).toBe(2);
  });

  test("returns its result even if the release of the claim fails", async () => {
    life.releases = () => Promise.reject(new Error("Network connection lost."));
    const outcome = withLock(life.callers, life.company, "name", () => Promise.resolve("Published"));
    await expect(outcome).resolves.toBe("Published");
  });

  test("is aborted when its lease is lost", async () => {
    let signal: AbortSignal | undefined;
    life.does(async (given) => {
      signal = given;
      await lasting(5 * leaseMilliseconds)();
    });
    await life.pass(1000);
    expect(signal?.aborted).toBe(false);
    life.callers.CLAIMS.getByName = () =>
      ({ renew: () => Promise.reject(new Error("Network connection lost.")) }) as never;
    await life.pass(2 * leaseMilliseconds);
    expect(signal?.aborted).toBe(true);
  });

  test("can run in another holder after the lease of a killed holder has expired", async () => {
    const killed = life.does(lasting(5 * leaseMilliseconds));
    await life.pass(1000);
    killed.isOver = true;
    life.does(lasting(0));
    await life.pass(leaseMilliseconds - 2000);
    life.does(lasting(0));
    await life.pass(2000);
    expect(begun).toBe(1);
    life.does(lasting(0));
    await life.pass(0);
    expect(begun).toBe(2);
  });
});
