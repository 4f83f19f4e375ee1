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

// What it is

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
  /** The key that replaced it. */
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
  retentionAt?: RetentionPosition;
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

export const viewOf = (company: Company, id: string) => ({
  companyId: id,
  createdAt: company.createdAt,
  ...shown(company.facts),
});

export const shown = (facts: CompanyFacts) => ({ languageModel: "Off" as const, ...facts });
