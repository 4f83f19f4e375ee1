import { steps as collectionSteps } from "../document-collections/index.ts";
import type { Env } from "../../kit/env.ts";
import { askOwner, objectOf } from "../../kit/owners.ts";
import { forgetFiles } from "../../kit/pile.ts";
import { forgetTold } from "./forgetting.ts";
import { gone } from "./piles.ts";
import { foldersOf, objectsBelow } from "./places.ts";
import { folderKinds, type Forgetting, type RetainedInFolders, type Retention } from "./retained.ts";

export const isInFolders = (kind: keyof Retention): kind is RetainedInFolders => kind in folderKinds;

/** Things of a kind that no list shows go with their folders, which go last: should this end in between, they are found once more. */
export function forgetInFolders(name: RetainedInFolders): Forgetting {
  const { binding, ...told } = folderKinds[name];
  return async function* (env, company, before, from) {
    for await (const { portion, after } of foldersOf(binding)(env, company, from)) {
      if (portion.of !== "Records") continue;
      const forgotten: string[] = [];
      for (const { id } of portion.things)
        if (await isForgotten(env, company, { name, id }, before)) forgotten.push(id);
      await forgetTold(env, company, told, forgotten);
      yield after;
    }
  };
}

/** Files lie there before there is an object that knows of them: a folder in which one is young is left alone. */
async function isForgotten(
  env: Env,
  company: string,
  { name, id }: { name: RetainedInFolders; id: string },
  before: string,
): Promise<boolean> {
  const { binding, folder } = folderKinds[name];
  if (await hasYoung(env, `${company}/${folder}/${id}/`, Date.parse(before))) return false;
  if (binding === "DOCUMENT_COLLECTIONS" && !(await forgetScans(env, company, id, before))) return false;
  return objectOf(env, binding, company, id).forget(before);
}

async function hasYoung(env: Env, prefix: string, before: number): Promise<boolean> {
  for await (const page of objectsBelow(env, prefix))
    if (page.some(({ uploaded }) => uploaded.getTime() >= before)) return true;
  return false;
}

/** The files of a pile lie under the request they came with, which it alone knows. @returns whether the pile may go */
async function forgetScans(env: Env, company: string, id: string, before: string): Promise<boolean> {
  const pile = await askOwner(env, collectionSteps.look, { company, id }, {}).catch(gone);
  if (!pile) return true;
  const { updatedAt, files } = pile.reply;
  if (updatedAt >= before) return false;
  await forgetFiles(env.FILES, files);
  return true;
}
