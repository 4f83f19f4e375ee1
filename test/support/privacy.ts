import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, vi } from "vitest";
import { forgetOlder } from "../../src/areas/privacy/retention-jobs.ts";
import type { Retention, RetentionPosition } from "../../src/areas/privacy/retention.ts";
import type { Env } from "../../src/platform/env.ts";
import type { ApiClient } from "./api-client.ts";

export interface PrivacyAnswer {
  privacyRequestId: string;
  status: string;
  records: number;
  files: number;
  events: number;
}

/** Requests an export or an erasure and waits until it is done. */
export async function completePrivacyRequest(
  ask: ApiClient,
  kind: "erase" | "export",
  person: object,
): Promise<PrivacyAnswer> {
  const { status, body: asked } = await ask<PrivacyAnswer>("POST", `/api/v1/privacy/${kind}`, { json: person });
  expect(status, JSON.stringify(asked)).toBe(202);
  return vi.waitFor(
    async () => {
      const { body } = await ask<PrivacyAnswer>("GET", `/api/v1/privacy/requests/${asked.privacyRequestId}`);
      expect(body.status).toBe("Done");
      return body;
    },
    { timeout: 200_000, interval: 250 },
  );
}

/** Deletes the records that will be older than the retention in `days` days, in as many steps as needed. */
export async function forgottenAfter(env: Env, company: string, retention: Retention, days: number): Promise<void> {
  const now = Date.now() + days * 24 * 60 * 60 * 1000;
  let from: RetentionPosition | undefined;
  do from = await forgetOlder(env, company, { retention, from }, now);
  while (from);
}

/** Finds the database rows and files in the state folder (objects, archive, files, queues) that match `traces`. */
export async function tracesIn(folder: string, traces: RegExp): Promise<string[]> {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((file) => file.isFile());
  const found: string[] = [];
  for (const file of files) {
    const path = join(file.parentPath, file.name);
    if (/-(?:wal|shm)$/.test(path)) continue;
    const texts = path.endsWith(".sqlite") ? rowsIn(path) : [(await readFile(path)).toString("latin1")];
    for (const text of texts) if (traces.test(text)) found.push(`${path}: ${text.slice(0, 300)}`);
  }
  return found;
}

function rowsIn(path: string): string[] {
  const database = new DatabaseSync(path);
  try {
    const tables = database.prepare("select name from sqlite_master where type = 'table'").all() as { name: string }[];
    return tables.flatMap(({ name }) => {
      const rows = database.prepare(`select * from "${name}"`);
      rows.setReadBigInts(true);
      return rows.all().map((row) => `${name} ${Object.values(row).map(textOf).join(" ")}`);
    });
  } finally {
    database.close();
  }
}

const textOf = (value: unknown) =>
  value instanceof Uint8Array
    ? `${Buffer.from(value).toString("latin1")} ${Buffer.from(value).toString("utf16le")}`
    : String(value);
