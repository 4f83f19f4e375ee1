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

export const events = {};

export interface Key {
  keyId: string;
  hash: string;
  scopes: (Scope | "*")[];
  description?: string;
  createdAt: string;
  /** When another key replaced this key. */
  updatedAt?: string;
  expiresAt?: string;
  revokedAt?: string;
  accountId?: string;
  replacedBy?: string;
}

export interface Source {
  source: number;
  /** The id by which the sealed secrets are bound to this source; see `sealsOf`. */
  record: string;
  name: string;
  /** Absent for AWS receivers. */
  endpoint?: string;
  authentication: SealedAuthentication;
  /** The sealed secret that signs calls. */
  sealed: string;
  calls: ("Publish" | "Update" | "Remove")[];
  alternativeLocations: boolean;
  createdAt: string;
  updatedAt?: string;
}

export interface Company {
  facts: CompanyFacts;
  keys: Key[];
  accounts?: Account[];
  /** Accounts that were blocked or unblocked, until the change is applied to all their freights and webhooks. */
  changedAccounts?: { accountId: string; email: string; turn: number; at: string }[];
  sources?: Source[];
  /** The highest number that a source ever had. Numbers are not reused. */
  lastSource?: number;
  /** Sources that were added or removed, until the change is applied to all freights. */
  changedSources?: { source: number; at: string }[];
  /** Converts requests for quotes to the company's own format. */
  opportunityProfile?: MappingProfile;
  /** In days after the last change, for each kind of record. */
  retention?: Retention;
  /** When expired records are deleted next. `retentionAt`: position of the deletion in progress. */
  retentionDueAt?: string;
  retentionAt?: RetentionPosition;
  mail?: MailSettings;
  subscribers: Subscriber[];
  createdAt: string;
  /** When a field that the operator's list of companies shows last changed. Absent if none ever did. */
  updatedAt?: string;
  suspension?: { at: string; reason?: string };
  /**
   * Time of the last suspension or resumption in milliseconds since 1970, at least one more than the one before.
   * Freights and webhooks ignore a change with a lower number.
   */
  suspensionTurn?: number;
  /**
   * Present once the operator has requested deletion. `toldAt`: when all connectors had removed the freights, or had
   * been unreachable for too long. `doneAt`: when all data was deleted. `againAt`: when the deletion is repeated, for
   * data that was written while it ran.
   */
  deletion?: { at: string; toldAt?: string; doneAt?: string; againAt?: string };
  metadata?: undefined;
}

/** Returns the initial state of a local company, which exists as soon as its key is used. */
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
 * @param hash digest of the key's secret; undefined for a token of the key, which was already verified
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

/** Returns the scopes of a key; none if it is revoked or has expired. The block of an account does not change them. */
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
