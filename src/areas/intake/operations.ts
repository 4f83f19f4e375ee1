import * as z from "zod";
import { fileResponse } from "../../http/file-response.ts";
import { fileKey, deleteFiles, storeFile, type StoredFile, type UploadedFile } from "../../platform/files.ts";
import type { Env } from "../../platform/env.ts";
import { refuse, type CommandContext, type Refusal } from "../../platform/decision.ts";
import type { Command } from "../../platform/command.ts";
import type { Context } from "../../http/operation.ts";
import { Answer } from "../../http/responses.ts";
import { releaseClaim, takeClaim } from "../../platform/aggregates.ts";
import { ignoreNotFound, Problem } from "../../platform/problem.ts";
import { readEvidence } from "./evidence.ts";
import { fileClaim, isPresent, type FileArea, type Intake } from "./model.ts";

const duplicateMilliseconds = 180 * 24 * 60 * 60 * 1000;

interface FileCommands<State extends Intake, Input, Reply> {
  receive: Command<Input & { file: StoredFile }, Reply>;
  look: Command<object, State>;
  remove: Command<object, Record<string, never>>;
}

type Result = { status: unknown };

interface FileOperations<State extends Intake, Received extends Result> {
  /** Path of the records, such as `/api/v1/orders`. The header `Location` begins with it. */
  location: string;
  /** Returns the fields of the response that are present once the file is processed. */
  resultOf: (record: State, id: string) => Received;
  /** The data that JSON pointers of the evidence refer to. */
  viewOf?: (envelope: State["envelopes"][number]) => unknown;
  duplicateMilliseconds?: number;
}

interface Upload {
  /** By default, the file is read from the request. */
  file?: UploadedFile;
  /**
   * Further condition for a duplicate, such as the document type.
   * @see fileClaim
   */
  variant?: string;
  /** Path of the record, if it depends on the input. */
  location?: string;
}

/**
 * Creates the common parts of the operations of an area with files. Declarations of operations spread `read`, `remove`,
 * `original` and `evidence`; handlers of uploads call `receive`.
 */
export function fileOperations<
  State extends Intake,
  Input extends object,
  Reply extends object,
  Received extends Result,
>(
  area: FileArea,
  commands: FileCommands<State, Input, Reply>,
  { location, resultOf, viewOf, duplicateMilliseconds: milliseconds }: FileOperations<State, Received>,
) {
  type Row = { params: Record<string, string>; query?: { sequenceId?: number | undefined } | undefined };
  const idIn = ({ params }: Row): string => params[area.idName]!;

  function received(
    { id, reply, replayed, record }: ReceivedRecord<State, Reply>,
    path: string = location,
  ): Answer<Reply & Partial<Received>> {
    const headers = { location: `${path}/${id}` };
    if (!record) return new Answer(reply, { replayed, headers });
    if (record.status === "Processing") return new Answer({ ...reply, status: record.status }, { replayed, headers });
    return new Answer({ ...reply, ...resultOf(record, id) }, { replayed, headers, status: 200 });
  }

  return {
    /**
     * Stores the uploaded file and returns its id. With `Prefer: wait`, also returns the result if it was ready in
     * time.
     */
    receive: async (
      context: Context,
      input: Omit<Input, "file">,
      { file = context.file!, variant = "", location: path = location }: Upload = {},
    ): Promise<Answer<Reply & Partial<Received>>> =>
      received(await receiveFile(area, commands, context, file, input as Input, { variant, milliseconds }), path),

    received,

    read: <View>(viewOf: (record: State, id: string) => View) => ({
      decide: (state: State | undefined, _: unknown, { id }: CommandContext): { reply: View } | Refusal =>
        isPresent(state) ? { reply: viewOf(state, id) } : refuse("not_found"),
    }),

    remove: { ok: z.object({}), status: 204 as const, command: commands.remove },

    original: {
      returnsFile: true as const,
      ok: z.string().describe("The original bytes."),
      async handle(row: Row, { env, request, send }: Context): Promise<Response> {
        const { file } = await send(commands.look, idIn(row), {});
        return fileResponse(env.FILES, file, request);
      },
    },

    evidence: <Evidence extends z.ZodType>(ok: Evidence) => ({
      ok,
      description: "Returns the position on the page and the confidence of each value, and the results of the checks.",
      refuses: ["not_processed_yet" as const],
      async handle(row: Row, context: Context): Promise<z.input<Evidence>> {
        const id = idIn(row);
        const record = await context.send(commands.look, id, {});
        const key = { folder: area.folder, id, sequenceId: row.query?.sequenceId };
        return readEvidence(context, record, key, viewOf as never) as Promise<z.input<Evidence>>;
      },
    }),
  };
}

/** The reply of the aggregate that received a file and, with `Prefer: wait`, the state of the record. */
export interface ReceivedRecord<State, Reply> {
  id: string;
  reply: Reply;
  replayed?: boolean | undefined;
  record?: State;
}

/**
 * Receives a file: claims its bytes, and stores them unless an existing record holds the claim. With `Prefer: wait` it
 * waits for the extraction; `record` is absent if the record was deleted in the meantime.
 * @throws Problem `in_progress` while an earlier record with the same bytes is being deleted
 * @param options `variant`: further condition for a duplicate, such as the document type. `milliseconds`: how long
 *   duplicates are detected
 */
export async function receiveFile<State extends Intake, Input extends object, Reply>(
  { binding, folder }: Pick<FileArea, "binding" | "folder">,
  commands: Pick<FileCommands<State, Input, Reply>, "receive" | "look">,
  context: Context,
  file: UploadedFile,
  input: Input,
  options: { variant?: string; milliseconds?: number | undefined } = {},
): Promise<ReceivedRecord<State, Reply>> {
  const { env, caller, send } = context;
  const { variant = "", milliseconds = duplicateMilliseconds } = options;
  const name = fileClaim(folder, file.sha256, variant);
  const claim = { holder: context.newId, until: Date.now() + milliseconds };
  const { holder: id, fresh } = await takeClaim(env, caller.company, name, claim);
  const existing = fresh ? undefined : await send(commands.look, id, {}).catch(() => undefined);
  const stored = existing ? undefined : await storeOriginal({ binding, folder, id }, context, file);
  /**
   * Deletes the stored file if the record uses another file or was deleted in the meantime.
   * @returns whether the record exists
   */
  const keepIfUsed = async (): Promise<boolean> => {
    const record = await send(commands.look, id, {}).catch(ignoreNotFound);
    if (stored && record?.file.key !== stored.key) await deleteFiles(env.FILES, [stored]);
    if (!record) await releaseClaim(env, caller.company, name, { holder: id });
    return record !== undefined;
  };
  const { sentOn } = context;
  const received = { ...input, ...(sentOn && { sentOn }), file: existing?.file ?? stored! };
  const { reply, replayed } = await context.execute(commands.receive, id, received).catch(async (error: unknown) => {
    // After any other error it is unknown whether the command was executed, so the file is kept.
    if (stored && error instanceof Problem) await keepIfUsed();
    throw error;
  });
  const isOld = replayed || !fresh || (reply as { duplicateOf?: string }).duplicateOf !== undefined;
  // A repeated request gets the response of the first request, even if the record was deleted in the meantime.
  if (isOld && !(await keepIfUsed()) && id !== context.newId) throw beingDeleted();
  if (context.waitSeconds === 0) return { id, reply, replayed };
  await context.waitUntilComplete(binding, id);
  const record = await send(commands.look, id, {}).catch(ignoreNotFound);
  return { id, reply, replayed, ...(record && { record }) };
}

/**
 * The key contains the request id, so that deleting the file of one request does not delete the file of another
 * request.
 */
const storeOriginal = (
  { binding, folder, id }: Pick<FileArea, "binding" | "folder"> & { id: string },
  { env, caller: { company }, requestId }: Context & { env: Env },
  file: UploadedFile,
): Promise<StoredFile> =>
  storeFile(env.FILES, fileKey(company, folder, id, `original-${requestId}`), file, { binding, company, id });

const beingDeleted = () =>
  new Problem("in_progress", "The record of the same file is being deleted. Send the file again in a second.", {
    headers: { "retry-after": "1" },
  });
