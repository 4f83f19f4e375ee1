import type { PublicationView } from "./views.ts";

// Where a freight is published. Pure.

/** A freight at one source. */
export interface Publication {
  source: number;
  /** What the source must be told last. */
  wanted: "Publish" | "Update" | "Remove";
  status: "Pending" | "Published" | "Failed" | "NotConfigured" | "Removed";
  /** Of the freight, as the source must know it. */
  version: number;
  url?: string;
  error?: string;
  attempts: number;
}

/** The built-in board, which every company has. */
const board = 1;

/** The freight is to be seen at these sources, as it is in this version, and at no other one. */
export function publishAt(
  publications: readonly Publication[],
  sources: readonly number[],
  version: number,
): Publication[] {
  const known = new Map(publications.map((one) => [one.source, one]));
  const left = publications.filter(({ source }) => !sources.includes(source));
  const wanted = sources.map((source): Publication => {
    const before = known.get(source);
    const isThere = before !== undefined && before.wanted !== "Remove";
    const status = source === board ? "Published" : "NotConfigured";
    return { source, wanted: isThere ? "Update" : "Publish", status, version, attempts: 0 };
  });
  return [...wanted, ...removeEverywhere(left, version)];
}

/** The freight is to be seen nowhere. */
export const removeEverywhere = (publications: readonly Publication[], version: number): Publication[] =>
  publications.map((one) =>
    one.wanted === "Remove" ? one : { source: one.source, wanted: "Remove", status: "Removed", version, attempts: 0 },
  );

export const viewOfPublication = ({ source, status, url, error }: Publication): PublicationView => ({
  source,
  status,
  url,
  error,
});
