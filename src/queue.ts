import { follow as followAccounts } from "./areas/accounts/follow.ts";
import * as automations from "./areas/automations/index.ts";
import * as carrierOrders from "./areas/carrier-orders/index.ts";
import * as documentCollections from "./areas/document-collections/index.ts";
import * as documents from "./areas/documents/index.ts";
import * as driversDocuments from "./areas/drivers-documents/index.ts";
import * as feedback from "./areas/feedback/index.ts";
import * as freights from "./areas/freights/index.ts";
import * as opportunities from "./areas/opportunities/index.ts";
import * as orders from "./areas/orders/index.ts";
import * as quality from "./areas/quality/index.ts";
import * as tenants from "./areas/tenants/index.ts";
import * as transactions from "./areas/transactions/index.ts";
import * as vehicles from "./areas/vehicles/index.ts";
import * as privacy from "./areas/privacy/index.ts";
import * as webhooks from "./areas/webhooks/index.ts";
import { routeMail } from "./incoming-mail/route.ts";
import { archiveStatements } from "./platform/archive/archive.ts";
import { auditRow } from "./platform/audit.ts";
import type { Env, Job } from "./platform/env.ts";
import { logStatements } from "./platform/event-log.ts";
import { logFault, log } from "./platform/log.ts";
import { objectOf } from "./platform/aggregates.ts";
import { invitationMail, tidingMail } from "./pages/freight/mails.ts";

/** What is done in the background, by the name an owner asks for it; behind a slash may stand what part of it. All of it may happen twice. */
const works: Record<string, (job: Job, env: Env) => Promise<void>> = {
  "accounts.follow": followAccounts,
  "automations.run": automations.run,
  "automations.release": automations.release,
  "orders.read": orders.read,
  "orders.remove": orders.remove,
  "carrierOrders.deletePapers": carrierOrders.deletePapers,
  "opportunities.remove": opportunities.remove,
  "documents.remove": documents.remove,
  "documentCollections.remove": documentCollections.remove,
  "opportunities.read": opportunities.read,
  "documents.read": documents.read,
  "quality.assess": quality.assessed,
  "quality.remove": quality.remove,
  "documentCollections.split": documentCollections.split,
  "documentCollections.look": documentCollections.look,
  "driversDocuments.read": driversDocuments.read,
  "driversDocuments.renew": driversDocuments.renew,
  "driversDocuments.forget": driversDocuments.forget,
  "feedback.settle": feedback.settle,
  "freights.book": freights.book,
  "freights.publish": ({ company, id }, env) => objectOf(env, "FREIGHTS", company, id).tellSources(),
  "freights.release": freights.release,
  "sources.follow": freights.follow,
  "freights.share": (job, env) => freights.mailShares(job, env, invitationMail),
  "freights.answer": (job, env) => freights.mailTidings(job, env, tidingMail),
  "mails.route": routeMail,
  "tenants.follow": tenants.follow,
  "tenants.delete": tenants.deleteAll,
  "transactions.import": transactions.importFeeds,
  "vehicles.introduce": vehicles.introduce,
  "privacy.retain": (job, env) => privacy.retain(job, env),
  "privacy.run": privacy.run,
  "privacy.expire": privacy.expire,
  "webhooks.replay": webhooks.replay,
};

export async function consume(batch: MessageBatch<Job>, env: Env): Promise<void> {
  if (batch.messages.every(({ body }) => body.work === "archive")) return archive(batch, env);
  for (const message of batch.messages) await work(message, env);
}

async function work(message: Message<Job>, env: Env): Promise<void> {
  const began = Date.now();
  const { work: name, company, id } = message.body;
  try {
    await works[name.split("/")[0]!]!(message.body, env);
    message.ack();
    log({ what: "work", work: name, company, id, milliseconds: Date.now() - began });
  } catch (error) {
    logFault("work", error, { work: name, company, id, attempts: message.attempts });
    message.retry({ delaySeconds: retryAfter(message) });
  }
}

/** A batch that fails is tried row by row, so that a bad row holds back no other. */
async function archive(batch: MessageBatch<Job>, env: Env): Promise<void> {
  const began = Date.now();
  const jobs = new Map(batch.messages.map(({ body }) => [`${body.binding}/${body.company}/${body.id}`, body]));
  try {
    await follow([...jobs.values()], env);
    log({ what: "archive", rows: jobs.size, milliseconds: Date.now() - began });
  } catch (error) {
    logFault("archive", error, { rows: jobs.size });
    for (const message of batch.messages) await followOne(message, env);
  }
}

async function followOne(message: Message<Job>, env: Env): Promise<void> {
  const { company, id } = message.body;
  try {
    await follow([message.body], env);
    message.ack();
  } catch (error) {
    logFault("archive.row", error, { company, id, attempts: message.attempts });
    message.retry({ delaySeconds: retryAfter(message) });
  }
}

const retryAfter = ({ attempts }: Message) => Math.min(60, 4 ** attempts);

/** The archive follows the owners: each row is fetched as it is now, and written only if it is newer; and so does the log. */
async function follow(jobs: Job[], env: Env): Promise<void> {
  const found = await Promise.all(
    jobs.map(async (job) => {
      const object = objectOf(env, job.binding, job.company, job.id);
      return { object, projection: await object.projection() };
    }),
  );
  const projections = found.flatMap(({ projection }) => projection ?? []);
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
    found.map(async ({ object, projection }) => {
      if (projection) await object.archived({ version: projection.version, upTo: projection.upTo });
    }),
  );
}
