import { withLock } from "../../platform/lock.ts";
import type { Env, Job } from "../../platform/env.ts";
import { listEvents } from "../../platform/event-log.ts";
import { executeCommand, isSubscribedTo, objectOf } from "../../platform/aggregates.ts";
import { commands } from "./commands.ts";

const atOnce = 100;

/** Runs the job `webhooks.replay`, which creates deliveries of those past events that the webhook receives. */
export async function replay({ company, id }: Job, env: Env): Promise<void> {
  await withLock(env, company, `webhooks/replaying/${id}`, (signal) => replayed({ company, id }, env, signal));
}

async function replayed(call: Pick<Job, "company" | "id">, env: Env, signal: AbortSignal): Promise<void> {
  const { company, id } = call;
  for (;;) {
    signal.throwIfAborted();
    const { reply: subscription } = await executeCommand(env, commands.look, call, {});
    const { replay: asked } = subscription;
    const listeners = await objectOf(env, "COMPANIES", company, company).subscribers();
    const listener = listeners.find((one) => one.id === id);
    const found = asked
      ? await listEvents(env.ARCHIVE, company, { after: asked.after, since: asked.since, limit: atOnce })
      : [];
    const heard = found.flatMap(({ event }) => (listener && isSubscribedTo(listener, event) ? [event] : []));
    if (heard.length > 0) await objectOf(env, "SUBSCRIPTIONS", company, id).replay(heard);
    const isLast = found.length < atOnce;
    await executeCommand(env, commands.replayed, call, { after: isLast ? undefined : found.at(-1)!.position });
    if (isLast) return;
  }
}
