import { files as documentFiles, kindOf, type Document } from "../documents/model.ts";
import { commands as documentCommands } from "../documents/commands.ts";
import { extract as extractDocument } from "../documents/jobs.ts";
import { readEvidence, type Evidences } from "../intake/evidence.ts";
import type { Env, Job } from "../../platform/env.ts";
import type { StoredFile } from "../../platform/files.ts";
import { underLease } from "../../platform/lease.ts";
import { log, logFault } from "../../platform/log.ts";
import { executeCommand, objectOf } from "../../platform/aggregates.ts";
import { isStorableInstant } from "../../domain/periods.ts";
import { Problem } from "../../platform/problem.ts";
import { MomentText } from "../../domain/shapes.ts";
import { instantOf } from "../../domain/places/zones.ts";
import { readStoredFile } from "../intake/stored-files.ts";
import { parseFineList } from "../../extraction/kinds/fine/list.ts";
import { ExtractionProblem, failureOf } from "../../extraction/problem.ts";
import type { FineView } from "../../extraction/kinds/fine/view.ts";
import { matching, type Item, type Outcome } from "./model.ts";
import { deadlineKinds } from "./deadlines.ts";
import { releaseDuplicateKeys, duplicateKeys, findEarlierFine, type EarlierFine } from "./duplicates.ts";
import { MatchData } from "./match-data.ts";
import { assignConfidence, matchFine } from "./match.ts";
import type { Fine, MatchContext, Match } from "./match-context.ts";
import { mostFines } from "./input.ts";
import { commands, unreadable, type Result, type NextStep } from "./commands.ts";

const runMilliseconds = 20_000;
/** How long to wait for a document that another run processes, in milliseconds. */
const documentMilliseconds = 5_000;
/**
 * Maximum delay of the archive. If a new automation finds no order or vehicle, the matching is repeated after this
 * time.
 */
const behindMilliseconds = 3_000;

/**
 * Runs the job that matches all fines of an automation. May run twice, because the first result of each fine counts.
 */
export async function run({ company, id }: Job, env: Env): Promise<void> {
  const until = Date.now() + runMilliseconds;
  const matchData = new MatchData(env, company);
  for (let isMore = true; isMore;) isMore = await runStep(env, { company, id }, matchData, until);
}

interface Call {
  company: string;
  id: string;
}

/** @returns whether fines are left and the time budget allows another step */
async function runStep(env: Env, call: Call, matchData: MatchData, until: number): Promise<boolean> {
  const goesOn = await underLease({
    name: matching,
    begin: async (token) => {
      const { reply } = await executeCommand(env, commands.begin, call, { token });
      return reply.go === "Done" || reply.go === "Busy" ? undefined : reply;
    },
    renew: async (token) => (await executeCommand(env, commands.renew, call, { token })).reply.isHeld,
    release: (token) => executeCommand(env, commands.release, call, { token }),
    work: (task, { token }) =>
      task.go === "Read"
        ? readList(env, call, token, task.file)
        : matchItems(env, call, token, { matchData, task, until }),
  });
  return goesOn ?? false;
}

interface Matching {
  matchData: MatchData;
  task: Extract<NextStep, { go: "Match" }>;
  until: number;
}

async function matchItems(env: Env, call: Call, token: string, { matchData, task, until }: Matching): Promise<boolean> {
  const began = Date.now();
  const results = await resultsOf(env, call, matchData, task);
  const goesOn = Date.now() < until;
  const { isMore } = (await executeCommand(env, commands.took, call, { token, results, goesOn })).reply;
  log({ what: matching, ...call, fines: results.length, milliseconds: Date.now() - began });
  return isMore && goesOn;
}

async function readList(env: Env, call: Call, token: string, file: StoredFile): Promise<boolean> {
  try {
    const fines = await readStoredFile(env.FILES, file, async (list) => {
      if (!list) throw new ExtractionProblem("file_corrupted", "The file is no longer stored.");
      return parseFineList(list, mostFines);
    });
    await executeCommand(env, commands.rows, call, { token, fines });
  } catch (error) {
    if (!(error instanceof ExtractionProblem)) throw error;
    await executeCommand(env, commands.fail, call, {
      token,
      errorCode: failureOf(error.reason),
      message: error.message,
    });
  }
  return true;
}

interface ReadFine {
  index: number;
  fine: Fine;
  documentId?: string | undefined;
  reading?: MatchContext["reading"];
}

/** `match` is absent if matching failed. */
interface MatchedFine extends ReadFine {
  match?: Match;
  countryCode?: string | undefined;
  names: string[];
}

/** Matches fines separately, so that a fine that fails does not block the others. */
async function resultsOf(
  env: Env,
  call: Call,
  matchData: MatchData,
  { items, createdAt }: { items: { index: number; item: Item }[]; createdAt: string },
): Promise<Result[]> {
  const all = await Promise.all(items.map(({ index, item }) => readFine(env, call, index, item)));
  const readFines = all.filter((one): one is ReadFine => !("waits" in one || "outcome" in one));
  const matchedFines = await matchAgain(
    matchData,
    await Promise.all(readFines.map((one) => matchOrSkip(matchData, one))),
    createdAt,
  );
  const settled = await inKeyOrder(matchedFines, (one) => resultOf(env, call, one));
  return [...all.filter((one): one is Result => "waits" in one || "outcome" in one), ...settled];
}

async function readFine(env: Env, call: Call, index: number, { documentId, fine }: Item): Promise<ReadFine | Result> {
  if (documentId === undefined) return { index, fine };
  const { company } = call;
  const document = await readDocument(env, company, documentId);
  if (!document) return { index, fine, outcome: unreadable("not_found", "The document no longer exists.") };
  if (document.status === "Processing") return { index, waits: true };
  const [envelope] = document.envelopes;
  if (kindOf(document) !== "fine" || !envelope?.data) {
    const { errorCode = "input_not_a_document_of_this_kind", message = "The document is not a fine." } = envelope ?? {};
    return { index, fine, outcome: unreadable(errorCode, message) };
  }
  const confidence = await readingConfidence(env, company, documentId, document);
  return { index, fine: fineOf(envelope.data), documentId, reading: { confidence, documentId } };
}

/**
 * Processes the document if it is not processed yet. If another run is processing it, waits for that run for at most
 * `documentMilliseconds`.
 */
async function readDocument(env: Env, company: string, id: string): Promise<Document | undefined> {
  const readState = async () => {
    try {
      return (await executeCommand(env, documentCommands.look, { company, id }, {})).reply;
    } catch (error) {
      if (error instanceof Problem && error.reason === "not_found") return undefined;
      throw error;
    }
  };
  const now = await readState();
  if (now?.status !== "Processing") return now;
  const job = { binding: "DOCUMENTS" as const, work: "documents.read", company, id };
  await extractDocument(job, env).catch((error: unknown) => logFault("automations.document", error, { company, id }));
  await objectOf(env, "DOCUMENTS", company, id).waitUntilComplete(documentMilliseconds);
  return readState();
}

/** Returns the lower confidence of the extracted plate and the extracted time. Corrected fields count as certain. */
async function readingConfidence(env: Env, company: string, id: string, now: Document): Promise<number> {
  const caller = { company, keyId: "", scopes: [] };
  const { fields }: Pick<Evidences, "fields"> = await readEvidence<Evidences>({ env, caller }, now, {
    folder: documentFiles.folder,
    id,
  }).catch((error: unknown) => {
    if (error instanceof Problem) return { fields: {} };
    throw error;
  });
  const sure = ["/licensePlate", "/offenceAt"].map((pointer) => fields[pointer]?.confidence ?? 1);
  return Math.min(...sure);
}

/** An invalid time is omitted. */
function fineOf(data: FineView): Fine {
  const { offenceAt, measuredSpeed: _, speedLimit: __, ...said } = data;
  return { ...said, ...(offenceAt && isMoment(offenceAt) && { offenceAt }) };
}

function isMoment(text: string): boolean {
  const read = MomentText.safeParse(text);
  return read.success && isStorableInstant(text);
}

/**
 * Matches a fine. If matching fails twice although archive and ledger respond, the fine is the cause, and it gets no
 * match.
 * @throws errors of archive or ledger
 */
async function matchOrSkip(matchData: MatchData, read: ReadFine): Promise<MatchedFine> {
  try {
    return await matchOne(matchData, read);
  } catch {
    await matchData.probe();
  }
  try {
    return await matchOne(matchData, read);
  } catch (error) {
    logFault("automations.match", error, { index: read.index });
    return { ...read, names: [] };
  }
}

async function matchOne(matchData: MatchData, read: ReadFine): Promise<MatchedFine> {
  const { fine, documentId } = read;
  const known = await matchData.contextOf(fine, read.reading);
  const instant = (offenceAt: string) => Date.parse(instantOf(offenceAt, known.zone));
  return {
    ...read,
    match: matchFine(fine, known),
    countryCode: known.countryCode,
    names: duplicateKeys(fine, instant, documentId),
  };
}

/**
 * Repeats the matching of fines that found no vehicle or order, if the automation is new. It first waits until the
 * archive has received the records that were created just before the automation.
 */
async function matchAgain(
  matchData: MatchData,
  matchedFines: MatchedFine[],
  createdAt: string,
): Promise<MatchedFine[]> {
  const isBehind = ({ match, fine }: MatchedFine) =>
    match !== undefined &&
    (match.vehicleId ? fine.offenceAt && !match.orderId : match.matchStatus === "VehicleUnknown");
  const wait = Date.parse(createdAt) + behindMilliseconds - Date.now();
  if (wait <= 0 || !matchedFines.some(isBehind)) return matchedFines;
  await new Promise((passed) => setTimeout(passed, wait));
  matchData.forget();
  return Promise.all(matchedFines.map(async (one) => (isBehind(one) ? matchOrSkip(matchData, one) : one)));
}

async function resultOf(
  env: Env,
  call: Call,
  { index, fine, match, names, countryCode }: MatchedFine,
): Promise<Result> {
  if (!match)
    return {
      index,
      fine,
      outcome: unreadable("processing_failed", "The data of the fine could not be processed."),
    };
  const before = await findEarlierFine(env, call.company, names, { automationId: call.id, index }, fine);
  const result = { ...match, ...(countryCode && { countryCode }), names };
  if (before) return { index, fine, outcome: duplicateOutcome(result, before) };
  const entered = match.matchStatus === "Matched" && match.confidence >= assignConfidence;
  return { index, fine, outcome: { ...result, entered } };
}

function duplicateOutcome(match: Match & { names: string[] }, { of, differs, isContested }: EarlierFine): Outcome {
  const before = isContested ? "A fine with the same plate, time and amount" : "The same fine";
  const message =
    differs.length > 0
      ? `${before} was sent before, with different values: ${differs.join(", ")}.`
      : `${before} was sent before.`;
  const subject = { type: "Automation" as const, id: of.automationId };
  return {
    ...match,
    matchStatus: "Duplicate",
    evidence: [...match.evidence, { step: "Duplicate", message, confidence: null, subject }],
    duplicateOf: of,
    anew: deadlineKinds.filter((kind) => differs.includes(kind)),
    ...(isContested && { isContested }),
    entered: false,
  };
}

/** Processes fines in parallel. Fines that share a duplicate key are processed one after another, in their order. */
async function inKeyOrder<Reply>(all: MatchedFine[], settle: (one: MatchedFine) => Promise<Reply>): Promise<Reply[]> {
  const last = new Map<string, Promise<unknown>>();
  return Promise.all(
    all.map((one) => {
      const before = Promise.all(one.names.flatMap((name) => last.get(name) ?? []));
      const settled = before.then(() => settle(one));
      for (const name of one.names) last.set(name, settled);
      return settled;
    }),
  );
}

/**
 * Runs the job that releases the duplicate keys of unassigned fines, so that these fines can be sent again. May run
 * twice.
 */
export async function release({ company, id }: Job, env: Env): Promise<void> {
  const { reply: now } = await executeCommand(env, commands.look, { company, id }, {});
  for (const [index, { outcome }] of now.items.entries())
    if (outcome && !outcome.entered)
      await releaseDuplicateKeys(env, company, outcome.names ?? [], { automationId: id, index });
  await executeCommand(env, commands.released, { company, id }, {});
}
