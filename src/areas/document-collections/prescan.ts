import type { Env, Job } from "../../platform/env.ts";
import { underLease } from "../../platform/lease.ts";
import { log } from "../../platform/log.ts";
import { executeCommand } from "../../platform/aggregates.ts";
import { readStored } from "../intake/read-stored.ts";
import { countPages, isPaged } from "../../extraction/collections/pages-of.ts";
import { lookAhead } from "../../extraction/split-collection.ts";
import { ReadingProblem } from "../../extraction/problem.ts";
import type { ReadableFile } from "../../extraction/extract.ts";
import { lecternOf } from "../intake/index.ts";
import { folder, looking, type Collection } from "./collection.ts";
import type { Place } from "./store-document.ts";
import { commands } from "./commands.ts";

/** Pages of one part: some ten to thirty seconds. */
const pagesEach = 6;
/** Pages that are looked at at the same time; each is held in memory meanwhile. */
const mostAtOnce = 4;

/** The names of all parts: the number of the file, from 0, and its pages, from 1, as in `0:6-10`. */
export async function partsOf({ files }: Collection, { FILES }: Env): Promise<string[]> {
  const parts: string[] = [];
  for (const [index, file] of files.entries()) {
    const pages = isPaged(file.mediaType) ? await readStored(FILES, file, pagesIn) : 0;
    for (let from = 1; from <= pages; from += pagesEach)
      parts.push(`${index}:${from}-${Math.min(pages, from + pagesEach - 1)}`);
  }
  return parts;
}

/**
 * The work `documentCollections.look/0:6-10`: looks at some pages of a pile, so that whoever takes it apart finds there what
 * was seen. Several are looked at at the same time, as far as there are several to look.
 * @throws what is a fault of ours; the queue brings the work again
 */
export async function look({ company, id, work }: Job, env: Env): Promise<void> {
  const part = work.slice(looking.length + 1);
  const call = { company, id };
  await underLease({
    name: looking,
    begin: async (token) => {
      const { reply } = await executeCommand(env, commands.lookAhead, call, { token, part });
      return reply.go === "Read" ? reply.record : undefined;
    },
    renew: async (token) => (await executeCommand(env, commands.renewPart, call, { token, part })).reply.isHeld,
    release: (token) => executeCommand(env, commands.letGo, call, { token, part }),
    work: async (pile, { token, signal }) => {
      const began = Date.now();
      await seen(pile, part, { company, pile: id, env, signal });
      await executeCommand(env, commands.lookedAhead, call, { token, part });
      log({ what: looking, company, id, part, milliseconds: Date.now() - began });
    },
  });
}

async function seen({ files }: Collection, part: string, { company, pile, env, signal }: Place): Promise<void> {
  const [index = 0, from = 1, to = 1] = part.split(/[:-]/).map(Number);
  const lookAt = async (file: ReadableFile | undefined) => {
    const { context, tools } = await lecternOf({}, company, env, { place: `${folder}/${pile}`, signal });
    const { budget, recognise } = tools;
    if (file && recognise) await lookAhead(file, { from, to }, context, { budget, recognise }, pagesAtOnce(env));
  };
  try {
    await readStored(env.FILES, files[index]!, lookAt);
  } catch (cause) {
    // Whoever takes the pile apart meets it as well, and says so.
    if (!(cause instanceof ReadingProblem)) throw cause;
  }
}

/** How many pages a file has; none where it is gone. */
export const pagesIn = async (file: ReadableFile | undefined): Promise<number> =>
  file ? countPages(file.bytes, file.mediaType ?? "") : 0;

const pagesAtOnce = ({ OCR_AT_ONCE }: Env): number => Math.min(mostAtOnce, Math.max(1, Number(OCR_AT_ONCE) || 1));
