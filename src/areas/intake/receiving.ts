import { fileKey, forgetFiles, storeFile, type StoredFile, type UploadedFile } from "../../platform/files.ts";
import type { Env } from "../../platform/env.ts";
import type { AggregateBinding } from "../../platform/registered.ts";
import type { Command } from "../../platform/command.ts";
import type { Context } from "../../http/operation.ts";
import { releaseClaim, takeClaim } from "../../platform/aggregates.ts";
import { ignoreNotFound, Problem } from "../../platform/problem.ts";
import type { Intake } from "./intake.ts";

/** The same bytes make the same thing this long. */
export const duplicateMilliseconds = 180 * 24 * 60 * 60 * 1000;

/** Where an area takes its files in. */
interface Door<State extends Intake, Said, Reply> {
  binding: AggregateBinding;
  /** Where its files lie in R2: `orders`. */
  folder: string;
  commands: { receive: Command<Said & { file: StoredFile }, Reply>; look: Command<object, State> };
}

/** Each request has a key of its own, so that deleting what one left behind takes nothing from another. */
const storeOriginal = (
  { binding, folder, id }: Pick<Door<Intake, unknown, unknown>, "binding" | "folder"> & { id: string },
  { env, caller: { company }, requestId }: Context,
  file: UploadedFile,
): Promise<StoredFile> =>
  storeFile(env.FILES, fileKey(company, folder, id, `original-${requestId}`), file, { binding, company, id });

/** Of two requests that bring the same file at the same time one stores it in vain. */
const forgetUnused = async (own: StoredFile, now: Intake | undefined, env: Env): Promise<void> =>
  now?.file.key === own.key ? undefined : forgetFiles(env.FILES, [own]);

const beingDeleted = () =>
  new Problem("in_progress", "The record of the same file is just being deleted.", { headers: { "retry-after": "1" } });

/** A file that was taken in: what its owner said, and how it stands when that was waited for. */
export interface Taken<State, Reply> {
  id: string;
  reply: Reply;
  replayed?: boolean | undefined;
  record?: State;
}

/** The name that whoever sent these bytes first holds. */
export const fileClaim = (folder: string, sha256: string, as = ""): string =>
  `${folder}/file/${as && `${as}/`}${sha256}`;

/**
 * Takes in a file: who sent these bytes first has the thing, and only then is anything stored. With `Prefer: wait` its
 * reading is waited for; of one that was deleted since there is no record.
 * @throws Problem `in_progress` where the record that these bytes made before is just being deleted
 * @param same what makes files the same beside their bytes, such as the kind they are read as; and for how long
 */
export async function takeIn<State extends Intake, Said extends object, Reply>(
  { binding, folder, commands }: Door<State, Said, Reply>,
  context: Context,
  file: UploadedFile,
  said: Said,
  { as = "", milliseconds = duplicateMilliseconds }: { as?: string; milliseconds?: number } = {},
): Promise<Taken<State, Reply>> {
  const { env, caller, look } = context;
  const until = Date.now() + milliseconds;
  const name = fileClaim(folder, file.sha256, as);
  const { holder: id, fresh } = await takeClaim(env, caller.company, name, { holder: context.newId, until });
  const known = fresh ? undefined : await look(commands.look, id, {}).catch(() => undefined);
  const own = known ? undefined : await storeOriginal({ binding, folder, id }, context, file);
  /** Takes these bytes back where the record has others, or was deleted while they were stored. @returns whether it is there */
  const isThere = async (): Promise<boolean> => {
    const now = await look(commands.look, id, {}).catch(ignoreNotFound);
    if (own) await forgetUnused(own, now, env);
    if (!now) await releaseClaim(env, caller.company, name, { holder: id });
    return now !== undefined;
  };
  const given = { ...said, ...(context.sentOn && { sentOn: context.sentOn }), file: known?.file ?? own! };
  const { reply, replayed } = await context.execute(commands.receive, id, given).catch(async (error: unknown) => {
    // Of what is no refusal nobody knows whether it came about.
    if (own && error instanceof Problem) await isThere();
    throw error;
  });
  const isOld = replayed || !fresh || (reply as { duplicateOf?: string }).duplicateOf !== undefined;
  // A repeated request is answered as it was, though what it made may be deleted since.
  if (isOld && !(await isThere()) && id !== context.newId) throw beingDeleted();
  if (context.waitSeconds === 0) return { id, reply, replayed };
  await context.settled(binding, id);
  const record = await look(commands.look, id, {}).catch(ignoreNotFound);
  return { id, reply, replayed, ...(record && { record }) };
}
