import fc from "fast-check";
import { expect, test } from "vitest";
import {
  sourceChanged,
  publishAt,
  removeEverywhere,
  recordCall,
  publicationJobs,
  pendingPublications,
  type Publication,
} from "../../../src/areas/freights/publications/model.ts";

type Told = Parameters<typeof recordCall>[3];

const sources = fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { maxLength: 4 });
const told: fc.Arbitrary<Told> = fc.oneof(
  fc.constant<Told>("NotConfigured"),
  fc.record({ url: fc.constant("https://exchange.beispiel.de/f") }, { requiredKeys: [] }),
  fc.record({ error: fc.constant("The source answered 500."), final: fc.boolean() }),
);
const step = fc.oneof(
  fc.record({ does: fc.constant("show" as const), sources }),
  fc.record({ does: fc.constant("remove" as const) }),
  fc.record({ does: fc.constant("tell" as const), nth: fc.nat(3), told }),
  fc.record({ does: fc.constant("late" as const), source: fc.integer({ min: 1, max: 4 }), told }),
  fc.record({ does: fc.constant("follow" as const), source: fc.integer({ min: 2, max: 4 }), isThere: fc.boolean() }),
);

const moment = (version: number) => ({ version, id: "f", address: "https://lorry.beispiel.de" });

/**
 * Applies the steps. Returns the freight's publications and sources, all calls, and the sources that were not
 * configured.
 */
function played(steps: (typeof step extends fc.Arbitrary<infer Step> ? Step : never)[]) {
  let publications: Publication[] = [];
  let shown: number[] = [];
  const calls: { source: number; wanted: string; version: number; told: Told }[] = [];
  /** Sources that were not configured at some step. */
  const gone = new Set<number>();
  for (const [at, one] of steps.entries()) {
    const version = at + 1;
    if (one.does === "show") publications = publishAt(publications, (shown = one.sources), moment(version));
    if (one.does === "remove") [publications, shown] = [removeEverywhere(publications, version), []];
    if (one.does === "tell") {
      const next = pendingPublications(publications)[one.nth];
      if (!next) continue;
      calls.push({ source: next.source, wanted: next.wanted, version: next.version, told: one.told });
      publications = recordCall(publications, next.source, next.version, one.told)!;
      if (one.told === "NotConfigured") gone.add(next.source);
    }
    if (one.does === "late") publications = recordCall(publications, one.source, -1, one.told) ?? publications;
    if (one.does === "follow")
      publications = sourceChanged(publications, one.source, one.isThere, version) ?? publications;
    if (one.does === "follow" && !one.isThere) gone.add(one.source);
  }
  return { publications, shown, calls, gone };
}

test("after any changes each source is listed once, and is wanted if and only if the freight names it", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const { publications, shown } = played(steps);
      const wanted = publications.filter((one) => one.wanted !== "Remove").map(({ source }) => source);
      expect(wanted).toEqual(shown);
      expect(new Set(publications.map(({ source }) => source)).size).toBe(publications.length);
      expect(publicationJobs(publications).length > 0).toBe(publications.some(({ status }) => status === "Pending"));
    }),
  );
});

test("versions sent to a source never decrease", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const { calls } = played(steps);
      for (const source of [1, 2, 3, 4]) {
        const heard = calls.filter((call) => call.source === source).map(({ version }) => version);
        expect(heard).toEqual(heard.toSorted((a, b) => a - b));
      }
    }),
  );
});

test("the board is never called, and shows exactly the freights that are published there", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const { publications, shown, calls } = played(steps);
      expect(calls.filter(({ source }) => source === 1)).toEqual([]);
      const onBoard = publications.find(({ source }) => source === 1);
      expect(onBoard?.status === "Published").toBe(shown.includes(1));
    }),
  );
});

test("a source that received a freight is called until it confirms the removal, unless the source is deleted", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const { publications, calls, gone } = played([...steps, { does: "remove" }]);
      const good = calls.filter((call) => typeof call.told === "object" && !("error" in call.told));
      const knowing = publications.filter(({ source }) => {
        if (gone.has(source)) return false;
        const last = good.findLast((call) => call.source === source);
        return last !== undefined && last.wanted !== "Remove";
      });
      expect(knowing.filter(({ status }) => status === "Removed")).toEqual([]);
    }),
  );
});

test("calls for one version end after 20 failures; a final error ends them at once, except for a removal", () => {
  const failing: Told = { error: "The source answered 500.", final: false };
  const refusing: Told = { error: "The source answered 401.", final: true };
  const callsOf = (first: Publication[], answer: Told) => {
    let now = first;
    let calls = 0;
    for (; pendingPublications(now).length > 0; calls++) now = recordCall(now, 2, now[0]!.version, answer)!;
    return { calls, status: now[0]!.status, error: now[0]!.error };
  };
  const shown = publishAt([], [2], moment(1));
  expect(callsOf(shown, failing)).toEqual({ calls: 20, status: "Failed", error: "The source answered 500." });
  expect(callsOf(shown, refusing)).toEqual({ calls: 1, status: "Failed", error: "The source answered 401." });
  expect(callsOf(removeEverywhere(shown, 2), refusing)).toMatchObject({ calls: 20, status: "Failed" });
});
