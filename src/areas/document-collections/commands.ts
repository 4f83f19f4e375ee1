import { refuse, type CommandContext } from "../../platform/decision.ts";
import { attemptsAfter, isHeld, isHolder, leaseFor, renewLease } from "../../platform/lease.ts";
import { commandsOn } from "../../platform/command.ts";
import { wrongField, type ErrorItem } from "../../platform/problem.ts";
import { extractionCommands, stillProcessing } from "../intake/commands.ts";
import { isPresent, type Envelope } from "../intake/model.ts";
import { removalCommands } from "../intake/removal.ts";
import {
  documentsOf,
  files,
  findingsOf,
  prescanJob,
  viewOf,
  type Bounds,
  type Collection,
  type CollectionFindings,
  type events,
  type PartProgress,
} from "./model.ts";

/**
 * A part that was interrupted this many times is no longer prescanned. Its pages are recognised when the collection is
 * split.
 */
const maxInterruptions = 6;
const { extract: splitJob, remove: removeJob } = files.jobs;

const extraction = extractionCommands(files, (collection: Collection, { id }) => ({
  type: "DocumentCollectionProcessed" as const,
  status: collection.status,
  data: viewOf(collection, id),
}));

/**
 * Records the result of splitting a collection. A result without findings, from a failed split, keeps the earlier
 * findings.
 */
const finish = (
  state: Collection | undefined,
  { findings, ...result }: { token: string; envelopes: Envelope[]; findings?: CollectionFindings },
  context: CommandContext,
) => extraction.finish(state && findings ? { ...state, findings } : state, result, context);

export const commands = commandsOn<Collection, typeof events>(
  "DOCUMENT_COLLECTIONS",
  "documentCollections",
)({
  ...extraction,

  ...removalCommands({ ...extraction, finish }, files, {
    event: "DocumentCollectionDeleted",
    leases: ({ lease, ahead = {} }) => [lease, ...Object.values(ahead).map((part) => part.lease)],
  }),

  /**
   * Takes the lease to split the collection. `Busy`: parts are still being prescanned, or another worker holds the
   * lease.
   */
  begin: (state: Collection | undefined, input: { token: string }, context: CommandContext) =>
    Object.keys(state?.ahead ?? {}).length > 0
      ? { reply: { go: "Busy" as const } }
      : extraction.begin(state, input, context),

  /** Replaces the job that splits the collection by jobs that prescan its parts. Possible once per collection. */
  spread: (state: Collection | undefined, { token, parts }: { token: string; parts: string[] }) => {
    if (state?.status !== "Processing" || state.ahead || !isHolder(state.lease, token)) return { reply: {} };
    const { lease: _lease, ...rest } = state;
    const ahead = Object.fromEntries(parts.map((part): [string, PartProgress] => [part, { begun: 0 }]));
    const next: Collection = { ...rest, ahead };
    // Only office documents, which have no parts: the next worker splits the collection without a prescan.
    if (parts.length === 0) return { state: next, jobs: [splitJob], reply: {} };
    return { state: next, completedJobs: [splitJob], jobs: parts.map(jobOf), reply: {} };
  },

  /**
   * Takes the lease of a part. `Done`: the part is already prescanned, or was interrupted too often. `Busy`: another
   * worker holds the lease.
   */
  lookAhead: (state: Collection | undefined, { token, part }: HeldPart, { at }: CommandContext) => {
    const progress = state?.ahead?.[part];
    if (!state || !progress) return { completedJobs: [jobOf(part)], reply: { go: "Done" as const } };
    if (isHeld(progress.lease, at)) return { reply: { go: "Busy" as const } };
    const begun = attemptsAfter(progress.lease, progress.begun);
    if (begun >= maxInterruptions) return { ...withoutPart(state, part), reply: { go: "Done" as const } };
    return {
      state: withPart(state, part, { begun, lease: leaseFor(token, at) }),
      reply: { go: "Read" as const, record: state },
    };
  },

  renewPart: (state: Collection | undefined, { token, part }: HeldPart, context: CommandContext) => {
    const { state: progress, ...more } = renewLease(state?.ahead?.[part], { token }, context);
    return state && progress ? { ...more, state: withPart(state, part, progress) } : { reply: more.reply };
  },

  lookedAhead: (state: Collection | undefined, { token, part }: HeldPart) => {
    if (state?.removed) return { completedJobs: [jobOf(part)], jobs: [removeJob], reply: {} };
    const progress = state?.ahead?.[part];
    if (!state || !progress) return { completedJobs: [jobOf(part)], reply: {} };
    return isHolder(progress.lease, token) ? { ...withoutPart(state, part), reply: {} } : { reply: {} };
  },

  letGo: (state: Collection | undefined, { token, part }: HeldPart) => {
    const progress = state?.ahead?.[part];
    if (!state || !progress || !isHolder(progress.lease, token)) return { reply: {} };
    return { state: withPart(state, part, { begun: progress.begun + 1 }), reply: {} };
  },

  /** Sets the page ranges of all documents and splits the collection again. The same ranges change nothing. */
  bound: (state: Collection | undefined, { bounds }: { bounds: Bounds }, { at }: CommandContext) => {
    if (!isPresent(state)) return refuse("not_found");
    if (state.status === "Processing") return refuse("invalid_state", ...stillProcessing);
    const before = documentsOf(state).map(({ fileId, pageFrom, pageTo, type }) => ({ fileId, pageFrom, pageTo, type }));
    if (JSON.stringify(state.bounds) === JSON.stringify(bounds)) return { reply: { before } };
    const findings = findingsOf(state);
    const wrong = firstError(bounds, findings?.pages ?? {});
    if (wrong) return refuse("validation_failed", undefined, { errors: [wrong] });
    const restarted = { bounds, status: "Processing" as const, attempts: 0, faults: 0, updatedAt: at };
    const next: Collection = { ...state, ...(findings && { findings }), ...restarted };
    return { state: next, jobs: [splitJob], reply: { before } };
  },

  document: (state: Collection | undefined, { documentId }: { documentId: string }) => {
    const document = state && documentsOf(state).find((one) => one.documentId === documentId);
    return document ? { reply: document } : refuse("not_found");
  },
});

interface HeldPart {
  token: string;
  part: string;
}

const jobOf = (part: string) => `${prescanJob}/${part}`;

const withPart = (state: Collection, part: string, progress: PartProgress): Collection => ({
  ...state,
  ahead: { ...state.ahead, [part]: progress },
});

/** After the last part, the collection is split. */
function withoutPart(state: Collection, part: string): { state: Collection; completedJobs: string[]; jobs: string[] } {
  const { [part]: _, ...ahead } = state.ahead ?? {};
  const jobs = Object.keys(ahead).length === 0 ? [splitJob] : [];
  return { state: { ...state, ahead }, completedJobs: [jobOf(part)], jobs };
}

function firstError(bounds: Bounds, pages: Record<string, number>): ErrorItem | undefined {
  const assigned = new Set<string>();
  for (const { fileId, pageFrom, pageTo } of bounds) {
    const count = Object.hasOwn(pages, fileId) ? pages[fileId]! : 0;
    const wrong = (code: "not_found" | "invalid", detail: string) =>
      wrongField(["corrections", 0, "value"], code, detail);
    const invalid = (detail: string) => wrong("invalid", detail);
    if (count === 0) return wrong("not_found", `The collection has no readable file ${fileId}.`);
    if (pageFrom > pageTo) return invalid(`pageFrom ${pageFrom} is greater than pageTo ${pageTo}.`);
    if (pageTo > count) return invalid(`The file ${fileId} has no page ${pageTo}. Its last page is ${count}.`);
    for (let page = pageFrom; page <= pageTo; page++) {
      if (assigned.has(`${fileId}/${page}`))
        return invalid(`Page ${page} of the file ${fileId} is in two documents. Page ranges must not overlap.`);
      assigned.add(`${fileId}/${page}`);
    }
  }
  return undefined;
}
