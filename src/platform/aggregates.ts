import type { Actor, AuditEntry } from "./audit.ts";
import type { Credential, Recognised, Scope } from "./credential.ts";
import type { Event, Refusal } from "./decision.ts";
import type { Env } from "./env.ts";
import type { AggregateBinding } from "./registered.ts";
import type { CommandOutcome, Command, JsonText } from "./command.ts";
import type { ArchiveRow, Versioned } from "./archive/archive.ts";
import type { Mention, Person } from "../domain/person.ts";
import { Problem } from "./problem.ts";

/** Sent with a request so that a repeated one gets the first reply. */
export interface Idempotency {
  key: string;
  fingerprint: string;
}

/** A command sent to an aggregate. */
export interface CommandCall {
  company: string;
  id: string;
  /** Name of the command: `orders.read`. */
  name: string;
  ask: unknown;
  idempotency?: Idempotency;
  /** The version that the caller read. */
  ifMatch?: string;
  /** Address at which the caller reached the service, for links in the reply. */
  address?: string;
  /** Who requested the change, for the audit log; absent for time and background jobs. */
  by?: Actor | undefined;
}

/** The remote methods of every aggregate. Calls cross the network: values only, and errors lose their class. */
export interface AggregateObject {
  /**
   * Takes a call as JSON and returns two lines: the outcome (or refusal) without its reply, and the reply. Text is cheaper to
   * transfer than objects, and a reply that is forwarded need not be parsed.
   */
  execute(call: string): Promise<string>;
  /** Resolves when its background processing is complete, or after the given time. */
  waitUntilComplete(milliseconds: number): Promise<void>;
  /** State and events that the archive lacks. */
  projection(): Promise<Projection | undefined>;
  /** Whether its state refers to a stored file by its key. */
  refersTo(key: string): Promise<boolean>;
  /** Where it mentions a person. */
  mentions(person: Person): Promise<Mentioned | undefined>;
  /**
   * Erases a person from its state, its stored replies and its unpublished events.
   * @param isListed whether the archive still mentions the person, so that its row is written again
   * @returns whether there was anything to erase
   */
  erase(person: Person, isListed?: boolean): Promise<boolean>;
  /** Deletes it unless it has changed since. @param before ISO 8601 @returns whether it is deleted */
  forget(before: string): Promise<boolean>;
  /** Names of the claims that it holds without expiry: they must be released with it. */
  heldClaims(): Promise<string[]>;
  /** Deletes it in any case. */
  destroy(): Promise<void>;
  /** The archive has this version. */
  archived(has: Pick<Projection, "version" | "upTo">): Promise<void>;
  /** Whether the archive is behind. */
  isArchivePending(): Promise<boolean>;
}

/** The methods that the archive and waiting callers use. */
export type ArchiveSource = Pick<AggregateObject, "waitUntilComplete" | "projection" | "archived">;
/** A record that mentions a person, and where. */
export interface Mentioned {
  type: string;
  id: string;
  /** Path below the deployment's address. */
  url: string;
  mentions: Mention[];
}

export interface Projection {
  version: number;
  /** Its archive row; none for records that are never listed. */
  row?: ArchiveRow;
  /** Archive rows of parts that are listed on their own. */
  parts?: Versioned[];
  /** Events that the log lacks, in order. `upTo` is the position of the last event or audit entry. */
  events: Event[];
  /** Audit entries that the log lacks. */
  audit: AuditEntry[];
  upTo: number;
}

export interface CompanyApi extends AggregateObject {
  recognise(credential: Credential): Promise<Recognised>;
  /** Stores a token by its digest; it acts for a key with some or all of its scopes. */
  issueToken(hash: string, token: { keyId: string; scopes?: Scope[] }): Promise<{ expiresInSeconds: number }>;
  /** When each key was last used, to about a minute; ISO 8601, by its id. */
  keysUsed(): Promise<Record<string, string>>;
  /** Its webhooks with the event types that each receives now. */
  subscribers(): Promise<Subscriber[]>;
  /** The token that a source's server gave, sealed. */
  sourceToken(record: string): Promise<string | undefined>;
  /** Deletes tokens and everything else that is stored outside of the state. */
  forgetBeside(): Promise<void>;
  /** Undefined deletes it. */
  keepSourceToken(record: string, sealed: string | undefined): Promise<void>;
  /** Reports that the archive lacks a record for some seconds, or has it again. */
  lagsBehind(binding: AggregateBinding, id: string): Promise<void>;
  hasCaughtUp(binding: AggregateBinding, id: string): Promise<void>;
  /** Records that the archive lacks, after a position. */
  lagging(after: number, limit: number): Promise<Lagging[]>;
  /** Whether one of them was reported before a moment, in milliseconds since 1970. */
  isLaggingSince(before: number): Promise<boolean>;
}

/** A record that the archive lacks, and its position in the register. */
export interface Lagging {
  place: number;
  binding: AggregateBinding;
  id: string;
}

/** A webhook in the company's index. */
export interface Subscriber {
  id: string;
  /** "All" or names. */
  eventTypes: string[];
  /** Events from this moment on. */
  since: string;
  /** The account that created it, where known. */
  accountId?: string;
  /** The key that created it, where recorded: the webhook receives only what this key may read. */
  keyId?: string;
  /** The scopes it was created with; absent when these were all. */
  scopes?: Scope[];
}

/** Whether a webhook receives an event. */
export const isSubscribedTo = (
  { eventTypes }: Pick<Subscriber, "eventTypes">,
  { type }: Pick<Event, "type">,
): boolean => eventTypes.includes("All") || eventTypes.includes(type);

export interface FreightApi extends AggregateObject {
  /** Starts to publish changes to the sources, without waiting for them. */
  tellSources(): Promise<void>;
}

export interface SubscriptionApi extends AggregateObject {
  /** Adds events in order; adding one twice has no effect. "Gone" when the subscription no longer exists. */
  enqueue(events: Event[]): Promise<"Taken" | "Gone">;
  /** Adds events again: those that it had before are delivered once more. */
  replay(events: Event[]): Promise<void>;
  /** Repeats a delivery of one of these event types, once for each `askId`. @returns whether the delivery exists */
  resend(deliveryId: string, askId: string, types: readonly string[]): Promise<boolean>;
  /** Sends a test event now, once for each id. @returns undefined if the subscription is deleted meanwhile */
  test(eventId: string): Promise<TestOutcome | undefined>;
  /** Types of the events whose delivery is pending. */
  waitingTypes(): Promise<string[]>;
  /** Deletes deliveries about records (`Order/` and the id of each). */
  forgetThings(about: string[]): Promise<void>;
  /** The end of the next batch of deliveries after a position; undefined after the last. */
  nextDeliveries(after: number): Promise<number | undefined>;
  /** Deletes a batch of deliveries that ended before a moment, in milliseconds since 1970. @returns whether more are left */
  forgetDeliveries(before: number): Promise<boolean>;
  /** Deletes the deliveries of a batch that mention a person. @returns whether there were any */
  eraseDeliveries(person: Person, after: number, upTo: number): Promise<boolean>;
  deliveryLog(query: DeliveryQuery): Promise<(DeliveryRecord & { tried: AttemptRecord[] })[]>;
  health(): Promise<DeliveryHealth>;
}

export interface DeliveryHealth {
  status: "Active" | "Failing" | "Disabled";
  disabledBecause?: "Failures" | "Gone" | "AccountBlocked" | "KeyRevoked";
  disablesAfter: { failures: number; seconds: number };
  /** Failed attempts in a row. */
  failureCount: number;
  lastSuccessAt?: string;
  lastFailure?: { at: string; status?: number; error?: string; detail?: string };
  /** Deliveries that are pending. */
  pending: number;
  /** Deliveries that were dropped because they waited too long. */
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

/** `Held`: waits for an older delivery about the same record. */
export type DeliveryState = "Pending" | "Held" | "Sending" | "Delivered" | "Exhausted" | "Dropped";

/** A delivery on record. Times are milliseconds since 1970. */
export type DeliveryRecord = {
  seq: number;
  id: string;
  event_id: string;
  type: string;
  okey: string;
  state: DeliveryState;
  due: number;
  created: number;
  /** When it was created, attempted or completed last. */
  updated: number;
};

/** Which page of deliveries is requested. */
export interface DeliveryQuery {
  /** Newest first; otherwise oldest first. */
  isDescending: boolean;
  /** The number of the last delivery of the previous page. */
  after?: number | undefined;
  limit: number;
  /** Any of these; empty means all. */
  states: DeliveryState[];
  types: readonly string[];
  /** Milliseconds since 1970. */
  changedSince: number;
}

/** An attempt on record. Times are milliseconds since 1970. */
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

/** Aggregates with methods of their own. */
interface SpecialObjects {
  COMPANIES: CompanyApi;
  FREIGHTS: FreightApi;
  SUBSCRIPTIONS: SubscriptionApi;
}
type ObjectAt<Binding> = Binding extends keyof SpecialObjects ? SpecialObjects[Binding] : AggregateObject;

/** The stub of an aggregate. Its name contains its company; names are built here only. */
export function objectOf<B extends AggregateBinding>(env: Env, binding: B, company: string, id: string): ObjectAt<B> {
  return env[binding].getByName(`${company}/${id}`) as unknown as ObjectAt<B>;
}

/** Sends a command to an aggregate. @throws Problem when it refuses */
export async function executeCommand<A, Reply>(
  env: Env,
  command: Command<A, Reply>,
  call: Omit<CommandCall, "name" | "ask">,
  ask: A,
): Promise<CommandOutcome<Reply>> {
  const { reply, ...more } = await executeForJson(env, command.binding, { ...call, name: command.name, ask });
  return { ...more, reply: JSON.parse(reply.json) };
}

/** Sends a command to an aggregate and returns the reply as JSON. @throws Problem when it refuses */
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

/** A name that one record of a company holds: an order number, the hash of a file, an idempotency key. */
export interface ClaimApi {
  take(claim: Claim): Promise<Claim & { fresh: boolean }>;
  /** @returns whether its holder still has it, from now on until `claim.until` */
  renew(claim: Claim): Promise<boolean>;
  release(claim: Claim): Promise<void>;
  /** Releases it, whoever holds it. */
  forget(): Promise<void>;
}

export interface Claim {
  holder: string;
  note?: string;
  /** Milliseconds since 1970; free for others after it. Without it the name is held until it is released. */
  until?: number;
}

/**
 * Takes `name` for `claim.holder`, or returns the current holder (`fresh` is false). Of two concurrent calls one wins. A holder
 * that takes it again updates the note.
 */
export async function takeClaim(
  env: Env,
  company: string,
  name: string,
  claim: Claim,
): Promise<Claim & { fresh: boolean }> {
  return claimOf(env, company, name).take(claim);
}

/** The holder of `name`. Asking takes nothing, because the claim it makes has already expired. */
export async function holderOf(env: Env, company: string, name: string): Promise<string | undefined> {
  const { holder, fresh } = await takeClaim(env, company, name, { holder: "", until: 1 });
  return fresh ? undefined : holder;
}

/** Extends the claim if `claim.holder` still has it. @returns whether it does */
export const renewClaim = (env: Env, company: string, name: string, claim: Claim): Promise<boolean> =>
  claimOf(env, company, name).renew(claim);

/** Releases `name` if `claim.holder` has it, and with this note when one is given. */
export const releaseClaim = (env: Env, company: string, name: string, claim: Claim): Promise<void> =>
  claimOf(env, company, name).release(claim);

/** Releases `name`, whoever holds it. */
export const forgetClaim = (env: Env, company: string, name: string): Promise<void> =>
  claimOf(env, company, name).forget();

const claimOf = (env: Env, company: string, name: string) =>
  env.CLAIMS.getByName(`${company}/${name}`) as unknown as ClaimApi;
