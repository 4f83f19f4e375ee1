import { refuse, type DecisionOrRefusal, type Refusal } from "../../platform/decision.ts";
import { commandsOn } from "../../platform/command.ts";
import { isBlocked } from "../accounts/model.ts";
import { localCompany, statusOf, type Company, type Key } from "../companies/model.ts";
import { type SuspendInput, type TenantView, viewOf } from "./model.ts";

/** The job that applies a suspension or resumption to the company's records. */
export const following = "tenants.follow";
/** The job that deletes all data of a company. */
export const deleting = "tenants.delete";
/** Maximum delay of the archive: a freight that was published just before the suspension may not be listed yet. */
const archiveDelayMilliseconds = 60_000;

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

/**
 * After this time, all requests and extractions that were running during the deletion have ended, with their retries.
 */
const repeatAfterMilliseconds = 24 * 60 * 60 * 1000;

/** Repeats the deletion one day later, to delete data that was written in the meantime. */
export function passAgain(company: Company, at: string) {
  const { againAt, ...deletion } = company.deletion!;
  if (againAt === undefined || at < againAt) return { reply: {} };
  return { state: { ...company, deletion }, keepsVersion: true as const, jobs: [deleting], reply: {} };
}

/**
 * Removes the keys of the company and starts its deletion in the background. If the request is repeated after the
 * deletion, data that was written in the meantime is deleted too.
 */
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

function notActive(company: Company | undefined): Refusal | undefined {
  if (!company) return refuse("not_found");
  if (!company.deletion) return undefined;
  return refuse("invalid_state", "The company is deleted or being deleted.", {
    extra: { currentStatus: statusOf(company), allowed: [] },
  });
}

export const commands = commandsOn<Company, object>(
  "COMPANIES",
  "tenants",
)({
  look: (company, _ask: object, { id }) => (company ? { reply: viewOf(company, id) } : refuse("not_found")),

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

  /**
   * `turn`: the sequence number of the last suspension or resumption. `blocked`: mail addresses of blocked accounts.
   */
  standing: (company, _ask: object, { at }) => {
    const { suspensionTurn = 0, accounts = [] } = company ?? localCompany(at);
    const blocked = accounts.filter((account) => isBlocked(account, at)).map(({ email }) => email.toLowerCase());
    return {
      reply: { turn: suspensionTurn, isHeld: company !== undefined && statusOf(company) !== "Active", blocked },
    };
  },

  /**
   * Records that a suspension or resumption was applied to all records that the archive listed when the job began. The
   * job is completed only if it began so long after the change that the archive listed all older records.
   */
  followed: (company, { turn, begun }: { turn: number; begun: string }) =>
    company?.suspensionTurn === turn && Date.parse(begun) - turn > archiveDelayMilliseconds
      ? { completedJobs: [following], reply: {} }
      : { reply: {} },

  condemned: (company) => {
    const { deletion, sources = [] } = company ?? {};
    return { reply: { since: deletion?.at, hasConnectors: sources.length > 0 && !deletion?.toldAt } };
  },

  /** Records that all connectors have removed the freights or were unreachable for too long. */
  connectorsTold: (company, _ask: object, { at }) =>
    company?.deletion
      ? { state: { ...company, deletion: { ...company.deletion, toldAt: at } }, keepsVersion: true, reply: {} }
      : { reply: {} },

  deletedSome: (company) => (company?.deletion ? { jobs: [deleting], reply: {} } : { reply: {} }),

  deletedAll: (company, _ask: object, { at }) => {
    if (!company?.deletion || company.deletion.doneAt) return { completedJobs: [deleting, following], reply: {} };
    const { createdAt, deletion } = company;
    const state: Company = {
      facts: { name: "Deleted" },
      keys: [],
      subscribers: [],
      createdAt,
      updatedAt: at,
      deletion: { ...deletion, doneAt: at, againAt: new Date(Date.parse(at) + repeatAfterMilliseconds).toISOString() },
    };
    return { state, completedJobs: [deleting, following], reply: {} };
  },
});
