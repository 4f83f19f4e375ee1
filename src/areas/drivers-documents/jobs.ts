import type { Env, Job } from "../../platform/env.ts";
import { deleteFolder } from "../../platform/files.ts";
import { executeCommand, releaseClaim, takeClaim } from "../../platform/aggregates.ts";
import { ignoreNotFound } from "../../platform/problem.ts";
import { extractDocument } from "../../extraction/extract.ts";
import { extractionJob } from "../intake/jobs.ts";
import { fileClaim, statusOfChecks } from "../intake/model.ts";
import { commands } from "./commands.ts";
import { factsOf, files, slotClaim, slotOf, type DriverDocument, type DriverDocumentEnvelope } from "./model.ts";

/** Job that extracts a driver's document. */
export const extract = extractionJob(files, {
  commands,
  extract: (_: DriverDocument, file, context, tools) => extractDocument("driver-document", file, context, tools),
  envelopesOf: ({ items }): DriverDocumentEnvelope[] =>
    items.slice(0, 1).map(({ data, checks }) => ({ sequenceId: 0, ...statusOfChecks("Document", checks), data })),
  nothingFound: {
    reason: "input_not_a_document_of_this_kind",
    message: "The file is not a document of a driver.",
  },
});

const maxAttempts = 10;

/**
 * Runs the job `driversDocuments.renew`, which determines the current document of a driver and type: the one with the
 * latest expiry date. May run twice.
 */
export async function renew({ company, id }: Job, env: Env): Promise<void> {
  const document = await find(env, company, id);
  for (const each of [id, ...(document?.replaces ?? [])]) await updateCurrent(env, company, each);
  await executeCommand(env, commands.renewed, { company, id }, {});
}

/**
 * Determines whether a document is the current one of its slot, and does the same for the documents that it displaces.
 */
async function updateCurrent(env: Env, company: string, id: string): Promise<void> {
  const displaced = new Set<string>();
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    if (!(await tryUpdateCurrent(env, company, id, displaced))) continue;
    for (const other of displaced) await updateCurrent(env, company, other);
    return;
  }
  throw new Error("Documents of one driver keep replacing each other.");
}

/** @returns false if the slot was released or its holder changed in the meantime, so that another attempt is needed */
async function tryUpdateCurrent(env: Env, company: string, id: string, displaced: Set<string>): Promise<boolean> {
  const document = await find(env, company, id);
  if (!document) return true;
  const slot = slotOf(document);
  const { holder } = slot ? await takeClaim(env, company, slotClaim(slot), { holder: id }) : { holder: id };
  if (holder === id) {
    await executeCommand(env, commands.counts, { company, id }, {});
    return true;
  }
  const isReplaced = async () => {
    const other = await find(env, company, holder);
    return other && slotOf(other) === slot ? replaces([holder, other], [id, document]) : undefined;
  };
  const replaced = await isReplaced();
  if (replaced) {
    await executeCommand(env, commands.outlasts, { company, id: holder }, { other: id });
    await executeCommand(env, commands.replaced, { company, id }, { by: holder });
    return (await isReplaced()) === true;
  }
  await releaseClaim(env, company, slotClaim(slot!), { holder });
  if (replaced === false) displaced.add(holder);
  return false;
}

type Identified = [id: string, document: DriverDocument];

/**
 * If expiry dates and creation times are equal, the id decides, because otherwise two documents could replace each
 * other forever.
 */
const replaces = (one: Identified, other: Identified): boolean => sortKey(one) > sortKey(other);

const sortKey = ([id, document]: Identified): string =>
  [factsOf(document).expiresAt ?? "", document.createdAt, id].join(" ");

const find = async (env: Env, company: string, id: string): Promise<DriverDocument | undefined> =>
  (await executeCommand(env, commands.look, { company, id }, {}).catch(ignoreNotFound))?.reply;

/**
 * Runs the job `driversDocuments.forget`, which deletes the file of a deleted document, so that it can be sent again,
 * and gives its slot to another document. May run twice.
 */
export async function remove({ company, id }: Job, env: Env): Promise<void> {
  const { folder } = files;
  const recordFolder = `${company}/${folder}/${id}`;
  await deleteFolder(env.FILES, recordFolder);
  const { reply } = await executeCommand(env, commands.remains, { company, id }, {});
  const { sha256, replaces: replacedIds, leaves, isWritten } = reply;
  await releaseClaim(env, company, fileClaim(folder, sha256), { holder: id });
  // Deleted a second time, because the same bytes may have been sent again and stored before the claim was released.
  await deleteFolder(env.FILES, recordFolder);
  if (leaves) await releaseClaim(env, company, slotClaim(leaves), { holder: id });
  for (const other of replacedIds) await updateCurrent(env, company, other);
  // An extraction may still write files. The job then remains incomplete, so that the aggregate requests it again.
  if (isWritten) return;
  await executeCommand(env, commands.forgotten, { company, id }, {});
}
