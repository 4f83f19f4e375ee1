import type { CommandContext } from "../../../platform/decision.ts";
import { board, type Call } from "../../sources/model.ts";
import type { CallResult } from "../../sources/call-connector.ts";
import type { PublicationView } from "../views.ts";

// Where a freight is published. Pure.

/** A freight at one source. */
export interface Publication {
  source: number;
  /** What the source must be told last. */
  wanted: Call;
  status: "Pending" | "Published" | "Failed" | "NotConfigured" | "Removed";
  /** Of the freight, as the source must know it. */
  version: number;
  /** Where people see it there. */
  url?: string;
  /** Why the last call failed. */
  error?: string;
  /** Calls made to tell it of this version. */
  attempts: number;
}

/** The work that tells sources what they must know. */
export const publishing = "freights.publish";

/** Calls of one version that may fail: with the waits between them an hour and a half. */
const mostAttempts = 20;

/** The freight is to be seen at these sources, as it is in this version, and at no other one: those it has left are forgotten. */
export function publishAt(
  publications: readonly Publication[],
  sources: readonly number[],
  { version, id, address }: Pick<CommandContext, "version" | "id" | "address">,
): Publication[] {
  const known = new Map(publications.map((one) => [one.source, one]));
  const left = publications.filter(({ source, status }) => !sources.includes(source) && status !== "Removed");
  const onBoard = address && `${address}/board/${id}`;
  return [
    ...sources.map((source) => shownAt(source, known.get(source), version, onBoard)),
    ...removeEverywhere(left, version),
  ];
}

/** The board follows the archive, so that whatever is committed will be seen there. */
function shownAt(source: number, before: Publication | undefined, version: number, onBoard: string): Publication {
  const wanted = isOut(before) ? "Update" : "Publish";
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

/** Whether the source has it: an update of what it does not have would mean nothing to it. */
const isOut = (before: Publication | undefined): boolean =>
  before !== undefined && (before.status === "Published" || before.wanted === "Update");

/** The freight is to be seen nowhere. A source that may have heard of it is told so until it says that it has heard. */
export const removeEverywhere = (publications: readonly Publication[], version: number): Publication[] =>
  publications.map((one) => {
    if (one.wanted === "Remove") return one;
    const { source, status } = one;
    const wasPublished = source !== board && status !== "NotConfigured";
    return { source, wanted: "Remove", status: wasPublished ? "Pending" : "Removed", version, attempts: 0 };
  });

/** The work that a freight asks for as long as some source must still be told of it. */
export const publicationJobs = (publications: readonly Publication[]): string[] =>
  pendingPublications(publications).length > 0 ? [publishing] : [];

/** What sources must still be told. */
export const pendingPublications = (publications: readonly Publication[]): Publication[] =>
  publications.filter(({ status }) => status === "Pending");

/** What came of telling a source of a version; nothing, when it must know of another one by now. */
export function recordCall(
  publications: readonly Publication[],
  source: number,
  version: number,
  told: CallResult,
): Publication[] | undefined {
  const now = publications.find((one) => one.source === source);
  if (!now || now.version !== version || now.status !== "Pending") return undefined;
  return publications.map((one) => (one === now ? afterCall(now, told) : one));
}

function afterCall(now: Publication, told: CallResult): Publication {
  const { source, wanted, version, url } = now;
  if (told === "NotConfigured") return { source, wanted, status: "NotConfigured", version, attempts: now.attempts };
  const attempts = now.attempts + 1;
  if ("error" in told) {
    const isOver = attempts >= mostAttempts || (told.final && wanted !== "Remove");
    return { ...now, attempts, status: isOver ? "Failed" : "Pending", error: told.error };
  }
  if (wanted === "Remove") return { source, wanted, status: "Removed", version, attempts };
  const seenAt = told.url ?? url;
  return { source, wanted, status: "Published", version, ...(seenAt && { url: seenAt }), attempts };
}

/** A source came or went; nothing, when that changes nothing for what is to be seen there. */
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
