import type { CommandContext } from "../../../platform/decision.ts";
import { board, type Call } from "../../sources/model.ts";
import type { CallResult } from "../../sources/call-connector.ts";
import type { PublicationView } from "../views.ts";

// The publications of a freight. Pure functions.

/** The publication of a freight at one source. */
export interface Publication {
  source: number;
  /** The action of the next call if one is pending, otherwise of the last call. */
  wanted: Call;
  status: "Pending" | "Published" | "Failed" | "NotConfigured" | "Removed";
  /** Version of the freight that the call sends. */
  version: number;
  url?: string;
  error?: string;
  /** Number of calls for this version. */
  attempts: number;
}

/** Job that calls the sources. */
export const publishJob = "freights.publish";

/** Limit of failed calls for one version. With the pauses between the calls, they take an hour and a half. */
const maxAttempts = 20;

/** Requests that this version is published at the given sources, and that the freight is removed from all others. */
export function publishAt(
  publications: readonly Publication[],
  sources: readonly number[],
  { version, id, address }: Pick<CommandContext, "version" | "id" | "address">,
): Publication[] {
  const bySource = new Map(publications.map((one) => [one.source, one]));
  const others = publications.filter(({ source, status }) => !sources.includes(source) && status !== "Removed");
  const onBoard = address && `${address}/board/${id}`;
  return [
    ...sources.map((source) => shownAt(source, bySource.get(source), version, onBoard)),
    ...removeEverywhere(others, version),
  ];
}

/** The built-in board needs no call, because it reads the archive. */
function shownAt(source: number, before: Publication | undefined, version: number, onBoard: string): Publication {
  const wanted = isAtSource(before) ? "Update" : "Publish";
  const url = (source === board && onBoard) || before?.url;
  return {
    source,
    wanted,
    status: source === board ? "Published" : "Pending",
    version,
    ...(url && { url }),
    attempts: 0,
  };
}

const isAtSource = (before: Publication | undefined): boolean =>
  before !== undefined && (before.status === "Published" || before.wanted === "Update");

/** Removes the freight from all sources. Each source that may have received it is called. */
export const removeEverywhere = (publications: readonly Publication[], version: number): Publication[] =>
  publications.map((one) => {
    if (one.wanted === "Remove") return one;
    const { source, status } = one;
    const wasPublished = source !== board && status !== "NotConfigured";
    return { source, wanted: "Remove", status: wasPublished ? "Pending" : "Removed", version, attempts: 0 };
  });

/** Returns the job that calls the sources, if a call is pending. */
export const publicationJobs = (publications: readonly Publication[]): string[] =>
  pendingPublications(publications).length > 0 ? [publishJob] : [];

/** Returns the publications whose source must still be called. */
export const pendingPublications = (publications: readonly Publication[]): Publication[] =>
  publications.filter(({ status }) => status === "Pending");

/** Records the result of a call; undefined if this version is no longer the one to send. */
export function recordCall(
  publications: readonly Publication[],
  source: number,
  version: number,
  result: CallResult,
): Publication[] | undefined {
  const now = publications.find((one) => one.source === source);
  if (!now || now.version !== version || now.status !== "Pending") return undefined;
  return publications.map((one) => (one === now ? afterCall(now, result) : one));
}

function afterCall(now: Publication, result: CallResult): Publication {
  const { source, wanted, version, url } = now;
  if (result === "NotConfigured") return { source, wanted, status: "NotConfigured", version, attempts: now.attempts };
  const attempts = now.attempts + 1;
  if ("error" in result) {
    const isOver = attempts >= maxAttempts || (result.final && wanted !== "Remove");
    return { ...now, attempts, status: isOver ? "Failed" : "Pending", error: result.error };
  }
  if (wanted === "Remove") return { source, wanted, status: "Removed", version, attempts };
  const seenAt = result.url ?? url;
  return { source, wanted, status: "Published", version, ...(seenAt && { url: seenAt }), attempts };
}

/** Updates the publication at a source that was added or removed; undefined if it stays as it is. */
export function sourceChanged(
  publications: readonly Publication[],
  source: number,
  isThere: boolean,
  version: number,
): Publication[] | undefined {
  const now = publications.find((one) => one.source === source);
  const isNews = isThere ? now?.status === "NotConfigured" : now && !["NotConfigured", "Removed"].includes(now.status);
  if (!now || now.wanted === "Remove" || !isNews) return undefined;
  const next: Publication = {
    source,
    wanted: "Publish",
    status: isThere ? "Pending" : "NotConfigured",
    version,
    attempts: 0,
  };
  return publications.map((one) => (one === now ? next : one));
}

export const viewOfPublication = ({ source, status, url, error }: Publication): PublicationView => ({
  source,
  status,
  url,
  error,
});
