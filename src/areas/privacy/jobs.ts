import type { Env, Job } from "../../platform/env.ts";
import { underLease } from "../../platform/lease.ts";
import { log, logFault } from "../../platform/log.ts";
import { executeCommand, objectOf } from "../../platform/aggregates.ts";
import { PersonFinder, type Person } from "../../domain/person.ts";
import { eraseFrom, type ErasureContext } from "./erase.ts";
import { Exporter } from "./export.ts";
import { firstPosition, filesOf, batchesFrom, archiveDelay, type Position, type Batch } from "./data-map.ts";
import { commands } from "./commands.ts";
import { exportFolder, runJob, type Counts, type PrivacyRequest, type Progress } from "./model.ts";

const defaultRunMilliseconds = 20_000;
/**
 * Numbers of runs without progress. From `careful` on, a run processes one batch; from `unopened` on, without opening
 * its files; from `tooMany` on, it skips the batch.
 */
const [careful, unopened, tooMany] = [2, 4, 8];

/**
 * Runs the job `privacy.run`, which exports all mentions of a person, or erases them until a full round finds none. It
 * runs for a limited time and records its progress. May run twice.
 */
export async function run({ company, id }: Job, env: Env): Promise<void> {
  const call = { company, id };
  await underLease({
    name: runJob,
    begin: async (token) => {
      const { go } = (await executeCommand(env, commands.begin, call, { token })).reply;
      return go?.person && { ...go, person: go.person };
    },
    renew: async (token) => (await executeCommand(env, commands.renew, call, { token })).reply.isHeld,
    release: (token) => executeCommand(env, commands.release, call, { token }),
    work: async (request, { token, signal }) => {
      const came = await processBatches(env, call, request, signal);
      await executeCommand(env, commands.came, call, { token, ...came });
    },
  });
}

async function processBatches(
  env: Env,
  call: Pick<Job, "company" | "id">,
  { kind, person, place: from, tries, parts, createdAt }: PrivacyRequest & { person: Person },
  signal: AbortSignal,
): Promise<Progress> {
  const until = tries >= careful ? 0 : Date.now() + Number(env.PRIVACY_STRETCH_MS ?? defaultRunMilliseconds);
  const opening = tries >= unopened ? "Bytes" : "Opened";
  const processor: BatchProcessor =
    kind === "Export"
      ? new Exporter(env, call, { person, parts, opening })
      : createEraser(env, { company: call.company, person, opening });
  const found: Counts = { records: 0, files: 0, events: 0 };
  const settles = archiveDelay(env);
  let to: Position | undefined;
  let isLeft = false;
  const isBehind = isBeginning(from) && (await lacks(env, call.company, Date.parse(createdAt) + settles));
  for await (const { batch, next } of batchesFrom(env, call.company, from)) {
    signal.throwIfAborted();
    if (batch && tries >= tooMany) isLeft = true;
    else if (batch) add(found, await processor.at(batch));
    to = next;
    if (batch && (Date.now() >= until || processor.isFull)) break;
  }
  const way = `${formatPosition(from)} .. ${to ? formatPosition(to) : "the end"}`;
  if (isLeft) logFault("privacy.left", new Error("This item cannot be searched."), { ...call, way });
  log({ what: "privacy.stretch", ...call, way, ...found });
  const part = await processor.part?.();
  return { found, settles, ...(to && { to }), ...((isLeft || isBehind) && { isLeft: true }), ...(part && { part }) };
}

const isBeginning = ({ at, after }: Position) => at === firstPosition.at && after === undefined;

/** Whether the archive still lacks changes that records reported before the given time. */
const lacks = (env: Env, company: string, before: number): Promise<boolean> =>
  objectOf(env, "COMPANIES", company, company).isLaggingSince(before);

const formatPosition = ({ at, after = "" }: Position) => `${at} ${after.replace("\n", " ")}`.trim();

interface BatchProcessor {
  at: (batch: Batch) => Promise<Counts>;
  isFull?: boolean;
  part?: () => Promise<string | undefined>;
}

function createEraser(env: Env, context: Pick<ErasureContext, "company" | "person" | "opening">): BatchProcessor {
  const finder = new PersonFinder(context.person);
  return { at: (batch) => eraseFrom(batch, { env, finder, ...context }) };
}

function add(sum: Counts, { records, files, events }: Counts): void {
  sum.records += records;
  sum.files += files;
  sum.events += events;
}

/** Runs the job `privacy.expire`, which deletes an expired export. */
export async function expire({ company, id }: Job, env: Env): Promise<void> {
  for await (const keys of filesOf(env, exportFolder(company, id))) if (keys.length > 0) await env.FILES.delete(keys);
  await executeCommand(env, commands.expired, { company, id }, {});
}
