import * as z from "zod";
import type { Env, Job, OwnerBinding } from "../../kit/env.ts";
import { operationsOn, stepsOn } from "../../kit/operation.ts";
import { askOwner, objectOf } from "../../kit/owners.ts";
import { localCompany, type Company } from "../companies.ts";
import { ledgerOf } from "../transactions/ledger.ts";
import { forgetRows, forgetThing, forgetTold } from "./forgetting.ts";
import { forgetInFolders, isInFolders } from "./folders.ts";
import { forgetLog, isLog } from "./logs.ts";
import { ledgerKinds, retainedKinds, type RetainedInLedger, type RetainedKind, type Retention } from "./retained.ts";

// How long things of a company are kept: a part of its state

const { get, put } = operationsOn<Company, object>({ binding: "COMPANIES", scope: "accounts" });

const logDays = z.number().int().min(1).max(30).optional();
const days = z.number().int().min(1).max(3650).optional();

export const RetentionSettings = z
  .object({
    orders: days.describe("Orders of both kinds, with their files, evidence and papers."),
    opportunities: days,
    documents: days,
    driversDocuments: days,
    automations: days,
    freights: days.describe("Those that are no longer live, with their offers; live ones stay."),
    quality: days.describe("Files that were looked at for how well they can be read."),
    documentCollections: days.describe("Piles of scans as they came; documents that were read from them stay."),
    feedback: days.describe("What was said; what was learnt stays."),
    mails: days,
    transactions: days.describe("Transactions of fuel and toll cards; totals are less by them."),
    transactionFeeds: days.describe("Statements as they came, and what came of each; its transactions stay."),
    audit: days,
    events: logDays.describe("What `GET /api/v1/events` tells and webhooks are replayed from; 30 days at most."),
    deliveries: logDays.describe("Logs of webhooks, after a delivery is done; 30 days at most."),
  } satisfies Record<keyof Retention, unknown>)
  .meta({
    id: "RetentionSettings",
    description: "Days after its last change that a thing of each kind is kept; for ever where it is not said.",
  });

const example: Retention = { mails: 90, documents: 730, audit: 365 };
const aDay = 24 * 60 * 60 * 1000;
/** The work that forgets what is older. */
const retaining = "privacy.retain";
const pageSize = 100;

const dueAfter = (at: string) => new Date(Date.parse(at) + aDay).toISOString();

/** When what is too old is looked for next, in milliseconds since 1970. */
export const nextRetention = ({ retentionDueAt }: Company): number | undefined =>
  retentionDueAt === undefined ? undefined : Date.parse(retentionDueAt);

/** A day has passed. */
export function retentionDue(company: Company, at: string): { state: Company; work: string[] } {
  const { retentionDueAt, ...rest } = company;
  if (retentionDueAt === undefined || retentionDueAt > at) return { state: company, work: [] };
  return { state: { ...rest, retentionDueAt: dueAfter(at) }, work: [retaining] };
}

export const retentionSteps = stepsOn<Company, object>(
  "COMPANIES",
  "retention",
)({
  look: (company) => ({ reply: company?.retention ?? {} }),
  done: (company) => (company ? { done: [retaining], reply: {} } : { reply: {} }),
});

export const retentionOperations = {
  readRetention: get("/api/v1/privacy/retention", {
    summary: "See how long things are kept",
    ok: RetentionSettings,
    example: { reply: example },
    decide: (company) => ({ reply: company?.retention ?? {} }),
  }),

  updateRetention: put("/api/v1/privacy/retention", {
    summary: "Say how long things are kept",
    description:
      "Replaces all of it. At once, and then every day, what has not changed for so many days is forgotten: the record, its files and evidence, its events and its deliveries in the logs of webhooks. There is no way back.",
    body: RetentionSettings,
    ok: RetentionSettings,
    example: { body: example, reply: example },
    decide: (company, { body }, { at }) => {
      const { retention: _, retentionDueAt: __, ...now } = company ?? localCompany(at);
      const retention: Retention = Object.fromEntries(Object.entries(body).filter(([, count]) => count !== undefined));
      if (Object.keys(retention).length === 0) return { state: now, reply: {} };
      return { state: { ...now, retention, retentionDueAt: dueAfter(at) }, work: [retaining], reply: retention };
    },
  }),
};

/** The work `privacy.retain`: forgets what has not changed for as long as its company keeps it. May be done twice. */
export async function retain({ company }: Pick<Job, "company">, env: Env, now = Date.now()): Promise<void> {
  const call = { company, id: company };
  const { reply: retention } = await askOwner(env, retentionSteps.look, call, {});
  for (const [kind, count] of Object.entries(retention) as [keyof Retention, number][]) {
    const before = new Date(now - count * aDay).toISOString();
    if (isLog(kind)) await forgetLog(env, company, kind, before);
    else if (isInLedger(kind)) await forgetInLedger(env, company, kind, before);
    else if (isInFolders(kind)) await forgetInFolders(env, company, kind, before);
    else await forgetKind(env, company, kind, before);
  }
  await askOwner(env, retentionSteps.done, call, {});
}

const isInLedger = (kind: keyof Retention): kind is RetainedInLedger => kind in ledgerKinds;

/** The ledger forgets them last: should this end in between, they are found once more. */
async function forgetInLedger(env: Env, company: string, name: RetainedInLedger, before: string): Promise<void> {
  const { kind, ...named } = ledgerKinds[name];
  const ledger = ledgerOf(env, company);
  for (;;) {
    const found = await ledger.unchanged(kind, before, pageSize);
    if (found.length === 0) return;
    for (const { id, isTold } of found) if (isTold) await forgetTold(env, company, { ...named, id });
    await ledger.forgetThese(
      kind,
      found.map(({ id }) => id),
    );
  }
}

async function forgetKind(env: Env, company: string, kind: RetainedKind, before: string): Promise<void> {
  const { binding, onlyWhere } = retainedKinds[kind];
  const page = env.ARCHIVE.prepare(
    `select row, id from ${kind} where company = ?1 and updatedAt < ?2 and row > ?3 ${onlyWhere ?? ""} order by row limit ${pageSize}`,
  );
  for (let after = 0; ;) {
    const { results } = await page.bind(company, before, after).all<{ row: number; id: string }>();
    const gone: string[] = [];
    for (const { id } of results)
      if (!binding || (await forgetOne(env, company, { binding, id }, before))) gone.push(id);
    await forgetRows(env, company, kind, gone, before);
    if (results.length < pageSize) return;
    after = results.at(-1)!.row;
  }
}

/** The row of the archive goes last: should this end in between, it is found once more. @returns whether it is gone */
async function forgetOne(
  env: Env,
  company: string,
  thing: { binding: OwnerBinding; id: string },
  before: string,
): Promise<boolean> {
  if (!(await objectOf(env, thing.binding, company, thing.id).forget(before))) return false;
  await forgetThing(env, company, thing);
  return true;
}
