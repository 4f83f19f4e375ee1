import { refuse, type CommandContext } from "../../platform/decision.ts";
import { attemptsAfter, isHeld, isHolder, leaseFor, renewStep } from "../../platform/lease.ts";
import { commandsOn } from "../../platform/command.ts";
import type { Person } from "../../domain/person.ts";
import type { events } from "./data-map.ts";
import { firstPosition } from "./data-map.ts";
import {
  type PrivacyRequest,
  type Progress,
  expireJob,
  exportFolder,
  exportMilliseconds,
  longRestMilliseconds,
  quickRounds,
  restMilliseconds,
  runJob,
  viewOf,
} from "./model.ts";
/** One from an earlier release, which went through everything in one go: unless that is done it begins anew. */
function migrated(state: PrivacyRequest, { company, id }: CommandContext): PrivacyRequest {
  const isGathered = state.kind === "Export" && state.status === "Done";
  const parts = isGathered ? [`${exportFolder(company, id)}export.json`] : [];
  const unknown = { rounds: 0, place: firstPosition, inRound: 0, tries: 0, parts };
  return { ...unknown, ...state };
}

const later = (at: string, milliseconds: number) => new Date(Date.parse(at) + milliseconds).toISOString();

export const commands = commandsOn<PrivacyRequest, typeof events>(
  "PRIVACY",
  "privacy",
)({
  ask: (now: PrivacyRequest | undefined, input: Pick<PrivacyRequest, "kind"> & { person: Person }, { at, id }) => {
    if (now) return { reply: viewOf(now, id) };
    const state: PrivacyRequest = {
      ...input,
      status: "Running",
      records: 0,
      files: 0,
      events: 0,
      rounds: 0,
      place: firstPosition,
      inRound: 0,
      tries: 0,
      parts: [],
      createdAt: at,
      updatedAt: at,
    };
    const reply = viewOf(state, id);
    // It erases round by round, but gathers once.
    if (input.kind === "Export") return { state: { ...state, resumesAt: later(at, restMilliseconds) }, reply };
    return { state, jobs: [runJob], reply };
  },

  look: (state: PrivacyRequest | undefined, _: object, context) =>
    state ? { reply: migrated(state, context) } : refuse("not_found"),

  /** Somebody sets out from where the round has come to. */
  begin: (kept: PrivacyRequest | undefined, { token }: { token: string }, context) => {
    if (!kept) return refuse("not_found");
    const now = migrated(kept, context);
    if (now.status !== "Running" || now.resumesAt !== undefined) return { completedJobs: [runJob], reply: {} };
    if (isHeld(now.lease, context.at)) return { reply: {} };
    const state = { ...now, tries: attemptsAfter(now.lease, now.tries), lease: leaseFor(token, context.at) };
    return { state, reply: { go: state } };
  },

  renew: renewStep<PrivacyRequest>,

  /** The stretch broke off. */
  release: (state: PrivacyRequest | undefined, { token }: { token: string }) => {
    if (!state || !isHolder(state.lease, token)) return { reply: {} };
    const { lease: _, ...rest } = state;
    return { state: { ...rest, tries: state.tries + 1 }, reply: {} };
  },

  /** So much further it has come. */
  came: (
    now: PrivacyRequest | undefined,
    { token, to, found, isLeft, part, settles = 0 }: Progress & { token: string },
    { at },
  ) => {
    if (now?.status !== "Running" || !isHolder(now.lease, token)) return { reply: {} };
    const { records, files, events: eventCount } = found;
    const { lease: _, ...rest } = now;
    const state: PrivacyRequest = {
      ...rest,
      records: now.records + records,
      files: now.files + files,
      events: now.events + eventCount,
      inRound: now.inRound + records + files + eventCount + (isLeft ? 1 : 0),
      parts: part === undefined ? now.parts : [...now.parts, part],
      tries: 0,
      updatedAt: at,
    };
    if (to) return { state: { ...state, place: to }, jobs: [runJob], reply: {} };
    return { state: endRound(state, at, settles), completedJobs: [runJob], reply: {} };
  },

  /** What time alone does; the object's alarm asks for it. */
  tick: (now: PrivacyRequest | undefined) => {
    if (!now) return refuse("not_found");
    const { resumesAt, ...resumed } = now;
    if (resumesAt !== undefined) return { state: resumed, jobs: [runJob], reply: {} };
    const { expiresAt: _, ...state } = now;
    return { state, jobs: [expireJob], reply: {} };
  },

  expired: (state: PrivacyRequest | undefined) =>
    state ? { completedJobs: [expireJob], reply: {} } : refuse("not_found"),
});

/**
 * It is done once a whole round but the first has found nothing, which began when all that was acknowledged before the request
 * was in the archive, or reported as missing there; then nobody is named here any more.
 */
function endRound(now: PrivacyRequest, at: string, settles: number): PrivacyRequest {
  const { person: _, ...rest } = now;
  if (now.kind === "Export") return { ...rest, status: "Done", expiresAt: later(at, exportMilliseconds) };
  const settledAt = later(now.createdAt, settles);
  const isSettled = (now.roundAt ?? now.createdAt) >= settledAt;
  if (now.rounds > 0 && now.inRound === 0 && isSettled) return { ...rest, status: "Done" };
  const rested = later(at, now.rounds < quickRounds ? restMilliseconds : longRestMilliseconds);
  const resumesAt = now.inRound === 0 && rested < settledAt ? settledAt : rested;
  return { ...now, rounds: now.rounds + 1, place: firstPosition, inRound: 0, resumesAt, roundAt: resumesAt };
}
