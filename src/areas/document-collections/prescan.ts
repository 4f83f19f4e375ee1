import type { Env, Job } from "../../platform/env.ts";
import { underLease } from "../../platform/lease.ts";
import { log } from "../../platform/log.ts";
import { executeCommand } from "../../platform/aggregates.ts";
import { readStoredFile } from "../intake/stored-files.ts";
import { countPages, isPaged } from "../../extraction/collections/extract-pages.ts";
import { prescanPages } from "../../extraction/split-collection.ts";
import { ExtractionProblem } from "../../extraction/problem.ts";
import type { InputFile } from "../../extraction/formats/reader.ts";
import { extractionDependencies } from "../intake/jobs.ts";
import { files as area, prescanJob, type Collection } from "./model.ts";
import type { CollectionContext } from "./store-document.ts";
import { commands } from "./commands.ts";

/** The text recognition of a part takes ten to thirty seconds. */
const pagesPerPart = 6;
/** Limited because all pages that are recognised at the same time are in memory. */
const concurrency = 4;

/** Lists the names of all parts. `0:7-12` means pages 7 to 12 of the first file. */
export async function partsOf({ files }: Collection, { FILES }: Env): Promise<string[]> {
  const parts: string[] = [];
  for (const [index, file] of files.entries()) {
    const pages = isPaged(file.mediaType) ? await readStoredFile(FILES, file, pageCount) : 0;
    for (let from = 1; from <= pages; from += pagesPerPart)
      parts.push(`${index}:${from}-${Math.min(pages, from + pagesPerPart - 1)}`);
  }
  return parts;
}

/**
 * Runs a job such as `documentCollections.look/0:7-12`, which recognises the text of a part and stores it for the
 * worker that splits the collection.
 * @throws internal faults; the queue then repeats the job
 */
export async function prescan({ company, id, work }: Job, env: Env): Promise<void> {
  const part = work.slice(prescanJob.length + 1);
  const call = { company, id };
  await underLease({
    name: prescanJob,
    begin: async (token) => {
      const { reply } = await executeCommand(env, commands.lookAhead, call, { token, part });
      return reply.go === "Read" ? reply.record : undefined;
    },
    renew: async (token) => (await executeCommand(env, commands.renewPart, call, { token, part })).reply.isHeld,
    release: (token) => executeCommand(env, commands.letGo, call, { token, part }),
    work: async (collection, { token, signal }) => {
      const began = Date.now();
      await recognisePages(collection, part, { company, collectionId: id, env, signal });
      await executeCommand(env, commands.lookedAhead, call, { token, part });
      log({ what: prescanJob, company, id, part, milliseconds: Date.now() - began });
    },
  });
}

async function recognisePages(
  { files }: Collection,
  part: string,
  { company, collectionId, env, signal }: CollectionContext,
): Promise<void> {
  const [index = 0, from = 1, to = 1] = part.split(/[:-]/).map(Number);
  const recogniseFile = async (file: InputFile | undefined) => {
    const { context, tools } = await extractionDependencies({}, company, env, {
      place: `${area.folder}/${collectionId}`,
      signal,
    });
    const { budget, recognise } = tools;
    if (file && recognise) await prescanPages(file, { from, to }, context, { budget, recognise }, pagesAtOnce(env));
  };
  try {
    await readStoredFile(env.FILES, files[index]!, recogniseFile);
  } catch (cause) {
    // Ignored, because the worker that splits the collection meets this problem too and reports it.
    if (!(cause instanceof ExtractionProblem)) throw cause;
  }
}

/** Returns the number of pages of a file; 0 if it is no longer stored. */
export const pageCount = async (file: InputFile | undefined): Promise<number> =>
  file ? countPages(file.bytes, file.mediaType ?? "") : 0;

const pagesAtOnce = ({ OCR_AT_ONCE }: Env): number => Math.min(concurrency, Math.max(1, Number(OCR_AT_ONCE) || 1));
