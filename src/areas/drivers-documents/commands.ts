import { isDeepStrictEqual } from "node:util";
import { refuse, type CommandContext } from "../../platform/decision.ts";
import { lastWriteOf } from "../../platform/lease.ts";
import { commandsOn } from "../../platform/command.ts";
import { isStillWritten, lifeOf, type Received } from "../intake/index.ts";
import {
  factsOf,
  forgetting,
  placeOf,
  reading,
  reminderOf,
  renewing,
  statusAt,
  viewOf,
  type DriverDocument,
  type DriverDocumentEnvelope,
  type events,
  type SaidDocument,
} from "./document.ts";
import { over } from "./validity.ts";

const life = lifeOf({
  work: reading,
  idName: "documentId",
  ended: (state: DriverDocument, previousStatus, { id, at }) => ({
    type: "DriverDocumentProcessed" as const,
    status: statusAt(state, at),
    previousStatus,
    data: viewOf(state, id, at),
  }),
});

const isThere = (now: DriverDocument | undefined): now is DriverDocument => now !== undefined && !now.removed;

export const commands = commandsOn<DriverDocument, typeof events>(
  "DRIVERS_DOCUMENTS",
  "driversDocuments",
)({
  ...life,

  receive: (state: DriverDocument | undefined, ask: Received & { said?: SaidDocument }, context) =>
    state?.removed
      ? refuse("in_progress", "The document is just being removed.", { headers: { "retry-after": "1" } })
      : life.receive(state, ask, context),

  /** The reading has come to its end. What it leaves of a document that was removed meanwhile goes as well. */
  finish(
    state: DriverDocument | undefined,
    ask: { token: string; envelopes: DriverDocumentEnvelope[]; evidence?: string },
    context,
  ) {
    if (state?.removed) return { completedJobs: [reading], jobs: [forgetting], reply: {} };
    const end = life.finish(state, ask, context);
    return end.state && placeOf(end.state) ? { ...end, jobs: [renewing] } : end;
  },

  look: (state: DriverDocument | undefined) => (isThere(state) ? { reply: state } : refuse("not_found")),

  view: (state: DriverDocument | undefined, _: object, { id, at }) =>
    isThere(state) ? { reply: viewOf(state, id, at) } : refuse("not_found"),

  /** Says what is known of it. Another last day is counted down anew; what is said as it was changes no version. */
  say(
    now: DriverDocument | undefined,
    { said, metadata }: { said: SaidDocument; metadata?: DriverDocument["metadata"] },
    context,
  ) {
    const { id, at } = context;
    if (!isThere(now)) return refuse("not_found");
    const kept = metadata ?? now.metadata;
    if (isDeepStrictEqual([said, kept], [now.said ?? {}, now.metadata])) return { reply: viewOf(now, id, at) };
    const { told, ...rest } = now;
    const next: DriverDocument = { ...rest, said, ...(kept && { metadata: kept }), updatedAt: at };
    const isSameDay = factsOf(now).expiresAt === factsOf(next).expiresAt;
    const state = isSameDay && told !== undefined ? { ...next, told } : next;
    return { state, jobs: [renewing], reply: viewOf(state, id, at) };
  },

  /** Nothing of what was known of it stays but whose bytes they were, until those are forgotten too. */
  remove(now: DriverDocument | undefined, _: object, { id, at }) {
    if (!now) return refuse("not_found");
    if (now.removed) return { reply: {} };
    const { file, createdAt, attempts, replaces } = now;
    const leaves = placeOf(now);
    const writtenUntil = lastWriteOf([now.lease]);
    const state: DriverDocument = {
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
      previousStatus: statusAt(now, at),
      data: { documentId: id },
    };
    return { state, events: [deleted], jobs: [forgetting], reply: {} };
  },

  /** Which bytes they were, what it replaced and which place it had, also of one that was removed. */
  remains: (state: DriverDocument | undefined, _: object, { at }) => {
    if (!state) return refuse("not_found");
    const { file, replaces = [], leaves } = state;
    return { reply: { sha256: file.sha256, replaces, leaves, isWritten: isStillWritten(state, at) } };
  },

  forgotten: (now: DriverDocument | undefined) => {
    if (!now) return refuse("not_found");
    const { replaces: _, leaves: __, writtenUntil: ___, ...state } = now;
    return { state, completedJobs: [forgetting, renewing], reply: {} };
  },

  /** It is about to replace another one. */
  outlasts(now: DriverDocument | undefined, { other }: { other: string }) {
    if (!isThere(now)) return refuse("not_found");
    const { replaces = [] } = now;
    return replaces.includes(other) ? { reply: {} } : { state: { ...now, replaces: [...replaces, other] }, reply: {} };
  },

  /** Another document of the same driver and type is valid for longer. */
  replaced(state: DriverDocument | undefined, { by }: { by: string }, { at }) {
    if (!isThere(state) || state.replacedBy === by) return { reply: {} };
    return { state: { ...state, replacedBy: by, updatedAt: at }, reply: {} };
  },

  /** It counts: nobody replaces it. */
  counts(now: DriverDocument | undefined, _: object, { at }) {
    if (!isThere(now) || !now.replacedBy) return { reply: {} };
    const { replacedBy: __, ...state } = now;
    return { state: { ...state, updatedAt: at }, reply: {} };
  },

  renewed: (state: DriverDocument | undefined) =>
    state ? { completedJobs: [renewing], reply: {} } : refuse("not_found"),

  /** What time alone does; the object's alarm asks for it. */
  tick(state: DriverDocument | undefined, _: object, context) {
    const due = state && reminderOf(state, context.at);
    if (!state || !due || due.due > Date.parse(context.at)) return { reply: {} };
    return { ...reminded(state, due.days, context), reply: {} };
  },
});

function reminded(now: DriverDocument, days: number, { id, at }: CommandContext) {
  const state = { ...now, told: days, updatedAt: at };
  const isOver = days === over;
  const happened = {
    type: isOver ? ("DriverDocumentExpired" as const) : ("DriverDocumentExpiring" as const),
    status: statusAt(state, at),
    ...(isOver && { previousStatus: "ExpiringSoon" }),
    data: viewOf(state, id, at),
  };
  return { state, events: [happened] };
}
