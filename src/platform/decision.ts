import type * as z from "zod";
import type { Actor } from "./audit.ts";
import type { RecordType } from "./registered.ts";
import { omitUndefined } from "./omit-undefined.ts";
import type { ErrorItem, Reason } from "./problem.ts";

/** The clock, ids and caller for a decision. They are passed in, so that decisions stay pure. */
export interface CommandContext {
  /** Current time in ISO 8601, UTC, with milliseconds. */
  at: string;
  company: string;
  id: string;
  /** The version that the record gets if this decision changes it. */
  version: number;
  /** Base URL of the deployment for links in replies, without a trailing slash. */
  address: string;
  /** The actor that requested the change; undefined for the alarm and for jobs. */
  by?: Actor | undefined;
  /**
   * Derives 128 bits in base64url that only this deployment can derive, always the same for this record and `about`.
   */
  secret: (about: string) => string;
}

/**
 * A refusal that the caller can act on. It is a value, because an `Error` thrown by a Durable Object loses its class.
 */
export interface Refusal {
  refused: Reason;
  detail?: string;
  errors?: ErrorItem[];
  extra?: Record<string, unknown>;
  headers?: Record<string, string>;
}

export const refuse = (refused: Reason, detail?: string, more: Omit<Refusal, "refused" | "detail"> = {}): Refusal => ({
  refused,
  detail,
  ...more,
});

/** A near deadline of an item of the record, such as a fine of an automation. `index`: position of the item. */
export interface NearDeadline {
  index: number;
  deadline: string;
  date: string;
  daysLeft: number;
}

/** What an event is about, besides the record. */
export interface EventContext {
  previousStatus?: string;
  /** A document of the record. */
  documentId?: string;
  /** An offer for the record. */
  offerId?: string;
  /** An account of the company. */
  accountId?: string;
  due?: NearDeadline;
}

/** Picks the context fields of an event. */
export function eventContextOf({ previousStatus, documentId, offerId, accountId, due }: EventContext): EventContext {
  return omitUndefined({ previousStatus, documentId, offerId, accountId, due } satisfies Record<
    keyof EventContext,
    unknown
  >);
}

/** An event for subscribers. Only those that request full payloads get `data`. */
export type DomainEvent<Events> = {
  [Type in keyof Events & string]: {
    type: Type;
    status: string;
    data?: Events[Type] extends z.ZodType ? z.input<Events[Type]> : never;
  } & EventContext;
}[keyof Events & string];

/**
 * Result of a command. State, events and jobs are committed together or not at all. A job is repeated until a later
 * decision lists it in `completedJobs`.
 */
export interface Decision<State, Events, Reply> {
  state?: State;
  /** The change is not visible in the API: the version does not change, and the archive is not updated. */
  keepsVersion?: true;
  events?: DomainEvent<Events>[];
  jobs?: string[];
  completedJobs?: string[];
  reply: Reply;
  /** HTTP status, if it differs from that of the operation. */
  status?: number;
  /** Id of the changed part of the record, such as a key or an account, for the audit log. */
  about?: string;
}

export type DecisionOrRefusal<State, Events, Reply> = Decision<State, Events, Reply> | Refusal;

export type Decide<State, Events, Input, Reply> = (
  state: State | undefined,
  input: Input,
  context: CommandContext,
) => DecisionOrRefusal<State, Events, Reply>;

/** A published event, from which the body of a webhook is built. */
export interface Event extends EventContext {
  /** `evt_` and a sortable id, the same for every attempt and subscriber. */
  id: string;
  type: string;
  company: string;
  at: string;
  /**
   * The version of the resource. It increases by one with each change; events of the same change have the same value.
   */
  sequence: number;
  resource: { type: RecordType; id: string; url: string; version: number };
  status: string;
  metadata?: Record<string, string>;
  data?: unknown;
}
