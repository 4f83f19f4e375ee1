import { describe, expect, test } from "vitest";
import type { Collection, CollectionFindings } from "../src/areas/document-collections/collection.ts";
import { documentsOf, steps } from "../src/areas/document-collections/index.ts";
import type { Change, Decision, Moment } from "../src/kit/decision.ts";

const moment: Moment = {
  at: "2026-11-20T09:00:00.000Z",
  company: "0193a5f1-3b7a-7c10-8e55-6d2f9b0a4c31",
  id: "0193a5f2-7c1e-7a44-9d2b-5f0c3e1a8b77",
  version: 1,
  life: "first",
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

/** What came of a decision that was not refused. */
function made<Reply>(decision: Decision<Collection, unknown, Reply>): Change<Collection, unknown, Reply> {
  if ("refused" in decision) throw new Error(decision.refused);
  return decision;
}

const received = () =>
  made(steps.receive.decide(undefined, { file, files: [file], attaches: true }, moment)).state as Collection;
const begun = () => made(steps.begin.decide(received(), {}, moment)).state as Collection;

describe("a pile of which more is to be looked at than one should", () => {
  test("is looked at in parts, and then taken apart", () => {
    const spread = made(steps.spread.decide(begun(), { parts: ["0:1-5", "0:6-7"] }, moment));
    expect(spread).toMatchObject({
      done: ["documentCollections.split"],
      work: ["documentCollections.look/0:1-5", "documentCollections.look/0:6-7"],
    });
    const first = made(steps.lookedAhead.decide(spread.state, { part: "0:1-5" }, moment));
    expect(first.work).toEqual([]);
    const last = made(steps.lookedAhead.decide(first.state, { part: "0:6-7" }, moment));
    expect(last.work).toEqual(["documentCollections.split"]);
  });

  test("and that has no parts is taken apart by whoever comes next", () => {
    const spread = made(steps.spread.decide(begun(), { parts: [] }, moment));
    expect(spread).toMatchObject({ work: ["documentCollections.split"], state: { attempts: 0 } });
    expect(spread.done).toBeUndefined();
    expect(made(steps.begin.decide(spread.state, {}, moment)).reply).toMatchObject({ go: "Read" });
  });
});

test("what an earlier release found stays when the pile cannot be taken apart anew", () => {
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
  const earlier: Collection = { ...begun(), status: "Succeeded", envelopes };
  expect(documentsOf(earlier)).toEqual(findings.documents);
  const bounds = [{ fileId: "f", pageFrom: 1, pageTo: 1 }];
  const bound = made(steps.bound.decide(earlier, { bounds }, moment)).state as Collection;
  const failed = { sequenceId: 0, status: "Failed" as const, errorCode: "engine_unavailable" };
  const ended = made(steps.finish.decide(bound, { envelopes: [failed] }, moment)).state as Collection;
  expect(ended.status).toBe("Failed");
  expect(documentsOf(ended)).toEqual(findings.documents);
});
