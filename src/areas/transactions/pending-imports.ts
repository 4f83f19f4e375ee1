import type { Env } from "../../platform/env.ts";
import { logFault } from "../../platform/log.ts";
import { ledgerOf } from "./ledger.ts";

const mostLedgers = 200;

/** Records that a company has a file to import, in case its job is lost. A failure of the archive is only logged. */
export async function noteImport({ ARCHIVE }: Env, company: string): Promise<void> {
  await ARCHIVE.prepare(
    "insert into imports (company, since) values (?, ?) on conflict do update set since = excluded.since",
  )
    .bind(company, new Date().toISOString())
    .run()
    .catch((error: unknown) => logFault("transactions.note", error, { company }));
}

/**
 * Resumes imports that were recorded before a time, and deletes the records of imports that are complete.
 * @param before that time, in ISO 8601
 * @returns the number of resumed imports
 */
export async function resumeImports(env: Env, before: string): Promise<number> {
  const { results } = await env.ARCHIVE.prepare("select company, since from imports where since < ? limit ?")
    .bind(before, mostLedgers)
    .all<{ company: string; since: string }>();
  const ledgers = await Promise.all(
    results.map(async (one) => ({ ...one, isLeft: await hasPendingImports(env, one.company) })),
  );
  const over = ledgers.filter(({ isLeft }) => !isLeft);
  if (over.length > 0) {
    const forget = env.ARCHIVE.prepare("delete from imports where company = ? and since = ?");
    await env.ARCHIVE.batch(over.map(({ company, since }) => forget.bind(company, since)));
  }
  return ledgers.length - over.length;
}

/**
 * Resumes the imports of a ledger. A ledger that does not respond counts as pending, so that it is asked again later.
 */
const hasPendingImports = (env: Env, company: string) =>
  ledgerOf(env, company)
    .takeUp()
    .catch((error: unknown) => {
      logFault("transactions.takeUp", error, { company });
      return true;
    });
