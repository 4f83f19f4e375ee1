import type { Env, Job } from "../../platform/env.ts";
import { underLease, type HeldLease } from "../../platform/lease.ts";
import { log, logFault } from "../../platform/log.ts";
import { executeCommand } from "../../platform/aggregates.ts";
import { ignoreNotFound, Problem } from "../../platform/problem.ts";
import { readStored } from "../intake/read-stored.ts";
import { RecogniserFault, type Recognise } from "../../extraction/images/recogniser.ts";
import { weightsAfter } from "../../extraction/collections/learning.ts";
import type { StartWeights } from "../../extraction/collections/page-starts.ts";
import { takeApart, type FoundDocument, type TakenApart } from "../../extraction/split-collection.ts";
import { ReadingProblem } from "../../extraction/problem.ts";
import { commands as documentCommands } from "../documents/commands.ts";
import { read as readDocument } from "../documents/reading.ts";
import type { DocumentType } from "../documents/kinds.ts";
import { extractionKey, lecternOf, removingAt, type Envelope } from "../intake/index.ts";
import { kindOfType } from "../quality/reading.ts";
import { pilesBefore, teachPile } from "../senders/memory.ts";
import { attached, withdrawn } from "./attaching.ts";
import {
  documentsOf,
  findingsOf,
  folder,
  splitting,
  type Collection,
  type CollectionFindings,
  type PiledDocument,
  type PiledFile,
} from "./collection.ts";
import { pagesIn, partsOf } from "./prescan.ts";
import { putAway, type Place } from "./store-document.ts";
import { commands } from "./commands.ts";

/** Pages of a whole pile. */
const mostPages = 300;
/** So long documents are read here; those that are left are read by themselves. */
const readingMilliseconds = 40_000;
/** Pages that take longer to be looked at are looked at in parts, by several where there are several. */
const aloneMilliseconds = 15_000;

/** The work `documentCollections.remove`. */
export const remove = removingAt({ folder, commands });

/** A file, what it was taken apart into, and why it was not. */
interface Opened {
  file: PiledFile;
  apart?: TakenApart;
  problem?: ReadingProblem;
}

/** What a pile came to. */
interface Outcome {
  envelope: Envelope;
  findings?: CollectionFindings;
}

/** Ends an attempt at a pile of which more is to be looked at than one should. */
class TooMuchForOne extends RecogniserFault {}

/**
 * The work `documentCollections.split`: each file is taken apart, each document put away with just its pages, and read where
 * it is of a kind that is read. Ids follow from the pile and the pages, so that doing it twice makes nothing twice.
 * @throws what is a fault of ours; the queue brings the work again
 */
export async function split({ company, id }: Job, env: Env): Promise<void> {
  const call = { company, id };
  await underLease({
    name: splitting,
    begin: async (token) => {
      const { reply } = await executeCommand(env, commands.begin, call, { token });
      if (reply.go === "Done") await leaveTrace(call, env);
      return reply.go === "Read" ? reply.record : undefined;
    },
    renew: async (token) => (await executeCommand(env, commands.renew, call, { token })).reply.isHeld,
    release: (token) => executeCommand(env, commands.release, call, { token }),
    work: async (pile, lease) => {
      const place = { company, pile: id, env, signal: lease.signal };
      await splitUnder(lease, pile, place).catch(async (error: unknown) => {
        if (error instanceof TooMuchForOne && (await isSpread(lease, pile, place))) return;
        throw error;
      });
    },
  });
}

/** What follows from the pages is written by each who takes the pile apart; what counts, by the holder of the lease alone. */
async function splitUnder(lease: HeldLease, pile: Collection, place: Place): Promise<void> {
  const { company, pile: id, env } = place;
  const began = Date.now();
  const { envelope, findings } = await outcomeOf(pile, place);
  await lease.confirm();
  if (findings) await withdrawn(documentsOf(pile), findings.documents, { company, env });
  const evidence = findings ?? findingsOf(pile) ?? nothingFound;
  await lease.confirm();
  await env.FILES.put(extractionKey(company, folder, id), JSON.stringify(evidence));
  const end = { token: lease.token, envelopes: [envelope], ...(findings && { findings }) };
  await executeCommand(env, commands.finish, { company, id }, end);
  const found = findings?.documents.length ?? 0;
  log({ what: splitting, company, id, status: envelope.status, documents: found, milliseconds: Date.now() - began });
}

/** Whoever forgets or erases finds piles by their folders: one that was given up has one as well. */
async function leaveTrace(call: { company: string; id: string }, env: Env): Promise<void> {
  const key = extractionKey(call.company, folder, call.id);
  if (await env.FILES.head(key)) return;
  const pile = await executeCommand(env, commands.look, call, {}).catch(ignoreNotFound);
  if (pile) await env.FILES.put(key, JSON.stringify(nothingFound));
}

const nothingFound: CollectionFindings = { pages: {}, documents: [] };

/** Whether others look at its pages, a few each. */
async function isSpread({ token }: HeldLease, pile: Collection, { company, pile: id, env }: Place): Promise<boolean> {
  try {
    const parts = await partsOf(pile, env);
    await executeCommand(env, commands.spread, { company, id }, { token, parts });
    log({ what: "documentCollections.spread", company, id, parts: parts.length });
    return true;
  } catch (error) {
    logFault("documentCollections.spread", error, { company, id });
    return false;
  }
}

/** All files are opened before anything is made of one of them. */
async function outcomeOf(pile: Collection, place: Place): Promise<Outcome> {
  const tooMany = failed("too_many_pages", `The pile has more than ${mostPages} pages.`);
  if ((await countedIn(pile, place)) > mostPages) return tooMany;
  const opened: Opened[] = [];
  const weights = weightsAfter(await pilesBefore(place.env, place.company));
  for (const file of pile.files) opened.push(await openedAs(file, pile, weights, place));
  if (opened.reduce((sum, { apart }) => sum + (apart?.pages ?? 0), 0) > mostPages) return tooMany;
  const examples = opened.flatMap(({ apart }) => apart?.examples ?? []);
  if (examples.length > 0) await teachPile(place.env, place.company, { collectionId: place.pile, examples });
  const until = Date.now() + readingMilliseconds;
  const findings: CollectionFindings = { pages: {}, documents: [] };
  const problems: ReadingProblem[] = [];
  const said: string[] = [];
  for (const { file, apart, problem } of opened) {
    const refuse = (why: ReadingProblem) => {
      problems.push(why);
      said.push(`${file.name}: ${why.message}`);
    };
    if (problem) refuse(problem);
    if (!apart) continue;
    findings.pages[file.fileId] = apart.pages;
    said.push(...apart.warnings.map((warning) => `${file.name}: ${warning}`));
    for (const [found, document] of await putAllAway(file, apart.documents, place)) {
      place.signal.throwIfAborted();
      if (document instanceof ReadingProblem) refuse(document);
      else findings.documents.push(await handedOver(document, found, pile, place, until));
    }
  }
  return whole(findings, problems, [...new Set(said)]);
}

async function countedIn({ files }: Collection, { env }: Place): Promise<number> {
  let pages = 0;
  for (const file of files) pages += await readStored(env.FILES, file, pagesIn);
  return pages;
}

/** Puts all documents of a file away before anything is made of one of them: the file is not held while they are read. */
const putAllAway = (
  file: PiledFile,
  found: readonly FoundDocument[],
  place: Place,
): Promise<[FoundDocument, PiledDocument | ReadingProblem][]> =>
  readStored(place.env.FILES, file, async (stored) => {
    const all: [FoundDocument, PiledDocument | ReadingProblem][] = [];
    for (const one of stored ? found : []) {
      place.signal.throwIfAborted();
      all.push([one, await putAway(stored!.bytes, file, one, place).catch(problemIn)]);
    }
    return all;
  });

async function openedAs(
  file: PiledFile,
  pile: Collection,
  weights: StartWeights,
  { company, pile: id, env, signal }: Place,
): Promise<Opened> {
  const { context, tools } = await lecternOf({}, company, env, { place: `${folder}/${id}`, signal });
  const recognise = tools.recognise && (pile.ahead ? tools.recognise : forAWhile(tools.recognise));
  const { fileId } = file;
  const said = pile.bounds
    ?.filter((each) => each.fileId === fileId)
    .map(({ pageFrom, pageTo, type }) => ({ from: pageFrom, to: pageTo, ...(type && { kind: kindOfType(type) }) }));
  const apart = await readStored(env.FILES, file, async (stored) => {
    if (!stored) throw new ReadingProblem("file_corrupted", "The file is no longer there.");
    return takeApart(stored, context, { ...tools, recognise }, { said, weights });
  }).catch(problemIn);
  return apart instanceof ReadingProblem ? { file, problem: apart } : { file, apart };
}

/** The same, until it has taken too long. */
function forAWhile(recognise: Recognise): Recognise {
  let spent = 0;
  const lookAt: Recognise = async (picture, look) => {
    if (spent > aloneMilliseconds) throw new TooMuchForOne("There is more to be looked at.");
    const began = Date.now();
    const seen = await recognise(picture, look);
    spent += Date.now() - began;
    return seen;
  };
  return Object.assign(lookAt, { known: recognise.known });
}

/** @throws what is a fault of ours */
function problemIn(cause: unknown): ReadingProblem {
  if (cause instanceof ReadingProblem) return cause;
  throw cause;
}

/**
 * Gives it to the carrier orders and the documents. Its id follows from its pages, so that it may have been deleted before:
 * then it stays deleted, and the pile lists it as it did.
 */
async function handedOver(
  document: PiledDocument,
  found: FoundDocument,
  pile: Collection,
  place: Place,
  until: number,
): Promise<PiledDocument> {
  const { company, env } = place;
  const { documentId: id, isRead, file } = document;
  const isDeleted = async () =>
    isRead &&
    (await executeCommand(env, documentCommands.remains, { company, id }, {}).catch(ignoreNotFound)) !== undefined;
  if (!(await isDeleted())) {
    try {
      return await read(await attached(document, found, pile, place), pile, place, until);
    } catch (problem) {
      if (!(problem instanceof Problem && (await isDeleted()))) throw problem;
    }
  }
  await env.FILES.delete(file.key);
  return documentsOf(pile).find(({ documentId }) => documentId === id) ?? document;
}

/** Gives it to the documents; while there is time it is read at once. */
async function read(
  document: PiledDocument,
  { metadata, sentOn }: Collection,
  { company, pile, env }: Place,
  until: number,
): Promise<PiledDocument> {
  if (!document.isRead) return document;
  const { documentId: id, file } = document;
  const call = { company, id };
  const asked = document.isSaid ? { asked: document.type as DocumentType } : {};
  const given = {
    file,
    ...asked,
    ...(metadata && { metadata }),
    ...(sentOn && { sentOn }),
    seenIn: `${folder}/${pile}`,
  };
  await executeCommand(env, documentCommands.receive, call, given);
  if (Date.now() > until) return { ...document, status: "Processing" };
  await readDocument({ binding: "DOCUMENTS", work: "documents.read", ...call }, env);
  const { reply: now } = await executeCommand(env, documentCommands.look, call, {});
  return { ...document, status: now.status };
}

function whole(findings: CollectionFindings, [first]: readonly ReadingProblem[], said: readonly string[]): Outcome {
  if (findings.documents.length === 0)
    return first ? failed(first.reason, said.join(" ")) : failed("no_text_found", "The pages are blank.");
  const message = said.join(" ");
  const status = message ? "Partial" : "Succeeded";
  return { envelope: { sequenceId: 0, status, ...(message && { message }) }, findings };
}

/** What a file is refused for at the door, when it shows only later: the codes a record fails with are fewer. */
const failed = (reason: string, message: string): Outcome => {
  const errorCode = reason.startsWith("file_") || reason.startsWith("unsupported_") ? "file_corrupted" : reason;
  return { envelope: { sequenceId: 0, status: "Failed", errorCode, message } };
};
