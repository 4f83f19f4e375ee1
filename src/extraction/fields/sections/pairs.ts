import type { Annotations } from "../labels/annotations.ts";
import type { Head } from "./sections.ts";

/** A word less sure than this heads nothing by itself. */
const sureAlone = 0.6;
const together = 0.65;
const acts = { loading: "Loading", unloading: "Unloading" } as const;

type Act = (typeof acts)[keyof typeof acts];

/** "From" over one address and "To" over another: each alone may be any small word, both as headings are a way. */
export function pairedHeads({ labels, entitiesIn }: Annotations): Head<Act>[] {
  const heads = labels.flatMap((label): Head<Act>[] => {
    const { segment, standing, meanings } = label;
    if (standing !== "Head" || meanings.some(({ weight, concept }) => weight >= sureAlone && concept in acts))
      return [];
    const [act] = (["loading", "unloading"] as const).filter((each) =>
      meanings.some(({ concept }) => concept === each),
    );
    const writes = (entitiesIn[segment.index] ?? []).some(({ type }) => type === "Email");
    return act && !writes ? [{ role: acts[act], label, weight: together, narrow: false }] : [];
  });
  const roles = new Set(heads.map(({ role }) => role));
  return roles.size === 2 ? heads : [];
}
