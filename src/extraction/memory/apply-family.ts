import type { Check, ExtractedItem } from "../document/extraction-result.ts";
import { FieldValue, separateEvidence } from "../fields/confidence/field-value.ts";
import { lettersOf } from "../fields/find-value/letters.ts";
import type { Kind } from "../kinds/kind.ts";
import type { Family, FieldRecord } from "./family.ts";
import type { AnnotatedPage } from "./lesson.ts";
import { fieldName, inStep, stepsOf, valueAt, withValue } from "./pointers.ts";
import { readPlaces, type PlaceValue } from "./read-family.ts";

/** Applies what corrected documents of the same layout taught. */
export function applyFamily<View>(
  item: ExtractedItem<View>,
  kind: Kind<View>,
  family: Family,
  page: AnnotatedPage,
  today: string,
): ExtractedItem<View> {
  const reading = readPlaces(family, page, item);
  let { data, checks } = item;
  const evidence = new Map(item.evidence.map((each) => [each.pointer, each]));
  const alternatives = [...(item.alternatives ?? [])];
  for (const [pointer, found] of reading.values) {
    const own = evidence.get(pointer);
    const current = valueAt(data, stepsOf(pointer));
    if (isInMissingItem(pointer, data) || isSame(current, found.value) || isBackwards(pointer, found.value, data))
      continue;
    const chance = memoryChance(family.record[fieldName(pointer)], found);
    const ownChance =
      current === undefined ? 0.5 : engineChance(family.record[fieldName(pointer)], own?.confidence ?? 0.8);
    if (chance <= ownChance) continue;
    const placed = withValue(data, kind.view, stepsOf(pointer), found.value);
    const parsed = placed && kind.view.safeParse(placed.data);
    if (!parsed?.success) continue;
    const after = withChecks(checks, kind.check(parsed.data, today));
    if (newlyFailing(checks, after).some((each) => each.startsWith(parentOf(pointer)))) continue;
    [data, checks] = [parsed.data, after];
    const [shown] = separateEvidence<{ value?: unknown }>(
      { value: new FieldValue(found.value, chance, found.at, "Learned") },
      page.annotations.layout.pages,
    ).evidence;
    if (own) alternatives.push({ pointer, value: own.value, confidence: own.confidence, reason: "differs" });
    if (shown) evidence.set(pointer, { ...shown, pointer, feedbackId: found.places[0]!.feedbackId });
  }
  if (data === item.data) return item;
  return {
    ...item,
    data: kind.complete?.(data, checks) ?? data,
    evidence: inStep([...evidence.values()], data),
    checks,
    ...(alternatives.length > 0 && { alternatives }),
  };
}

/** Repeats checks on changed data. */
export const withChecks = (before: readonly Check[], made: readonly Check[]): Check[] => [
  ...made,
  ...before.filter(({ name }) => !made.some((check) => check.name === name)),
];

const failing = (checks: readonly Check[]): string[] =>
  checks.filter(({ passed }) => !passed).flatMap(({ pointers }) => pointers);

/** Pointers to values of checks that fail only after a change. */
export const newlyFailing = (before: readonly Check[], after: readonly Check[]): string[] =>
  failing(after).filter((each) => !failing(before).includes(each));

/** Pointer to the object of a field, with a slash. */
export const parentOf = (pointer: string): string => pointer.slice(0, pointer.lastIndexOf("/") + 1);

const isSame = (one: unknown, other: unknown) =>
  typeof one === "string" && typeof other === "string"
    ? lettersOf(one) === lettersOf(other) || one.startsWith(other)
    : one === other;

/** Whether the value belongs to an item that its list does not have. What is learned of values adds no items. */
function isInMissingItem(pointer: string, data: unknown): boolean {
  const steps = stepsOf(pointer);
  const at = steps.findLastIndex((step) => /^\d+$/.test(step));
  return at > 0 && at < steps.length - 1 && valueAt(data, steps.slice(0, at + 1)) === undefined;
}

/** Whether a stay would end before it begins. */
function isBackwards(pointer: string, value: unknown, data: unknown): boolean {
  const isEnd = pointer.endsWith("/endDate");
  if (!isEnd && !pointer.endsWith("/startDate")) return false;
  const other = valueAt(data, stepsOf(pointer.replace(/\w+$/, isEnd ? "startDate" : "endDate")));
  if (typeof other !== "string") return false;
  const [start, end] = isEnd ? [other, String(value)] : [String(value), other];
  return end.length === start.length ? end <= start : end.slice(0, 10) < start.slice(0, 10);
}

const memoryChance = (record: FieldRecord | undefined, { fit }: PlaceValue) => {
  const { right, wrong } = record?.memory ?? { right: 0, wrong: 0 };
  return (right + 3 * fit) / (right + wrong + 3);
};

const engineChance = (record: FieldRecord | undefined, confidence: number) => {
  const { right, wrong } = record?.engine ?? { right: 0, wrong: 0 };
  return (right + 3 * confidence) / (right + wrong + 3);
};
