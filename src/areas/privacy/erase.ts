import { documentsOf, type CollectedDocument } from "../document-collections/model.ts";
import { commands } from "../document-collections/commands.ts";
import { commands as documentCommands } from "../documents/commands.ts";
import type { Env } from "../../platform/env.ts";
import { executeCommand, objectOf } from "../../platform/aggregates.ts";
import { ignoreNotFound } from "../../platform/problem.ts";
import { commands as accountCommands } from "../accounts/commands.ts";
import { commands as driverDocumentCommands } from "../drivers-documents/commands.ts";
import { ledgerOf } from "../transactions/ledger.ts";
import { commands as webhookCommands } from "../webhooks/commands.ts";
import type { PersonFinder, Person } from "../../domain/person.ts";
import { originalSender } from "../../domain/shapes.ts";
import { readStoredKey } from "../intake/stored-files.ts";
import { type Listed, type LoggedEvent, type Batch, filesOf, folders, foundByFolder } from "./data-map.ts";
import type { Counts } from "./model.ts";
import { type Opening, isInFile, isInPiece } from "./scan-file.ts";

/**
 * Where a collection mentions the person: in its own record (`Named`), on a page (`Seen`), or possibly in one of its
 * documents (`Parts`).
 */
export type PileMention = "Named" | "Seen" | "Parts";

/**
 * Deletes the scans of a collection that contain an erased document. `Seen` deletes all scans and the documents that
 * were not extracted, `Named` deletes all files.
 * @returns the number of deleted files
 */
export async function erasePile(env: Env, company: string, id: string, concern: PileMention): Promise<number> {
  const found = await executeCommand(env, commands.look, { company, id }, {}).catch(ignoreNotFound);
  if (!found) return 0;
  const { reply: pile } = found;
  const lost = new Set<string>();
  for (const document of documentsOf(pile)) {
    const { fileId, file, isRead } = document;
    if (concern === "Named" || (concern === "Seen" && !isRead)) lost.add(file.key);
    else if (await isErased(env, company, document)) lost.add(scanOf(pile.files, fileId));
  }
  if (concern !== "Parts") for (const { key } of pile.files) lost.add(key);
  const there = await Promise.all([...lost].map(async (key) => ((await env.FILES.head(key)) ? [key] : [])));
  const keys = there.flat();
  if (keys.length > 0) await env.FILES.delete(keys);
  return keys.length;
}

/**
 * Whether the file of a document was erased: it is missing, but the record of the document still exists. At the end of
 * a retention period, both are deleted.
 */
async function isErased(
  env: Env,
  company: string,
  { documentId: id, file, isRead }: CollectedDocument,
): Promise<boolean> {
  if (await env.FILES.head(file.key)) return false;
  return (
    !isRead ||
    (await executeCommand(env, documentCommands.look, { company, id }, {}).catch(ignoreNotFound)) !== undefined
  );
}

const scanOf = (files: readonly { fileId: string; key: string }[], fileId: string): string =>
  files.find((file) => file.fileId === fileId)!.key;

const atOnce = 10;

/** The person, the company and the options of an erasure. */
export interface ErasureContext {
  env: Env;
  company: string;
  person: Person;
  finder: PersonFinder;
  opening: Opening;
}

/** Erases the person from a batch. @returns the number of mentions by kind */
export async function eraseFrom(batch: Batch, context: ErasureContext): Promise<Counts> {
  const nothing: Counts = { records: 0, files: 0, events: 0 };
  switch (batch.of) {
    case "Records":
      return { ...nothing, ...(await eraseThings(batch.things, context)) };
    case "Company":
      return { ...nothing, records: await eraseCompany(context) };
    case "Ledger":
      return {
        ...nothing,
        records: (await ledgerOf(context.env, context.company).erase(context.person, batch.part)) ? 1 : 0,
      };
    case "Deliveries":
      return { ...nothing, records: await eraseDeliveries(batch, context) };
    case "Events":
      return { ...nothing, events: await eraseEvents(batch.events, context) };
    case "Files":
      return { ...nothing, files: await eraseFiles(batch.keys, context) };
    case "Piece":
      return { ...nothing, files: await erasePiece(batch, context) };
  }
}

type FromThings = Pick<Counts, "records" | "files">;

async function eraseThings(things: readonly Listed[], context: ErasureContext): Promise<FromThings> {
  const found: FromThings = { records: 0, files: 0 };
  for (let at = 0; at < things.length; at += atOnce)
    for (const one of await Promise.all(things.slice(at, at + atOnce).map((thing) => eraseThing(thing, context)))) {
      found.records += one.records;
      found.files += one.files;
    }
  return found;
}

/**
 * If only this field, the sender of the file, mentions the person, the file is kept: its content is searched
 * separately.
 */
const senderPlace = `/metadata/${originalSender}`;

/** Deletes the files first: after an interruption, the record still mentions the person and is found again. */
async function eraseThing({ binding, id, shown }: Listed, context: ErasureContext): Promise<FromThings> {
  const { env, company, person, finder } = context;
  const object = objectOf(env, binding, company, id);
  const mentioned = await object.mentions(person);
  const isNamed = mentioned !== undefined;
  const isOfHim = mentioned?.mentions.some(({ pointer }) => pointer !== senderPlace) ?? false;
  let files = isOfHim ? await eraseFolder({ binding, id }, context) : 0;
  if (binding === "DOCUMENT_COLLECTIONS") files += await erasePile(env, company, id, isOfHim ? "Named" : "Parts");
  if (isOfHim && binding === "DRIVERS_DOCUMENTS")
    await executeCommand(env, driverDocumentCommands.remove, { company, id }, {}).catch(ignoreNotFound);
  if (binding === "SUBSCRIPTIONS" && person.email)
    await executeCommand(env, webhookCommands.forget, { company, id }, { email: person.email });
  const isListed = shown.some((json) => finder.isInJson(json));
  const wasNamed = await object.erase(person, isListed);
  return { records: isNamed || wasNamed ? 1 : 0, files };
}

/** Keeps the documents that were uploaded for an order (`papers`), because each of them is searched separately. */
async function eraseFolder(
  { binding, id }: Pick<Listed, "binding" | "id">,
  { env, company }: ErasureContext,
): Promise<number> {
  const folder = folders[binding];
  if (!folder) return 0;
  let files = 0;
  for await (const keys of filesOf(env, `${company}/${folder}/${id}/`)) {
    const read = keys.filter((key) => !key.includes("/papers/") && !isMark(key, company));
    if (read.length > 0) await env.FILES.delete(read);
    files += read.length;
  }
  return files;
}

/** Whether a record is found only by this file in its folder, so that the file must not be deleted. */
const isMark = (key: string, company: string) =>
  /\/extraction[^/]*\.json$/.test(key) && foundByFolder.some(({ folder }) => key.startsWith(`${company}/${folder}/`));

async function eraseCompany({ env, company, person }: ErasureContext): Promise<number> {
  const { email } = person;
  const call = { company, id: company };
  const own = objectOf(env, "COMPANIES", company, company);
  const isNamed = (await own.mentions(person)) !== undefined;
  if (email) await executeCommand(env, accountCommands.forget, call, { email });
  const wasNamed = await own.erase(person);
  return isNamed || wasNamed ? 1 : 0;
}

async function eraseDeliveries(
  { webhook, after, upTo }: Extract<Batch, { of: "Deliveries" }>,
  { env, company, person }: ErasureContext,
): Promise<number> {
  const wasSent = await objectOf(env, "SUBSCRIPTIONS", company, webhook).eraseDeliveries(person, after, upTo);
  return wasSent ? 1 : 0;
}

async function eraseEvents(events: readonly LoggedEvent[], { env, finder }: ErasureContext): Promise<number> {
  const positions = events.filter(({ event }) => finder.isInJson(event)).map(({ position }) => position);
  if (positions.length > 0)
    await env.ARCHIVE.prepare("delete from events where position in (select value from json_each(?))")
      .bind(JSON.stringify(positions))
      .run();
  return positions.length;
}

async function eraseFiles(keys: readonly string[], context: ErasureContext): Promise<number> {
  const found = await Promise.all(keys.map((key) => eraseFile(key, context)));
  return found.reduce((sum, one) => sum + one, 0);
}

async function eraseFile(key: string, { env, company, finder, opening }: ErasureContext): Promise<number> {
  const isRewritten = isMark(key, company);
  const isNamed = await readStoredKey(env.FILES, key, async (bytes) => {
    if (!(await isInFile(finder, key, bytes, opening))) return false;
    if (isRewritten)
      await env.FILES.put(key, JSON.stringify(finder.erasedFrom(JSON.parse(new TextDecoder().decode(bytes)))));
    return true;
  });
  if (!isNamed) return 0;
  return isRewritten ? 1 : (await eraseWhole(key, { env, company })) + (await eraseScan(key, { env, company }));
}

async function eraseScan(key: string, { env, company }: Pick<ErasureContext, "env" | "company">): Promise<number> {
  const [, folder, id, of] = key.split("/");
  if (of !== "ocr") return 0;
  if (folder === folders.DOCUMENT_COLLECTIONS) return erasePile(env, company, id!, "Seen");
  const { objects } = await env.FILES.list({ prefix: `${company}/${folder}/${id}/original` });
  if (objects.length > 0) await env.FILES.delete(objects.map((scan) => scan.key));
  return objects.length;
}

async function erasePiece(
  { key, from }: Extract<Batch, { of: "Piece" }>,
  { env, company, finder }: ErasureContext,
): Promise<number> {
  return (await isInPiece(env, finder, key, from)) ? eraseWhole(key, { env, company }) : 0;
}

/** Deletes a file. If it is a part of an export, all parts of the export are deleted. */
async function eraseWhole(key: string, { env, company }: Pick<ErasureContext, "env" | "company">): Promise<number> {
  const gathered = `${company}/privacy/`;
  if (key.startsWith(gathered))
    for await (const keys of filesOf(env, key.slice(0, key.indexOf("/", gathered.length) + 1)))
      if (keys.length > 0) await env.FILES.delete(keys);
  await env.FILES.delete(key);
  return 1;
}
