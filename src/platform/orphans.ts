import type { Env } from "./env.ts";
import type { AggregateBinding } from "./registered.ts";
import { logFault } from "./log.ts";
import { objectOf } from "./aggregates.ts";

// Orphans are stored files to which no aggregate refers, because the request ended before its commit.
//
// The metadata of each file names its aggregate. A day after the upload, the aggregate is asked whether it refers to
// the file. If not, the file is deleted. Keys are never reused, so a later commit cannot refer to a deleted file. Each
// file is checked once: a walk through the bucket checks only files that have reached this age since the previous walk
// started.

/** No request takes this long from storing a file to its commit. */
const ageMilliseconds = 24 * 60 * 60 * 1000;
const positionKey = "sweep/orphans.json";
/** A page has a thousand files. */
const pagesPerRun = 20;
const maxConcurrentChecks = 20;

/** Progress of the walk. Times are milliseconds since 1970. */
interface Position {
  /** Earlier walks checked all files that were stored before this time. */
  from: number;
  /** This walk checks files that were stored before this time. Absent between two walks. */
  to?: number;
  startAfter?: string | undefined;
}

/**
 * Continues the walk through the bucket.
 * @param now milliseconds since 1970
 * @returns the number of deleted files
 */
export async function deleteOrphans(env: Env, now: number): Promise<number> {
  const stored = await env.FILES.get(positionKey);
  let position = (await stored?.json<Position>()) ?? { from: 0 };
  let deleted = 0;
  for (let pages = 0, isOver = false; !isOver && pages < pagesPerRun; pages++) {
    const { from, to = now - ageMilliseconds, startAfter } = position;
    const page: R2Objects = await env.FILES.list({ include: ["customMetadata"], ...(startAfter && { startAfter }) });
    const keys = await findOrphans(env, page.objects, from, to);
    if (keys.length > 0) await env.FILES.delete(keys);
    deleted += keys.length;
    isOver = !page.truncated;
    position = isOver ? { from: to } : { from, to, startAfter: page.objects.at(-1)?.key };
  }
  await env.FILES.put(positionKey, JSON.stringify(position));
  return deleted;
}

async function findOrphans(env: Env, objects: readonly R2Object[], from: number, to: number): Promise<string[]> {
  const due = objects.filter(({ uploaded, customMetadata }) => {
    const at = uploaded.getTime();
    return customMetadata?.["owner"] && at >= from && at < to;
  });
  const orphans: string[] = [];
  for (let at = 0; at < due.length; at += maxConcurrentChecks) {
    const checks = due
      .slice(at, at + maxConcurrentChecks)
      .map(async (object) => ((await isOrphan(env, object)) ? [object.key] : []));
    orphans.push(...(await Promise.all(checks)).flat());
  }
  return orphans;
}

async function isOrphan(env: Env, { key, customMetadata }: R2Object): Promise<boolean> {
  const [binding = "", company = "", id = ""] = customMetadata!["owner"]!.split("/");
  try {
    return !(await objectOf(env, binding as AggregateBinding, company, id).refersTo(key));
  } catch (error) {
    logFault("orphans.ask", error, { binding, company, id });
    return false;
  }
}
