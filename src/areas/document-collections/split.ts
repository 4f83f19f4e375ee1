import type { Env, Job } from "../../kit/env.ts";
import { fileKey, storeFile, uploadedFile } from "../../kit/files.ts";
import { sha256 } from "../../kit/ids.ts";
import { log, logFault } from "../../kit/log.ts";
import { askOwner } from "../../kit/owners.ts";
import { pagesOf } from "../../reading/pile/pages-of.ts";
import { takeApart, type FoundDocument, type TakenApart } from "../../reading/pile.ts";
import { ReadingProblem } from "../../reading/problem.ts";
import * as documents from "../documents/index.ts";
import { documentKinds, type DocumentType } from "../documents/kinds.ts";
import { lecternOf } from "../intake/index.ts";
import { kindOfType, typeOf } from "../quality/index.ts";
import {
  splitting,
  type Collection,
  type CollectionEnvelope,
  type CollectionFindings,
  type PiledDocument,
  type PiledFile,
} from "./collection.ts";
import type { Bounds } from "./shapes.ts";
import { steps } from "./steps.ts";

/** Pages of a whole pile. */
const mostPages = 300;
/** So long documents are read here; those that are left are read by themselves. */
const readingMilliseconds = 40_000;

/** A file that could not be opened, and why. */
interface Refused {
  file: PiledFile;
  problem: ReadingProblem;
}

/**
 * The work `documentCollections.split`: each file is taken apart, each document put away with just its pages, and read where
 * it is of a kind that is read. Ids follow from the pile and the pages, so that doing it twice makes nothing twice.
 * @throws what is a fault of ours; the queue brings the work again
 */
export async function split({ company, id }: Job, env: Env): Promise<void> {
  const call = { company, id };
  const { reply } = await askOwner(env, steps.begin, call, {});
  if (reply.go !== "Read") return;
  const began = Date.now();
  try {
    const envelope = await envelopeOf(reply.record, company, id, env);
    await askOwner(env, steps.finish, call, { envelopes: [envelope] });
    const found = envelope.data?.documents.length ?? 0;
    log({ what: splitting, company, id, status: envelope.status, documents: found, milliseconds: Date.now() - began });
  } catch (error) {
    await askOwner(env, steps.release, call, {}).catch((unreachable: unknown) =>
      logFault("documentCollections.release", unreachable, call),
    );
    throw error;
  }
}

async function envelopeOf(pile: Collection, company: string, id: string, env: Env): Promise<CollectionEnvelope> {
  const until = Date.now() + readingMilliseconds;
  const findings: CollectionFindings = { pages: {}, documents: [] };
  const refused: Refused[] = [];
  for (const file of pile.files) {
    const bytes = await (await env.FILES.get(file.key))?.bytes();
    const bounds = pile.bounds?.filter(({ fileId }) => fileId === file.fileId);
    const apart = bytes ? await apartOf(bytes, file, bounds, { company, env }) : gone();
    if (apart instanceof ReadingProblem) {
      refused.push({ file, problem: apart });
      continue;
    }
    const pages = Object.values(findings.pages).reduce((sum, each) => sum + each, apart.pages);
    if (pages > mostPages) return failed("too_many_pages", `The pile has more than ${mostPages} pages.`);
    findings.pages[file.fileId] = apart.pages;
    for (const found of apart.documents) {
      const document = await putAway(bytes!, file, found, { company, pile: id, env });
      findings.documents.push(document.isRead ? await read(document, pile, company, env, until) : document);
    }
  }
  return whole(findings, refused);
}

const gone = () => new ReadingProblem("file_corrupted", "The file is no longer there.");

async function apartOf(
  bytes: Uint8Array,
  { name, mediaType }: PiledFile,
  bounds: Bounds | undefined,
  { company, env }: Pick<Place, "company" | "env">,
): Promise<TakenApart | ReadingProblem> {
  const { context, tools } = await lecternOf({}, company, env);
  try {
    const said = bounds?.map(({ pageFrom, pageTo, type }) => ({
      from: pageFrom,
      to: pageTo,
      ...(type && { kind: kindOfType(type) }),
    }));
    return await takeApart({ bytes, name, mediaType }, context, tools, said);
  } catch (cause) {
    if (cause instanceof ReadingProblem) return cause;
    throw cause;
  }
}

interface Place {
  company: string;
  pile: string;
  env: Env;
}

async function putAway(
  bytes: Uint8Array,
  file: PiledFile,
  { from, to, kind, confidence, isSaid }: FoundDocument,
  { company, pile, env }: Place,
): Promise<PiledDocument> {
  const { fileId, mediaType } = file;
  const documentId = await idOf(`${pile}/${fileId}/${from}-${to}${isSaid ? `/${kind}` : ""}`);
  const isPaged = mediaType === "application/pdf" || mediaType.startsWith("image/");
  const part = isPaged ? await pagesOf(bytes, mediaType, from, to) : bytes;
  const name = part === bytes ? file.name : `${file.name.replace(/\.\w{1,5}$/, "")} ${from}-${to}.pdf`;
  const upload = await uploadedFile(name, part === bytes ? mediaType : "application/pdf", part);
  const stored = await storeFile(env.FILES, fileKey(company, "documents", documentId, "original"), upload);
  const items = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  return {
    documentId,
    type: typeOf(kind),
    confidence: Math.round(confidence * 100) / 100,
    status: "Succeeded",
    fileId,
    pageFrom: from,
    pageTo: to,
    isRead: Object.hasOwn(documentKinds, kind),
    ...(isSaid && { isSaid }),
    file: stored,
    items: await Promise.all(items.map(async (page) => ({ itemId: await idOf(`${documentId}/${page}`), page }))),
  };
}

/** Gives it to the documents; while there is time it is read at once. */
async function read(
  document: PiledDocument,
  { metadata }: Collection,
  company: string,
  env: Env,
  until: number,
): Promise<PiledDocument> {
  const { documentId: id, file } = document;
  const call = { company, id };
  const asked = document.isSaid ? { asked: document.type as DocumentType } : {};
  await askOwner(env, documents.steps.receive, call, { file, ...asked, ...(metadata && { metadata }) });
  if (Date.now() > until) return { ...document, status: "Processing" };
  await documents.read({ binding: "DOCUMENTS", work: "documents.read", ...call }, env);
  const { reply: now } = await askOwner(env, documents.steps.look, call, {});
  return { ...document, status: now.status };
}

function whole(findings: CollectionFindings, refused: readonly Refused[]): CollectionEnvelope {
  const [first] = refused;
  if (findings.documents.length === 0)
    return first
      ? failed(first.problem.reason, first.problem.message)
      : failed("no_text_found", "The pages are blank.");
  const message = refused.map(({ file, problem }) => `${file.name}: ${problem.message}`).join(" ");
  return { sequenceId: 0, status: first ? "Partial" : "Succeeded", ...(message && { message }), data: findings };
}

/** What a file is refused for at the door, when it shows only later: the codes a record fails with are fewer. */
const failed = (errorCode: string, message: string): CollectionEnvelope => ({
  sequenceId: 0,
  status: "Failed",
  errorCode: errorCode.startsWith("file_") || errorCode.startsWith("unsupported_") ? "file_corrupted" : errorCode,
  message,
});

/** The same words make the same id. */
async function idOf(words: string): Promise<string> {
  const digest = await sha256(words);
  return [
    digest.slice(0, 8),
    digest.slice(8, 12),
    digest.slice(12, 16),
    digest.slice(16, 20),
    digest.slice(20, 32),
  ].join("-");
}
