import { commands as companyCommands } from "../companies/commands.ts";
import type { Env, Job } from "../../platform/env.ts";
import { newId } from "../../platform/ids.ts";
import { underLease, type HeldLease } from "../../platform/lease.ts";
import { log, logFault } from "../../platform/log.ts";
import { languageModel } from "../../platform/language-model.ts";
import { recogniserOf } from "../../platform/ocr.ts";
import type { Command } from "../../platform/command.ts";
import { executeCommand } from "../../platform/aggregates.ts";
import { gazetteerOf } from "../../domain/places/places.ts";
import { isOverloaded, readStored } from "./read-stored.ts";
import { Budget, ReadingProblem, type ReadingReason } from "../../extraction/problem.ts";
import { engine, type ReadableFile, type ReadingTools } from "../../extraction/extract.ts";
import type { ReadingContext, ReadingResult } from "../../extraction/document/reading.ts";
import { memoryOf } from "../senders/memory.ts";
import { extractionsOf } from "./extraction.ts";
import { extractionKey, type Envelope, type Intake } from "./intake.ts";

/** The time one file may take. */
const budgetMilliseconds = 30_000;

/** How an area reads its files. */
interface Desk<State extends Intake, Result extends ReadingResult<unknown>> {
  /** The work, as owners ask for it: `orders.read`. */
  work: string;
  /** Where its files lie in R2: `orders`. */
  folder: string;
  /** As its id is called in answers: `orderId`. */
  idName: string;
  commands: {
    begin: Command<{ token: string }, { go: "Done" | "Busy" } | { go: "Read"; record: State }>;
    renew: Command<{ token: string }, { isHeld: boolean }>;
    finish: Command<{ token: string; envelopes: State["envelopes"]; evidence: string }, { counts?: boolean }>;
    release: Command<{ token: string; isOverloaded?: boolean }, unknown>;
  };
  read: (record: State, file: ReadableFile, context: ReadingContext, tools: ReadingTools) => Promise<Result>;
  /** What is answered of a file in which something was found. */
  found: (result: Result) => State["envelopes"];
  /** The code and the sentence of a file in which nothing was found, and nobody said why. */
  nothing: { reason: ReadingReason; message: string };
}

/**
 * The work that reads, under a lease: bytes in, envelopes and evidence out. Doing it twice does no harm: the end of one
 * counts, and the evidence that is kept is of that one, and no more that of an earlier reading which failed.
 * @throws what is a fault of ours; the queue brings the work again
 */
export const readingAt =
  <State extends Intake, Result extends ReadingResult<unknown>>(desk: Desk<State, Result>) =>
  async ({ company, id }: Job, env: Env): Promise<void> => {
    const { work, commands } = desk;
    const call = { company, id };
    await underLease({
      name: work,
      begin: async (token) => {
        const { reply } = await executeCommand(env, commands.begin, call, { token });
        return reply.go === "Read" ? reply.record : undefined;
      },
      renew: async (token) => (await executeCommand(env, commands.renew, call, { token })).reply.isHeld,
      release: (token, _, cause) =>
        executeCommand(env, commands.release, call, { token, isOverloaded: isOverloaded(cause) }),
      work: (record, lease) => readUnder(lease, desk, record, call, env),
    });
  };

interface Call {
  company: string;
  id: string;
}

async function readUnder<State extends Intake, Result extends ReadingResult<unknown>>(
  { token, signal }: HeldLease,
  desk: Desk<State, Result>,
  record: State,
  call: Call,
  env: Env,
): Promise<void> {
  const { work, folder, idName, commands } = desk;
  const { company, id } = call;
  const began = Date.now();
  const result = await resultOf(desk, record, call, env, signal);
  const envelopes = envelopesOf(desk, result);
  const extractions = extractionsOf(result, Date.now() - began).map((each) => ({ [idName]: id, ...each }));
  signal.throwIfAborted();
  const evidence = newId();
  await env.FILES.put(extractionKey(company, folder, id, evidence), JSON.stringify(extractions));
  const { reply: end } = await executeCommand(env, commands.finish, call, { token, envelopes, evidence });
  const left = end.counts ? record.evidence : evidence;
  if (left) await env.FILES.delete(extractionKey(company, folder, id, left));
  log({
    what: work,
    company,
    id,
    status: envelopes[0]?.status,
    [folder]: envelopes.length,
    pages: result.pages,
    milliseconds: Date.now() - began,
  });
}

async function resultOf<State extends Intake, Result extends ReadingResult<unknown>>(
  { work, folder, read }: Desk<State, Result>,
  record: State,
  { company, id }: Call,
  env: Env,
  signal: AbortSignal,
): Promise<Result | ReadingResult<never>> {
  const readIt = async (file: ReadableFile | undefined) => {
    if (!file) throw new ReadingProblem("file_corrupted", "The file is no longer there.");
    const { context, tools } = await lecternOf(record, company, env, { place: `${folder}/${id}`, signal });
    return read(record, file, context, tools);
  };
  try {
    return await readStored(env.FILES, record.file, readIt);
  } catch (error) {
    if (error instanceof ReadingProblem) return failure(error);
    if (!isOverloaded(error)) logFault(work, error, { company });
    throw error;
  }
}

/**
 * What a file of the company is read with, and what is known beside it.
 * @param place below the company, where what was seen of its pages is kept: `orders/id`
 * @param signal of the lease under which it is read: ends the reading when it is aborted; without it nothing that is seen is kept
 */
export async function lecternOf(
  {
    additionalInfo,
    seenIn,
    sentOn,
    createdAt,
  }: Partial<Pick<Intake, "additionalInfo" | "seenIn" | "sentOn" | "createdAt">>,
  company: string,
  env: Env,
  { place, signal }: { place: string; signal?: AbortSignal },
): Promise<{ context: ReadingContext; tools: ReadingTools }> {
  const { reply: facts } = await executeCommand(env, companyCommands.facts, { company, id: company }, {});
  const { name, otherNames = [], vatCodes = [], emailDomains = [], country, languageModel: use } = facts;
  return {
    tools: {
      gazetteer: gazetteerOf(env),
      budget: new Budget(budgetMilliseconds, signal),
      recognise: recogniserOf(env, { own: `${company}/${place}`, whole: seenIn && `${company}/${seenIn}` }, signal),
      model: languageModel(env, use),
      recall: ({ keys }) => memoryOf(env, company, keys),
    },
    context: {
      company: { names: [name, ...otherNames], vatCodes, emailDomains, country },
      // However late a file is read, or read again: its days are told from when it was posted.
      today: (createdAt ?? new Date().toISOString()).slice(0, 10),
      ...(sentOn && { sentOn }),
      additionalInfo,
    },
  };
}

const failure = ({ reason, message }: ReadingProblem): ReadingResult<never> => ({
  status: "Failed",
  reason,
  message,
  items: [],
  engine,
  pages: 0,
  format: "Text",
  warnings: [],
});

/** What a file is refused for at the door, when it shows only later: the codes a record fails with are fewer. */
const lateRefusals: Partial<Record<ReadingReason, string>> = {
  file_empty: "no_text_found",
  file_encrypted: "file_corrupted",
  file_unreadable: "file_corrupted",
  unsupported_file_type: "file_corrupted",
};

function envelopesOf<State extends Intake, Result extends ReadingResult<unknown>>(
  { found, nothing }: Desk<State, Result>,
  result: Result | ReadingResult<never>,
): State["envelopes"] {
  if (result.status === "Read" && result.items.length > 0) return found(result as Result);
  const { reason = nothing.reason, message = nothing.message } = result;
  const failed: Envelope = { sequenceId: 0, status: "Failed", errorCode: lateRefusals[reason] ?? reason, message };
  return [failed];
}
