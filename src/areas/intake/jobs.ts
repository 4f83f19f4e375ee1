import { commands as companyCommands } from "../companies/commands.ts";
import type { JobHandler } from "../define-area.ts";
import type { Env, Job } from "../../platform/env.ts";
import { newId } from "../../platform/ids.ts";
import { underLease, type HeldLease } from "../../platform/lease.ts";
import { log, logFault } from "../../platform/log.ts";
import { languageModel } from "../../platform/language-model.ts";
import { recogniserOf } from "../../platform/ocr.ts";
import type { Command } from "../../platform/command.ts";
import { executeCommand } from "../../platform/aggregates.ts";
import { orderLabeller } from "./labeller.ts";
import { gazetteerOf } from "../../domain/places/places.ts";
import { isOverloaded, readStoredFile } from "./stored-files.ts";
import { Budget, ExtractionProblem, failureOf, type ExtractionFailureReason } from "../../extraction/problem.ts";
import { engine, type ExtractionTools } from "../../extraction/extract.ts";
import type { InputFile } from "../../extraction/formats/reader.ts";
import type { ExtractionContext, ExtractionResult } from "../../extraction/document/extraction-result.ts";
import { readMemory } from "../senders/memory.ts";
import { evidenceOf } from "./evidence.ts";
import { evidenceKey, type Envelope, type FileArea, type Intake } from "./model.ts";
import { removalJob, type RemovalCommands } from "./removal.ts";

const budgetMilliseconds = 30_000;

interface Extraction<State extends Intake, Result extends ExtractionResult<unknown>> {
  commands: {
    begin: Command<{ token: string }, { go: "Done" | "Busy" } | { go: "Read"; record: State }>;
    renew: Command<{ token: string }, { isHeld: boolean }>;
    finish: Command<{ token: string; envelopes: State["envelopes"]; evidence: string }, { counts?: boolean }>;
    release: Command<{ token: string; isOverloaded?: boolean }, unknown>;
  };
  extract: (record: State, file: InputFile, context: ExtractionContext, tools: ExtractionTools) => Promise<Result>;
  /** Called only if at least one item was extracted. */
  envelopesOf: (result: Result) => State["envelopes"];
  /** Error code and message if nothing was extracted and the engine gives no reason. */
  nothingFound: { reason: ExtractionFailureReason; message: string };
}

/** Creates the jobs of an area with files, by name: one extracts a file, one deletes the files of a deleted record. */
export const fileJobs = <State extends Intake, Result extends ExtractionResult<unknown>>(
  area: FileArea,
  extraction: Extraction<State, Result> & { commands: RemovalCommands },
): Record<string, JobHandler> => ({
  [area.jobs.extract]: extractionJob(area, extraction),
  [area.jobs.remove]: removalJob(area, extraction.commands),
});

/**
 * Creates the job that extracts a file under a lease and stores envelopes and evidence. It may run twice: only the
 * result of the run that holds the lease counts, and its evidence replaces that of an earlier, failed extraction.
 * @throws internal faults; the queue then repeats the job
 */
export const extractionJob =
  <State extends Intake, Result extends ExtractionResult<unknown>>(
    area: FileArea,
    extraction: Extraction<State, Result>,
  ) =>
  async ({ company, id }: Job, env: Env): Promise<void> => {
    const { commands } = extraction;
    const call = { company, id };
    await underLease({
      name: area.jobs.extract,
      begin: async (token) => {
        const { reply } = await executeCommand(env, commands.begin, call, { token });
        return reply.go === "Read" ? reply.record : undefined;
      },
      renew: async (token) => (await executeCommand(env, commands.renew, call, { token })).reply.isHeld,
      release: (token, _, cause) =>
        executeCommand(env, commands.release, call, { token, isOverloaded: isOverloaded(cause) }),
      work: (record, lease) => extractUnderLease(lease, area, extraction, record, call, env),
    });
  };

interface Call {
  company: string;
  id: string;
}

async function extractUnderLease<State extends Intake, Result extends ExtractionResult<unknown>>(
  { token, signal }: HeldLease,
  area: FileArea,
  extraction: Extraction<State, Result>,
  record: State,
  call: Call,
  env: Env,
): Promise<void> {
  const { folder, idName, jobs } = area;
  const { company, id } = call;
  const began = Date.now();
  const result = await extractStored(area, extraction, record, call, env, signal);
  const envelopes = envelopesOf(extraction, result);
  const evidences = evidenceOf(result, Date.now() - began).map((each) => ({ [idName]: id, ...each }));
  signal.throwIfAborted();
  const evidence = newId();
  await env.FILES.put(evidenceKey(company, folder, id, evidence), JSON.stringify(evidences));
  const { reply } = await executeCommand(env, extraction.commands.finish, call, { token, envelopes, evidence });
  const unused = reply.counts ? record.evidence : evidence;
  if (unused) await env.FILES.delete(evidenceKey(company, folder, id, unused));
  log({
    what: jobs.extract,
    company,
    id,
    status: envelopes[0]?.status,
    [folder]: envelopes.length,
    pages: result.pages,
    milliseconds: Date.now() - began,
  });
}

async function extractStored<State extends Intake, Result extends ExtractionResult<unknown>>(
  { folder, jobs }: FileArea,
  { extract }: Extraction<State, Result>,
  record: State,
  { company, id }: Call,
  env: Env,
  signal: AbortSignal,
): Promise<Result | ExtractionResult<never>> {
  const extractFile = async (file: InputFile | undefined) => {
    if (!file) throw new ExtractionProblem("file_corrupted", "The file is no longer stored.");
    const { context, tools } = await extractionDependencies(record, company, env, { place: `${folder}/${id}`, signal });
    return extract(record, file, context, tools);
  };
  try {
    return await readStoredFile(env.FILES, record.file, extractFile);
  } catch (error) {
    if (error instanceof ExtractionProblem) return failure(error);
    if (!isOverloaded(error)) logFault(jobs.extract, error, { company });
    throw error;
  }
}

/**
 * Returns the tools and the context of an extraction for a company.
 * @param options.place path below the company's folder, such as `orders/<id>`, where recognised pages are stored
 * @param options.signal signal of the lease, which aborts the extraction. Without it, recognised pages are not stored
 */
export async function extractionDependencies(
  {
    additionalInfo,
    seenIn,
    sentOn,
    createdAt,
  }: Partial<Pick<Intake, "additionalInfo" | "seenIn" | "sentOn" | "createdAt">>,
  company: string,
  env: Env,
  { place, signal }: { place: string; signal?: AbortSignal },
): Promise<{ context: ExtractionContext; tools: ExtractionTools }> {
  const { reply: facts } = await executeCommand(env, companyCommands.facts, { company, id: company }, {});
  const { name, otherNames = [], vatCodes = [], emailDomains = [], country, languageModel: use } = facts;
  return {
    tools: {
      gazetteer: gazetteerOf(env),
      labeller: () => orderLabeller(env),
      budget: new Budget(budgetMilliseconds, signal),
      recognise: recogniserOf(env, { record: `${company}/${place}`, parent: seenIn && `${company}/${seenIn}` }, signal),
      model: languageModel(env, use),
      recall: (sender) => readMemory(env, company, sender),
    },
    context: {
      company: { names: [name, ...otherNames], vatCodes, emailDomains, country },
      // Relative dates refer to the day on which the file was sent, even if it is extracted later.
      today: (createdAt ?? new Date().toISOString()).slice(0, 10),
      ...(sentOn && { sentOn }),
      additionalInfo,
    },
  };
}

const failure = ({ reason, message }: ExtractionProblem): ExtractionResult<never> => ({
  status: "Failed",
  reason,
  message,
  items: [],
  engine,
  pages: 0,
  format: "Text",
  warnings: [],
});

function envelopesOf<State extends Intake, Result extends ExtractionResult<unknown>>(
  { envelopesOf: envelopesOfItems, nothingFound }: Extraction<State, Result>,
  result: Result | ExtractionResult<never>,
): State["envelopes"] {
  if (result.status === "Read" && result.items.length > 0) return envelopesOfItems(result as Result);
  const { reason = nothingFound.reason, message = nothingFound.message } = result;
  const failed: Envelope = { sequenceId: 0, status: "Failed", errorCode: failureOf(reason), message };
  return [failed];
}
