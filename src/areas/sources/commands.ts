import { isDeepStrictEqual } from "node:util";
import { refuse } from "../../platform/decision.ts";
import type { Env } from "../../platform/env.ts";
import { commandsOn } from "../../platform/command.ts";
import { resealAuthentication } from "../../platform/receivers/index.ts";
import { reseal as resealedSecret } from "../../platform/seal.ts";
import { localCompany, type Company, type Source } from "../companies/model.ts";
import { board } from "./model.ts";

// Events

export const events = {};

// State. Sources are part of their company's state.

const mostSources = 100;
/** A freight published just before a source was added or removed may not be listed yet, or its call is still running. */
const heardWithinMilliseconds = 60_000;
/** The job that tells freights that a source was added or removed. */
export const following = "sources.follow";

/** Contexts to which the secrets of a source are bound by encryption. */
export const sealsOf = (company: string, record: string) => ({
  secret: `${company}/sources/${record}/secret`,
  authentication: `${company}/sources/${record}/authentication`,
});

/** The company with the secrets of its sources encrypted with the current key. */
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

/** The settings of a source that a caller sends. */
export type SourceSettings = Pick<Source, "name" | "endpoint" | "authentication" | "calls" | "alternativeLocations">;

/** When it was last changed or created. */
export const changedAt = ({ updatedAt, createdAt }: Source): string => updatedAt ?? createdAt;

export const commands = commandsOn<Company, typeof events>(
  "COMPANIES",
  "sources",
)({
  /** Assigns the next number; numbers are never reused. */
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

  /** Equal values change nothing. @param seen time of change of the version whose secrets were copied */
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

  /** All connectors, as stored. */
  all: (company, _ask: object) => ({ reply: company?.sources ?? [] }),

  /** The source, as stored; undefined if there is none. */
  look: (company, { source }: { source: number }) => ({ reply: { source: sourceOf(company, source) } }),

  /** Whether an earlier run of the same request created its source. */
  isMade: (company, { record }: { record: string }) => ({
    reply: company?.sources?.some((one) => one.record === record) ?? false,
  }),

  /** Added or removed sources that their freights have not been told about yet. */
  unfollowed: (company) => ({
    reply: (company?.changedSources ?? []).map(({ source }) => ({
      source,
      isThere: sourceOf(company, source) !== undefined,
    })),
  }),

  /** All freights that were listed when the job began were told. */
  followed: (company, { begun }: { begun: string }) => {
    const settled = new Date(Date.parse(begun) - heardWithinMilliseconds).toISOString();
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
