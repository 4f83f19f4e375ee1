import type { Env, Job } from "../../platform/env.ts";
import type { AggregateBinding } from "../../platform/registered.ts";
import { given } from "../../platform/omit-undefined.ts";
import type { StoredRecord } from "../../records.ts";
import { executeCommand, objectOf } from "../../platform/aggregates.ts";
import { ledgerOf } from "../transactions/ledger.ts";
import { forgetInFolders } from "./folders.ts";
import { forgetRows, forgetTold } from "./forgetting.ts";
import { forgetLog, isLog } from "./logs.ts";
import {
  ledgerKinds,
  retainedRecord,
  type Forgetting,
  type RetainedInLedger,
  type RetainedKind,
  type Retention,
  type RetentionPlace,
} from "./retained.ts";
import { retentionCommands } from "./retention.ts";

const aDay = 24 * 60 * 60 * 1000;
/** So long it is gone on at one time: less than after which the work is asked for again. */
const usualStretch = 10_000;
const pageSize = 100;

/**
 * The work `privacy.retain`: forgets for so long what has not changed for as long as its company keeps it, and tells how far
 * it came. May be done twice.
 */
export async function retain({ company }: Job, env: Env): Promise<void> {
  const call = { company, id: company };
  const { reply } = await executeCommand(env, retentionCommands.look, call, {});
  const to = await forgetOlder(env, company, reply, Date.now());
  await executeCommand(env, retentionCommands.came, call, given({ from: reply.from, to }));
}

/**
 * Forgets for so long what is too old at a moment.
 * @param now milliseconds since 1970
 * @returns where it goes on, nothing at the end
 */
export async function forgetOlder(
  env: Env,
  company: string,
  { retention, from }: { retention: Retention; from?: RetentionPlace | undefined },
  now: number,
): Promise<RetentionPlace | undefined> {
  const until = Date.now() + Number(env.PRIVACY_STRETCH_MS ?? usualStretch);
  const kinds = Object.entries(retention) as [keyof Retention, number][];
  const first = Math.max(
    0,
    kinds.findIndex(([kind]) => kind === from?.kind),
  );
  for (const [kind, count] of kinds.slice(first)) {
    const before = new Date(now - count * aDay).toISOString();
    for await (const after of forgetting(kind)(env, company, before, kind === from?.kind ? from.after : ""))
      if (Date.now() >= until) return { kind, after };
  }
  return undefined;
}

function forgetting(kind: keyof Retention): Forgetting {
  if (isLog(kind)) return forgetLog(kind);
  if (isInLedger(kind)) return forgetInLedger(kind);
  const record = retainedRecord(kind);
  return record?.isFoundByFolder ? forgetInFolders(kind, record) : forgetListed(kind, record);
}

const isInLedger = (kind: keyof Retention): kind is RetainedInLedger => kind in ledgerKinds;

/** The ledger forgets them last: should this end in between, they are found once more. */
function forgetInLedger(name: RetainedInLedger): Forgetting {
  const { kind, ...told } = ledgerKinds[name];
  return async function* (env, company, before) {
    const ledger = ledgerOf(env, company);
    for (;;) {
      const found = await ledger.unchanged(kind, before, pageSize);
      if (found.length === 0) return;
      await forgetTold(
        env,
        company,
        told,
        found.filter(({ isTold }) => isTold).map(({ id }) => id),
      );
      await ledger.forgetThese(
        kind,
        found.map(({ id }) => id),
      );
      yield "";
    }
  };
}

/** Rows of the archive go last: should this end in between, they are found once more. */
function forgetListed(kind: RetainedKind, record?: StoredRecord): Forgetting {
  const onlyWhere = record?.retention?.onlyWhere ?? "";
  return async function* (env, company, before, from) {
    const page = env.ARCHIVE.prepare(
      `select row, id from ${kind} where company = ?1 and updatedAt < ?2 and row > ?3 ${onlyWhere} order by row limit ${pageSize}`,
    );
    for (let after = Number(from); ;) {
      const { results } = await page.bind(company, before, after).all<{ row: number; id: string }>();
      if (results.length === 0) return;
      after = results.at(-1)!.row;
      const ids = results.map(({ id }) => id);
      const gone = record ? await forgottenAmong(env, company, { binding: record.binding, ids }, before) : ids;
      if (record) await forgetTold(env, company, record, gone);
      await forgetRows(env, company, kind, gone, before);
      yield String(after);
    }
  };
}

/** Those that have not changed since the archive was told of them. */
async function forgottenAmong(
  env: Env,
  company: string,
  { binding, ids }: { binding: AggregateBinding; ids: readonly string[] },
  before: string,
): Promise<string[]> {
  const gone: string[] = [];
  for (const id of ids) if (await objectOf(env, binding, company, id).forget(before)) gone.push(id);
  return gone;
}
