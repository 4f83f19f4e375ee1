import { isDeepStrictEqual } from "node:util";
import { refuse } from "../../platform/decision.ts";
import type { Env } from "../../platform/env.ts";
import { commandsOn } from "../../platform/command.ts";
import { resealAuthentication } from "../../platform/receivers/index.ts";
import { reseal as resealedSecret } from "../../platform/seal.ts";
import { localCompany, type Company, type Source } from "../companies/model.ts";
import { board } from "./model.ts";

export const events = {};

// Sources are part of the state of their company.

const mostSources = 100;
/**
 * After this time, the archive lists all freights from before a source was added or removed, and calls from before the
 * change have ended. Until then, the change is applied to the freights again.
 */
const settlingMilliseconds = 60_000;
/** The job that applies the addition or removal of sources to freights. */
export const following = "sources.follow";

/** Returns the purposes for which the secrets of a source are sealed: each can be unsealed only for its own. */
export const sealsOf = (company: string, record: string) => ({
  secret: `${company}/sources/${record}/secret`,
  authentication: `${company}/sources/${record}/authentication`,
});

/** Seals the secrets of a company's sources again with the current key. */
export function resealed(env: Env, company: string, state: Company): Company {
  if (!state.sources) return state;
  const sources = state.sources.map((source) => {
    const about = sealsOf(company, source.record);
    return {
      ...source,
      sealed: resealedSecret(env, about.secret, source.sealed),
      authentication: resealAuthentication(env, about.authentication, source.authentication),
    };
  });
  return { ...state, sources };
}

export const sourceOf = (company: Company | undefined, number: number): Source | undefined =>
  company?.sources?.find(({ source }) => source === number);

/** The settings of a source that the caller sets. */
export type SourceSettings = Pick<Source, "name" | "endpoint" | "authentication" | "calls" | "alternativeLocations">;

/** Returns when a source was last changed or, if it was never changed, created. */
export const changedAt = ({ updatedAt, createdAt }: Source): string => updatedAt ?? createdAt;

export const commands = commandsOn<Company, typeof events>(
  "COMPANIES",
  "sources",
)({
  /** Numbers are never reused. */
  add: (company, { made }: { made: Omit<Source, "source" | "createdAt"> }, { at }) => {
    const now = company ?? localCompany(at);
    const others = now.sources ?? [];
    if (others.length >= mostSources)
      return refuse("invalid_state", `A company can have at most ${mostSources} sources.`);
    const source = { ...made, source: (now.lastSource ?? board) + 1, createdAt: at };
    return {
      state: changed({ ...now, lastSource: source.source, sources: [...others, source] }, source.source, at),
      jobs: [following],
      reply: source,
    };
  },

  remove: (company, { source }: { source: number }, { at }) => {
    if (source === board)
      return refuse("invalid_state", "The built-in board cannot be removed.", { extra: { allowed: [] } });
    if (!company || source > (company.lastSource ?? board) || source < board) return refuse("not_found");
    const gone = sourceOf(company, source);
    if (!gone) return { reply: {} };
    const sources = company.sources!.filter((one) => one !== gone);
    return { state: changed({ ...company, sources }, source, at), jobs: [following], reply: { record: gone.record } };
  },

  /**
   * Changes a source. Identical values change nothing.
   * @param seen the `changedAt` of the source when the request read it. Secrets that the request does not change come
   * from that reading, so the change is refused if the source has changed since.
   */
  change: (company, { source, seen, said }: { source: number; seen: string; said: SourceSettings }, { at }) => {
    const before = sourceOf(company, source);
    if (!company || !before) return refuse("not_found");
    if (changedAt(before) !== seen)
      return refuse("in_progress", "The source was changed by another request. Read it and try again.", {
        headers: { "retry-after": "1" },
      });
    const { endpoint: _, ...rest } = before;
    const after: Source = { ...rest, ...said };
    if (isDeepStrictEqual(after, before)) return { reply: before };
    const next = { ...after, updatedAt: at };
    const sources = company.sources!.map((one) => (one === before ? next : one));
    return { state: { ...company, sources }, about: `${source}`, reply: next };
  },

  all: (company, _ask: object) => ({ reply: company?.sources ?? [] }),

  look: (company, { source }: { source: number }) => ({ reply: { source: sourceOf(company, source) } }),

  /** Whether an earlier run of the same request has already created the source. */
  isMade: (company, { record }: { record: string }) => ({
    reply: company?.sources?.some((one) => one.record === record) ?? false,
  }),

  /** Returns the sources whose addition or removal is not applied to all freights yet. */
  unfollowed: (company) => ({
    reply: (company?.changedSources ?? []).map(({ source }) => ({
      source,
      isThere: sourceOf(company, source) !== undefined,
    })),
  }),

  /**
   * Records that the changes were applied to all freights that the archive listed at `begun`, when the job began.
   * Changes from the last minute before are kept, to be applied again.
   */
  followed: (company, { begun }: { begun: string }) => {
    const settled = new Date(Date.parse(begun) - settlingMilliseconds).toISOString();
    const { changedSources = [], ...rest } = company ?? localCompany(begun);
    const left = changedSources.filter(({ at }) => at > settled);
    if (left.length === 0) return { state: rest, completedJobs: [following], reply: {} };
    return { state: { ...rest, changedSources: left }, reply: {} };
  },
});

const changed = (company: Company, source: number, at: string): Company => ({
  ...company,
  changedSources: [...(company.changedSources ?? []).filter((one) => one.source !== source), { source, at }],
});
