import type { Env, Job } from "../../platform/env.ts";
import { bytesOf, fileKey, storeFile, type StoredFile, type UploadedFile } from "../../platform/files.ts";
import { newId } from "../../platform/ids.ts";
import type { CommandOutcome } from "../../platform/command.ts";
import type { Context } from "../../http/operation.ts";
import { executeCommand } from "../../platform/aggregates.ts";
import { Problem } from "../../platform/problem.ts";
import { glance } from "./quick-quality-check.ts";
import type { OrderDocumentView } from "./shapes.ts";
import { commands, type Attached } from "./commands.ts";

/** How the order is asked: by a key of the company, or for whoever has the link. */
type Asks = Pick<Context, "send" | "execute">;

/** Where a paper belongs. */
interface Place {
  company: string;
  orderId: string;
}

/**
 * Takes a paper: the order is asked before its bytes are put away, and told of it afterwards. They are put away before
 * anybody looks at them. Bytes the order has already are not put away again, and those that no paper came of are taken
 * away: every time they lie under a name of their own, so that this takes nothing from anybody else.
 *
 * @returns status 201, or 200 with the paper that is there already
 * @throws Problem `not_found`, `invalid_state`, `version_mismatch`
 */
export async function takePaper(
  env: Env,
  { company, orderId }: Place,
  file: UploadedFile,
  said: Omit<Attached, "file">,
  { send, execute }: Asks,
): Promise<CommandOutcome<OrderDocumentView>> {
  const { type, uploadedBy, digest } = said;
  const ask = { type, uploadedBy, sha256: file.sha256, ...(digest !== undefined && { digest }) };
  const expected = await send(commands.expect, orderId, ask).catch(refusalIn);
  if (expected instanceof Problem) return execute(commands.refused, orderId, refusalOf(expected));
  const { content } = file;
  const own = expected.stored ? undefined : await storePaper(env, company, orderId, file);
  const quality = expected.quality ?? (await glance(env, file, type, () => bytesOf(env.FILES, { content })));
  const stored = { ...(expected.stored ?? own!), name: file.name, mediaType: file.mediaType };
  const outcome = await execute(commands.attach, orderId, { ...said, file: stored, ...(quality && { quality }) }).catch(
    refusalIn,
  );
  const isTaken = !(outcome instanceof Problem) && outcome.status === 201 && !outcome.replayed;
  if (own && !isTaken) await env.FILES.delete(own.key);
  if (outcome instanceof Problem) throw outcome;
  return outcome;
}

const storePaper = (env: Env, company: string, orderId: string, file: UploadedFile): Promise<StoredFile> =>
  storeFile(env.FILES, fileKey(company, "orders", orderId, `papers/${newId()}`), file, {
    binding: "ORDERS",
    company,
    id: orderId,
  });

/** @throws what is no refusal: nobody knows then what was done */
function refusalIn(error: unknown): Problem {
  if (error instanceof Problem) return error;
  throw error;
}

const refusalOf = ({ reason, message, errors, extra, headers }: Problem) => ({
  refused: reason,
  detail: message,
  errors,
  extra,
  headers,
});

/** The work `carrierOrders.deletePapers`: deletes the bytes of papers that were deleted. May run twice. */
export async function deletePapers({ company, id }: Job, env: Env): Promise<void> {
  const call = { company, id };
  const { reply: keys } = await executeCommand(env, commands.leftPapers, call, {});
  if (keys.length > 0) await env.FILES.delete(keys);
  await executeCommand(env, commands.papersDeleted, call, { keys });
}
