import { areas } from "./api.ts";
import { auditRow } from "./areas/audit/search.ts";
import { mailShares } from "./areas/freights/shares/jobs.ts";
import type { Area, JobHandler } from "./areas/define-area.ts";
import { mailOfferNotifications } from "./areas/freights/guests/offer-notification-mails.ts";
import { routeMail } from "./incoming-mail/route.ts";
import { archiveStatements } from "./platform/archive/archive.ts";
import type { Env, Job } from "./platform/env.ts";
import { logStatements } from "./platform/event-log.ts";
import { logFault, log } from "./platform/log.ts";
import { objectOf } from "./platform/aggregates.ts";
import { invitationMail, offerNotificationMail } from "./pages/freight/mails.ts";

const handlers: Record<string, JobHandler> = {
  ...Object.assign({}, ...areas.map(({ jobs }: Area) => jobs)),
  "freights.share": (job, env) => mailShares(job, env, invitationMail),
  "freights.answer": (job, env) => mailOfferNotifications(job, env, offerNotificationMail),
  "mails.route": routeMail,
};

export async function consume(batch: MessageBatch<Job>, env: Env): Promise<void> {
  if (batch.messages.every(({ body }) => body.work === "archive")) return archiveBatch(batch, env);
  for (const message of batch.messages) await runJob(message, env);
}

async function runJob(message: Message<Job>, env: Env): Promise<void> {
  const began = Date.now();
  const { work: name, company, id } = message.body;
  try {
    await handlers[name.split("/")[0]!]!(message.body, env);
    message.ack();
    log({ what: "work", work: name, company, id, milliseconds: Date.now() - began });
  } catch (error) {
    logFault("work", error, { work: name, company, id, attempts: message.attempts });
    message.retry({ delaySeconds: retryAfter(message) });
  }
}

/** If the batch fails, its rows are written one by one, so that a faulty row does not block the others. */
async function archiveBatch(batch: MessageBatch<Job>, env: Env): Promise<void> {
  const began = Date.now();
  const jobs = new Map(batch.messages.map(({ body }) => [`${body.binding}/${body.company}/${body.id}`, body]));
  try {
    await writeArchive([...jobs.values()], env);
    log({ what: "archive", rows: jobs.size, milliseconds: Date.now() - began });
  } catch (error) {
    logFault("archive", error, { rows: jobs.size });
    for (const message of batch.messages) await writeArchiveRow(message, env);
  }
}

async function writeArchiveRow(message: Message<Job>, env: Env): Promise<void> {
  const { company, id } = message.body;
  try {
    await writeArchive([message.body], env);
    message.ack();
  } catch (error) {
    logFault("archive.row", error, { company, id, attempts: message.attempts });
    message.retry({ delaySeconds: retryAfter(message) });
  }
}

const retryAfter = ({ attempts }: Message) => Math.min(60, 4 ** attempts);

async function writeArchive(jobs: Job[], env: Env): Promise<void> {
  const pending = await Promise.all(
    jobs.map(async (job) => {
      const object = objectOf(env, job.binding, job.company, job.id);
      return { object, projection: await object.projection() };
    }),
  );
  const projections = pending.flatMap(({ projection }) => projection ?? []);
  const statements = [
    ...archiveStatements(
      env.ARCHIVE,
      projections.flatMap(({ version, row, parts = [], audit }) => [
        ...(row ? [{ version, row }] : []),
        ...parts,
        ...audit.map((entry) => ({ version: 1, row: auditRow(entry) })),
      ]),
    ),
    ...logStatements(
      env.ARCHIVE,
      projections.flatMap(({ events }) => events),
    ),
  ];
  if (statements.length > 0) await env.ARCHIVE.batch(statements);
  await Promise.all(
    pending.map(async ({ object, projection }) => {
      if (projection) await object.archived({ version: projection.version, upTo: projection.upTo });
    }),
  );
}
