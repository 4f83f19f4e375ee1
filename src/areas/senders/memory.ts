import type { Env } from "../../platform/env.ts";
import { sha256 } from "../../platform/ids.ts";
import { executeCommand } from "../../platform/aggregates.ts";
import type { Family } from "../../extraction/memory/family.ts";
import type { Memory } from "../../extraction/memory/lesson.ts";
import type { Sender } from "../../extraction/memory/sender.ts";
import type { StartExample } from "../../extraction/collections/page-starts.ts";
import { commands, type CollectionExamples, type FeedbackLessons } from "./commands.ts";

const indexId = "known";
const collectionsId = "piles";
/** Key of all unidentified senders, whose documents are distinguished only by the layout. */
const nameless = "nameless";

/** The lessons of a feedback, and the sender that they are about. */
export interface LessonsOfFeedback extends FeedbackLessons {
  /** Values that identify the sender, such as its VAT code, the most reliable first. */
  keys: string[];
}

/** Ids are hashes, so that no mail address appears in logs. */
const idsOf = (keys: readonly string[]): Promise<string[]> =>
  Promise.all((keys.length > 0 ? keys : [nameless]).map(async (key) => (await sha256(key)).slice(0, 20)));

const existingOf = async (
  env: Env,
  company: string,
  names: string[],
  { kind, texts }: Pick<Sender, "kind" | "texts">,
): Promise<{ names: string[]; layout: string | undefined }> =>
  (await executeCommand(env, commands.known, { company, id: indexId }, { names, kind, texts })).reply;

/** Ids of the two aggregates of a company that do not belong to a single sender. */
export const senderIndexes = [indexId, collectionsId];

/** Lists the ids of all senders and layouts of the company. */
export const senderIds = async (env: Env, company: string): Promise<string[]> =>
  (await executeCommand(env, commands.names, { company, id: indexId }, {})).reply.names;

/** Reads the lessons about the sender of a document, and what is known of its layout. */
export async function readMemory(env: Env, company: string, sender: Sender): Promise<Memory> {
  const { names, layout } = await existingOf(env, company, await idsOf(sender.keys), sender);
  const memories = await Promise.all(
    [...names, ...(layout === undefined ? [] : [layout])].map(
      async (id) => (await executeCommand(env, commands.recall, { company, id }, {})).reply,
    ),
  );
  return {
    lessons: memories.flatMap(({ lessons }) => lessons),
    family: memories.find(({ family }) => family)?.family,
    record: Object.assign({}, ...memories.toReversed().map(({ record }) => record)) as Memory["record"],
  };
}

/**
 * Stores lessons under the most reliable key of the sender. For its other keys, only verdicts on existing lessons are
 * stored. Idempotent.
 */
export async function storeLessons(env: Env, company: string, { keys, ...feedback }: LessonsOfFeedback): Promise<void> {
  const [first, ...others] = await idsOf(keys);
  if (!first) return;
  await executeCommand(env, commands.learn, { company, id: first }, feedback);
  await executeCommand(env, commands.enter, { company, id: indexId }, { name: first });
  const { names } = await existingOf(env, company, others, { kind: feedback.kind, texts: [] });
  for (const id of names)
    await executeCommand(env, commands.learn, { company, id }, { ...feedback, lessons: [], own: [] });
}

const attempts = 3;

/**
 * Learns a document for its layout. Idempotent.
 * @param learn returns what is then known of the layout
 */
export async function storeLayout(
  env: Env,
  company: string,
  sender: Sender,
  feedbackId: string,
  learn: (before: Family | undefined) => Family,
): Promise<void> {
  const index = { company, id: indexId };
  const { layout } = await existingOf(env, company, [], sender);
  const name =
    layout ?? (await executeCommand(env, commands.placeForLayout, index, { name: `layout-${feedbackId}` })).reply.name;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const { family: known, taken } = (await executeCommand(env, commands.look, { company, id: name }, {})).reply;
    const before = known?.documents ?? 0;
    const isTaken = taken.includes(feedbackId);
    // The place of an old layout is overwritten.
    const family = isTaken && known ? known : learn(layout === undefined ? undefined : known);
    const { isStored } = (
      await executeCommand(env, commands.learnLayout, { company, id: name }, { family, feedbackId, before })
    ).reply;
    if (!isStored) continue;
    const { kind, texts, documents } = family;
    await executeCommand(env, commands.enterLayout, index, { name, kind, texts, documents });
    return;
  }
  throw new Error(`The layout ${name} was changed by others ${attempts} times in a row.`);
}

/** Reads the examples from the corrected collections of the company. */
export const startExamplesOf = async (env: Env, company: string): Promise<StartExample[]> =>
  (await executeCommand(env, commands.piles, { company, id: collectionsId }, {})).reply.examples;

/** Stores the examples of a corrected collection. Idempotent. */
export async function storeStartExamples(env: Env, company: string, examples: CollectionExamples): Promise<void> {
  await executeCommand(env, commands.learnPile, { company, id: collectionsId }, examples);
}
