import type { Env, Job } from "../../platform/env.ts";
import { underLease, type HeldLease } from "../../platform/lease.ts";
import { log, logFault } from "../../platform/log.ts";
import { executeCommand } from "../../platform/aggregates.ts";
import { ignoreNotFound, Problem } from "../../platform/problem.ts";
import { readStoredFile } from "../intake/stored-files.ts";
import { RecogniserFault, type Recognise } from "../../extraction/images/recogniser.ts";
import { type StartWeights, trainWeights } from "../../extraction/collections/page-starts.ts";
import { splitCollection, type FoundDocument, type SplitResult } from "../../extraction/split-collection.ts";
import { ExtractionProblem, failureOf, type ExtractionFailureReason } from "../../extraction/problem.ts";
import { commands as documentCommands } from "../documents/commands.ts";
import { extract } from "../documents/jobs.ts";
import type { DocumentType } from "../documents/kinds.ts";
import { extractionDependencies } from "../intake/jobs.ts";
import { evidenceKey, type Envelope } from "../intake/model.ts";
import { removalJob } from "../intake/removal.ts";
import { kindOfType } from "../quality/model.ts";
import { startExamplesOf, storeStartExamples } from "../senders/memory.ts";
import { attachToOrder, withdrawFromOrders } from "./attach.ts";
import {
  documentsOf,
  files,
  findingsOf,
  type Collection,
  type CollectionFindings,
  type CollectedDocument,
  type CollectedFile,
} from "./model.ts";
import { pageCount, partsOf } from "./prescan.ts";
import { storeDocument, type CollectionContext } from "./store-document.ts";
import { commands } from "./commands.ts";

const maxPages = 300;
/** After this time, documents are extracted by separate jobs. */
const extractionMilliseconds = 40_000;
/** If the text recognition takes longer, several workers prescan the parts of the collection. */
const singleWorkerMilliseconds = 15_000;

export const remove = removalJob(files, commands);

interface SplitFile {
  file: CollectedFile;
  result?: SplitResult;
  problem?: ExtractionProblem;
}

interface CollectionResult {
  envelope: Envelope;
  findings?: CollectionFindings;
}

/** One worker is not enough to recognise the text of the collection in time. */
class NeedsPrescan extends RecogniserFault {}

/**
 * Runs the job `documentCollections.split`: splits each file into documents, stores each as a file, and extracts those
 * of a supported kind. Ids are derived from collection and pages, so that a repeated run creates nothing twice.
 * @throws internal faults; the queue then repeats the job
 */
export async function split({ company, id }: Job, env: Env): Promise<void> {
  const call = { company, id };
  await underLease({
    name: files.jobs.extract,
    begin: async (token) => {
      const { reply } = await executeCommand(env, commands.begin, call, { token });
      if (reply.go === "Done") await ensureFolder(call, env);
      return reply.go === "Read" ? reply.record : undefined;
    },
    renew: async (token) => (await executeCommand(env, commands.renew, call, { token })).reply.isHeld,
    release: (token) => executeCommand(env, commands.release, call, { token }),
    work: async (collection, lease) => {
      const context = { company, collectionId: id, env, signal: lease.signal };
      await splitUnderLease(lease, collection, context).catch(async (error: unknown) => {
        if (error instanceof NeedsPrescan && (await spread(lease, collection, context))) return;
        throw error;
      });
    },
  });
}

/** Several workers may write the files of the documents, but only the lease holder may write the result. */
async function splitUnderLease(lease: HeldLease, collection: Collection, context: CollectionContext): Promise<void> {
  const { company, collectionId: id, env } = context;
  const began = Date.now();
  const { envelope, findings } = await splitAll(collection, context);
  await lease.confirm();
  if (findings) await withdrawFromOrders(documentsOf(collection), findings.documents, { company, env });
  const evidence = findings ?? findingsOf(collection) ?? nothingFound;
  await lease.confirm();
  await env.FILES.put(evidenceKey(company, files.folder, id), JSON.stringify(evidence));
  const end = { token: lease.token, envelopes: [envelope], ...(findings && { findings }) };
  await executeCommand(env, commands.finish, { company, id }, end);
  const documents = findings?.documents.length ?? 0;
  log({ what: files.jobs.extract, company, id, status: envelope.status, documents, milliseconds: Date.now() - began });
}

/** Ensures that even a failed collection has an R2 folder, by which retention and erasure find it. */
async function ensureFolder(call: { company: string; id: string }, env: Env): Promise<void> {
  const key = evidenceKey(call.company, files.folder, call.id);
  if (await env.FILES.head(key)) return;
  const collection = await executeCommand(env, commands.look, call, {}).catch(ignoreNotFound);
  if (collection) await env.FILES.put(key, JSON.stringify(nothingFound));
}

const nothingFound: CollectionFindings = { pages: {}, documents: [] };

/** @returns whether the prescans were requested */
async function spread(
  { token }: HeldLease,
  collection: Collection,
  { company, collectionId: id, env }: CollectionContext,
): Promise<boolean> {
  try {
    const parts = await partsOf(collection, env);
    await executeCommand(env, commands.spread, { company, id }, { token, parts });
    log({ what: "documentCollections.spread", company, id, parts: parts.length });
    return true;
  } catch (error) {
    logFault("documentCollections.spread", error, { company, id });
    return false;
  }
}

async function splitAll(collection: Collection, context: CollectionContext): Promise<CollectionResult> {
  const tooMany = failed("too_many_pages", `The collection has more than ${maxPages} pages.`);
  if ((await countPages(collection, context)) > maxPages) return tooMany;
  const splitFiles: SplitFile[] = [];
  const weights = trainWeights(await startExamplesOf(context.env, context.company));
  for (const file of collection.files) splitFiles.push(await splitFile(file, collection, weights, context));
  if (splitFiles.reduce((sum, { result }) => sum + (result?.pages ?? 0), 0) > maxPages) return tooMany;
  const examples = splitFiles.flatMap(({ result }) => result?.examples ?? []);
  if (examples.length > 0)
    await storeStartExamples(context.env, context.company, { collectionId: context.collectionId, examples });
  const until = Date.now() + extractionMilliseconds;
  const findings: CollectionFindings = { pages: {}, documents: [] };
  const problems: ExtractionProblem[] = [];
  const messages: string[] = [];
  for (const { file, result, problem } of splitFiles) {
    const report = (cause: ExtractionProblem) => {
      problems.push(cause);
      messages.push(`${file.name}: ${cause.message}`);
    };
    if (problem) report(problem);
    if (!result) continue;
    findings.pages[file.fileId] = result.pages;
    messages.push(...result.warnings.map((warning) => `${file.name}: ${warning}`));
    for (const [detected, document] of await storeDocuments(file, result.documents, context)) {
      context.signal.throwIfAborted();
      if (document instanceof ExtractionProblem) report(document);
      else findings.documents.push(await processDocument(document, detected, collection, context, until));
    }
  }
  return resultOf(findings, problems, [...new Set(messages)]);
}

async function countPages({ files }: Collection, { env }: CollectionContext): Promise<number> {
  let pages = 0;
  for (const file of files) pages += await readStoredFile(env.FILES, file, pageCount);
  return pages;
}

/** Stores all documents of a file before any of them is processed, so that the file need not stay in memory. */
const storeDocuments = (
  file: CollectedFile,
  detected: readonly FoundDocument[],
  context: CollectionContext,
): Promise<[FoundDocument, CollectedDocument | ExtractionProblem][]> =>
  readStoredFile(context.env.FILES, file, async (stored) => {
    const all: [FoundDocument, CollectedDocument | ExtractionProblem][] = [];
    for (const one of stored ? detected : []) {
      context.signal.throwIfAborted();
      all.push([one, await storeDocument(stored!.bytes, file, one, context).catch(problemOrThrow)]);
    }
    return all;
  });

async function splitFile(
  file: CollectedFile,
  collection: Collection,
  weights: StartWeights,
  { company, collectionId: id, env, signal }: CollectionContext,
): Promise<SplitFile> {
  const { context, tools } = await extractionDependencies({}, company, env, { place: `${files.folder}/${id}`, signal });
  const recognise = tools.recognise && (collection.ahead ? tools.recognise : withTimeLimit(tools.recognise));
  const { fileId } = file;
  const boundaries = collection.bounds
    ?.filter((each) => each.fileId === fileId)
    .map(({ pageFrom, pageTo, type }) => ({ from: pageFrom, to: pageTo, ...(type && { kind: kindOfType(type) }) }));
  const result = await readStoredFile(env.FILES, file, async (stored) => {
    if (!stored) throw new ExtractionProblem("file_corrupted", "The file is no longer stored.");
    return splitCollection(stored, context, { ...tools, recognise }, { boundaries, weights });
  }).catch(problemOrThrow);
  return result instanceof ExtractionProblem ? { file, problem: result } : { file, result };
}

/** @throws NeedsPrescan when the recognition has taken too long for a single worker */
function withTimeLimit(recognise: Recognise): Recognise {
  let spent = 0;
  const limited: Recognise = async (picture, look) => {
    if (spent > singleWorkerMilliseconds) throw new NeedsPrescan("The collection needs several workers.");
    const began = Date.now();
    const page = await recognise(picture, look);
    spent += Date.now() - began;
    return page;
  };
  return Object.assign(limited, { cached: recognise.cached });
}

/** @throws all errors that the file does not cause */
function problemOrThrow(cause: unknown): ExtractionProblem {
  if (cause instanceof ExtractionProblem) return cause;
  throw cause;
}

/** A document that was deleted after an earlier split stays deleted, and the collection lists it as before. */
async function processDocument(
  document: CollectedDocument,
  detected: FoundDocument,
  collection: Collection,
  context: CollectionContext,
  until: number,
): Promise<CollectedDocument> {
  const { company, env } = context;
  const { documentId: id, isRead, file } = document;
  const isDeleted = async () =>
    isRead &&
    (await executeCommand(env, documentCommands.remains, { company, id }, {}).catch(ignoreNotFound)) !== undefined;
  if (!(await isDeleted())) {
    try {
      return await extractDocument(
        await attachToOrder(document, detected, collection, context),
        collection,
        context,
        until,
      );
    } catch (problem) {
      if (!(problem instanceof Problem && (await isDeleted()))) throw problem;
    }
  }
  await env.FILES.delete(file.key);
  return documentsOf(collection).find(({ documentId }) => documentId === id) ?? document;
}

async function extractDocument(
  document: CollectedDocument,
  { metadata, sentOn }: Collection,
  { company, collectionId, env }: CollectionContext,
  until: number,
): Promise<CollectedDocument> {
  if (!document.isRead) return document;
  const { documentId: id, file } = document;
  const call = { company, id };
  const asked = document.isSaid ? { asked: document.type as DocumentType } : {};
  const received = {
    file,
    ...asked,
    ...(metadata && { metadata }),
    ...(sentOn && { sentOn }),
    seenIn: `${files.folder}/${collectionId}`,
  };
  await executeCommand(env, documentCommands.receive, call, received);
  if (Date.now() > until) return { ...document, status: "Processing" };
  await extract({ binding: "DOCUMENTS", work: "documents.read", ...call }, env);
  const { reply: record } = await executeCommand(env, documentCommands.look, call, {});
  return { ...document, status: record.status };
}

function resultOf(
  findings: CollectionFindings,
  [first]: readonly ExtractionProblem[],
  messages: readonly string[],
): CollectionResult {
  if (findings.documents.length === 0)
    return first ? failed(first.reason, messages.join(" ")) : failed("no_text_found", "The pages are blank.");
  const message = messages.join(" ");
  const status = message ? "Partial" : "Succeeded";
  return { envelope: { sequenceId: 0, status, ...(message && { message }) }, findings };
}

const failed = (reason: ExtractionFailureReason, message: string): CollectionResult => ({
  envelope: { sequenceId: 0, status: "Failed", errorCode: failureOf(reason), message },
});
