import { refuse } from "../../kit/decision.ts";
import { given } from "../../kit/given.ts";
import { stepsOn } from "../../kit/operation.ts";
import type { Person } from "../../kit/person.ts";
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
  expiresAt?: string;
  createdAt: string;
  updatedAt: string;
  metadata?: undefined;
}

/** What a round has found. */
export type Found = Pick<PrivacyRequest, "records" | "files" | "events">;

/** The works: to go through everything, and to take away what was exported. */
export const [running, expiring] = ["privacy.run", "privacy.expire"] as const;

/** How long an export can be fetched. */
const keptMilliseconds = 7 * 24 * 60 * 60 * 1000;

export const exportKey = (company: string, id: string) => `${company}/privacy/${id}/export.json`;

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

/** When an export is taken away, in milliseconds since 1970. */
export const nextDue = ({ expiresAt }: PrivacyRequest): number | undefined =>
  expiresAt === undefined ? undefined : Date.parse(expiresAt);

export const steps = stepsOn<PrivacyRequest, typeof events>(
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
      createdAt: at,
      updatedAt: at,
    };
    return { state, work: [running], reply: viewOf(state, id) };
  },

  look: (now: PrivacyRequest | undefined) => (now ? { reply: now } : refuse("not_found")),

  /** A round has come to its end. */
  found: (now: PrivacyRequest | undefined, more: Found, { at }) => {
    if (now?.status !== "Running") return { reply: {} };
    const sum = {
      records: now.records + more.records,
      files: now.files + more.files,
      events: now.events + more.events,
    };
    return { state: { ...now, ...sum, updatedAt: at }, reply: {} };
  },

  /** Nothing is left to be done, and nobody is named here any more. */
  finish: (now: PrivacyRequest | undefined, _ask: object, { at }) => {
    if (now?.status !== "Running") return { done: [running], reply: {} };
    const { person: _, ...rest } = now;
    const until = new Date(Date.parse(at) + keptMilliseconds).toISOString();
    const expires = now.kind === "Export" && { expiresAt: until };
    return { state: { ...rest, status: "Done", updatedAt: at, ...expires }, done: [running], reply: {} };
  },

  /** What time alone does; the object's alarm asks for it. */
  tick: (now: PrivacyRequest | undefined) => {
    if (!now) return refuse("not_found");
    const { expiresAt: _, ...state } = now;
    return { state, work: [expiring], reply: {} };
  },

  expired: (now: PrivacyRequest | undefined) => (now ? { done: [expiring], reply: {} } : refuse("not_found")),
});
