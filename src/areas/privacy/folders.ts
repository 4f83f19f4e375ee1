import { commands as collectionCommands } from "../document-collections/commands.ts";
import { commands as qualityCommands } from "../quality/commands.ts";
import type { Env } from "../../platform/env.ts";
import { forgetFiles, type StoredFile } from "../../platform/files.ts";
import type { Command } from "../../platform/command.ts";
import { executeCommand, objectOf } from "../../platform/aggregates.ts";
import { ignoreNotFound } from "../../platform/problem.ts";
import { forgetRows, forgetTold } from "./forgetting.ts";
import { foldersOf, objectsBelow } from "./data-map.ts";
import { type BindingFoundByFolder, type StoredRecord } from "../../records.ts";
import type { Forgetting, RetainedKind } from "./retained.ts";

/** Things of a kind that is known by folders go with these, which go last: should this end in between, they are found once more. */
export function forgetInFolders(kind: RetainedKind, record: StoredRecord): Forgetting {
  return async function* (env, company, before, from) {
    for await (const { portion, after } of foldersOf(record)(env, company, from)) {
      if (portion.of !== "Records") continue;
      const forgotten: string[] = [];
      for (const { id } of portion.things)
        if (await isForgotten(env, company, { record, id }, before)) forgotten.push(id);
      await forgetRows(env, company, kind, forgotten, before);
      await forgetTold(env, company, record, forgotten);
      yield after;
    }
  };
}

const looks: Record<BindingFoundByFolder, Command<object, { updatedAt: string; files?: StoredFile[] }>> = {
  QUALITY: qualityCommands.look,
  DOCUMENT_COLLECTIONS: collectionCommands.look,
};

/** The files of a pile lie under the request they came with, which it alone knows. */
async function isForgotten(
  env: Env,
  company: string,
  { record, id }: { record: StoredRecord; id: string },
  before: string,
): Promise<boolean> {
  const { binding, folder } = record;
  const known = await executeCommand(env, looks[binding as BindingFoundByFolder], { company, id }, {}).catch(
    ignoreNotFound,
  );
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
