import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { isBlocked, withinRole, type Account } from "./accounts/account.ts";
import type { MailSettings } from "./mails/shapes.ts";
import type { MappingProfile } from "./opportunities/profile-shapes.ts";
import type { Recognised, Scope } from "../platform/credential.ts";
import { refuse } from "../platform/decision.ts";
import { makeKey, sameDigest } from "../platform/key-format.ts";
import { Answer } from "../http/responses.ts";
import type { Env } from "../platform/env.ts";
import { commandsOn } from "../platform/command.ts";
import { operationsOn } from "../http/operation.ts";
import type { Subscriber } from "../platform/aggregates.ts";
import { invalid, wrongField } from "../platform/problem.ts";
import { requestsCeiling } from "../http/rate-limit.ts";
import type { SealedAuthentication } from "../platform/receivers/index.ts";
import { sealable } from "../platform/seal.ts";
import type { Retention, RetentionPlace } from "./privacy/retained.ts";
import { choice, Country, LineText } from "../domain/shapes.ts";

// What it is

export const CompanyFacts = z
  .object({
    name: LineText(200).min(1),
    otherNames: z.array(LineText(200).min(1)).max(20).optional().describe("Other names the company goes by on paper."),
    vatCodes: z.array(LineText(20).min(4)).max(20).optional().describe("With country prefix."),
    emailDomains: z.array(LineText(100).min(3)).max(20).optional(),
    country: Country.optional().describe("ISO 3166-1 alpha-2."),
    requestsPerSecond: z
      .number()
      .int()
      .min(1)
      .max(100_000)
      .optional()
      .describe(
        "What each key may do; 100 when not said, and 1000 at most unless the deployment allows more. Twice as many may come at once.",
      ),
    languageModel: choice(["Off", "WhenUnsure", "Always"])
      .optional()
      .describe(
        "Whether the text of your documents may be shown to the deployment's language model, where it has one: Off when not said; WhenUnsure only where the embedded engine is not sure of what it read.",
      ),
  })
  .meta({ id: "CompanyFacts" });
export type CompanyFacts = z.output<typeof CompanyFacts>;

export const CompanyView = CompanyFacts.extend({
  languageModel: z.enum(["Off", "WhenUnsure", "Always"]),
  companyId: z.string(),
  createdAt: z.string(),
}).meta({ id: "CompanyView" });

const facts: CompanyFacts = {
  name: "Trans Beispiel",
  vatCodes: ["PL5260250274"],
  emailDomains: ["trans.beispiel.pl"],
  country: "PL",
};
export const companyExample = {
  companyId: "0193a5f1-3b7a-7c10-8e55-6d2f9b0a4c31",
  createdAt: "2026-11-20T08:00:00.000Z",
  languageModel: "Off" as const,
  ...facts,
};

// What happens to it

export const events = {};

// What is remembered

export interface Key {
  keyId: string;
  hash: string;
  scopes: (Scope | "*")[];
  description?: string;
  createdAt: string;
  /** When another took its place; otherwise it is as it was made. */
  updatedAt?: string;
  expiresAt?: string;
  revokedAt?: string;
  /** Whose it is, when it is somebody's. */
  accountId?: string;
  /** The key that was made in its place. */
  replacedBy?: string;
}

/** Where freights are published, beside the built-in board. */
export interface Source {
  /** Its number in the company. */
  source: number;
  /** What its secrets are sealed for. */
  record: string;
  name: string;
  /** Not with receivers of AWS. */
  endpoint?: string;
  authentication: SealedAuthentication;
  /** The secret that signs calls. */
  sealed: string;
  /** What it wants to be told of. */
  calls: ("Publish" | "Update" | "Remove")[];
  alternativeLocations: boolean;
  createdAt: string;
  /** Only of one that was changed. */
  updatedAt?: string;
}

export interface Company {
  facts: CompanyFacts;
  keys: Key[];
  accounts?: Account[];
  /** Accounts that were blocked or unblocked, until what belongs to them has heard of it. */
  changedAccounts?: { accountId: string; email: string; turn: number; at: string }[];
  sources?: Source[];
  /** The greatest number that a source was ever given. */
  lastSource?: number;
  /** Sources that came or went, until the freights that name them have heard of it. */
  changedSources?: { source: number; at: string }[];
  /** How it wants requests for quotes to look. */
  opportunityProfile?: MappingProfile;
  /** Days after its last change that a thing of each kind is kept. */
  retention?: Retention;
  /** When what is older is looked for next, and how far that has come while it goes on. */
  retentionDueAt?: string;
  retentionAt?: RetentionPlace;
  /** How it takes mails in. */
  mail?: MailSettings;
  /** The index of its webhooks: who hears of what. */
  subscribers: Subscriber[];
  createdAt: string;
  /** When the operator or the company last changed what is listed of it; its creation when not said. */
  updatedAt?: string;
  /** While the operator keeps it from doing anything. */
  suspension?: { at: string; reason?: string };
  /** Rises with each suspension and resumption: what belongs to the company heeds the last only. */
  suspensionTurn?: number;
  /**
   * Since the operator has asked for it to be deleted: when its connectors had removed its freights, when everything was
   * deleted, and when what has come about since is deleted.
   */
  deletion?: { at: string; toldAt?: string; doneAt?: string; againAt?: string };
  metadata?: undefined;
}

/** A company that exists only on this machine is there as soon as its key is used. */
export const localCompany = (at: string): Company => ({
  facts: { name: "Demo company" },
  keys: [],
  subscribers: [],
  createdAt: at,
});

export const companyStatuses = ["Active", "Suspended", "Deleting", "Deleted"] as const;

export function statusOf({ deletion, suspension }: Company): (typeof companyStatuses)[number] {
  if (deletion) return deletion.doneAt === undefined ? "Deleting" : "Deleted";
  return suspension ? "Suspended" : "Active";
}

/** What the company says of a key that was shown to it; a token has proved itself, a key must by its digest. */
export function recogniseKey(company: Company, keyId: string, hash: string | undefined, now: string): Recognised {
  const key = company.keys.find((one) => one.keyId === keyId);
  if (!key || key.revokedAt || (hash !== undefined && !sameDigest(key.hash, hash)))
    return { refused: "unauthenticated" };
  if (key.expiresAt && key.expiresAt <= now) return { refused: "key_expired" };
  if (statusOf(company) !== "Active") return { refused: "company_suspended" };
  const { requestsPerSecond } = company.facts;
  if (key.accountId === undefined) return { keyId, scopes: key.scopes, requestsPerSecond };
  const account = company.accounts?.find(({ accountId }) => accountId === key.accountId);
  if (!account) return { refused: "unauthenticated" };
  if (isBlocked(account, now)) return { refused: "account_blocked" };
  const { accountId, email, role } = account;
  return { keyId, scopes: withinRole(key.scopes, role), requestsPerSecond, account: { accountId, email } };
}

/** What a key may do now: nothing once it is revoked or has expired. A block only pauses what it may do. */
export function scopesOfKey(company: Company, keyId: string, now: string): Key["scopes"] {
  const key = company.keys.find((one) => one.keyId === keyId);
  if (!key || key.revokedAt || (key.expiresAt && key.expiresAt <= now)) return [];
  if (key.accountId === undefined) return key.scopes;
  const account = company.accounts?.find(({ accountId }) => accountId === key.accountId);
  return account ? withinRole(key.scopes, account.role) : [];
}

// What may be asked

const owner = { binding: "COMPANIES", scope: "accounts" } as const;
const { get, put, post } = operationsOn<Company, typeof events>(owner);

const viewOf = (company: Company, id: string) => ({
  companyId: id,
  createdAt: company.createdAt,
  ...shown(company.facts),
});

export const shown = (facts: CompanyFacts) => ({ languageModel: "Off" as const, ...facts });

export const commands = commandsOn<Company, typeof events>(
  "COMPANIES",
  "companies",
)({
  found: (company, ask: { facts: CompanyFacts; key: Key; secret?: string | undefined }, context) =>
    company
      ? refuse("invalid_state", "The company exists already.")
      : {
          state: { ...localCompany(context.at), facts: ask.facts, keys: [ask.key] },
          reply: { createdAt: context.at, keyId: ask.key.keyId, ...(ask.secret && { key: ask.secret }) },
        },

  change: (company, { facts }: { facts: CompanyFacts }, { at, id }) => {
    const next = { ...(company ?? localCompany(at)), facts, updatedAt: at };
    return { state: next, reply: viewOf(next, id) };
  },

  facts: (company, _: object, { at }) => ({ reply: (company ?? localCompany(at)).facts }),

  /** Enters a webhook in the index. One that is there hears what it would have heard: asking again moves nothing. */
  subscribe: (company, ask: Omit<Subscriber, "since">, { at }) => {
    const now = company ?? localCompany(at);
    if (now.subscribers.some(({ id }) => id === ask.id)) return { reply: {} };
    if (now.subscribers.length >= 100) return refuse("invalid_state", "A company may have 100 webhooks.");
    const subscriber = { ...withKnownKey(ask, now), since: at };
    return { state: { ...now, subscribers: [...now.subscribers, subscriber] }, reply: {} };
  },

  /** From now on a webhook belongs to another key, and receives what that key may read; of other types where some are named. */
  adopt: (company, ask: Pick<Subscriber, "id" | "keyId" | "scopes" | "accountId"> & Partial<Subscriber>) => {
    const before = company?.subscribers.find((one) => one.id === ask.id);
    if (!company || !before) return refuse("not_found");
    const { eventTypes, since } = before;
    const after = withKnownKey({ eventTypes, ...ask, since }, company);
    if (isDeepStrictEqual(before, after)) return { reply: {} };
    const subscribers = company.subscribers.map((one) => (one === before ? after : one));
    return { state: { ...company, subscribers }, reply: {} };
  },

  /** Takes a webhook out of the index. */
  unsubscribe: (company, ask: { id: string }) =>
    company?.subscribers.some(({ id }) => id === ask.id)
      ? { state: { ...company, subscribers: company.subscribers.filter(({ id }) => id !== ask.id) }, reply: {} }
      : { reply: {} },
});

/** @throws Problem `validation_failed` when the company asks for more than its deployment allows */
function requireWithinCeiling({ requestsPerSecond = 0 }: CompanyFacts, env: Env): void {
  const ceiling = requestsCeiling(env);
  if (requestsPerSecond <= ceiling) return;
  const message = `requestsPerSecond must be at most ${ceiling} here.`;
  throw invalid([wrongField(["requestsPerSecond"], "too_big", message)]);
}

/** Local keys are in no list, and are never revoked. */
function withKnownKey<One extends Pick<Subscriber, "keyId">>({ keyId, ...rest }: One, { keys }: Company) {
  const isKnown = keys.some((key) => key.keyId === keyId);
  return { ...rest, ...(isKnown && { keyId }) };
}

export const operations = {
  create: post("/api/v1/companies", {
    summary: "Found a company and get its first key",
    description:
      "Only for the operator of the deployment, with its OPERATOR_KEY as bearer token. The key is shown only in this answer, and again for a day when the request is repeated with its Idempotency-Key, provided that the deployment has `SEAL_KEYS` or `SEAL_KEY`; it may do everything.",
    access: "operator",
    body: CompanyFacts,
    ok: CompanyView.extend({ keyId: z.string(), key: z.string().optional() }).meta({ id: "FoundedCompany" }),
    status: 201,
    example: {
      body: facts,
      reply: {
        ...companyExample,
        keyId: "lorry_0193a5f13b7a7c108e556d2f9b0a4c3100000001",
        key: "lorry_0193a5f13b7a7c108e556d2f9b0a4c3100000001.secret",
      },
    },
    async handle({ body }, context) {
      requireWithinCeiling(body, context.env);
      const company = context.caller.company;
      const { keyId, key, hash } = await makeKey(company);
      const entry: Key = { keyId, hash, scopes: ["*"], description: "First key", createdAt: new Date().toISOString() };
      const secret = sealable(key, context.env);
      const { reply, ...more } = await context.execute(commands.found, company, { facts: body, key: entry, secret });
      return new Answer({ companyId: company, ...reply, ...(!more.replayed && { key }), ...shown(body) }, more);
    },
  }),

  read: get("/api/v1/company", {
    summary: "Read your own company",
    ok: CompanyView,
    example: { reply: companyExample },
    decide: (company, _, { at, id }) => ({ reply: viewOf(company ?? localCompany(at), id) }),
  }),

  update: put("/api/v1/company", {
    summary: "Say who you are",
    description:
      "Names, VAT codes and mail domains tell the reading engine which party of a document is you: the carrier on orders you receive, the customer on those you give.",
    body: CompanyFacts,
    ok: CompanyView,
    example: { body: facts, reply: companyExample },
    async handle({ body }, { env, caller, execute }) {
      requireWithinCeiling(body, env);
      const { reply, version } = await execute(commands.change, caller.company, { facts: body });
      return new Answer(reply, { version });
    },
  }),
};
