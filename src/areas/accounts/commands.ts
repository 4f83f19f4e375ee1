import { isDeepStrictEqual } from "node:util";
import {
  refuse,
  type DecisionOrRefusal,
  type DomainEvent,
  type CommandContext,
  type Refusal,
} from "../../platform/decision.ts";
import { commandsOn } from "../../platform/command.ts";
import { erased } from "../../domain/person.ts";
import { wrongField } from "../../platform/problem.ts";
import { localCompany, statusOf, type Company } from "../companies/model.ts";
import {
  type Account,
  type AccountChange,
  type AccountInput,
  type AccountView,
  type BlockInput,
  type Events,
  type UnblockInput,
  isBlocked,
  isSameEmail,
  mostAccounts,
  viewOf,
} from "./model.ts";

/** The job that applies blocks of accounts to their freights and webhooks. */
export const following = "accounts.follow";
/**
 * Maximum delay of the archive. A freight that was published just before its owner was blocked may not be listed yet.
 */
const heardWithinMilliseconds = 60_000;

/** Selects an account by its id, its mail address, or both. */
export interface Named {
  accountId?: string | undefined;
  email?: string | undefined;
}

export const accountOf = (company: Company | undefined, { accountId, email }: Named): Account | undefined =>
  company?.accounts?.find((one) =>
    accountId === undefined ? isSameEmail(one.email, email ?? "") : one.accountId === accountId,
  );

/** Returns undefined if the id and the mail address select different accounts. */
const namedIn = (company: Company | undefined, named: Named): Account | undefined => {
  const account = accountOf(company, named);
  return account && (named.email === undefined || isSameEmail(account.email, named.email)) ? account : undefined;
};

type Written = DecisionOrRefusal<Company, Events, AccountView>;

/** Creates an account. If the mail address already has an account, the refusal contains the id of that account. */
export function created(company: Company | undefined, said: AccountInput, accountId: string, at: string): Written {
  const now = company ?? localCompany(at);
  const { accounts = [] } = now;
  const known = accountOf(now, { email: said.email });
  if (known)
    return refuse("invalid_state", `${said.email} already has an account.`, {
      extra: { accountId: known.accountId, currentStatus: viewOf(known, at).status, allowed: [] },
    });
  if (accounts.length >= mostAccounts)
    return refuse("invalid_state", `A company can have at most ${mostAccounts} accounts.`);
  const made: Account = { accountId, ...withoutUndefined(said), createdAt: at, updatedAt: at, turn: Date.parse(at) };
  return { state: { ...now, accounts: [...accounts, made] }, about: accountId, reply: viewOf(made, at), status: 201 };
}

/**
 * Changes an account. Identical values change nothing. Without `metadata`, the stored metadata is kept; a name or phone
 * number that is not sent is removed.
 */
export function changed(company: Company | undefined, accountId: string, said: AccountChange, at: string): Written {
  const now = accountOf(company, { accountId });
  if (!company || !now) return refuse("not_found");
  const { name: _, phone: __, ...kept } = now;
  const next: Account = { ...kept, ...withoutUndefined(said) };
  if (isDeepStrictEqual(next, now)) return { reply: viewOf(now, at) };
  return withAccount(company, { ...next, updatedAt: at }, at);
}

/** Removes an account and revokes its keys. Its records are kept. */
export function removed(
  company: Company | undefined,
  accountId: string,
  context: CommandContext,
): DecisionOrRefusal<Company, Events, Record<string, never>> {
  const now = accountOf(company, { accountId });
  if (!company || !now) return refuse("not_found");
  if (isOwn(now, context)) return own();
  if (isBlocked(now, context.at))
    return refuse("invalid_state", "The account is blocked. Unblock it before removing it.", {
      extra: { currentStatus: "Blocked", allowed: ["Active"] },
    });
  return { ...without(company, now, context.at), about: accountId, reply: {} };
}

function without(company: Company, { accountId }: Account, at: string): { state: Company } {
  const keys = company.keys.map((key) =>
    key.accountId === accountId && !key.revokedAt ? { ...key, revokedAt: at } : key,
  );
  return { state: { ...company, accounts: company.accounts!.filter((one) => one.accountId !== accountId), keys } };
}

export function blocked(company: Company | undefined, ask: BlockInput, context: CommandContext): Written {
  const { at } = context;
  const now = namedIn(company, ask);
  if (!company || !now) return refuse("not_found", "The account does not exist.");
  if (isOwn(now, context)) return own();
  const until = ask.until && new Date(ask.until).toISOString();
  if (until && until <= at) return refuse("validation_failed", undefined, { errors: [past] });
  const more = { ...(ask.reason && { reason: ask.reason }), ...(until && { until }) };
  if (isBlocked(now, at) && isDeepStrictEqual({ ...more, at: now.blocked!.at }, now.blocked))
    return { reply: viewOf(now, at) };
  const since = isBlocked(now, at) ? now.blocked!.at : at;
  return withBlockState(company, { ...now, blocked: { at: since, ...more } }, "AccountBlocked", at);
}

const past = wrongField(["until"], "invalid", "until must be in the future.");

/** Unblocks an account. An account that is not blocked stays unchanged. */
export function unblocked(company: Company | undefined, ask: UnblockInput, at: string): Written {
  const now = namedIn(company, ask);
  if (!company || !now) return refuse("not_found", "The account does not exist.");
  if (!now.blocked) return { reply: viewOf(now, at) };
  return withBlockState(company, withoutBlock(now), "AccountUnblocked", at);
}

/** When the next block expires, in milliseconds since 1970. */
export function nextUnblocking({ accounts = [] }: Company): number | undefined {
  const times = accounts.flatMap(({ blocked: is }) => (is?.until ? [Date.parse(is.until)] : []));
  return times.length > 0 ? Math.min(...times) : undefined;
}

/** Unblocks accounts whose block has expired. */
export function lapsed(
  company: Company,
  at: string,
): { state: Company; events: DomainEvent<Events>[]; jobs: string[] } {
  let turn: { state: Company; events: DomainEvent<Events>[]; jobs: string[] } = {
    state: company,
    events: [],
    jobs: [],
  };
  for (const account of company.accounts ?? []) {
    if (!account.blocked || isBlocked(account, at)) continue;
    const { state, events, jobs } = withBlockState(turn.state, withoutBlock(account), "AccountUnblocked", at);
    turn = { state, events: [...turn.events, ...events], jobs };
  }
  return turn;
}

function withoutBlock(before: Account): Account {
  const { blocked: _, ...account } = before;
  return account;
}

function withBlockState(company: Company, account: Account, type: keyof Events, at: string) {
  const next: Account = { ...account, updatedAt: at, turn: account.turn + 1 };
  const { state, ...more } = withAccount(company, next, at);
  const others = (company.changedAccounts ?? []).filter(({ accountId }) => accountId !== next.accountId);
  const before = type === "AccountBlocked" ? "Active" : "Blocked";
  const { accountId, email, turn } = next;
  return {
    ...more,
    state: { ...state, changedAccounts: [...others, { accountId, email, turn, at }] },
    events: [{ type, status: more.reply.status, previousStatus: before, accountId, data: more.reply }],
    jobs: [following],
  };
}

function withAccount(company: Company, next: Account, at: string) {
  const accounts = (company.accounts ?? []).map((one) => (one.accountId === next.accountId ? next : one));
  return { state: { ...company, accounts }, about: next.accountId, reply: viewOf(next, at) };
}

const isOwn = ({ accountId }: Account, { by }: CommandContext): boolean => by?.accountId === accountId;

const own = (): Refusal =>
  refuse("invalid_state", "An account cannot block or delete itself. Use a key of another account.", {
    extra: { allowed: [] },
  });

const withoutUndefined = <Said extends object>(said: Said) =>
  Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined)) as {
    [Key in keyof Said]: Exclude<Said[Key], undefined>;
  };

export const commands = commandsOn<Company, Events>(
  "COMPANIES",
  "accounts",
)({
  add: (company, { said, accountId }: { said: AccountInput; accountId: string }, { at }) =>
    created(company, said, accountId, at),

  all: (company, _ask: object, { at }) => ({
    reply: (company?.accounts ?? []).map((account) => viewOf(account, at)),
  }),

  /**
   * Returns whether an account is blocked or its company suspended. An address without an account is blocked only if
   * the company is suspended.
   */
  standing: (company, named: Named, { at }) => {
    const account = accountOf(company, named);
    const isStopped = company !== undefined && statusOf(company) !== "Active";
    return { reply: { isBlocked: isStopped || (account !== undefined && isBlocked(account, at)) } };
  },

  /**
   * Erases the account of a mail address and revokes its keys. Its freights and webhooks are resumed if it was blocked,
   * because an erased account cannot be unblocked later.
   */
  forget: (company, { email }: { email: string }, { at }) => {
    const account = accountOf(company, { email });
    if (!company || !account) return { reply: {} };
    const { state } = without(company, account, at);
    const { accountId } = account;
    const others = (company.changedAccounts ?? []).filter((one) => one.accountId !== accountId);
    const changedAccounts = [...others, { accountId, email: erased.email, turn: Date.parse(at), at }];
    return { state: { ...state, changedAccounts }, jobs: [following], reply: {} };
  },

  blockedOf: (company, { emails }: { emails: string[] }, { at }) => ({
    reply: emails.filter((email) => {
      const account = accountOf(company, { email });
      return account !== undefined && isBlocked(account, at);
    }),
  }),

  /** Returns the accounts whose block state is not applied to all their freights and webhooks yet. */
  unfollowed: (company, _ask: object, { at }) => ({
    reply: (company?.changedAccounts ?? []).map(({ accountId, email, turn }) => {
      const account = accountOf(company, { accountId });
      return { accountId, email, turn, isBlocked: account !== undefined && isBlocked(account, at) };
    }),
  }),

  /**
   * Records that the block states were applied to all freights and webhooks that were listed when the job began.
   * Changes of the last minute before that stay recorded, so that they are applied again.
   */
  followed: (company, { begun }: { begun: string }) => {
    const settled = new Date(Date.parse(begun) - heardWithinMilliseconds).toISOString();
    const { changedAccounts = [], ...rest } = company ?? localCompany(begun);
    const left = changedAccounts.filter(({ at }) => at > settled);
    if (left.length === 0) return { state: rest, completedJobs: [following], reply: {} };
    return { state: { ...rest, changedAccounts: left }, reply: {} };
  },
});
