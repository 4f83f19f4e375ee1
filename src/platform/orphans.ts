import type { Env } from "./env.ts";
import type { AggregateBinding } from "./registered.ts";
import { logFault } from "./log.ts";
import { objectOf } from "./aggregates.ts";

// Files that were stored for an object which then never referred to them: the request ended in between.
//
// Each stored file names its owner. Once a day has passed the owner is asked whether it refers to the file, and if not the file
// is deleted. Keys are never used again, so no later commit can refer to a file that is deleted. Every file is asked for
// once: a walk looks only at those that came of age since the walk before it began.

/** No request takes this long from storing a file to the commit that refers to it. */
const ageMilliseconds = 24 * 60 * 60 * 1000;
const positionKey = "sweep/orphans.json";
/** Pages of a thousand files that one sweep looks at. */
const pagesPerRun = 20;
const maxConcurrentChecks = 20;

/** How far the walk through the bucket has come. Times are milliseconds since 1970. */
interface Position {
  /** Files that were stored before this have been looked at by an earlier walk. */
  from: number;
  /** This walk looks at those that were stored before this. Absent between two walks. */
  to?: number;
  startAfter?: string | undefined;
}

/** Continues the walk. @param now milliseconds since 1970 @returns how many files were deleted */
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
    const asked = due
      .slice(at, at + maxConcurrentChecks)
      .map(async (object) => ((await isOrphan(env, object)) ? [object.key] : []));
    orphans.push(...(await Promise.all(asked)).flat());
  }
  return orphans;
}

/** A file whose owner does not answer stays. */
async function isOrphan(env: Env, { key, customMetadata }: R2Object): Promise<boolean> {
  const [binding = "", company = "", id = ""] = customMetadata!["owner"]!.split("/");
  try {
    return !(await objectOf(env, binding as AggregateBinding, company, id).refersTo(key));
  } catch (error) {
    logFault("orphans.ask", error, { binding, company, id });
    return false;
  }
}
