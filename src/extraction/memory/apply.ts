import type { TextRange } from "../layout/text-span.ts";
import type { Kind } from "../kinds/kind.ts";
import { findOccurrences, isValid } from "../fields/find-value/find-value.ts";
import { lettersOf } from "../fields/find-value/letters.ts";
import { numberedLines } from "../fields/find-value/numbered-lines.ts";
import type { KindName } from "../kinds/kinds.ts";
import type {
  Alternative,
  Evidence,
  ExtractedItem,
  ExtractionContext,
  ExtractionResult,
} from "../document/extraction-result.ts";
import { lowerDoubted } from "../fields/confidence/calibration.ts";
import { FieldValue, separateEvidence } from "../fields/confidence/field-value.ts";
import { applyFamily, newlyFailing, parentOf, withChecks } from "./apply-family.ts";
import {
  isDisabled,
  recordKey,
  successRate,
  type AnnotatedPage,
  type Lesson,
  type Memory,
  type Scalar,
} from "./lesson.ts";
import { inStep, pointerIn, stepsOf, valueAt, withValue } from "./pointers.ts";
import { identifySender, type Sender } from "./sender.ts";

/**
 * Loads the lessons for the possible senders of a document. It is called once for each document, so an implementation
 * can also use it to record the document.
 */
export type RecallMemory = (sender: Sender, page: AnnotatedPage) => Promise<Memory | undefined>;

/** Applies what was learned from corrected documents of the same layout and of the same sender. */
export async function applyMemory<View, Result extends ExtractionResult<View>>(
  result: Result & ExtractionResult<View>,
  name: KindName,
  kind: Kind<View>,
  page: AnnotatedPage,
  { company, today }: ExtractionContext,
  recall: RecallMemory,
): Promise<Result> {
  const sender = identifySender(page, name, namedSender(kind.sender, result.items[0]?.data), company);
  const memory = await recall(sender, page);
  if (!memory) return result;
  const alone = result.items.length === 1;
  const { family } = memory;
  const items =
    alone && family?.kind === name
      ? result.items.map((item) => applyFamily(item, kind, family, page, today))
      : result.items;
  return { ...result, items: items.map((item) => applyLessons(item, name, kind, memory, { page, today, alone })) };
}

function namedSender(field: string | undefined, data: unknown): { name?: string; vatCode?: string } | undefined {
  const sender = field === undefined ? undefined : valueAt(data, [field]);
  if (typeof sender === "string") return { name: sender };
  return typeof sender === "object" && sender !== null ? sender : undefined;
}

interface Candidate {
  lesson: Lesson;
  value: Scalar | null;
  chance: number;
  at?: TextRange;
}

interface LessonTarget<View> {
  kind: Kind<View>;
  today: string;
  reading: ExtractedItem<View>;
}

/**
 * Replaces values by those of lessons (source `Learned`) that are more likely to be correct. A replaced value becomes
 * an alternative.
 * @param alone whether this item is the only one in the document. Only then may a lesson search for its value on the
 * page.
 */
function applyLessons<View>(
  reading: ExtractedItem<View>,
  name: KindName,
  kind: Kind<View>,
  memory: Memory,
  { page, today, alone }: { page: AnnotatedPage; today: string; alone: boolean },
): ExtractedItem<View> {
  const lessons = memory.lessons.filter((lesson) => lesson.kind === name && !isDisabled(lesson));
  const byField = Map.groupBy(lessons, ({ field }) => field);
  let now = reading;
  for (const [field, ofField] of byField) {
    const pointer = pointerIn(field, now.data);
    if (pointer === undefined) continue;
    const candidates = ofField
      .flatMap((lesson) => candidateOf(lesson, pointer, now, page, alone) ?? [])
      .sort((a, b) => b.chance - a.chance);
    const known = memory.record[recordKey(name, field)];
    const best = candidates[0];
    const engineChance = known ? successRate(known.right, known.wrong) : 1;
    if (best) now = judged({ kind, today, reading: now }, pointer, best, engineChance, page);
  }
  return now;
}

function candidateOf<View>(
  lesson: Lesson,
  pointer: string,
  { data }: ExtractedItem<View>,
  page: AnnotatedPage,
  alone: boolean,
): Candidate | undefined {
  const { taught, seen, failed } = lesson;
  const chance = successRate(seen, failed);
  if (taught.what === "Map") {
    const steps = stepsOf(pointer);
    const current = valueAt(data, taught.of === "" ? steps : [...steps.slice(0, -1), taught.of]);
    return lettersOf(typeof current === "string" ? current : "") === taught.from
      ? { lesson, value: taught.value, chance }
      : undefined;
  }
  if (taught.what === "Default") {
    return valueAt(data, stepsOf(pointer)) === undefined ? { lesson, value: taught.value, chance } : undefined;
  }
  // Lessons of earlier releases may be of other kinds.
  if (!alone || taught.what !== "Known") return undefined;
  const [at] = findOccurrences(pointer, taught.value, numberedLines(page.annotations.layout), page);
  return at && { lesson, value: taught.value, chance, at };
}

/**
 * Replaces the engine's value by that of a lesson if the lesson is likelier to be right. If the lesson's value is
 * invalid, causes a new failed check of the same object, or is part of another address, it becomes an alternative
 * instead.
 */
function judged<View>(
  target: LessonTarget<View>,
  pointer: string,
  candidate: Candidate,
  engineChance: number,
  page: AnnotatedPage,
): ExtractedItem<View> {
  const { reading } = target;
  const { lesson, value, chance } = candidate;
  const before = reading.evidence.find((each) => each.pointer === pointer);
  const read = valueAt(reading.data, stepsOf(pointer));
  if (same(read, value)) return agreed(reading, pointer, chance);
  const own = before ? Math.min(before.confidence, lesson.taught.what === "Map" ? 0 : engineChance) : 0;
  if (chance <= own) return reading;
  const taken = isValid(pointer.split("/").at(-1) ?? "", value) && taking(target, pointer, candidate, page);
  return taken || { ...reading, alternatives: [...(reading.alternatives ?? []), invalid(pointer, value, chance)] };
}

const invalid = (pointer: string, value: unknown, confidence: number): Alternative => ({
  pointer,
  value,
  confidence,
  reason: "not_valid",
});

const same = (one: unknown, other: unknown) => (one ?? null) === other;

const agreed = <View>(reading: ExtractedItem<View>, pointer: string, chance: number): ExtractedItem<View> => ({
  ...reading,
  evidence: reading.evidence.map((each) =>
    each.pointer === pointer ? { ...each, confidence: thousandths(Math.max(each.confidence, chance)) } : each,
  ),
});

const thousandths = (figure: number) => Math.round(figure * 1000) / 1000;

function taking<View>(
  { kind, today, reading }: LessonTarget<View>,
  pointer: string,
  { lesson, value, chance, at }: Candidate,
  page: AnnotatedPage,
): ExtractedItem<View> | undefined {
  const steps = stepsOf(pointer);
  const placed = withValue(reading.data, kind.view, steps, value ?? undefined);
  const { success, data } = kind.view.safeParse(placed?.data);
  if (!success) return undefined;
  const checks = withChecks(reading.checks, kind.check(data, today));
  const fresh = newlyFailing(reading.checks, checks);
  const own = parentOf(pointer);
  if (fresh.some((each) => each.startsWith(own))) return undefined;
  const draft = value === null ? {} : { value: new FieldValue(value, chance, at, "Learned") };
  const [found] = separateEvidence<{ value?: unknown }>(draft, page.annotations.layout.pages).evidence;
  if (found && addressField.test(pointer) && isElsewhere(found, own, reading.evidence)) return undefined;
  const gone = reading.evidence.find((each) => each.pointer === pointer);
  const evidence: Evidence[] = [
    ...inStep(reading.evidence, data).filter((each) => each.pointer !== pointer),
    ...(found ? [{ ...found, pointer, feedbackId: lesson.feedbackId }] : []),
  ];
  return {
    ...reading,
    data: kind.complete?.(data, checks) ?? data,
    evidence: lowerDoubted(evidence, [{ name: "", passed: false, detail: "", pointers: fresh }]),
    checks,
    alternatives: [
      ...(reading.alternatives ?? []),
      ...(gone ? [{ pointer, value: gone.value, confidence: gone.confidence, reason: "differs" as const }] : []),
    ],
  };
}

/** Fields that must all come from the same printed address. */
const addressField = /\/(?:name|street|city|postalCode|country|countryCode)$/;

/** Whether the text of a value is already the address of another stop or party. */
function isElsewhere({ page, box }: Evidence, own: string, evidence: readonly Evidence[]): boolean {
  return evidence.some(
    (each) =>
      !each.pointer.startsWith(own) && addressField.test(each.pointer) && each.page === page && covers(each.box, box),
  );
}

function covers(one: Evidence["box"], other: Evidence["box"]): boolean {
  if (!one || !other) return false;
  const width = Math.min(one[2], other[2]) - Math.max(one[0], other[0]);
  const height = Math.min(one[3], other[3]) - Math.max(one[1], other[1]);
  return width > 0 && height > (other[3] - other[1]) / 2;
}
