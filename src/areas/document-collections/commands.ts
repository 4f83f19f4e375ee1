import { refuse, type CommandContext } from "../../platform/decision.ts";
import { attemptsAfter, isHeld, isHolder, leaseFor, renewStep } from "../../platform/lease.ts";
import { commandsOn } from "../../platform/command.ts";
import { wrongField, type ErrorItem } from "../../platform/problem.ts";
import { isThere, lifeOf, removalOf, stillRead, type Envelope } from "../intake/index.ts";
import {
  documentsOf,
  findingsOf,
  folder,
  looking,
  removing,
  splitting,
  viewOf,
  type Ahead,
  type Collection,
  type CollectionFindings,
  type events,
} from "./collection.ts";
import type { Bounds } from "./shapes.ts";

/** A part that broke off this often is left to whoever takes the pile apart. */
const mostBegun = 6;

const life = lifeOf({
  work: splitting,
  idName: "collectionId",
  ended: (state: Collection, previousStatus, { id }) => ({
    type: "DocumentCollectionProcessed" as const,
    status: state.status,
    previousStatus,
    data: viewOf(state, id),
  }),
});

/** It was taken apart, or could not be. One that could not be taken apart anew keeps what was found before. */
const finish = (
  state: Collection | undefined,
  { findings, ...end }: { token: string; envelopes: Envelope[]; findings?: CollectionFindings },
  context: CommandContext,
) => life.finish(state && findings ? { ...state, findings } : state, end, context);

export const commands = commandsOn<Collection, typeof events>(
  "DOCUMENT_COLLECTIONS",
  "documentCollections",
)({
  ...life,

  ...removalOf(
    { ...life, finish },
    {
      job: removing,
      reading: splitting,
      folder,
      leases: ({ lease, ahead = {} }) => [lease, ...Object.values(ahead).map((part) => part.lease)],
      deleted: (collectionId, previousStatus) => ({
        type: "DocumentCollectionDeleted" as const,
        status: "Deleted",
        previousStatus,
        data: { collectionId },
      }),
    },
  ),

  /** Nobody takes it apart while parts of it are still looked at. */
  begin: (state: Collection | undefined, ask: { token: string }, context: CommandContext) =>
    Object.keys(state?.ahead ?? {}).length > 0 ? { reply: { go: "Busy" as const } } : life.begin(state, ask, context),

  /** There is more to be looked at than one should: each part is looked at by itself, and then it is taken apart. Once. */
  spread: (now: Collection | undefined, { token, parts }: { token: string; parts: string[] }) => {
    if (now?.status !== "Processing" || now.ahead || !isHolder(now.lease, token)) return { reply: {} };
    const { lease: _lease, ...rest } = now;
    const ahead = Object.fromEntries(parts.map((part): [string, Ahead] => [part, { begun: 0 }]));
    const state: Collection = { ...rest, ahead };
    // Office documents have no parts: whoever comes next looks at all of them.
    if (parts.length === 0) return { state, jobs: [splitting], reply: {} };
    return { state, completedJobs: [splitting], jobs: parts.map(workOf), reply: {} };
  },

  /** Someone sets about looking at a part. A no is normal: it was looked at, or someone is at it. */
  lookAhead: (state: Collection | undefined, { token, part }: HeldPart, { at }: CommandContext) => {
    const known = state?.ahead?.[part];
    if (!state || !known) return { completedJobs: [workOf(part)], reply: { go: "Done" as const } };
    if (isHeld(known.lease, at)) return { reply: { go: "Busy" as const } };
    const begun = attemptsAfter(known.lease, known.begun);
    if (begun >= mostBegun) return { ...looked(state, part), reply: { go: "Done" as const } };
    return {
      state: withPart(state, part, { begun, lease: leaseFor(token, at) }),
      reply: { go: "Read" as const, record: state },
    };
  },

  renewPart: (now: Collection | undefined, { token, part }: HeldPart, context: CommandContext) => {
    const { state, ...more } = renewStep(now?.ahead?.[part], { token }, context);
    return now && state ? { ...more, state: withPart(now, part, state) } : { reply: more.reply };
  },

  /** A part was looked at. */
  lookedAhead: (state: Collection | undefined, { token, part }: HeldPart) => {
    if (state?.removed) return { completedJobs: [workOf(part)], jobs: [removing], reply: {} };
    const known = state?.ahead?.[part];
    if (!state || !known) return { completedJobs: [workOf(part)], reply: {} };
    return isHolder(known.lease, token) ? { ...looked(state, part), reply: {} } : { reply: {} };
  },

  /** Looking at a part broke off and may be tried again. */
  letGo: (state: Collection | undefined, { token, part }: HeldPart) => {
    const known = state?.ahead?.[part];
    if (!state || !known || !isHolder(known.lease, token)) return { reply: {} };
    return { state: withPart(state, part, { begun: known.begun + 1 }), reply: {} };
  },

  /** Somebody says where its documents begin and end: it is taken apart anew. The same again changes nothing. */
  bound: (now: Collection | undefined, { bounds }: { bounds: Bounds }, { at }: CommandContext) => {
    if (!isThere(now)) return refuse("not_found");
    if (now.status === "Processing") return refuse("invalid_state", ...stillRead);
    const before = documentsOf(now).map(({ fileId, pageFrom, pageTo, type }) => ({ fileId, pageFrom, pageTo, type }));
    if (JSON.stringify(now.bounds) === JSON.stringify(bounds)) return { reply: { before } };
    const findings = findingsOf(now);
    const wrong = wrongIn(bounds, findings?.pages ?? {});
    if (wrong) return refuse("validation_failed", undefined, { errors: [wrong] });
    const anew = { bounds, status: "Processing" as const, attempts: 0, faults: 0, updatedAt: at };
    const state: Collection = { ...now, ...(findings && { findings }), ...anew };
    return { state, jobs: [splitting], reply: { before } };
  },

  /** A document of the pile. */
  document: (state: Collection | undefined, { documentId }: { documentId: string }) => {
    const found = state && documentsOf(state).find((document) => document.documentId === documentId);
    return found ? { reply: found } : refuse("not_found");
  },
});

/** A part, and the token of whoever looks at it. */
interface HeldPart {
  token: string;
  part: string;
}

const workOf = (part: string) => `${looking}/${part}`;

const withPart = (now: Collection, part: string, how: Ahead): Collection => ({
  ...now,
  ahead: { ...now.ahead, [part]: how },
});

/** Once all parts were looked at it is taken apart. */
function looked(now: Collection, part: string): { state: Collection; completedJobs: string[]; jobs: string[] } {
  const { [part]: _, ...ahead } = now.ahead ?? {};
  const jobs = Object.keys(ahead).length === 0 ? [splitting] : [];
  return { state: { ...now, ahead }, completedJobs: [workOf(part)], jobs };
}

/** Pages that are not there, or lie in two documents. */
function wrongIn(bounds: Bounds, pages: Record<string, number>): ErrorItem | undefined {
  const taken = new Set<string>();
  for (const { fileId, pageFrom, pageTo } of bounds) {
    const count = pages[fileId] ?? 0;
    if (count === 0)
      return wrongField(["corrections"], "not_found", `The pile has no file ${fileId} that can be opened.`);
    if (pageFrom > pageTo || pageTo > count)
      return wrongField(["corrections"], "invalid", `The file has pages 1 to ${count}, not ${pageFrom} to ${pageTo}.`);
    for (let page = pageFrom; page <= pageTo; page++) {
      if (taken.has(`${fileId}/${page}`))
        return wrongField(["corrections"], "invalid", `Page ${page} lies in two documents.`);
      taken.add(`${fileId}/${page}`);
    }
  }
  return undefined;
}
