import type { Env } from "../../platform/env.ts";
import { logFault } from "../../platform/log.ts";
import { ledgerOf } from "./ledger.ts";

/** Ledgers asked in one sweep. */
const mostAsked = 200;

/**
 * A file is handed in: should whatever reads it be lost, the sweep asks after it. It is a belt beside the braces, so that
 * nothing waits for an archive that does not answer.
 */
export async function noteImport({ ARCHIVE }: Env, company: string): Promise<void> {
  await ARCHIVE.prepare(
    "insert into imports (company, since) values (?, ?) on conflict do update set since = excluded.since",
  )
    .bind(company, new Date().toISOString())
    .run()
    .catch((error: unknown) => logFault("transactions.note", error, { company }));
}

/**
 * Ledgers that were handed a file before a moment have what is left of it read; those in which nothing is left are not
 * asked again.
 * @param before ISO 8601
 * @returns in how many something was left
 */
export async function resumeImports(env: Env, before: string): Promise<number> {
  const { results } = await env.ARCHIVE.prepare("select company, since from imports where since < ? limit ?")
    .bind(before, mostAsked)
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

/** One that cannot be asked now is asked again, and keeps no other from its turn. */
const hasPendingImports = (env: Env, company: string) =>
  ledgerOf(env, company)
    .takeUp()
    .catch((error: unknown) => {
      logFault("transactions.takeUp", error, { company });
      return true;
    });
