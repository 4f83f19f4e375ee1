import { withLock } from "../../../platform/lock.ts";
import type { Env, Job } from "../../../platform/env.ts";
import { executeCommand } from "../../../platform/aggregates.ts";
import { alternativesOf } from "../../../domain/places/places.ts";
import { commands as sourceCommands } from "../../sources/commands.ts";
import { callConnector } from "../../sources/call-connector.ts";
import { liveFreights } from "../search.ts";
import { publicationCommands, type PendingCalls } from "./commands.ts";

/** Runs the job `freights.publish`, which makes one call to each source that has a pending change. */
export async function publish({ company, id }: Pick<Job, "company" | "id">, env: Env): Promise<void> {
  const { left, ...said } = (await executeCommand(env, publicationCommands.untold, { company, id }, {})).reply;
  const alternatives = left.length > 0 ? await alternativesFor(env, said) : [];
  await Promise.all(left.map((one) => callSource(env, { company, id }, one, { freight: said.freight, alternatives })));
}

/**
 * A lock lets only one call to the source run at a time; a change during a call is sent by the next call. The lock is
 * released before the result is recorded, because recording may request the next call.
 */
async function callSource(
  env: Env,
  { company, id }: Pick<Job, "company" | "id">,
  { source, wanted, version }: PendingCalls["left"][number],
  { freight, alternatives }: { freight: object; alternatives: object[] },
): Promise<void> {
  const call = () =>
    callConnector(env, company, source, ({ alternativeLocations }) => ({
      action: wanted,
      freightId: id,
      version,
      freight: { ...freight, ...(alternativeLocations && alternatives.length > 0 && { alternatives }) },
    }));
  const result = await withLock(env, company, `freights/publishing/${id}/${source}`, call);
  if (result) await executeCommand(env, publicationCommands.told, { company, id }, { source, version, told: result });
}

async function alternativesFor(env: Env, { alternatives }: Pick<PendingCalls, "alternatives">) {
  if (!alternatives) return [];
  const { locations, range } = alternatives;
  const stops = locations.map(({ address }) => ({ ...address, ...address.coordinates }));
  const ends = [locations[0]!, locations.at(-1)!];
  const alternativeStops = await Promise.all(
    ends.map(async ({ sequence, type, address: { countryCode, coordinates } }) => ({
      sequence,
      type,
      towns: coordinates ? await alternativesOf(env, { countryCode, ...coordinates }, range, stops) : [],
    })),
  );
  return alternativeStops.filter(({ towns }) => towns.length > 0);
}

/** Runs the job `sources.follow`, which updates live freights after a source was added or removed. */
export async function follow({ company }: Job, env: Env): Promise<void> {
  const begun = new Date().toISOString();
  const call = { company, id: company };
  const { reply: changed } = await executeCommand(env, sourceCommands.unfollowed, call, {});
  for (const { source, isThere } of changed)
    for await (const ids of liveFreights(env, company, `source:${source}`))
      await Promise.all(
        ids.map((id) => executeCommand(env, publicationCommands.followed, { company, id }, { source, isThere })),
      );
  await executeCommand(env, sourceCommands.followed, call, { begun });
}
