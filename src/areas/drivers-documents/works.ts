import type { Env, Job } from "../../kit/env.ts";
import { fileKey } from "../../kit/files.ts";
import { askOwner, releaseClaim, takeClaim } from "../../kit/owners.ts";
import { Problem } from "../../kit/problem.ts";
import { readDocument } from "../../reading/read.ts";
import { checked, extractionKey, fileClaim, readingAt } from "../intake/index.ts";
import { factsOf, folder, placeOf, reading, type DriverDocument, type DriverDocumentEnvelope } from "./document.ts";
import { steps } from "./steps.ts";

/** The work `driversDocuments.read`: a file becomes a document of a driver. */
export const read = readingAt({
  work: reading,
  folder,
  idName: "documentId",
  steps,
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
  const call = (document: string) => ({ company, id: document });
  const now = await lookedAt(env, company, id);
  const place = now && placeOf(now);
  if (!place) return void (await askOwner(env, steps.counts, call(id), {}));
  const name = `${folder}/live/${place}`;
  for (let turn = 0; turn < mostTurns; turn++) {
    const { holder } = await takeClaim(env, company, name, { holder: id });
    const other = holder === id ? undefined : await lookedAt(env, company, holder);
    if (holder === id) return void (await askOwner(env, steps.counts, call(id), {}));
    if (other && placeOf(other) === place && outlasts(other, now))
      return void (await askOwner(env, steps.replaced, call(id), { by: holder }));
    await releaseClaim(env, company, name, { holder });
    if (other && placeOf(other) === place) await askOwner(env, steps.replaced, call(holder), { by: id });
  }
  throw new Error("Documents of one driver keep taking their place from each other.");
}

/** Of two that expire on the same day the one that came later. */
function outlasts(one: DriverDocument, other: DriverDocument): boolean {
  const [mine, theirs] = [factsOf(one).expiresAt ?? "", factsOf(other).expiresAt ?? ""];
  return mine === theirs ? one.createdAt > other.createdAt : mine > theirs;
}

async function lookedAt(env: Env, company: string, id: string): Promise<DriverDocument | undefined> {
  try {
    return (await askOwner(env, steps.look, { company, id }, {})).reply;
  } catch (error) {
    if (error instanceof Problem && error.reason === "not_found") return undefined;
    throw error;
  }
}

/** The work that takes away the bytes of a document that was removed, so that they may come again. May be done twice. */
export async function forget({ company, id }: Job, env: Env): Promise<void> {
  await env.FILES.delete([fileKey(company, folder, id, "original"), extractionKey(company, folder, id)]);
  const { sha256 } = (await askOwner(env, steps.bytes, { company, id }, {})).reply;
  await releaseClaim(env, company, fileClaim(folder, sha256), { holder: id });
  await askOwner(env, steps.forgotten, { company, id }, {});
}
