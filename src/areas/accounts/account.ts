import type { Caller, Scope } from "../../platform/credential.ts";
import { scopes } from "../../platform/credential.ts";
import { AccountView, type Role } from "./shapes.ts";
import { blockedExample, example } from "./examples.ts";

// What happens to it

export const events = {
  AccountBlocked: AccountView.meta({
    id: "AccountBlocked",
    description:
      "An account was blocked: its keys are refused, its freights suspended, its links and webhooks stopped; `accountId` says which.",
    examples: [blockedExample],
  }),
  AccountUnblocked: AccountView.meta({
    id: "AccountUnblocked",
    description:
      "An account may act again, because somebody said so or its time was over; what is still in time goes on.",
    examples: [example],
  }),
};
export type Events = typeof events;

// What is remembered: the accounts are part of their company's state

/** Somebody who acts for a company, or a carrier that a company knows. */
export interface Account {
  accountId: string;
  email: string;
  role: Role;
  name?: string;
  phone?: string;
  metadata?: Record<string, string>;
  createdAt: string;
  updatedAt: string;
  /** While it is blocked: since when, why, and until when where that was said. */
  blocked?: { at: string; reason?: string; until?: string };
  /** Grows by each block and unblock, and over accounts of one address: what belongs to it heeds the last only. */
  turn: number;
}

/** Accounts a company may have. */
export const mostAccounts = 1000;

/** Whether two addresses are those of one account. */
export const isSameEmail = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** Blocked, and not for a time that is over though nobody may have written that down yet. */
export const isBlocked = ({ blocked }: Pick<Account, "blocked">, at: string): boolean =>
  blocked !== undefined && !(blocked.until !== undefined && blocked.until <= at);

/** What the keys of a role may do at most. A carrier acts by the links it is given, and has none. */
const granted: Record<Role, (scope: Scope) => boolean> = {
  admin: () => true,
  forwarder: (scope) => scope !== "accounts:write",
  viewer: (scope) => scope.endsWith(":read"),
  carrier: () => false,
};

/** What a key may do, of what it says, when it belongs to somebody of this role. */
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
