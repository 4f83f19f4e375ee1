import type * as z from "zod";
import { commands as documentCommands } from "../documents/commands.ts";
import { files as documentFiles, variantOf } from "../documents/model.ts";
import { receiveFile as receiveStored } from "../intake/operations.ts";
import { requireScope } from "../../http/caller.ts";
import type { Env } from "../../platform/env.ts";
import { bytesOf, fileKey, storeFile, type UploadedFile } from "../../platform/files.ts";
import { Answer } from "../../http/responses.ts";
import { partId } from "../../platform/ids.ts";
import type { Context } from "../../http/operation.ts";
import { executeCommand } from "../../platform/aggregates.ts";
import { invalid, Problem, wrongField, type ErrorItem } from "../../platform/problem.ts";
import { parsed } from "../../http/query.ts";
import { withFileMemory } from "../intake/stored-files.ts";
import { requestWaitMilliseconds } from "../../http/memory-pool.ts";
import { readUpload } from "../../http/uploads/read-upload.ts";
import { isFineList } from "../../extraction/kinds/fine/list.ts";
import { folder, isOpen, viewOf, type Automation } from "./model.ts";
import { FinesFields, type FinesInput } from "./input.ts";
import { type ReceivedAutomation } from "./views.ts";
import { commands } from "./commands.ts";

type AutomationInput = Pick<Automation, "items" | "file" | "metadata">;

/** Creates an automation from fines sent as data, and from documents that were sent before. */
export async function receiveJson(
  { documentIds = [], fines = [], metadata }: FinesInput,
  context: Context,
): Promise<Answer<z.input<typeof ReceivedAutomation>>> {
  const unique = [...new Set(documentIds)];
  if (unique.length > 0) requireScope(context.caller, "documents:read");
  await requireDocuments(unique, context);
  const items = [...unique.map((documentId) => ({ documentId, fine: {} })), ...fines.map((fine) => ({ fine }))];
  return received({ items, ...(metadata && { metadata }) }, context);
}

/** Checks that the company has all documents. @throws Problem with an error for each document that does not exist */
async function requireDocuments(documentIds: readonly string[], { send }: Context): Promise<void> {
  const missing = await Promise.all(
    documentIds.map(async (documentId, at): Promise<ErrorItem[]> => {
      try {
        await send(documentCommands.look, documentId, {});
        return [];
      } catch (error) {
        if (!(error instanceof Problem) || error.reason !== "not_found") throw error;
        return [wrongField(["documentIds", at], "not_found", `The document ${documentId} does not exist.`)];
      }
    }),
  );
  if (missing.flat().length > 0) throw invalid(missing.flat());
}

/**
 * Creates an automation from a file. A list contains one fine per row. Any other file is taken as a single notice and
 * becomes a document.
 */
export async function receiveFile(context: Context): Promise<Answer<z.input<typeof ReceivedAutomation>>> {
  const { file, fields } = await readUpload(context.request, context.uploads);
  const { metadata } = parsed(FinesFields, fields);
  const more = metadata && { metadata };
  const { env, caller, newId } = context;
  const before = await madeBefore(context);
  if (await isList(file, env)) {
    if (before && before.file?.sha256 !== file.sha256) throw new Problem("idempotency_key_reused");
    const { company } = caller;
    const key = fileKey(company, folder, newId, `original-${context.requestId}`);
    const stored = await storeFile(env.FILES, key, file, { binding: "AUTOMATIONS", company, id: newId });
    return received({ items: [], file: stored, ...more }, context);
  }
  const documentId = await asDocument(file, context);
  if (before && before.items[0]?.documentId !== documentId) throw new Problem("idempotency_key_reused");
  return received({ items: [{ documentId, fine: {} }], ...more }, context);
}

const isList = (file: UploadedFile, env: Env): Promise<boolean> =>
  withFileMemory(
    file.sizeBytes,
    async () => isFineList({ bytes: await bytesOf(env.FILES, file), name: file.name }),
    requestWaitMilliseconds,
  );

/**
 * Finds the automation that an earlier request with the same idempotency key created, to compare its file with the file
 * of this request.
 */
async function madeBefore({ request, newId, send }: Context): Promise<Automation | undefined> {
  if (!request.headers.has("idempotency-key")) return undefined;
  try {
    return await send(commands.look, newId, {});
  } catch (error) {
    if (error instanceof Problem && error.reason === "not_found") return undefined;
    throw error;
  }
}

/** Stores the file as a document. Identical files become the same document. */
async function asDocument(file: UploadedFile, context: Context): Promise<string> {
  const { env, caller, newId } = context;
  const asked = { asked: "Fines" as const };
  const own: Context = {
    ...context,
    newId: await partId(newId, 0),
    waitSeconds: 0,
    execute: (step, id, ask) => executeCommand(env, step, { company: caller.company, id, by: context.by }, ask),
  };
  const options = { variant: variantOf(asked) };
  const { id } = await receiveStored(documentFiles, documentCommands, own, file, asked, options);
  return id;
}

async function received(said: AutomationInput, context: Context): Promise<Answer<z.input<typeof ReceivedAutomation>>> {
  const { newId: id, waitSeconds, execute, send, waitUntilComplete } = context;
  const { reply, replayed } = await execute(commands.create, id, said);
  const headers = { location: `/api/v1/automations/${id}` };
  if (waitSeconds === 0) return new Answer(reply, { replayed, headers });
  await waitUntilComplete("AUTOMATIONS", id);
  const now = await send(commands.look, id, {});
  const done = !isOpen(now);
  return new Answer(
    { ...reply, status: now.status, ...(done && { automation: viewOf(now, id) }) },
    { replayed, headers, ...(done && { status: 200 }) },
  );
}
