import type { Evidence, ExtractedItem } from "../../document/extraction-result.ts";

/** Names of the features of a value, which describe its score and its context. */
export const featureNames = [
  "score",
  "document",
  "siblings",
  "missing",
  "failed",
  "doubted",
  "twin",
  "apart",
  "items",
  "first",
] as const;

export type ValueFeatures = Readonly<Record<(typeof featureNames)[number], number>>;

interface Group {
  members: Evidence[];
  names: ReadonlySet<string>;
}

const leaf = /\/(\d+)(?=\/)/gu;

/** Returns the outermost list item that contains a value ("/locations/0"), or "" for a value that is in no list. */
export const itemOf = (pointer: string): string => {
  const [last] = [...pointer.matchAll(leaf)].slice(0, 1);
  return last ? pointer.slice(0, last.index + last[0].length) : "";
};

/** Returns the field without list indexes: "locations/cargo/weight". */
export const fieldOf = (pointer: string): string => pointer.replace(/\/\d+(?=\/|$)/gu, "").slice(1);

/** Returns the features of every value, in the order of the evidence. */
export function featuresOf({ evidence, checks }: Pick<ExtractedItem<unknown>, "evidence" | "checks">): ValueFeatures[] {
  const groups = new Map<string, Group>();
  for (const [item, members] of Map.groupBy(evidence, ({ pointer }) => itemOf(pointer)))
    groups.set(item, { members, names: new Set(members.map(({ pointer }) => fieldOf(pointer))) });
  const lists = Map.groupBy(
    [...groups].filter(([item]) => item !== ""),
    ([item]) => fieldOf(item),
  );
  const namesOf = new Map(
    [...lists].map(([list, items]) => [list, new Set(items.flatMap(([, { names }]) => [...names]))]),
  );
  const document = mean(evidence.map(({ confidence }) => logit(confidence)));
  const failed = checks.filter((check) => !check.passed);
  const doubted = new Set(failed.flatMap(({ pointers }) => pointers));
  const doubtedItems = new Set([...doubted].map(itemOf));
  const twins = new Map<string, number>();
  for (const each of evidence) twins.set(twinKey(each), (twins.get(twinKey(each)) ?? 0) + 1);
  return evidence.map((each) => {
    const item = itemOf(each.pointer);
    const { members, names } = groups.get(item)!;
    const others = members.filter((other) => other !== each && other.source !== "Computed");
    const known = namesOf.get(fieldOf(item));
    return {
      score: logit(each.confidence),
      document,
      siblings: others.length > 0 ? Math.min(...others.map(({ confidence }) => logit(confidence))) : 0,
      missing: known ? 1 - names.size / known.size : 0,
      failed: failed.length > 0 ? 1 : 0,
      doubted: doubted.has(each.pointer) ? 1 : doubtedItems.has(item) && item !== "" ? 0.5 : 0,
      twin: (twins.get(twinKey(each)) ?? 1) > 1 ? 1 : 0,
      apart: item === "" ? 0 : apart(each, others),
      items: item === "" ? 0 : Math.min(6, lists.get(fieldOf(item))!.length) - 2,
      first: each.page === 1 || each.page === undefined ? 1 : 0,
    };
  });
}

const twinKey = ({ pointer, value }: Evidence) => `${fieldOf(pointer)} ${String(value)}`;
const mean = (list: readonly number[]) => list.reduce((sum, each) => sum + each, 0) / Math.max(1, list.length);

function logit(probability: number): number {
  const within = Math.min(0.995, Math.max(0.005, probability));
  return Math.log(within / (1 - within));
}

/**
 * Returns the vertical distance to the nearest other value of the same item, as a share of the page height. A value on
 * another page has distance 1.
 */
function apart({ page, box }: Evidence, others: readonly Evidence[]): number {
  if (!box) return 0;
  const ways = others.flatMap((other) =>
    other.box ? [other.page === page ? Math.max(0, other.box[1] - box[3], box[1] - other.box[3]) : 1] : [],
  );
  return ways.length > 0 ? Math.min(...ways) : 0;
}
