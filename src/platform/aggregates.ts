import type { Actor, AuditEntry } from "./audit.ts";
import type { Credential, Recognised, Scope } from "./credential.ts";
import type { Event, Refusal } from "./decision.ts";
import type { Env } from "./env.ts";
import type { AggregateBinding } from "./registered.ts";
import type { CommandOutcome, Command, JsonText } from "./command.ts";
import type { ArchiveRow, Versioned } from "./archive/archive.ts";
import type { Mention, Person } from "../domain/person.ts";
import { Problem } from "./problem.ts";

/** The idempotency key of a request, and a fingerprint of its content. A repeated request gets the first reply. */
export interface Idempotency {
  key: string;
  fingerprint: string;
}

/** A command for an aggregate. */
export interface CommandCall {
  company: string;
  id: string;
  /** Name of the command, such as `orders.read`. */
  name: string;
  ask: unknown;
  idempotency?: Idempotency;
  /** The `If-Match` header: the version that the caller read. */
  ifMatch?: string;
  /** Base URL at which the caller reached the service, for links in the reply. */
  address?: string;
  /** The actor for the audit log; absent for changes by the alarm and by background jobs. */
  by?: Actor | undefined;
}

/** Remote methods of every aggregate. Arguments and results are copied, and errors lose their class. */
export interface AggregateObject {
  /**
   * Executes a command. Takes a {@link CommandCall} as JSON and returns two lines of JSON: the outcome without its
   * reply, or the refusal; then the reply. Text is cheaper to transfer than objects, and a forwarded reply need not be
   * parsed.
   */
  execute(call: string): Promise<string>;
  /** Resolves when the background processing of the record is complete, or after this time. */
  waitUntilComplete(milliseconds: number): Promise<void>;
  /** Returns everything that the archive and the event log lack: rows, events and audit entries. */
  projection(): Promise<Projection | undefined>;
  refersTo(key: string): Promise<boolean>;
  mentions(person: Person): Promise<Mentioned | undefined>;
  /**
   * Erases a person from the state, the stored replies and the unpublished events.
   * @param isListed whether the archive still mentions the person, so that the row must be written again
   * @returns whether anything was erased
   */
  erase(person: Person, isListed?: boolean): Promise<boolean>;
  /**
   * Deletes the record unless it has changed since a time.
   * @param before ISO 8601
   * @returns whether the record is deleted
   */
  forget(before: string): Promise<boolean>;
  /** Returns the names of the record's claims without expiry. They must be released when the record is deleted. */
  heldClaims(): Promise<string[]>;
  destroy(): Promise<void>;
  /** Called when the archive has written a projection. */
  archived(has: Pick<Projection, "version" | "upTo">): Promise<void>;
  /** Whether the archive lacks a change of the record. */
  isArchivePending(): Promise<boolean>;
}

/** The methods that the archive and waiting requests call. */
export type ArchiveSource = Pick<AggregateObject, "waitUntilComplete" | "projection" | "archived">;
/** A record that mentions a person. */
export interface Mentioned {
  type: string;
  id: string;
  /** Path without the base URL of the deployment. */
  url: string;
  mentions: Mention[];
}

export interface Projection {
  version: number;
  /** Absent for records that are never listed. */
  row?: ArchiveRow;
  /** Rows of parts of the record that are listed on their own, such as the offers of a freight. */
  parts?: Versioned[];
  /** Events that the event log lacks, in order. `upTo`: position of the last event or audit entry. */
  events: Event[];
  /** Audit entries that the event log lacks. */
  audit: AuditEntry[];
  upTo: number;
}

export interface CompanyApi extends AggregateObject {
  recognise(credential: Credential): Promise<Recognised>;
  /** Stores a bearer token by its digest. It acts for the key, with all or some of its scopes. */
  issueToken(hash: string, token: { keyId: string; scopes?: Scope[] }): Promise<{ expiresInSeconds: number }>;
  /** Returns the time of the last use of each key, by key id; ISO 8601, accurate to about a minute. */
  keysUsed(): Promise<Record<string, string>>;
  /** Returns the webhooks of the company, with the event types that each may receive now. */
  subscribers(): Promise<Subscriber[]>;
  sourceToken(record: string): Promise<string | undefined>;
  /** Deletes all data that is stored outside the state, such as tokens. */
  forgetBeside(): Promise<void>;
  /** Stores the sealed access token of a source; undefined deletes it. */
  keepSourceToken(record: string, sealed: string | undefined): Promise<void>;
  /** Reports a record of which the archive has lacked a change for some seconds. `hasCaughtUp` removes the report. */
  lagsBehind(binding: AggregateBinding, id: string): Promise<void>;
  hasCaughtUp(binding: AggregateBinding, id: string): Promise<void>;
  /** Returns a page of the reported records, after the position `after`. */
  lagging(after: number, limit: number): Promise<Lagging[]>;
  /** Whether any record was reported before a time, in milliseconds since 1970. */
  isLaggingSince(before: number): Promise<boolean>;
}

/** A record of which the archive lacks a change, with its position among those of the company. */
export interface Lagging {
  place: number;
  binding: AggregateBinding;
  id: string;
}

/** A webhook in the company's index. */
export interface Subscriber {
  id: string;
  /** Names of event types, or "All". */
  eventTypes: string[];
  /** Earlier events are not delivered; ISO 8601. */
  since: string;
  /** The account that created the webhook, if known. */
  accountId?: string;
  /** The key that created the webhook, if recorded. The webhook receives only events that this key may read. */
  keyId?: string;
  /** Scopes of the webhook; absent for all scopes. */
  scopes?: Scope[];
}

/** Whether a webhook subscribes to the type of an event. */
export const isSubscribedTo = (
  { eventTypes }: Pick<Subscriber, "eventTypes">,
  { type }: Pick<Event, "type">,
): boolean => eventTypes.includes("All") || eventTypes.includes(type);

export interface FreightApi extends AggregateObject {
  /** Starts publishing changes to the sources, and returns at once. */
  tellSources(): Promise<void>;
}

export interface SubscriptionApi extends AggregateObject {
  /**
   * Adds events in order. Adding an event twice has no effect.
   * @returns "Gone" if the subscription no longer exists
   */
  enqueue(events: Event[]): Promise<"Taken" | "Gone">;
  /** Adds events again. Completed ones are delivered once more. */
  replay(events: Event[]): Promise<void>;
  /**
   * Repeats a delivery if its event type is one of `types`, but only once for each `askId`.
   * @returns whether the delivery exists
   */
  resend(deliveryId: string, askId: string, types: readonly string[]): Promise<boolean>;
  /**
   * Sends a test event immediately, but only once for each id.
   * @returns undefined if the subscription is deleted in the meantime
   */
  test(eventId: string): Promise<TestOutcome | undefined>;
  /** Returns the event types of the deliveries that are not completed. */
  waitingTypes(): Promise<string[]>;
  /** Deletes the deliveries about these records. Each is named by type and id: `Order/` and the id. */
  forgetThings(about: string[]): Promise<void>;
  /**
   * Finds a batch of deliveries for {@link eraseDeliveries}, after the position `after`.
   * @returns the position of its last delivery; undefined if the batch is empty
   */
  nextDeliveries(after: number): Promise<number | undefined>;
  /**
   * Deletes a batch of deliveries that were completed before a time, in milliseconds since 1970.
   * @returns whether more may be left
   */
  forgetDeliveries(before: number): Promise<boolean>;
  /**
   * Deletes the deliveries of a batch that mention a person.
   * @returns whether any were deleted
   */
  eraseDeliveries(person: Person, after: number, upTo: number): Promise<boolean>;
  deliveryLog(query: DeliveryQuery): Promise<(DeliveryRecord & { tried: AttemptRecord[] })[]>;
  health(): Promise<DeliveryHealth>;
}

export interface DeliveryHealth {
  status: "Active" | "Failing" | "Disabled";
  disabledBecause?: "Failures" | "Gone" | "AccountBlocked" | "KeyRevoked";
  disablesAfter: { failures: number; seconds: number };
  /** Number of failed attempts in a row. */
  failureCount: number;
  lastSuccessAt?: string;
  lastFailure?: { at: string; status?: number; error?: string; detail?: string };
  pending: number;
  /** Number of deliveries that were dropped because the backlog was full. */
  droppedCount: number;
}

export interface TestOutcome {
  eventId: string;
  delivered: boolean;
  status?: number;
  error?: string;
  detail?: string;
  answer: string;
  milliseconds: number;
}

/** State of a delivery. `Held`: an older delivery about the same record must be completed first. */
export type DeliveryState = "Pending" | "Held" | "Sending" | "Delivered" | "Exhausted" | "Dropped";

/** The stored record of a delivery. Times are milliseconds since 1970. */
export type DeliveryRecord = {
  seq: number;
  id: string;
  event_id: string;
  type: string;
  okey: string;
  state: DeliveryState;
  due: number;
  created: number;
  /** When the delivery was last created, attempted or completed. */
  updated: number;
};

export interface DeliveryQuery {
  /** Newest first if true; otherwise oldest first. */
  isDescending: boolean;
  /** `seq` of the last delivery on the previous page. */
  after?: number | undefined;
  limit: number;
  /** Empty for all states. */
  states: DeliveryState[];
  types: readonly string[];
  /** Only deliveries that changed at or after this time, in milliseconds since 1970. */
  changedSince: number;
}

/** The stored record of an attempt. Times are milliseconds since 1970. */
export type AttemptRecord = {
  id: string;
  kind: "Scheduled" | "Manual" | "Test";
  started: number;
  ended: number | null;
  outcome: "Delivered" | "Failed" | "Unknown" | null;
  status: number | null;
  error: string | null;
  detail: string | null;
  answer: string | null;
};

interface SpecialObjects {
  COMPANIES: CompanyApi;
  FREIGHTS: FreightApi;
  SUBSCRIPTIONS: SubscriptionApi;
}
type ObjectAt<Binding> = Binding extends keyof SpecialObjects ? SpecialObjects[Binding] : AggregateObject;

/** Returns the stub of an aggregate. Only this function builds the names of aggregates, which contain the company. */
export function objectOf<B extends AggregateBinding>(env: Env, binding: B, company: string, id: string): ObjectAt<B> {
  return env[binding].getByName(`${company}/${id}`) as unknown as ObjectAt<B>;
}

/**
 * Sends a command to an aggregate.
 * @throws Problem if the aggregate refuses the command
 */
export async function executeCommand<A, Reply>(
  env: Env,
  command: Command<A, Reply>,
  call: Omit<CommandCall, "name" | "ask">,
  ask: A,
): Promise<CommandOutcome<Reply>> {
  const { reply, ...more } = await executeForJson(env, command.binding, { ...call, name: command.name, ask });
  return { ...more, reply: JSON.parse(reply.json) };
}

/**
 * Sends a command to an aggregate and returns the reply as JSON.
 * @throws Problem if the aggregate refuses the command
 */
export async function executeForJson(
  env: Env,
  binding: AggregateBinding,
  call: CommandCall,
): Promise<CommandOutcome<JsonText>> {
  const text = await objectOf(env, binding, call.company, call.id).execute(JSON.stringify(call));
  const end = text.indexOf("\n");
  const outcome: Omit<CommandOutcome<never>, "reply"> | Refusal = JSON.parse(text.slice(0, end));
  return unwrap({ ...outcome, reply: { json: text.slice(end + 1) } });
}

function unwrap<Reply>(outcome: CommandOutcome<Reply> | Refusal): CommandOutcome<Reply> {
  if ("refused" in outcome) throw new Problem(outcome.refused, outcome.detail, outcome);
  return outcome;
}

/**
 * Remote methods of a claim: a unique name that one record of a company holds, such as an order number, the digest of a
 * file or an idempotency key.
 */
export interface ClaimApi {
  take(claim: Claim): Promise<Claim & { fresh: boolean }>;
  /** Extends the claim to `claim.until`, if `claim.holder` still holds it. @returns whether it does */
  renew(claim: Claim): Promise<boolean>;
  release(claim: Claim): Promise<void>;
  forget(): Promise<void>;
}

export interface Claim {
  holder: string;
  note?: string;
  /** Expiry in milliseconds since 1970. Without it, the claim is held until it is released. */
  until?: number;
}

/**
 * Takes the claim `name` for `claim.holder`, or returns the current claim with `fresh: false`. Of two concurrent calls,
 * only one succeeds. A holder that takes its own claim again updates the note, and also gets `fresh: false`.
 */
export async function takeClaim(
  env: Env,
  company: string,
  name: string,
  claim: Claim,
): Promise<Claim & { fresh: boolean }> {
  return claimOf(env, company, name).take(claim);
}

/**
 * Returns the holder of the claim `name`; undefined if there is none. To find it, the claim is taken with an expiry in
 * the past, which blocks nobody.
 */
export async function holderOf(env: Env, company: string, name: string): Promise<string | undefined> {
  const { holder, fresh } = await takeClaim(env, company, name, { holder: "", until: 1 });
  return fresh ? undefined : holder;
}

/**
 * Extends the claim `name` if `claim.holder` still holds it.
 * @returns whether it does
 */
export const renewClaim = (env: Env, company: string, name: string, claim: Claim): Promise<boolean> =>
  claimOf(env, company, name).renew(claim);

/** Releases the claim `name` if `claim.holder` holds it and, if `claim.note` is given, the stored note is equal. */
export const releaseClaim = (env: Env, company: string, name: string, claim: Claim): Promise<void> =>
  claimOf(env, company, name).release(claim);

/** Releases the claim `name`, regardless of its holder. */
export const forgetClaim = (env: Env, company: string, name: string): Promise<void> =>
  claimOf(env, company, name).forget();

const claimOf = (env: Env, company: string, name: string) =>
  env.CLAIMS.getByName(`${company}/${name}`) as unknown as ClaimApi;
