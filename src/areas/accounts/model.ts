import * as z from "zod";
import { listParameters } from "../../platform/list-parameters.ts";
import { Id, LineText, Metadata, choice, optional } from "../../domain/shapes.ts";
import { type Caller, type Scope, scopes } from "../../platform/credential.ts";
import { blockedExample, example } from "./examples.ts";

export const roles = ["admin", "forwarder", "viewer", "carrier"] as const;
export type Role = (typeof roles)[number];
export const accountStatuses = ["Active", "Blocked"] as const;

const Email = z.email("Not an e-mail address").max(254);
const about = {
  role: choice(roles).describe(
    "The most that the account's keys may do: an `admin` everything, a `forwarder` everything except changing accounts and keys, a `viewer` reading only. A `carrier` receives freights by link and has no keys.",
  ),
  name: optional(LineText(200)),
  phone: optional(LineText(50)),
  metadata: Metadata.optional(),
};

export const AccountInput = z.object({ email: Email, ...about }).meta({ id: "AccountInput" });
export type AccountInput = z.output<typeof AccountInput>;

export const AccountChange = z.object(about).meta({ id: "AccountChange" });
export type AccountChange = z.output<typeof AccountChange>;

const named = { accountId: optional(Id), email: optional(Email) };
const isNamed = ({ accountId, email }: { accountId?: string | undefined; email?: string | undefined }) =>
  accountId !== undefined || email !== undefined;
const unnamed = { message: "accountId or email is required", path: ["email"], params: { code: "required" } };

export const BlockInput = z
  .object({
    ...named,
    reason: optional(LineText(500)),
    until: optional(z.iso.datetime({ offset: true })).describe(
      "Future time at which the account is unblocked automatically.",
    ),
  })
  .refine(isNamed, unnamed)
  .meta({ id: "AccountBlockInput" });
export type BlockInput = z.output<typeof BlockInput>;

export const UnblockInput = z.object(named).refine(isNamed, unnamed).meta({ id: "AccountUnblockInput" });
export type UnblockInput = z.output<typeof UnblockInput>;

export const AccountView = z
  .object({
    accountId: z.string(),
    email: z.string(),
    role: z.enum(roles),
    status: z.enum(accountStatuses),
    name: z.string().optional(),
    phone: z.string().optional(),
    blockedAt: z.string().optional(),
    blockedReason: z.string().optional(),
    blockedUntil: z.string().optional(),
    metadata: Metadata.optional(),
    createdAt: z.string(),
    updatedAt: z.string(),
  })
  .meta({ id: "Account" });
export type AccountView = z.output<typeof AccountView>;

export const ListQuery = z.object({
  ...listParameters(["createdAt", "updatedAt", "email"]),
  status: choice(accountStatuses).optional(),
  role: choice(roles).optional(),
  email: z.string().max(254).optional(),
  internalId: z.string().max(512).optional(),
  text: z.string().max(200).optional().describe("Part of the name or the address."),
});
export type ListQuery = z.output<typeof ListQuery>;

// Events

export const events = {
  AccountBlocked: AccountView.meta({
    id: "AccountBlocked",
    description:
      "An account was blocked: its keys are refused, its freights suspended, its links and webhooks stopped. `accountId` identifies it.",
    examples: [blockedExample],
  }),
  AccountUnblocked: AccountView.meta({
    id: "AccountUnblocked",
    description:
      "An account was unblocked, by request or because its block expired. Everything that has not expired continues.",
    examples: [example],
  }),
};
export type Events = typeof events;

// State. Accounts are part of their company's state.

/** A person who acts for a company, or a carrier that a company knows. */
export interface Account {
  accountId: string;
  email: string;
  role: Role;
  name?: string;
  phone?: string;
  metadata?: Record<string, string>;
  createdAt: string;
  updatedAt: string;
  /** Present while the account is blocked. */
  blocked?: { at: string; reason?: string; until?: string };
  /**
   * Incremented by each block and unblock. A later account with the same address begins with a higher turn.
   * Freights and webhooks ignore a block state with a lower turn than the one that they applied last.
   */
  turn: number;
}

/** Maximum number of accounts of a company. */
export const mostAccounts = 1000;

/** Whether two addresses belong to the same account. */
export const isSameEmail = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** Whether an account is blocked. An expired block does not count, even if it is still stored. */
export const isBlocked = ({ blocked }: Pick<Account, "blocked">, at: string): boolean =>
  blocked !== undefined && !(blocked.until !== undefined && blocked.until <= at);

/** For each role, whether its keys may have a scope. A carrier acts by links and has no keys. */
const granted: Record<Role, (scope: Scope) => boolean> = {
  admin: () => true,
  forwarder: (scope) => scope !== "accounts:write",
  viewer: (scope) => scope.endsWith(":read"),
  carrier: () => false,
};

/** Restricts the scopes of a key to those that the role of its account allows. */
export function withinRole(held: readonly (Scope | "*")[], role: Role): Caller["scopes"] {
  if (role === "admin") return [...held];
  const reading = held.flatMap((scope) => (scope.endsWith(":write") ? [scope, readOf(scope as Scope)] : [scope]));
  const all = held.includes("*") ? scopes : (reading as Scope[]);
  return [...new Set(all)].filter((scope) => granted[role](scope));
}

const readOf = (scope: Scope) => scope.replace(":write", ":read") as Scope;

export function viewOf(account: Account, at: string): AccountView {
  const { accountId, email, role, name, phone, metadata, createdAt, updatedAt, blocked } = account;
  const is = isBlocked(account, at) ? blocked : undefined;
  return {
    accountId,
    email,
    role,
    status: is ? "Blocked" : "Active",
    ...(name && { name }),
    ...(phone && { phone }),
    ...(is && {
      blockedAt: is.at,
      ...(is.reason && { blockedReason: is.reason }),
      ...(is.until && { blockedUntil: is.until }),
    }),
    ...(metadata && { metadata }),
    createdAt,
    updatedAt,
  };
}
