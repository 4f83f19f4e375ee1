import type { Actor, AuditEntry } from "./audit.ts";
import type { Credential, Recognised, Scope } from "./credential.ts";
import type { Event, Refusal } from "./decision.ts";
import type { Env } from "./env.ts";
import type { AggregateBinding } from "./registered.ts";
import type { CommandOutcome, Command, JsonText } from "./command.ts";
import type { ArchiveRow, Versioned } from "./archive/archive.ts";
import type { Mention, Person } from "../domain/person.ts";
import { Problem } from "./problem.ts";

/** Said with a request so that a repeated one finds its first answer. */
export interface Idempotency {
  key: string;
  fingerprint: string;
}

/** A decision asked of an owner. */
export interface CommandCall {
  company: string;
  id: string;
  /** The decision's name: `orders.read`. */
  name: string;
  ask: unknown;
  idempotency?: Idempotency;
  /** The version the caller has seen. */
  ifMatch?: string;
  /** Where the caller reached us, for links in the answer. */
  address?: string;
  /** Who asks for a change: the audit log tells. Nobody where time or background work does. */
  by?: Actor | undefined;
}

/** What every owner answers to. Calls cross the network: values only, and errors lose their class. */
export interface AggregateObject {
  /**
   * A call as JSON is answered with two lines: the outcome (or refusal) without its reply, and the reply. A text crosses
   * cheaper than a thing, and a reply that goes to the caller as it is need not be made one.
   */
  execute(call: string): Promise<string>;
  /** Resolves when nothing happens to it in the background any more, or after the given time. */
  settled(milliseconds: number): Promise<void>;
  /** What the archive does not have yet. */
  projection(): Promise<Projection | undefined>;
  /** Whether its state refers to a stored file by its key. */
  refersTo(key: string): Promise<boolean>;
  /** Where it names somebody. */
  mentions(person: Person): Promise<Mentioned | undefined>;
  /**
   * Takes somebody out of it, of its answers, and of what it has not told yet.
   * @param isListed the archive names him still: it is written there anew
   * @returns whether there was anything of him
   */
  erase(person: Person, isListed?: boolean): Promise<boolean>;
  /** Nothing of it is kept any more, unless it has changed since. @param before ISO 8601 @returns whether it is so */
  forget(before: string): Promise<boolean>;
  /** The names that it holds without an end: they must be forgotten with it. */
  heldClaims(): Promise<string[]>;
  /** Nothing of it is kept any more, whatever it is. */
  destroy(): Promise<void>;
  /** The archive has it now. */
  archived(has: Pick<Projection, "version" | "upTo">): Promise<void>;
  /** Whether the archive lacks something of it. */
  owesArchive(): Promise<boolean>;
}

/** What the archive and whoever waits ask of an object. */
export type Told = Pick<AggregateObject, "settled" | "projection" | "archived">;
/** A thing that names somebody, and where it does. */
export interface Mentioned {
  type: string;
  id: string;
  /** Path below the deployment's address. */
  url: string;
  mentions: Mention[];
}

export interface Projection {
  version: number;
  /** How it is listed; things that are never listed have none. */
  row?: ArchiveRow;
  /** Rows of its parts that are listed by themselves. */
  parts?: Versioned[];
  /** What has happened that the log does not have, in its order, and the place of the last of it. */
  events: Event[];
  /** Who has changed it that the log does not have. */
  audit: AuditEntry[];
  upTo: number;
}

export interface CompanyApi extends AggregateObject {
  recognise(credential: Credential): Promise<Recognised>;
  /** Keeps a token by its digest: it stands for a key, with some of its scopes or with all. */
  issueToken(hash: string, token: { keyId: string; scopes?: Scope[] }): Promise<{ expiresInSeconds: number }>;
  /** When each key was last used, to about a minute; ISO 8601, by its id. */
  keysUsed(): Promise<Record<string, string>>;
  /** Its webhooks with the event types that each receives now. */
  subscribers(): Promise<Subscriber[]>;
  /** The token that a source's server gave, sealed. */
  sourceToken(record: string): Promise<string | undefined>;
  /** Tokens, and what else of it stands beside its state, go. */
  forgetBeside(): Promise<void>;
  /** Nothing forgets it. */
  keepSourceToken(record: string, sealed: string | undefined): Promise<void>;
  /** The archive lacks a record for some seconds; and has it again. */
  lagsBehind(binding: AggregateBinding, id: string): Promise<void>;
  hasCaughtUp(binding: AggregateBinding, id: string): Promise<void>;
  /** Records that the archive lacks, behind a place. */
  lagging(after: number, limit: number): Promise<Lagging[]>;
  /** Whether one of them was reported before a moment, in milliseconds since 1970. */
  isLaggingSince(before: number): Promise<boolean>;
}

/** A record that the archive lacks, and its place in the register. */
export interface Lagging {
  place: number;
  binding: AggregateBinding;
  id: string;
}

/** Who hears of what: the company's index of its webhooks. */
export interface Subscriber {
  id: string;
  /** "All" or names. */
  eventTypes: string[];
  /** Events from this moment on. */
  since: string;
  /** Who made it, where that is known. */
  accountId?: string;
  /** The key that made it, where the company has it on record: the webhook receives only what this key may read. */
  keyId?: string;
  /** The scopes it was made with, where these were not all. */
  scopes?: Scope[];
}

/** Whether it is to be told of an event. */
export const hears = ({ eventTypes }: Pick<Subscriber, "eventTypes">, { type }: Pick<Event, "type">): boolean =>
  eventTypes.includes("All") || eventTypes.includes(type);

export interface FreightApi extends AggregateObject {
  /** Begins to tell sources what they must know, and does not wait for them. */
  tellSources(): Promise<void>;
}

export interface SubscriptionApi extends AggregateObject {
  /** Takes events in order; taking one twice changes nothing. "Gone" when the subscription no longer exists. */
  enqueue(events: Event[]): Promise<"Taken" | "Gone">;
  /** Takes events that it may have had before: those it had go out once more. */
  replay(events: Event[]): Promise<void>;
  /** Sends one delivery of these event types again by hand, once for each `askId`. @returns whether there is one */
  resend(deliveryId: string, askId: string, types: readonly string[]): Promise<boolean>;
  /** Sends an event that is no event, now, and once for each id. Nothing comes of it when the subscription goes meanwhile. */
  test(eventId: string): Promise<TestOutcome | undefined>;
  /** Types of the events that are on their way. */
  waitingTypes(): Promise<string[]>;
  /** Deliveries about things (`Order/` and the id of each) go. */
  forgetThings(about: string[]): Promise<void>;
  /** The last of the deliveries that are looked at together, behind one; none where it was the last. */
  nextDeliveries(after: number): Promise<number | undefined>;
  /** Deliveries that were done before a moment, in milliseconds since 1970, go, some at a time. @returns whether more are left */
  forgetDeliveries(before: number): Promise<boolean>;
  /** Deliveries behind one, up to another, that name somebody go. @returns whether there were any */
  eraseDeliveries(person: Person, after: number, upTo: number): Promise<boolean>;
  deliveryLog(asked: DeliveriesAsked): Promise<(DeliveryRecord & { tried: AttemptRecord[] })[]>;
  health(): Promise<DeliveryHealth>;
}

/** How it goes with a webhook. */
export interface DeliveryHealth {
  status: "Active" | "Failing" | "Disabled";
  disabledBecause?: "Failures" | "Gone" | "AccountBlocked" | "KeyRevoked";
  disablesAfter: { failures: number; seconds: number };
  /** Failed attempts in a row. */
  failureCount: number;
  lastSuccessAt?: string;
  lastFailure?: { at: string; status?: number; error?: string; detail?: string };
  /** Deliveries on their way. */
  pending: number;
  /** Deliveries that waited too long. */
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

/** What a delivery is waiting for. `Held`: behind an older one about the same thing. */
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
  /** When it was made, tried or done last. */
  updated: number;
};

/** A page of deliveries. */
export interface DeliveriesAsked {
  /** The newest first; otherwise the oldest. */
  isDescending: boolean;
  /** The delivery beyond which they begin, by its number. */
  after?: number | undefined;
  limit: number;
  /** Any of these; all when there is none. */
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

/** Aggregates that answer more than every aggregate does. */
interface SpecialObjects {
  COMPANIES: CompanyApi;
  FREIGHTS: FreightApi;
  SUBSCRIPTIONS: SubscriptionApi;
}
type ObjectAt<Binding> = Binding extends keyof SpecialObjects ? SpecialObjects[Binding] : AggregateObject;

/** The object's name holds its company, and names are only ever made here. */
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
  const { reply, ...more } = await askInWriting(env, command.binding, { ...call, name: command.name, ask });
  return { ...more, reply: JSON.parse(reply.json) };
}

/** Sends a command to an aggregate and takes the reply as it goes to the caller. @throws Problem when it refuses */
export async function askInWriting(
  env: Env,
  binding: AggregateBinding,
  call: CommandCall,
): Promise<CommandOutcome<JsonText>> {
  const said = await objectOf(env, binding, call.company, call.id).execute(JSON.stringify(call));
  const end = said.indexOf("\n");
  const outcome: Omit<CommandOutcome<never>, "reply"> | Refusal = JSON.parse(said.slice(0, end));
  return granted({ ...outcome, reply: { json: said.slice(end + 1) } });
}

function granted<Reply>(outcome: CommandOutcome<Reply> | Refusal): CommandOutcome<Reply> {
  if ("refused" in outcome) throw new Problem(outcome.refused, outcome.detail, outcome);
  return outcome;
}

/** A name that one thing of a company holds: an order number, the hash of a file, an idempotency key. */
export interface ClaimApi {
  take(claim: Claim): Promise<Claim & { fresh: boolean }>;
  /** @returns whether its holder still has it, from now on until `claim.until` */
  renew(claim: Claim): Promise<boolean>;
  release(claim: Claim): Promise<void>;
  /** Whoever has it. */
  forget(): Promise<void>;
}

export interface Claim {
  holder: string;
  note?: string;
  /** Milliseconds since 1970; free for others after it. Without it the name is held until it is released. */
  until?: number;
}

/**
 * Takes `name` for `claim.holder`, or answers who has it (`fresh` is false). Of two at the same moment one wins. To take
 * what one has renews its note.
 */
export async function takeClaim(
  env: Env,
  company: string,
  name: string,
  claim: Claim,
): Promise<Claim & { fresh: boolean }> {
  return claimOf(env, company, name).take(claim);
}

/** Who has `name`. To ask takes nothing: a claim whose time is over holds no name. */
export async function holderOf(env: Env, company: string, name: string): Promise<string | undefined> {
  const { holder, fresh } = await takeClaim(env, company, name, { holder: "", until: 1 });
  return fresh ? undefined : holder;
}

/** Holds `name` for longer, if `claim.holder` still has it. @returns whether it does */
export const renewClaim = (env: Env, company: string, name: string, claim: Claim): Promise<boolean> =>
  claimOf(env, company, name).renew(claim);

/** Gives `name` back, if `claim.holder` has it, and with this note when one is said. */
export const releaseClaim = (env: Env, company: string, name: string, claim: Claim): Promise<void> =>
  claimOf(env, company, name).release(claim);

/** Nobody has `name` any more. */
export const forgetClaim = (env: Env, company: string, name: string): Promise<void> =>
  claimOf(env, company, name).forget();

const claimOf = (env: Env, company: string, name: string) =>
  env.CLAIMS.getByName(`${company}/${name}`) as unknown as ClaimApi;
