import { steps as collectionSteps } from "../document-collections/index.ts";
import type { Env } from "../../kit/env.ts";
import { askOwner, objectOf } from "../../kit/owners.ts";
import { forgetFiles } from "../../kit/pile.ts";
import { Problem } from "../../kit/problem.ts";
import { forgetTold } from "./forgetting.ts";
import { foldersOf } from "./places.ts";
import { folderKinds, type RetainedInFolders, type Retention } from "./retained.ts";

export const isInFolders = (kind: keyof Retention): kind is RetainedInFolders => kind in folderKinds;

/** Things of a kind that no list shows go with their folders, which go last: should this end in between, they are found once more. */
export async function forgetInFolders(
  env: Env,
  company: string,
  name: RetainedInFolders,
  before: string,
): Promise<void> {
  const { binding, ...told } = folderKinds[name];
  for await (const { portion } of foldersOf(binding)(env, company)) {
    if (portion.of !== "Records") continue;
    for (const { id } of portion.things) {
      if (binding === "DOCUMENT_COLLECTIONS" && !(await forgetScans(env, company, id, before))) continue;
      if (await objectOf(env, binding, company, id).forget(before)) await forgetTold(env, company, { ...told, id });
    }
  }
}

/** The files of a pile lie under the request they came with, which it alone knows. @returns whether the pile may go */
async function forgetScans(env: Env, company: string, id: string, before: string): Promise<boolean> {
  const pile = await askOwner(env, collectionSteps.look, { company, id }, {}).catch((problem: unknown) => {
    if (problem instanceof Problem && problem.reason === "not_found") return undefined;
    throw problem;
  });
  if (!pile) return true;
  const { updatedAt, files } = pile.reply;
  if (updatedAt >= before) return false;
  await forgetFiles(env.FILES, files);
  return true;
}
