import type { Env, Job } from "../../platform/env.ts";
import { forgetFolder } from "../../platform/files.ts";
import { executeCommand, releaseClaim, takeClaim } from "../../platform/aggregates.ts";
import { Problem } from "../../platform/problem.ts";
import { readDocument } from "../../extraction/extract.ts";
import { checked, fileClaim, readingAt } from "../intake/index.ts";
import {
  factsOf,
  folder,
  placeClaim,
  placeOf,
  reading,
  type DriverDocument,
  type DriverDocumentEnvelope,
} from "./document.ts";
import { commands } from "./commands.ts";

/** The work `driversDocuments.read`: a file becomes a document of a driver. */
export const read = readingAt({
  work: reading,
  folder,
  idName: "documentId",
  commands,
  read: (_: DriverDocument, file, context, tools) => readDocument("driver-document", file, context, tools),
  found: ({ items }): DriverDocumentEnvelope[] =>
    items.slice(0, 1).map(({ data, checks }) => ({ sequenceId: 0, ...checked("Document", checks), data })),
  nothing: {
    reason: "input_not_a_document_of_this_kind",
    message: "The file is no document of a driver.",
  },
});

/** So often a place is looked at that documents keep taking from each other. */
const mostTurns = 10;

/** The work that sees which of a driver's documents of a type counts: the one that is valid for longest. May be done twice. */
export async function renew({ company, id }: Job, env: Env): Promise<void> {
  const now = await lookedAt(env, company, id);
  for (const each of [id, ...(now?.replaces ?? [])]) await settle(env, company, each);
  await executeCommand(env, commands.renewed, { company, id }, {});
}

/** Sees whether a document counts, and then whether those it has taken the place of still do. */
async function settle(env: Env, company: string, id: string): Promise<void> {
  const beaten = new Set<string>();
  for (let turn = 0; turn < mostTurns; turn++) {
    if (!(await isSettled(env, company, id, beaten))) continue;
    for (const other of beaten) await settle(env, company, other);
    return;
  }
  throw new Error("Documents of one driver keep taking their place from each other.");
}

/** One look at its place. @returns false where that has just become free, or who has it has just changed */
async function isSettled(env: Env, company: string, id: string, beaten: Set<string>): Promise<boolean> {
  const now = await lookedAt(env, company, id);
  if (!now) return true;
  const place = placeOf(now);
  const { holder } = place ? await takeClaim(env, company, placeClaim(place), { holder: id }) : { holder: id };
  if (holder === id) {
    await executeCommand(env, commands.counts, { company, id }, {});
    return true;
  }
  const isLonger = async () => {
    const other = await lookedAt(env, company, holder);
    return other && placeOf(other) === place ? outlasts([holder, other], [id, now]) : undefined;
  };
  const longer = await isLonger();
  if (longer) {
    await executeCommand(env, commands.outlasts, { company, id: holder }, { other: id });
    await executeCommand(env, commands.replaced, { company, id }, { by: holder });
    return (await isLonger()) === true;
  }
  await releaseClaim(env, company, placeClaim(place!), { holder });
  if (longer === false) beaten.add(holder);
  return false;
}

type Named = [id: string, document: DriverDocument];

/** Of two that expire on the same day the one that came later. No two are alike, or each would take the other's place for ever. */
const outlasts = (one: Named, other: Named): boolean => standing(one) > standing(other);

const standing = ([id, document]: Named): string =>
  [factsOf(document).expiresAt ?? "", document.createdAt, id].join(" ");

async function lookedAt(env: Env, company: string, id: string): Promise<DriverDocument | undefined> {
  try {
    return (await executeCommand(env, commands.look, { company, id }, {})).reply;
  } catch (error) {
    if (error instanceof Problem && error.reason === "not_found") return undefined;
    throw error;
  }
}

/**
 * The work that takes away the bytes of a document that was removed, so that they may come again, and gives its place to
 * another. Bytes that came again before their name was free are taken away as well. May be done twice.
 */
export async function forget({ company, id }: Job, env: Env): Promise<void> {
  const kept = `${company}/${folder}/${id}`;
  await forgetFolder(env.FILES, kept);
  const { sha256, replaces, leaves, isWritten } = (await executeCommand(env, commands.remains, { company, id }, {}))
    .reply;
  await releaseClaim(env, company, fileClaim(folder, sha256), { holder: id });
  await forgetFolder(env.FILES, kept);
  if (leaves) await releaseClaim(env, company, placeClaim(leaves), { holder: id });
  for (const other of replaces) await settle(env, company, other);
  // Its owner asks for this work again.
  if (isWritten) return;
  await executeCommand(env, commands.forgotten, { company, id }, {});
}
