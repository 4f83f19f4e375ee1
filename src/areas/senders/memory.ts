import type { Env } from "../../platform/env.ts";
import { sha256 } from "../../platform/ids.ts";
import { executeCommand } from "../../platform/aggregates.ts";
import type { Memory } from "../../extraction/memory/lesson.ts";
import type { StartExample } from "../../extraction/collections/page-starts.ts";
import { commands, type Judgement, type TaughtPile } from "./commands.ts";

/** The object that holds by which names a company's senders are known: one question tells whom else to ask. */
const index = "known";
/** Who has no name at all is told by the looks of his papers alone. */
const nameless = "nameless";

/** The object that holds what was said of piles. */
const piles = "piles";

/** What a feedback teaches, and of whom. */
export interface Teaching extends Judgement {
  /** Names the sender may be known by, the surest first. */
  keys: string[];
}

/** Names as objects have them: nobody reads a mailbox off a log. */
const namesOf = (keys: readonly string[]): Promise<string[]> =>
  Promise.all((keys.length > 0 ? keys : [nameless]).map(async (key) => (await sha256(key)).slice(0, 20)));

const known = async (env: Env, company: string, names: string[]): Promise<string[]> =>
  (await executeCommand(env, commands.known, { company, id: index }, { names })).reply.names;

/** The objects of a company that are of no sender alone. */
export const senderIndexes = [index, piles];

/** The names of all objects in which something is known of a sender of the company. */
export const memberNames = async (env: Env, company: string): Promise<string[]> =>
  (await executeCommand(env, commands.names, { company, id: index }, {})).reply.names;

/** What is known of whoever goes by one of these names. */
export async function memoryOf(env: Env, company: string, keys: readonly string[]): Promise<Memory> {
  const names = await known(env, company, await namesOf(keys));
  const memories = await Promise.all(
    names.map(async (id) => (await executeCommand(env, commands.recall, { company, id }, {})).reply),
  );
  return {
    lessons: memories.flatMap(({ lessons }) => lessons),
    record: Object.assign({}, ...memories.toReversed().map(({ record }) => record)) as Memory["record"],
  };
}

/** Keeps what a feedback teaches under the surest name; others are told how their lessons did. Twice does no harm. */
export async function teach(env: Env, company: string, { keys, ...judgement }: Teaching): Promise<void> {
  const [first, ...others] = await namesOf(keys);
  if (!first) return;
  await executeCommand(env, commands.learn, { company, id: first }, judgement);
  await executeCommand(env, commands.enter, { company, id: index }, { name: first });
  for (const id of await known(env, company, others))
    await executeCommand(env, commands.learn, { company, id }, { ...judgement, lessons: [], own: [] });
}

/** What was said of where documents begin in piles of the company. */
export const pilesBefore = async (env: Env, company: string): Promise<StartExample[]> =>
  (await executeCommand(env, commands.piles, { company, id: piles }, {})).reply.examples;

/** Keeps what was said of a pile for the next ones. Twice does no harm. */
export async function teachPile(env: Env, company: string, pile: TaughtPile): Promise<void> {
  await executeCommand(env, commands.learnPile, { company, id: piles }, pile);
}
