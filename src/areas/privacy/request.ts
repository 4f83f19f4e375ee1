import { refuse, type CommandContext } from "../../platform/decision.ts";
import { given } from "../../platform/omit-undefined.ts";
import { attemptsAfter, isHeld, isHolder, leaseFor, renewStep, type Lease } from "../../platform/lease.ts";
import { commandsOn } from "../../platform/command.ts";
import type { Person } from "../../domain/person.ts";
import { beginning, type Place } from "./data-map.ts";
import type { PrivacyRequestView } from "./shapes.ts";

// What happens to it: nothing anybody is told of

export const events = {};

// What is remembered

/** A person's data asked for, or to be erased. */
export interface PrivacyRequest {
  kind: PrivacyRequestView["kind"];
  status: PrivacyRequestView["status"];
  /** Nobody any more, once it is done. */
  person?: Person;
  records: number;
  files: number;
  events: number;
  /** Rounds through everything that have come to their end, how far this one has come, and how much it has found. */
  rounds: number;
  place: Place;
  inRound: number;
  /** How often somebody set out from this place and did not come further. */
  tries: number;
  /** Held by whoever is on the way. */
  lease?: Lease;
  /** What is gathered, in its order. */
  parts: string[];
  /** When the next round begins. */
  resumesAt?: string;
  /** When this round began, or was to begin; the first one with the request. */
  roundAt?: string;
  expiresAt?: string;
  createdAt: string;
  updatedAt: string;
  metadata?: undefined;
}

/** What was found. */
export type Found = Pick<PrivacyRequest, "records" | "files" | "events">;

/** How far somebody has come; behind the end of a round there is no place. */
export interface Stretch {
  to?: Place;
  found: Found;
  /** Something could not be looked at, or is not in the archive yet, so that this round is not the last. */
  isLeft?: boolean;
  part?: string;
  /** The last round begins this long after the request, in milliseconds. */
  settles?: number;
}

/** The works: to go through everything, and to take away what was exported. */
export const [running, expiring] = ["privacy.run", "privacy.expire"] as const;

/** How long an export can be fetched. */
const keptMilliseconds = 7 * 24 * 60 * 60 * 1000;
/** What was on its way when somebody asked has as a rule come to rest by then: the archive is told of a thing every three seconds. */
const restMilliseconds = 5_000;
/** After so many rounds in which something was found there is more time between them. */
const quickRounds = 10;
const longRestMilliseconds = 300_000;

/** Where what is gathered lies. */
export const exportFolder = (company: string, id: string) => `${company}/privacy/${id}/`;

export function viewOf(now: PrivacyRequest, privacyRequestId: string): PrivacyRequestView {
  const { kind, status, records, files, events: told, expiresAt, createdAt, updatedAt } = now;
  return {
    privacyRequestId,
    kind,
    status,
    records,
    files,
    events: told,
    ...given({ expiresAt }),
    createdAt,
    updatedAt,
  };
}

/** When a round begins, or an export is taken away, in milliseconds since 1970. */
export function nextDue({ resumesAt, expiresAt }: PrivacyRequest): number | undefined {
  const due = resumesAt ?? expiresAt;
  return due === undefined ? undefined : Date.parse(due);
}

/** One from an earlier release, which went through everything in one go: unless that is done it begins anew. */
function broughtUp(state: PrivacyRequest, { company, id }: CommandContext): PrivacyRequest {
  const isGathered = state.kind === "Export" && state.status === "Done";
  const parts = isGathered ? [`${exportFolder(company, id)}export.json`] : [];
  const unknown = { rounds: 0, place: beginning, inRound: 0, tries: 0, parts };
  return { ...unknown, ...state };
}

const later = (at: string, milliseconds: number) => new Date(Date.parse(at) + milliseconds).toISOString();

export const commands = commandsOn<PrivacyRequest, typeof events>(
  "PRIVACY",
  "privacy",
)({
  ask: (now: PrivacyRequest | undefined, asked: Pick<PrivacyRequest, "kind"> & { person: Person }, { at, id }) => {
    if (now) return { reply: viewOf(now, id) };
    const state: PrivacyRequest = {
      ...asked,
      status: "Running",
      records: 0,
      files: 0,
      events: 0,
      rounds: 0,
      place: beginning,
      inRound: 0,
      tries: 0,
      parts: [],
      createdAt: at,
      updatedAt: at,
    };
    const reply = viewOf(state, id);
    // It erases round by round, but gathers once.
    if (asked.kind === "Export") return { state: { ...state, resumesAt: later(at, restMilliseconds) }, reply };
    return { state, jobs: [running], reply };
  },

  look: (state: PrivacyRequest | undefined, _: object, context) =>
    state ? { reply: broughtUp(state, context) } : refuse("not_found"),

  /** Somebody sets out from where the round has come to. */
  begin: (kept: PrivacyRequest | undefined, { token }: { token: string }, context) => {
    if (!kept) return refuse("not_found");
    const now = broughtUp(kept, context);
    if (now.status !== "Running" || now.resumesAt !== undefined) return { completedJobs: [running], reply: {} };
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
    { token, to, found, isLeft, part, settles = 0 }: Stretch & { token: string },
    { at },
  ) => {
    if (now?.status !== "Running" || !isHolder(now.lease, token)) return { reply: {} };
    const { records, files, events: told } = found;
    const { lease: _, ...rest } = now;
    const state: PrivacyRequest = {
      ...rest,
      records: now.records + records,
      files: now.files + files,
      events: now.events + told,
      inRound: now.inRound + records + files + told + (isLeft ? 1 : 0),
      parts: part === undefined ? now.parts : [...now.parts, part],
      tries: 0,
      updatedAt: at,
    };
    if (to) return { state: { ...state, place: to }, jobs: [running], reply: {} };
    return { state: roundOver(state, at, settles), completedJobs: [running], reply: {} };
  },

  /** What time alone does; the object's alarm asks for it. */
  tick: (now: PrivacyRequest | undefined) => {
    if (!now) return refuse("not_found");
    const { resumesAt, ...resumed } = now;
    if (resumesAt !== undefined) return { state: resumed, jobs: [running], reply: {} };
    const { expiresAt: _, ...state } = now;
    return { state, jobs: [expiring], reply: {} };
  },

  expired: (state: PrivacyRequest | undefined) =>
    state ? { completedJobs: [expiring], reply: {} } : refuse("not_found"),
});

/**
 * It is done once a whole round but the first has found nothing, which began when all that was acknowledged before the request
 * was in the archive, or reported as missing there; then nobody is named here any more.
 */
function roundOver(now: PrivacyRequest, at: string, settles: number): PrivacyRequest {
  const { person: _, ...rest } = now;
  if (now.kind === "Export") return { ...rest, status: "Done", expiresAt: later(at, keptMilliseconds) };
  const settledAt = later(now.createdAt, settles);
  const isSettled = (now.roundAt ?? now.createdAt) >= settledAt;
  if (now.rounds > 0 && now.inRound === 0 && isSettled) return { ...rest, status: "Done" };
  const rested = later(at, now.rounds < quickRounds ? restMilliseconds : longRestMilliseconds);
  const resumesAt = now.inRound === 0 && rested < settledAt ? settledAt : rested;
  return { ...now, rounds: now.rounds + 1, place: beginning, inRound: 0, resumesAt, roundAt: resumesAt };
}
