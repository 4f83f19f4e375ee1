import { isDeepStrictEqual } from "node:util";
import { commandsOn } from "../../platform/command.ts";
import type { KindName } from "../../extraction/kinds/kinds.ts";
import type { StartExample } from "../../extraction/collections/page-starts.ts";
import { isDisabled, recordKey, type Lesson, type Memory, type LessonContent } from "../../extraction/memory/lesson.ts";

/** What is known of one sender; or, in the object named `known`, by which names senders are known at all. */
export interface Sender extends Memory {
  /** Feedback that was taken in, the newest last: doing it twice does no harm. */
  taken: string[];
  names?: string[];
  /** In the object named `piles`: what was said of where documents begin in piles, the newest last. */
  piles?: TaughtPile[];
  metadata?: undefined;
}

/** A pile whose documents somebody has shown. */
export interface TaughtPile {
  collectionId: string;
  examples: StartExample[];
}

/** What one feedback says of the lessons of a sender. */
export interface Judgement {
  feedbackId: string;
  kind: KindName;
  signature: string;
  /** New lessons; none of them for those whom the feedback only says something of. */
  lessons: { field: string; taught: LessonContent }[];
  /** Values that lessons gave, by the feedback that taught them. */
  verdicts: { field: string; taughtBy: string; right: boolean }[];
  /** Values the engine read itself. */
  own: { field: string; right: boolean }[];
}

const [mostPiles, mostExamples] = [20, 60];
const mostTaken = 100;
const mostLessons = 300;
const nobody: Sender = { lessons: [], record: {}, taken: [] };

export const commands = commandsOn<Sender, object>(
  "SENDERS",
  "senders",
)({
  /** Which of these names belong to a sender that something is known of. */
  known: (state, { names }: { names: string[] }) => ({
    reply: { names: names.filter((name) => state?.names?.includes(name)) },
  }),

  names: (state) => ({ reply: { names: state?.names ?? [] } }),

  /** Somebody is known by this name now. */
  enter: (state, { name }: { name: string }) =>
    state?.names?.includes(name)
      ? { reply: {} }
      : { state: { ...(state ?? nobody), names: [...(state?.names ?? []), name] }, reply: {} },

  recall: (state) => ({ reply: { lessons: state?.lessons ?? [], record: state?.record ?? {} } }),

  /** What was said of piles. */
  piles: (state) => ({ reply: { examples: (state?.piles ?? []).flatMap(({ examples }) => examples) } }),

  /** Somebody has shown where the documents of a pile begin; what was said of it before counts no more. */
  learnPile(state, { collectionId, examples }: TaughtPile) {
    const before = state ?? nobody;
    const others = (before.piles ?? []).filter((pile) => pile.collectionId !== collectionId);
    const piles = [...others, { collectionId, examples: examples.slice(0, mostExamples) }].slice(-mostPiles);
    return { state: { ...before, piles }, reply: {} };
  },

  /** Takes in what a feedback teaches, once. */
  learn(state, judgement: Judgement) {
    const before = state ?? nobody;
    if (before.taken.includes(judgement.feedbackId)) return { reply: {} };
    const taken = [...before.taken, judgement.feedbackId].slice(-mostTaken);
    const judged = before.lessons.map((lesson) => judgedBy(lesson, judgement));
    const lessons = judgement.lessons.reduce((known, lesson) => withLesson(known, lesson, judgement), judged);
    return {
      state: { ...before, taken, lessons: kept(lessons), record: recordWith(before.record, judgement) },
      reply: {},
    };
  },
});

function judgedBy(lesson: Lesson, { kind, verdicts }: Judgement): Lesson {
  const verdict = verdicts.find(
    ({ field, taughtBy }) => lesson.kind === kind && lesson.field === field && lesson.feedbackId === taughtBy,
  );
  if (!verdict) return lesson;
  const { seen, failed, failedInRow } = lesson;
  return verdict.right
    ? { ...lesson, seen: seen + 1, failedInRow: 0 }
    : { ...lesson, failed: failed + 1, failedInRow: failedInRow + 1 };
}

/** A lesson that is taught once more is surer, and awake again. */
function withLesson(
  lessons: Lesson[],
  { field, taught }: Judgement["lessons"][number],
  { kind, feedbackId, signature }: Judgement,
): Lesson[] {
  const at = lessons.findIndex(
    (lesson) => lesson.kind === kind && lesson.field === field && isDeepStrictEqual(lesson.taught, taught),
  );
  const known = lessons[at];
  if (known) return lessons.with(at, { ...known, feedbackId, signature, seen: known.seen + 1, failedInRow: 0 });
  return [...lessons, { kind, field, feedbackId, signature, taught, seen: 1, failed: 0, failedInRow: 0 }];
}

/** Of too many those go first that sleep, then the oldest. */
function kept(lessons: Lesson[]): Lesson[] {
  if (lessons.length <= mostLessons) return lessons;
  return lessons.filter((lesson) => !isDisabled(lesson)).slice(-mostLessons);
}

function recordWith(record: Memory["record"], { kind, own }: Judgement): Memory["record"] {
  const next = { ...record };
  for (const { field, right } of own) {
    const key = recordKey(kind, field);
    const before = next[key];
    // How often the engine is right where nobody ever put it right is nobody's question.
    if (right && !before) continue;
    const { right: rights = 0, wrong: wrongs = 0 } = before ?? {};
    next[key] = { right: rights + (right ? 1 : 0), wrong: wrongs + (right ? 0 : 1) };
  }
  return next;
}
