import { isDeepStrictEqual } from "node:util";
import { commandsOn } from "../../platform/command.ts";
import type { KindName } from "../../extraction/kinds/kinds.ts";
import type { StartExample } from "../../extraction/collections/page-starts.ts";
import { similarity, type Family } from "../../extraction/memory/family.ts";
import { isDisabled, recordKey, type Lesson, type Memory, type LessonContent } from "../../extraction/memory/lesson.ts";

/**
 * The lessons about the documents of one sender, or what is known of one layout (`family`). Two other aggregates of each
 * company have this type: `known` holds the ids of all senders (`names`) and layouts (`layouts`), and `piles` holds
 * examples from corrected collections (`piles`).
 */
export interface Sender extends Memory {
  /** Ids of the feedback that has already been learned from, newest last. They make learning idempotent. */
  taken: string[];
  names?: string[];
  /** Most recently taught last. */
  layouts?: KnownLayout[];
  /** Newest last. */
  piles?: CollectionExamples[];
  metadata?: undefined;
}

/** A layout in the list of those that a company has taught. */
export interface KnownLayout extends Pick<Family, "kind" | "texts" | "documents"> {
  name: string;
}

/** Examples from a collection whose page ranges were corrected: pages that begin a document, and pages that do not. */
export interface CollectionExamples {
  collectionId: string;
  examples: StartExample[];
}

/** The lessons and verdicts of one feedback about a sender. */
export interface FeedbackLessons {
  feedbackId: string;
  kind: KindName;
  lessons: { field: string; taught: LessonContent }[];
  /** Verdicts on values that came from lessons. `taughtBy`: the feedback that taught the lesson. */
  verdicts: { field: string; taughtBy: string; right: boolean }[];
  /** Verdicts on values that the engine extracted without lessons. */
  own: { field: string; right: boolean }[];
}

const [maxCollections, maxExamples] = [20, 60];
const maxFeedbackIds = 100;
const maxLessons = 300;
/** A further layout replaces the one that was taught longest ago. */
const maxLayouts = 100;
/** Layouts that share less have nothing in common but the words of the trade. */
const leastSimilarity = 0.16;
const newSender: Sender = { lessons: [], record: {}, taken: [] };

export const commands = commandsOn<Sender, object>(
  "SENDERS",
  "senders",
)({
  /** Returns those of the given ids that belong to senders with lessons, and the most similar layout. */
  known: (state, { names, kind, texts }: { names: string[]; kind: KindName; texts: number[] }) => ({
    reply: { names: names.filter((name) => state?.names?.includes(name)), layout: mostSimilar(state, kind, texts) },
  }),

  /** Returns the ids of all senders and layouts. */
  names: (state) => ({
    reply: { names: [...(state?.names ?? []), ...(state?.layouts ?? []).map(({ name }) => name)] },
  }),

  /** Lists a layout. If there are too many, it takes the place of the one that was taught longest ago. */
  enterLayout(state, layout: KnownLayout) {
    const before = state ?? newSender;
    const others = (before.layouts ?? []).filter(({ name }) => name !== layout.name);
    return { state: { ...before, layouts: [...others, layout] }, reply: {} };
  },

  /** Returns the id for a new layout. */
  placeForLayout: (state, { name }: { name: string }) => ({
    reply: { name: (state?.layouts?.length ?? 0) < maxLayouts ? name : state!.layouts![0]!.name },
  }),

  look: (state) => ({ reply: { family: state?.family, taken: state?.taken ?? [] } }),

  /** @returns false if another document was learned in the meantime */
  learnLayout(state, { family, feedbackId, before }: { family: Family; feedbackId: string; before: number }) {
    const known = state ?? newSender;
    if (known.taken.includes(feedbackId)) return { reply: { isStored: true } };
    if ((known.family?.documents ?? 0) !== before) return { reply: { isStored: false } };
    const taken = [...known.taken, feedbackId].slice(-maxFeedbackIds);
    return { state: { ...known, family, taken }, reply: { isStored: true } };
  },

  enter: (state, { name }: { name: string }) =>
    state?.names?.includes(name)
      ? { reply: {} }
      : { state: { ...(state ?? newSender), names: [...(state?.names ?? []), name] }, reply: {} },

  recall: (state): { reply: Memory } => ({
    reply: { lessons: state?.lessons ?? [], record: state?.record ?? {}, family: state?.family },
  }),

  piles: (state) => ({ reply: { examples: (state?.piles ?? []).flatMap(({ examples }) => examples) } }),

  learnPile(state, { collectionId, examples }: CollectionExamples) {
    const before = state ?? newSender;
    const others = (before.piles ?? []).filter((one) => one.collectionId !== collectionId);
    const piles = [...others, { collectionId, examples: examples.slice(0, maxExamples) }].slice(-maxCollections);
    return { state: { ...before, piles }, reply: {} };
  },

  learn(state, feedback: FeedbackLessons) {
    const before = state ?? newSender;
    if (before.taken.includes(feedback.feedbackId)) return { reply: {} };
    const taken = [...before.taken, feedback.feedbackId].slice(-maxFeedbackIds);
    const rated = before.lessons.map((lesson) => applyVerdict(lesson, feedback));
    const lessons = feedback.lessons.reduce((all, lesson) => addLesson(all, lesson, feedback), rated);
    return {
      state: { ...before, taken, lessons: limitLessons(lessons), record: addToRecord(before.record, feedback) },
      reply: {},
    };
  },
});

function mostSimilar(state: Sender | undefined, kind: KindName, texts: readonly number[]): string | undefined {
  const [best] = (state?.layouts ?? [])
    .filter((layout) => layout.kind === kind)
    .map((layout) => ({ name: layout.name, alike: similarity(layout.texts, layout.documents, texts) }))
    .sort((one, other) => other.alike - one.alike);
  return best && best.alike >= leastSimilarity ? best.name : undefined;
}

function applyVerdict(lesson: Lesson, { kind, verdicts }: FeedbackLessons): Lesson {
  const verdict = verdicts.find(
    ({ field, taughtBy }) => lesson.kind === kind && lesson.field === field && lesson.feedbackId === taughtBy,
  );
  if (!verdict) return lesson;
  const { seen, failed, failedInRow } = lesson;
  return verdict.right
    ? { ...lesson, seen: seen + 1, failedInRow: 0 }
    : { ...lesson, failed: failed + 1, failedInRow: failedInRow + 1 };
}

function addLesson(
  lessons: Lesson[],
  { field, taught }: FeedbackLessons["lessons"][number],
  { kind, feedbackId }: FeedbackLessons,
): Lesson[] {
  const at = lessons.findIndex(
    (lesson) => lesson.kind === kind && lesson.field === field && isDeepStrictEqual(lesson.taught, taught),
  );
  const existing = lessons[at];
  if (existing) return lessons.with(at, { ...existing, feedbackId, seen: existing.seen + 1, failedInRow: 0 });
  return [...lessons, { kind, field, feedbackId, taught, seen: 1, failed: 0, failedInRow: 0 }];
}

function limitLessons(lessons: Lesson[]): Lesson[] {
  if (lessons.length <= maxLessons) return lessons;
  return lessons.filter((lesson) => !isDisabled(lesson)).slice(-maxLessons);
}

function addToRecord(record: Memory["record"], { kind, own }: FeedbackLessons): Memory["record"] {
  const next = { ...record };
  for (const { field, right } of own) {
    const key = recordKey(kind, field);
    const before = next[key];
    // Right values count only for fields that were corrected at least once.
    if (right && !before) continue;
    const { right: rights = 0, wrong: wrongs = 0 } = before ?? {};
    next[key] = { right: rights + (right ? 1 : 0), wrong: wrongs + (right ? 0 : 1) };
  }
  return next;
}
