import { files as documentFiles, kindOf, type Document } from "../documents/model.ts";
import { commands as documentCommands } from "../documents/commands.ts";
import { extract as extractDocument } from "../documents/jobs.ts";
import { readEvidence, type Evidences } from "../intake/index.ts";
import type { Env, Job } from "../../platform/env.ts";
import type { StoredFile } from "../../platform/files.ts";
import { underLease } from "../../platform/lease.ts";
import { log, logFault } from "../../platform/log.ts";
import { executeCommand, objectOf } from "../../platform/aggregates.ts";
import { isKeepable } from "../../domain/periods.ts";
import { Problem } from "../../platform/problem.ts";
import { MomentText } from "../../domain/shapes.ts";
import { instantOf } from "../../domain/places/zones.ts";
import { readStored } from "../intake/read-stored.ts";
import { parseFineList } from "../../extraction/kinds/fine/list.ts";
import { ExtractionProblem } from "../../extraction/problem.ts";
import type { FineView } from "../../extraction/kinds/fine/view.ts";
import { matching, type Item, type Outcome } from "./model.ts";
import { deadlineKinds } from "./deadlines.ts";
import { releaseDuplicateKeys, duplicateKeys, findEarlierFine, type EarlierFine } from "./duplicates.ts";
import { MatchData } from "./match-data.ts";
import { enough, matched, type Fine, type Known, type Match } from "./match.ts";
import { mostFines } from "./shapes.ts";
import { commands, unreadable, type Result, type NextStep } from "./commands.ts";

/** How long one goes on before another takes over. */
const runMilliseconds = 20_000;
/** So long a document that somebody else reads is waited for. */
const documentMilliseconds = 5_000;
/** The archive follows so far behind: orders it does not have when an automation has just come are looked for once more. */
const behindMilliseconds = 3_000;

/** The work that matches fines, until nothing is left. Doing it twice does no harm: the first end of each counts. */
export async function run({ company, id }: Job, env: Env): Promise<void> {
  const until = Date.now() + runMilliseconds;
  const look = new MatchData(env, company);
  for (let isMore = true; isMore;) isMore = await runStep(env, { company, id }, look, until);
}

interface Call {
  company: string;
  id: string;
}

/** @returns whether there is more to do, and time for it */
async function runStep(env: Env, call: Call, look: MatchData, until: number): Promise<boolean> {
  const goesOn = await underLease({
    name: matching,
    begin: async (token) => {
      const { reply } = await executeCommand(env, commands.begin, call, { token });
      return reply.go === "Done" || reply.go === "Busy" ? undefined : reply;
    },
    renew: async (token) => (await executeCommand(env, commands.renew, call, { token })).reply.isHeld,
    release: (token) => executeCommand(env, commands.release, call, { token }),
    work: (task, { token }) =>
      task.go === "Read" ? readList(env, call, token, task.file) : matchItems(env, call, token, { look, task, until }),
  });
  return goesOn ?? false;
}

interface Matching {
  look: MatchData;
  task: Extract<NextStep, { go: "Match" }>;
  until: number;
}

async function matchItems(env: Env, call: Call, token: string, { look, task, until }: Matching): Promise<boolean> {
  const began = Date.now();
  const results = await resultsOf(env, call, look, task);
  const goesOn = Date.now() < until;
  const { isMore } = (await executeCommand(env, commands.took, call, { token, results, goesOn })).reply;
  log({ what: matching, ...call, fines: results.length, milliseconds: Date.now() - began });
  return isMore && goesOn;
}

async function readList(env: Env, call: Call, token: string, file: StoredFile): Promise<boolean> {
  try {
    const fines = await readStored(env.FILES, file, async (list) => {
      if (!list) throw new ExtractionProblem("file_corrupted", "The file is no longer there.");
      return parseFineList(list, mostFines);
    });
    await executeCommand(env, commands.rows, call, { token, fines });
  } catch (error) {
    if (!(error instanceof ExtractionProblem)) throw error;
    await executeCommand(env, commands.fail, call, { token, errorCode: error.reason, message: error.message });
  }
  return true;
}

/** A fine as it is told, and where. */
interface ReadFine {
  index: number;
  fine: Fine;
  documentId?: string | undefined;
  reading?: Known["reading"];
}

/** What was found out of it; nothing of one that could not be matched. */
interface MatchedFine extends ReadFine {
  match?: Match;
  countryCode?: string | undefined;
  names: string[];
}

/** Fines one by one, so that one that nobody can match keeps no other from its driver. */
async function resultsOf(
  env: Env,
  call: Call,
  look: MatchData,
  { items, createdAt }: { items: { index: number; item: Item }[]; createdAt: string },
): Promise<Result[]> {
  const all = await Promise.all(items.map(({ index, item }) => toldBy(env, call, index, item)));
  const told = all.filter((one): one is ReadFine => !("waits" in one || "outcome" in one));
  const looked = await lookedAgain(look, await Promise.all(told.map((one) => lookedAt(look, one))), createdAt);
  const settled = await inTheirOrder(looked, (one) => resultOf(env, call, one));
  return [...all.filter((one): one is Result => "waits" in one || "outcome" in one), ...settled];
}

/** A fine that came as data is told at once; one in a document when that is read. */
async function toldBy(env: Env, call: Call, index: number, { documentId, fine }: Item): Promise<ReadFine | Result> {
  if (documentId === undefined) return { index, fine };
  const { company } = call;
  const document = await readDocument(env, company, documentId);
  if (!document) return { index, fine, outcome: unreadable("not_found", "The document is not there any more.") };
  if (document.status === "Processing") return { index, waits: true };
  const [envelope] = document.envelopes;
  if (kindOf(document) !== "fine" || !envelope?.data) {
    const { errorCode = "input_not_a_document_of_this_kind", message = "The document is no fine." } = envelope ?? {};
    return { index, fine, outcome: unreadable(errorCode, message) };
  }
  const confidence = await readingConfidence(env, company, documentId, document);
  return { index, fine: fineOf(envelope.data), documentId, reading: { confidence, documentId } };
}

/** Who asks for a document reads it, unless somebody else is at it: then it is waited for a little. */
async function readDocument(env: Env, company: string, id: string): Promise<Document | undefined> {
  const look = async () => {
    try {
      return (await executeCommand(env, documentCommands.look, { company, id }, {})).reply;
    } catch (error) {
      if (error instanceof Problem && error.reason === "not_found") return undefined;
      throw error;
    }
  };
  const now = await look();
  if (now?.status !== "Processing") return now;
  const job = { binding: "DOCUMENTS" as const, work: "documents.read", company, id };
  await extractDocument(job, env).catch((error: unknown) => logFault("automations.document", error, { company, id }));
  await objectOf(env, "DOCUMENTS", company, id).settled(documentMilliseconds);
  return look();
}

/** How surely plate and time were read; what a person has put right is sure. */
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

/** What a notice says that a fine has; a time that is none of the calendar is left out. */
function fineOf(data: FineView): Fine {
  const { offenceAt, measuredSpeed: _, speedLimit: __, ...said } = data;
  return { ...said, ...(offenceAt && isMoment(offenceAt) && { offenceAt }) };
}

function isMoment(text: string): boolean {
  const read = MomentText.safeParse(text);
  return read.success && isKeepable(text);
}

/**
 * What a fine comes to. Where looking breaks off though all else is well, it is the fine that nobody can match.
 * @throws what is no fault of the fine
 */
async function lookedAt(look: MatchData, told: ReadFine): Promise<MatchedFine> {
  try {
    return await lookedOnce(look, told);
  } catch {
    await look.probe();
  }
  try {
    return await lookedOnce(look, told);
  } catch (error) {
    logFault("automations.match", error, { index: told.index });
    return { ...told, names: [] };
  }
}

async function lookedOnce(look: MatchData, told: ReadFine): Promise<MatchedFine> {
  const { fine, documentId } = told;
  const known = await look.knownOf(fine, told.reading);
  const instant = (offenceAt: string) => Date.parse(instantOf(offenceAt, known.zone));
  return {
    ...told,
    match: matched(fine, known),
    countryCode: known.countryCode,
    names: duplicateKeys(fine, instant, documentId),
  };
}

/** The archive does not have yet an order that has just come. */
async function lookedAgain(look: MatchData, looked: MatchedFine[], createdAt: string): Promise<MatchedFine[]> {
  const isBehind = ({ match, fine }: MatchedFine) =>
    match !== undefined &&
    (match.vehicleId ? fine.offenceAt && !match.orderId : match.matchStatus === "VehicleUnknown");
  const wait = Date.parse(createdAt) + behindMilliseconds - Date.now();
  if (wait <= 0 || !looked.some(isBehind)) return looked;
  await new Promise((passed) => setTimeout(passed, wait));
  look.forget();
  return Promise.all(looked.map(async (one) => (isBehind(one) ? lookedAt(look, one) : one)));
}

/** Whose it is, and whether it was told before. */
async function resultOf(
  env: Env,
  call: Call,
  { index, fine, match, names, countryCode }: MatchedFine,
): Promise<Result> {
  if (!match)
    return {
      index,
      fine,
      outcome: unreadable("processing_failed", "Something in the fine keeps it from being matched."),
    };
  const before = await findEarlierFine(env, call.company, names, { automationId: call.id, index }, fine);
  const found = { ...match, ...(countryCode && { countryCode }), names };
  if (before) return { index, fine, outcome: toldBefore(found, before) };
  const entered = match.matchStatus === "Matched" && match.confidence >= enough;
  return { index, fine, outcome: { ...found, entered } };
}

function toldBefore(match: Match & { names: string[] }, { of, differs, isContested }: EarlierFine): Outcome {
  const before = isContested ? "A fine of the same plate, time and amount" : "The same fine";
  const message =
    differs.length > 0
      ? `${before} was told before; this one says otherwise: ${differs.join(", ")}.`
      : `${before} was told before.`;
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

/** All at once, but of those that share a name the one that stands first goes first. */
async function inTheirOrder<Reply>(all: MatchedFine[], settle: (one: MatchedFine) => Promise<Reply>): Promise<Reply[]> {
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

/** The work that lets go of what was not entered, so that it may come again. May be done twice. */
export async function release({ company, id }: Job, env: Env): Promise<void> {
  const { reply: now } = await executeCommand(env, commands.look, { company, id }, {});
  for (const [index, { outcome }] of now.items.entries())
    if (outcome && !outcome.entered)
      await releaseDuplicateKeys(env, company, outcome.names ?? [], { automationId: id, index });
  await executeCommand(env, commands.released, { company, id }, {});
}
