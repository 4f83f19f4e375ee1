import type * as z from "zod";
import type { Actor } from "./audit.ts";
import type { RecordType } from "./registered.ts";
import { omitUndefined } from "./omit-undefined.ts";
import type { ErrorItem, Reason } from "./problem.ts";

/** What a decision may know of the moment it is taken in, handed in so that deciding stays pure. */
export interface CommandContext {
  /** ISO 8601, UTC, milliseconds. */
  at: string;
  company: string;
  /** The thing decided about. */
  id: string;
  /** The version it has if this decision changes it. */
  version: number;
  /** Where the deployment is reached, for links in answers; without a slash at the end. */
  address: string;
  /** Who asks, where somebody from outside does. */
  by?: Actor | undefined;
  /** 128 bits in base64url that only this deployment can make, the same each time for this thing and `about`. */
  secret: (about: string) => string;
}

/** A no that the caller can act on. It travels as a value: an Error thrown in an object loses its class on the way out. */
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

/** A deadline that draws near: which it is, of which item of the thing. */
export interface NearDeadline {
  index: number;
  deadline: string;
  date: string;
  daysLeft: number;
}

/** What an event tells beside the thing's status, where there is such a thing. */
export interface EventContext {
  previousStatus?: string;
  /** The document of the thing that it happened to. */
  documentId?: string;
  /** The offer for the thing that it happened to. */
  offerId?: string;
  /** The account of the company that it happened to. */
  accountId?: string;
  /** The deadline that it tells of. */
  due?: NearDeadline;
}

/** The circumstances of an event, without the rest of it. */
export function eventContextOf({ previousStatus, documentId, offerId, accountId, due }: EventContext): EventContext {
  return omitUndefined({ previousStatus, documentId, offerId, accountId, due } satisfies Record<
    keyof EventContext,
    unknown
  >);
}

/** Something subscribers hear of. `data` is sent to those who asked for full payloads. */
export type DomainEvent<Events> = {
  [Type in keyof Events & string]: {
    type: Type;
    status: string;
    data?: Events[Type] extends z.ZodType ? z.input<Events[Type]> : never;
  } & EventContext;
}[keyof Events & string];

/**
 * What becomes of a thing. State, events and work are committed together or not at all.
 * `work` is asked for again and again until a later decision says it is `done`.
 */
export interface Decision<State, Events, Reply> {
  state?: State;
  /** The new state differs in nothing that anybody outside sees: it is no new version, and the archive is not told. */
  keepsVersion?: true;
  events?: DomainEvent<Events>[];
  jobs?: string[];
  completedJobs?: string[];
  reply: Reply;
  /** The HTTP status when it is not the operation's own. */
  status?: number;
  /** Which part of the thing was changed: the id of a key, of an account. The audit log tells. */
  about?: string;
}

export type DecisionOrRefusal<State, Events, Reply> = Decision<State, Events, Reply> | Refusal;

export type Decide<State, Events, Ask, Reply> = (
  state: State | undefined,
  ask: Ask,
  context: CommandContext,
) => DecisionOrRefusal<State, Events, Reply>;

/** A happening as it leaves its owner: the body of a webhook is made from it. */
export interface Event extends EventContext {
  /** `evt_` and a sortable id; the same on every attempt and for every subscriber. */
  id: string;
  type: string;
  company: string;
  at: string;
  /** Rises by one with each change of the resource. */
  sequence: number;
  resource: { type: RecordType; id: string; url: string; version: number };
  status: string;
  metadata?: Record<string, string>;
  data?: unknown;
}
