import { commands as collectionCommands } from "../document-collections/index.ts";
import { commands as qualityCommands } from "../quality/index.ts";
import type { Env } from "../../platform/env.ts";
import { forgetFiles, type StoredFile } from "../../platform/files.ts";
import type { Command } from "../../platform/command.ts";
import { executeCommand, objectOf } from "../../platform/aggregates.ts";
import { ignoreNotFound } from "../../platform/problem.ts";
import { forgetRows, forgetTold } from "./forgetting.ts";
import { foldersOf, objectsBelow } from "./data-map.ts";
import { folderKinds, type Forgetting, type RetainedInFolders, type Retention } from "./retained.ts";

export const isInFolders = (kind: keyof Retention): kind is RetainedInFolders => kind in folderKinds;

/** Things of a kind that is known by folders go with these, which go last: should this end in between, they are found once more. */
export function forgetInFolders(name: RetainedInFolders): Forgetting {
  const { binding, ...told } = folderKinds[name];
  return async function* (env, company, before, from) {
    for await (const { portion, after } of foldersOf(binding)(env, company, from)) {
      if (portion.of !== "Records") continue;
      const forgotten: string[] = [];
      for (const { id } of portion.things)
        if (await isForgotten(env, company, { name, id }, before)) forgotten.push(id);
      await forgetRows(env, company, name, forgotten, before);
      await forgetTold(env, company, told, forgotten);
      yield after;
    }
  };
}

const looks: Record<RetainedInFolders, Command<object, { updatedAt: string; files?: StoredFile[] }>> = {
  quality: qualityCommands.look,
  documentCollections: collectionCommands.look,
};

/** The files of a pile lie under the request they came with, which it alone knows. */
async function isForgotten(
  env: Env,
  company: string,
  { name, id }: { name: RetainedInFolders; id: string },
  before: string,
): Promise<boolean> {
  const { binding, folder } = folderKinds[name];
  const known = await executeCommand(env, looks[name], { company, id }, {}).catch(ignoreNotFound);
  // Files lie there before there is an object that knows of them.
  if (!known) return !(await hasYoung(env, `${company}/${folder}/${id}/`, Date.parse(before)));
  const { updatedAt, files = [] } = known.reply;
  if (updatedAt >= before) return false;
  await forgetFiles(env.FILES, files);
  return objectOf(env, binding, company, id).forget(before);
}

async function hasYoung(env: Env, prefix: string, before: number): Promise<boolean> {
  for await (const page of objectsBelow(env, prefix))
    if (page.some(({ uploaded }) => uploaded.getTime() >= before)) return true;
  return false;
}
