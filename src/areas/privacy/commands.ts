import { refuse, type CommandContext } from "../../platform/decision.ts";
import { attemptsAfter, isHeld, isHolder, leaseFor, renewLease } from "../../platform/lease.ts";
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
/** Adds the fields that requests of earlier releases lack. An unfinished request from such a release starts again. */
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
  ask: (state: PrivacyRequest | undefined, input: Pick<PrivacyRequest, "kind"> & { person: Person }, { at, id }) => {
    if (state) return { reply: viewOf(state, id) };
    const next: PrivacyRequest = {
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
    const reply = viewOf(next, id);
    // An export has only one round, so it first waits until pending changes have reached the archive.
    if (input.kind === "Export") return { state: { ...next, resumesAt: later(at, restMilliseconds) }, reply };
    return { state: next, jobs: [runJob], reply };
  },

  look: (state: PrivacyRequest | undefined, _: object, context) =>
    state ? { reply: migrated(state, context) } : refuse("not_found"),

  begin: (state: PrivacyRequest | undefined, { token }: { token: string }, context) => {
    if (!state) return refuse("not_found");
    const now = migrated(state, context);
    if (now.status !== "Running" || now.resumesAt !== undefined) return { completedJobs: [runJob], reply: {} };
    if (isHeld(now.lease, context.at)) return { reply: {} };
    const next = { ...now, tries: attemptsAfter(now.lease, now.tries), lease: leaseFor(token, context.at) };
    return { state: next, reply: { go: next } };
  },

  renew: renewLease<PrivacyRequest>,

  release: (state: PrivacyRequest | undefined, { token }: { token: string }) => {
    if (!state || !isHolder(state.lease, token)) return { reply: {} };
    const { lease: _, ...rest } = state;
    return { state: { ...rest, tries: state.tries + 1 }, reply: {} };
  },

  came: (
    state: PrivacyRequest | undefined,
    { token, to, found, isLeft, part, settles = 0 }: Progress & { token: string },
    { at },
  ) => {
    if (state?.status !== "Running" || !isHolder(state.lease, token)) return { reply: {} };
    const { records, files, events: eventCount } = found;
    const { lease: _, ...rest } = state;
    const next: PrivacyRequest = {
      ...rest,
      records: state.records + records,
      files: state.files + files,
      events: state.events + eventCount,
      inRound: state.inRound + records + files + eventCount + (isLeft ? 1 : 0),
      parts: part === undefined ? state.parts : [...state.parts, part],
      tries: 0,
      updatedAt: at,
    };
    if (to) return { state: { ...next, place: to }, jobs: [runJob], reply: {} };
    return { state: endRound(next, at, settles), completedJobs: [runJob], reply: {} };
  },

  /** Called by the alarm of the aggregate: starts the next round, or deletes an expired export. */
  tick: (state: PrivacyRequest | undefined) => {
    if (!state) return refuse("not_found");
    const { resumesAt, ...resumed } = state;
    if (resumesAt !== undefined) return { state: resumed, jobs: [runJob], reply: {} };
    const { expiresAt: _, ...next } = state;
    return { state: next, jobs: [expireJob], reply: {} };
  },

  expired: (state: PrivacyRequest | undefined) =>
    state ? { completedJobs: [expireJob], reply: {} } : refuse("not_found"),
});

/**
 * Ends a round. An export is complete after one round. An erasure is complete when a round after the first one found
 * nothing, and that round began so late that all changes from before the request had reached the archive.
 */
function endRound(state: PrivacyRequest, at: string, settles: number): PrivacyRequest {
  const { person: _, ...rest } = state;
  if (state.kind === "Export") return { ...rest, status: "Done", expiresAt: later(at, exportMilliseconds) };
  const settledAt = later(state.createdAt, settles);
  const isSettled = (state.roundAt ?? state.createdAt) >= settledAt;
  if (state.rounds > 0 && state.inRound === 0 && isSettled) return { ...rest, status: "Done" };
  const rested = later(at, state.rounds < quickRounds ? restMilliseconds : longRestMilliseconds);
  const resumesAt = state.inRound === 0 && rested < settledAt ? settledAt : rested;
  return { ...state, rounds: state.rounds + 1, place: firstPosition, inRound: 0, resumesAt, roundAt: resumesAt };
}
