import { documentsOf, type PiledDocument } from "../document-collections/collection.ts";
import { commands } from "../document-collections/commands.ts";
import { commands as documentCommands } from "../documents/commands.ts";
import type { Env } from "../../platform/env.ts";
import { executeCommand } from "../../platform/aggregates.ts";
import { ignoreNotFound } from "../../platform/problem.ts";

/**
 * How a pile has to do with somebody: it says itself who it is of (`Named`), a page of it does (`Seen`), or a document that
 * was found in it may have (`Parts`).
 */
export type Concern = "Named" | "Seen" | "Parts";

/**
 * The scans of a pile go when a document that was found in them was erased, for its pages are theirs; not when it was only
 * kept no longer. They go with the parts that nobody has read when a page names somebody; of a pile that names him itself
 * everything goes, as with whatever else was read from files.
 * @returns how many files went
 */
export async function erasePile(env: Env, company: string, id: string, concern: Concern): Promise<number> {
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

/** Its file is gone, and if it was read there is still what it said: of what is kept no longer nothing is. */
async function isErased(env: Env, company: string, { documentId: id, file, isRead }: PiledDocument): Promise<boolean> {
  if (await env.FILES.head(file.key)) return false;
  return (
    !isRead ||
    (await executeCommand(env, documentCommands.look, { company, id }, {}).catch(ignoreNotFound)) !== undefined
  );
}

const scanOf = (files: readonly { fileId: string; key: string }[], fileId: string): string =>
  files.find((file) => file.fileId === fileId)!.key;
