import { describe, expect, test } from "vitest";
import type { Collection, CollectionFindings } from "../../../src/areas/document-collections/model.ts";
import { documentsOf } from "../../../src/areas/document-collections/model.ts";
import { commands } from "../../../src/areas/document-collections/commands.ts";
import type { Decision, DecisionOrRefusal, CommandContext } from "../../../src/platform/decision.ts";
import { leaseMilliseconds } from "../../../src/platform/lease.ts";

const moment: CommandContext = {
  at: "2026-11-20T09:00:00.000Z",
  company: "0193a5f1-3b7a-7c10-8e55-6d2f9b0a4c31",
  id: "0193a5f2-7c1e-7a44-9d2b-5f0c3e1a8b77",
  version: 1,
  address: "https://lorry.beispiel.de",
  secret: (about) => about,
};
const file = {
  key: "a",
  name: "a.docx",
  mediaType: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  sizeBytes: 1,
  sha256: "00",
  fileId: "f",
};

/** Returns the decision. Throws if it is a refusal. */
function made<Reply>(decision: DecisionOrRefusal<Collection, unknown, Reply>): Decision<Collection, unknown, Reply> {
  if ("refused" in decision) throw new Error(decision.refused);
  return decision;
}

const received = () =>
  made(commands.receive.decide(undefined, { file, files: [file], attaches: true }, moment)).state as Collection;
const token = "first";
const begun = () => made(commands.begin.decide(received(), { token }, moment)).state as Collection;

describe("a collection with too many pages for one worker", () => {
  test("is prescanned in parts, and then split", () => {
    const spread = made(commands.spread.decide(begun(), { token, parts: ["0:1-5", "0:6-7"] }, moment));
    expect(spread).toMatchObject({
      completedJobs: ["documentCollections.split"],
      jobs: ["documentCollections.look/0:1-5", "documentCollections.look/0:6-7"],
    });
    const lookedAt = (pile: Collection | undefined, part: string) => {
      const held = made(commands.lookAhead.decide(pile, { token, part }, moment));
      return made(commands.lookedAhead.decide(held.state, { token, part }, moment));
    };
    const first = lookedAt(spread.state, "0:1-5");
    expect(first.jobs).toEqual([]);
    expect(lookedAt(first.state, "0:6-7").jobs).toEqual(["documentCollections.split"]);
  });

  test("has each part prescanned by one worker at a time, until its lease expires", () => {
    const part = "0:1-5";
    const at = (milliseconds: number) => ({
      ...moment,
      at: new Date(Date.parse(moment.at) + milliseconds).toISOString(),
    });
    const spread = made(commands.spread.decide(begun(), { token, parts: [part, "0:6-7"] }, moment)).state;
    const held = made(commands.lookAhead.decide(spread, { token, part }, moment)).state;
    const another = (pile: Collection | undefined, milliseconds: number) =>
      made(commands.lookAhead.decide(pile, { token: "second", part }, at(milliseconds)));
    expect(another(held, leaseMilliseconds - 1).reply).toEqual({ go: "Busy" });
    const renewed = made(commands.renewPart.decide(held, { token, part }, at(leaseMilliseconds - 1)));
    expect(renewed).toMatchObject({ keepsVersion: true, reply: { isHeld: true } });
    expect(another(renewed.state, leaseMilliseconds + 1).reply).toEqual({ go: "Busy" });
    const taken = another(renewed.state, 2 * leaseMilliseconds);
    expect(taken).toMatchObject({ reply: { go: "Read" }, state: { ahead: { [part]: { begun: 1 } } } });
    for (const late of [commands.renewPart, commands.lookedAhead, commands.letGo])
      expect(made<unknown>(late.decide(taken.state, { token, part }, moment)).state).toBeUndefined();
  });

  test("without parts is split by the next worker", () => {
    const spread = made(commands.spread.decide(begun(), { token, parts: [] }, moment));
    expect(spread).toMatchObject({ jobs: ["documentCollections.split"], state: { attempts: 0 } });
    expect(spread.completedJobs).toBeUndefined();
    expect(made(commands.begin.decide(spread.state, { token }, moment)).reply).toMatchObject({ go: "Read" });
  });
});

test("the findings of an earlier release stay when the collection cannot be split again", () => {
  const findings: CollectionFindings = {
    pages: { f: 2 },
    documents: [
      {
        documentId: "d",
        type: "Other",
        confidence: 1,
        status: "Succeeded",
        fileId: "f",
        pageFrom: 1,
        pageTo: 2,
        isRead: false,
        file,
        items: [],
      },
    ],
  };
  const envelopes = [{ sequenceId: 0, status: "Succeeded" as const, data: findings }];
  const earlier: Collection = { ...received(), status: "Succeeded", envelopes };
  expect(documentsOf(earlier)).toEqual(findings.documents);
  const bounds = [{ fileId: "f", pageFrom: 1, pageTo: 1 }];
  const bound = made(commands.bound.decide(earlier, { bounds }, moment)).state as Collection;
  const failed = { sequenceId: 0, status: "Failed" as const, errorCode: "engine_unavailable" };
  const again = made(commands.begin.decide(bound, { token }, moment)).state;
  const ended = made(commands.finish.decide(again, { token, envelopes: [failed] }, moment)).state as Collection;
  expect(ended.status).toBe("Failed");
  expect(documentsOf(ended)).toEqual(findings.documents);
});
