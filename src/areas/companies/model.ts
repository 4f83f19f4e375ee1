import * as z from "zod";
import { isBlocked, withinRole, type Account } from "../accounts/model.ts";
import type { MailSettings } from "../mails/model.ts";
import type { MappingProfile } from "../opportunities/mapping-profile.ts";
import type { Recognised, Scope } from "../../platform/credential.ts";
import { sameDigest } from "../../platform/key-format.ts";
import type { Subscriber } from "../../platform/aggregates.ts";
import type { SealedAuthentication } from "../../platform/receivers/index.ts";
import type { Retention, RetentionPosition } from "../privacy/retention.ts";
import { Country } from "../../domain/addresses.ts";
import { choice, LineText } from "../../domain/shapes.ts";

// Shapes

export const CompanyFacts = z
  .object({
    name: LineText(200).min(1),
    otherNames: z.array(LineText(200).min(1)).max(20).optional().describe("Other names of the company on documents."),
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
        "Request limit of each key. Default: 100; maximum: 1000, unless the deployment allows more. Bursts may be twice as large.",
      ),
    languageModel: choice(["Off", "WhenUnsure", "Always"])
      .optional()
      .describe(
        "Whether the text of your documents may be sent to the language model of the deployment, if it has one. Default: Off. WhenUnsure: only if the embedded engine is not confident in its result.",
      ),
  })
  .meta({ id: "CompanyFacts" });
export type CompanyFacts = z.output<typeof CompanyFacts>;

export const CompanyView = CompanyFacts.extend({
  languageModel: z.enum(["Off", "WhenUnsure", "Always"]),
  companyId: z.string(),
  createdAt: z.string(),
}).meta({ id: "CompanyView" });

export const facts: CompanyFacts = {
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

// Events. There are none.

export const events = {};

// State

export interface Key {
  keyId: string;
  hash: string;
  scopes: (Scope | "*")[];
  description?: string;
  createdAt: string;
  /** When the key was replaced by another key, if it was. */
  updatedAt?: string;
  expiresAt?: string;
  revokedAt?: string;
  /** The account that owns the key, if any. */
  accountId?: string;
  /** The id of the key that replaced this key. */
  replacedBy?: string;
}

/** A source at which freights are published, in addition to the built-in board. */
export interface Source {
  /** Number of the source within the company. */
  source: number;
  /** The id by which the sealed secrets are bound to this source; see `sealsOf`. */
  record: string;
  name: string;
  /** Absent for AWS receivers. */
  endpoint?: string;
  authentication: SealedAuthentication;
  /** The sealed secret that signs calls. */
  sealed: string;
  /** The actions for which the source is called. */
  calls: ("Publish" | "Update" | "Remove")[];
  alternativeLocations: boolean;
  createdAt: string;
  /** Absent if the source was never changed. */
  updatedAt?: string;
}

export interface Company {
  facts: CompanyFacts;
  keys: Key[];
  accounts?: Account[];
  /** Accounts whose block state is not applied to all their freights and webhooks yet. */
  changedAccounts?: { accountId: string; email: string; turn: number; at: string }[];
  sources?: Source[];
  /** The highest number that was ever given to a source. Numbers are not reused. */
  lastSource?: number;
  /** Sources whose addition or removal is not applied to all freights yet. */
  changedSources?: { source: number; at: string }[];
  /** The profile by which requests for quotes are converted to the company's own format. */
  opportunityProfile?: MappingProfile;
  /** Retention period of each kind of record, in days after the last change. */
  retention?: Retention;
  /** When expired records are deleted next. `retentionAt`: the position of the deletion in progress. */
  retentionDueAt?: string;
  retentionAt?: RetentionPosition;
  /** Settings for received mails. */
  mail?: MailSettings;
  /** The index of webhooks, with the event types that each subscribes to. */
  subscribers: Subscriber[];
  createdAt: string;
  /**
   * When the company's data in the operator's list last changed. Absent if it has not changed since the company was
   * created.
   */
  updatedAt?: string;
  /** Present while the operator has suspended the company. */
  suspension?: { at: string; reason?: string };
  /**
   * Increased by each suspension and resumption. Freights and webhooks apply only the change with the highest number.
   */
  suspensionTurn?: number;
  /**
   * Present once the operator has requested deletion. `toldAt`: when all connectors had removed the freights, or had
   * been unreachable for too long. `doneAt`: when all data was deleted. `againAt`: when data that was written during
   * the deletion is deleted as well.
   */
  deletion?: { at: string; toldAt?: string; doneAt?: string; againAt?: string };
  metadata?: undefined;
}

/**
 * Returns the initial state of a local company. On a developer's machine, a company exists as soon as its key is used.
 */
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

/**
 * Verifies a key and returns its caller.
 * @param hash digest of the key's secret; undefined if a token acts for the key, because the token was already verified
 */
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

/**
 * Returns the scopes of a key; none if the key is revoked or has expired. A key whose account is blocked keeps its
 * scopes.
 */
export function scopesOfKey(company: Company, keyId: string, now: string): Key["scopes"] {
  const key = company.keys.find((one) => one.keyId === keyId);
  if (!key || key.revokedAt || (key.expiresAt && key.expiresAt <= now)) return [];
  if (key.accountId === undefined) return key.scopes;
  const account = company.accounts?.find(({ accountId }) => accountId === key.accountId);
  return account ? withinRole(key.scopes, account.role) : [];
}

export const viewOf = (company: Company, id: string) => ({
  companyId: id,
  createdAt: company.createdAt,
  ...shown(company.facts),
});

export const shown = (facts: CompanyFacts) => ({ languageModel: "Off" as const, ...facts });
