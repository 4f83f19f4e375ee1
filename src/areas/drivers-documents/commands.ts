import { isDeepStrictEqual } from "node:util";
import { refuse, type CommandContext } from "../../platform/decision.ts";
import { lastWriteOf } from "../../platform/lease.ts";
import { commandsOn } from "../../platform/command.ts";
import { extractionCommands } from "../intake/commands.ts";
import { isPresent, type ReceivedFile } from "../intake/model.ts";
import { mayStillWrite } from "../intake/removal.ts";
import {
  factsOf,
  files,
  reminderOf,
  renewJob,
  slotOf,
  statusAt,
  viewOf,
  type DriverDocument,
  type DriverDocumentEnvelope,
  type events,
  type StatedFacts,
} from "./model.ts";
import { expired } from "./expiry.ts";

const { extract: extractJob, remove: removeJob } = files.jobs;

const extraction = extractionCommands(files, (document: DriverDocument, { id, at }) => ({
  type: "DriverDocumentProcessed" as const,
  status: statusAt(document, at),
  data: viewOf(document, id, at),
}));

export const commands = commandsOn<DriverDocument, typeof events>(
  "DRIVERS_DOCUMENTS",
  "driversDocuments",
)({
  ...extraction,

  receive: (state: DriverDocument | undefined, input: ReceivedFile & { said?: StatedFacts }, context) =>
    state?.removed
      ? refuse("in_progress", "The document is being deleted. Send the file again in a second.", {
          headers: { "retry-after": "1" },
        })
      : extraction.receive(state, input, context),

  /** If the document was deleted in the meantime, requests the deletion of the files that the extraction wrote. */
  finish(
    state: DriverDocument | undefined,
    input: { token: string; envelopes: DriverDocumentEnvelope[]; evidence?: string },
    context,
  ) {
    if (state?.removed) return { completedJobs: [extractJob], jobs: [removeJob], reply: {} };
    const finished = extraction.finish(state, input, context);
    return finished.state && slotOf(finished.state) ? { ...finished, jobs: [renewJob] } : finished;
  },

  view: (state: DriverDocument | undefined, _: object, { id, at }) =>
    isPresent(state) ? { reply: viewOf(state, id, at) } : refuse("not_found"),

  /**
   * Replaces the data that the caller has set. A new expiry date restarts the reminders. Identical data changes
   * nothing.
   */
  say(
    state: DriverDocument | undefined,
    { said, metadata }: { said: StatedFacts; metadata?: DriverDocument["metadata"] },
    context,
  ) {
    const { id, at } = context;
    if (!isPresent(state)) return refuse("not_found");
    const kept = metadata ?? state.metadata;
    if (isDeepStrictEqual([said, kept], [state.said ?? {}, state.metadata])) return { reply: viewOf(state, id, at) };
    const { told, ...rest } = state;
    const changed: DriverDocument = { ...rest, said, ...(kept && { metadata: kept }), updatedAt: at };
    const isSameDate = factsOf(state).expiresAt === factsOf(changed).expiresAt;
    const next = isSameDate && told !== undefined ? { ...changed, told } : changed;
    return { state: next, jobs: [renewJob], reply: viewOf(next, id, at) };
  },

  /** Replaces the document by a tombstone and requests the job that deletes its file. Idempotent. */
  remove(state: DriverDocument | undefined, _: object, { id, at }) {
    if (!state) return refuse("not_found");
    if (state.removed) return { reply: {} };
    const { file, createdAt, attempts, replaces } = state;
    const leaves = slotOf(state);
    const writtenUntil = lastWriteOf([state.lease]);
    const tombstone: DriverDocument = {
      status: "Failed",
      file: { ...file, name: "" },
      envelopes: [],
      attempts,
      createdAt,
      updatedAt: at,
      removed: true,
      ...(replaces && { replaces }),
      ...(leaves && { leaves }),
      ...(writtenUntil && { writtenUntil }),
    };
    const deleted = {
      type: "DriverDocumentDeleted" as const,
      status: "Deleted",
      previousStatus: statusAt(state, at),
      data: { documentId: id },
    };
    return { state: tombstone, events: [deleted], jobs: [removeJob], reply: {} };
  },

  /**
   * Returns what is needed to delete a document. `isWritten`: whether an interrupted extraction may still write files.
   */
  remains: (state: DriverDocument | undefined, _: object, { at }) => {
    if (!state) return refuse("not_found");
    const { file, replaces = [], leaves } = state;
    return { reply: { sha256: file.sha256, replaces, leaves, isWritten: mayStillWrite(state, at) } };
  },

  /** Records that the file of a deleted document is deleted and its claims are released. */
  forgotten: (state: DriverDocument | undefined) => {
    if (!state) return refuse("not_found");
    const { replaces: _, leaves: __, writtenUntil: ___, ...rest } = state;
    return { state: rest, completedJobs: [removeJob, renewJob], reply: {} };
  },

  /** Records that this document is about to replace another one. */
  outlasts(state: DriverDocument | undefined, { other }: { other: string }) {
    if (!isPresent(state)) return refuse("not_found");
    const { replaces = [] } = state;
    if (replaces.includes(other)) return { reply: {} };
    return { state: { ...state, replaces: [...replaces, other] }, reply: {} };
  },

  /** Records that another document of the same driver and type, with a later expiry date, replaces this one. */
  replaced(state: DriverDocument | undefined, { by }: { by: string }, { at }) {
    if (!isPresent(state) || state.replacedBy === by) return { reply: {} };
    return { state: { ...state, replacedBy: by, updatedAt: at }, reply: {} };
  },

  /** Records that no other document replaces this one any more. */
  counts(state: DriverDocument | undefined, _: object, { at }) {
    if (!isPresent(state) || !state.replacedBy) return { reply: {} };
    const { replacedBy: __, ...rest } = state;
    return { state: { ...rest, updatedAt: at }, reply: {} };
  },

  renewed: (state: DriverDocument | undefined) =>
    state ? { completedJobs: [renewJob], reply: {} } : refuse("not_found"),

  /** Sends the due reminder. Called by the alarm of the aggregate. */
  tick(state: DriverDocument | undefined, _: object, context) {
    const due = state && reminderOf(state, context.at);
    if (!state || !due || due.due > Date.parse(context.at)) return { reply: {} };
    return { ...remind(state, due.days, context), reply: {} };
  },
});

function remind(state: DriverDocument, days: number, { id, at }: CommandContext) {
  const next = { ...state, told: days, updatedAt: at };
  const isExpired = days === expired;
  const event = {
    type: isExpired ? ("DriverDocumentExpired" as const) : ("DriverDocumentExpiring" as const),
    status: statusAt(next, at),
    ...(isExpired && { previousStatus: "ExpiringSoon" }),
    data: viewOf(next, id, at),
  };
  return { state: next, events: [event] };
}
