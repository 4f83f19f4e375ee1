import type { Env, Job } from "../../kit/env.ts";
import { log } from "../../kit/log.ts";
import { askOwner } from "../../kit/owners.ts";
import { eraseOnce } from "./erasing.ts";
import { exportOf } from "./exporting.ts";
import { exportKey, steps } from "./request.ts";

/** What was on its way when it was erased has come to rest by then: the archive is told of a thing every three seconds. */
const restMilliseconds = 5_000;
/** Rounds of one run; the work is asked for again. */
const mostRounds = 10;

/** The work `privacy.run`: exports what names a person, or erases it until a whole round finds nothing. May be done twice. */
export async function run({ company, id }: Job, env: Env): Promise<void> {
  const call = { company, id };
  const { reply: asked } = await askOwner(env, steps.look, call, {});
  const { person, kind } = asked;
  if (asked.status === "Running" && person) {
    if (kind === "Export") {
      const found = await exportOf(env, company, person);
      await env.FILES.put(exportKey(company, id), JSON.stringify(found));
      const { records, files, events } = found;
      await askOwner(env, steps.found, call, counted(records.length, files.length, events.length));
    } else if (!(await erased({ company, id }, env, person))) return;
  }
  await askOwner(env, steps.finish, call, {});
}

const counted = (records: number, files: number, events: number) => ({ records, files, events });

async function erased(
  call: Pick<Job, "company" | "id">,
  env: Env,
  person: Parameters<typeof eraseOnce>[2],
): Promise<boolean> {
  for (let round = 0; round < mostRounds; round++) {
    const found = await eraseOnce(env, call.company, person);
    const { records, files, events } = found;
    log({ what: "privacy.round", ...call, records, files, events });
    await askOwner(env, steps.found, call, found);
    if (round > 0 && records + files + events === 0) return true;
    await new Promise((passed) => setTimeout(passed, restMilliseconds));
  }
  return false;
}

/** The work `privacy.expire`: what was exported is taken away. */
export async function expire({ company, id }: Job, env: Env): Promise<void> {
  await env.FILES.delete(exportKey(company, id));
  await askOwner(env, steps.expired, { company, id }, {});
}
