import { refuse, type DecisionOrRefusal, type Refusal } from "../../platform/decision.ts";
import { commandsOn } from "../../platform/command.ts";
import { isBlocked } from "../accounts/model.ts";
import { localCompany, statusOf, type Company, type Key } from "../companies/model.ts";
import { type SuspendInput, type TenantView, viewOf } from "./model.ts";

/** The work by which what belongs to the company hears that it was suspended or resumed. */
export const following = "tenants.follow";
/** The work that deletes everything a company has. */
export const deleting = "tenants.delete";
/** A freight may not be listed yet that was published just before its company was suspended. */
const heardWithinMilliseconds = 60_000;

type Written = DecisionOrRefusal<Company, object, TenantView>;

export function suspended(company: Company | undefined, id: string, { reason }: SuspendInput, at: string): Written {
  const refused = notActive(company);
  if (refused || !company) return refused ?? refuse("not_found");
  const { suspension } = company;
  if (suspension && (reason === undefined || reason === suspension.reason)) return { reply: viewOf(company, id) };
  const state = { ...company, updatedAt: at, suspension: { at: suspension?.at ?? at, ...(reason && { reason }) } };
  return suspension ? { state, reply: viewOf(state, id) } : withNewSuspensionState(state, id, at);
}

export function resumed(company: Company | undefined, id: string, at: string): Written {
  const refused = notActive(company);
  if (refused || !company) return refused ?? refuse("not_found");
  const { suspension, ...state } = company;
  return suspension ? withNewSuspensionState({ ...state, updatedAt: at }, id, at) : { reply: viewOf(company, id) };
}

/** Requests and readings that were under way when the company was deleted have ended by then, and so have their retries. */
const againMilliseconds = 24 * 60 * 60 * 1000;

/** What came about after everything was deleted goes a day later. */
export function passAgain(company: Company, at: string) {
  const { againAt, ...deletion } = company.deletion!;
  if (againAt === undefined || at < againAt) return { reply: {} };
  return { state: { ...company, deletion }, keepsVersion: true as const, jobs: [deleting], reply: {} };
}

/** Its keys open nothing from now on; everything else goes bit by bit. Asked again, what has come since goes as well. */
export function deleted(company: Company | undefined, id: string, at: string): Written {
  if (!company) return refuse("not_found");
  if (company.deletion) return { ...(company.deletion.doneAt && { jobs: [deleting] }), reply: viewOf(company, id) };
  const state = { ...company, keys: [], suspension: company.suspension ?? { at }, deletion: { at }, updatedAt: at };
  const turn = withNewSuspensionState(state, id, at);
  return { ...turn, jobs: [...turn.jobs, deleting] };
}

function withNewSuspensionState(company: Company, id: string, at: string) {
  const suspensionTurn = Math.max((company.suspensionTurn ?? 0) + 1, Date.parse(at));
  const state = { ...company, suspensionTurn };
  return { state, jobs: [following], reply: viewOf(state, id) };
}

/** What is being deleted, or was, is neither suspended nor given keys. */
function notActive(company: Company | undefined): Refusal | undefined {
  if (!company) return refuse("not_found");
  if (!company.deletion) return undefined;
  return refuse("invalid_state", "The company is deleted.", {
    extra: { currentStatus: statusOf(company), allowed: [] },
  });
}

export const commands = commandsOn<Company, object>(
  "COMPANIES",
  "tenants",
)({
  look: (company, _ask: object, { id }) => (company ? { reply: viewOf(company, id) } : refuse("not_found")),

  /** A key that may do everything, also where the company has as many keys as it may. */
  addKey: (
    company,
    { key, secret, revokeOthers }: { key: Key; secret?: string | undefined; revokeOthers: boolean },
    { at },
  ) => {
    const refused = notActive(company);
    if (refused || !company) return refused ?? refuse("not_found");
    const others = revokeOthers ? company.keys.filter(({ revokedAt }) => !revokedAt) : [];
    const before = company.keys.map((one) => (others.includes(one) ? { ...one, revokedAt: at } : one));
    const { keyId, createdAt } = key;
    return {
      state: { ...company, keys: [...before, key] },
      about: keyId,
      reply: { keyId, ...(secret && { key: secret }), createdAt, revokedKeys: others.length },
    };
  },

  /** Whether it may do anything at all, and what belongs to it is told of that. */
  standing: (company, _ask: object, { at }) => {
    const { suspensionTurn = 0, accounts = [] } = company ?? localCompany(at);
    const blocked = accounts.filter((account) => isBlocked(account, at)).map(({ email }) => email.toLowerCase());
    return {
      reply: { turn: suspensionTurn, isHeld: company !== undefined && statusOf(company) !== "Active", blocked },
    };
  },

  /** Everything that was listed at a moment has heard of a turn. */
  followed: (company, { turn, begun }: { turn: number; begun: string }) =>
    company?.suspensionTurn === turn && Date.parse(begun) - turn > heardWithinMilliseconds
      ? { completedJobs: [following], reply: {} }
      : { reply: {} },

  /** Since when it is to be deleted, and whether it has connectors that must be told before. */
  condemned: (company) => {
    const { deletion, sources = [] } = company ?? {};
    return { reply: { since: deletion?.at, hasConnectors: sources.length > 0 && !deletion?.toldAt } };
  },

  /** Its connectors have removed its freights, or could not be reached for too long. */
  connectorsTold: (company, _ask: object, { at }) =>
    company?.deletion
      ? { state: { ...company, deletion: { ...company.deletion, toldAt: at } }, keepsVersion: true, reply: {} }
      : { reply: {} },

  /** There is more of it than could be deleted in one go. */
  deletedSome: (company) => (company?.deletion ? { jobs: [deleting], reply: {} } : { reply: {} }),

  /** Nothing of it is left; that it was there is kept. */
  deletedAll: (company, _ask: object, { at }) => {
    if (!company?.deletion || company.deletion.doneAt) return { completedJobs: [deleting, following], reply: {} };
    const { createdAt, deletion } = company;
    const state: Company = {
      facts: { name: "Deleted" },
      keys: [],
      subscribers: [],
      createdAt,
      updatedAt: at,
      deletion: { ...deletion, doneAt: at, againAt: new Date(Date.parse(at) + againMilliseconds).toISOString() },
    };
    return { state, completedJobs: [deleting, following], reply: {} };
  },
});
