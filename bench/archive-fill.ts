import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from "miniflare";
import { migrate } from "../scripts/migrate.mjs";
import { archiveStatements, type Versioned } from "../src/platform/archive/archive.ts";

/**
 * A Worker that executes all statements of a request in one batch. Without it, each statement would be a separate call
 * from outside the runtime.
 */
const script = `export default {
  async fetch(request, { ARCHIVE }) {
    await ARCHIVE.batch((await request.json()).map(({ sql, values }) => ARCHIVE.prepare(sql).bind(...values)));
    return new Response();
  }
}`;

/** Stands in for the database of `archiveStatements` and records the statements instead of executing them. */
const recorder = {
  prepare: (sql: string) => ({ bind: (...values: unknown[]) => ({ sql, values }) }),
} as unknown as D1Database;

/** Writes rows into the archive of a state folder that no running service uses. */
export async function fillArchive(state: string, rows: Iterable<Versioned>): Promise<void> {
  const runtime = new Miniflare(
    convertV4MiniflareOptions({
      cf: false,
      log: new Log(LogLevel.NONE),
      resourcePersistencePath: state,
      modules: true,
      script,
      d1Databases: { ARCHIVE: "ARCHIVE" },
    }),
  );
  try {
    await migrate(await runtime.getD1Database("ARCHIVE"));
    const url = await runtime.ready;
    let batch: Versioned[] = [];
    for (const row of rows) {
      batch.push(row);
      if (batch.length < 500) continue;
      await write(url, batch);
      batch = [];
    }
    await write(url, batch);
  } finally {
    await runtime.dispose();
  }
}

async function write(url: URL, rows: Versioned[]): Promise<void> {
  const statements = archiveStatements(recorder, rows);
  if (statements.length === 0) return;
  const answer = await fetch(url, { method: "POST", body: JSON.stringify(statements) });
  if (!answer.ok) throw new Error(`The archive refused the rows: ${answer.status} ${await answer.text()}`);
}
