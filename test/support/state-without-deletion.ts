import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect } from "vitest";

// Changes the stored state of objects while no service runs.

/** Rewrites the databases of all objects of a class. @param state the state folder of the service */
export async function rewritten(
  state: string,
  object: string,
  rewrite: (database: DatabaseSync) => void,
): Promise<void> {
  const files = await readdir(state, { recursive: true });
  const found = files.filter((file) => file.includes(`${object}/`) && /[0-9a-f]{64}\.sqlite$/.test(file));
  expect(found.length).toBeGreaterThan(0);
  for (const file of found) {
    const database = new DatabaseSync(join(state, file));
    rewrite(database);
    database.close();
  }
}

/** Makes a function for `rewritten` that changes the stored state of an aggregate. */
export const withChangedState =
  (change: (kept: Record<string, unknown>) => Record<string, unknown>) => (database: DatabaseSync) => {
    const [row] = database.prepare("select json from state").all() as { json: string }[];
    if (row) database.prepare("update state set json = ?").run(JSON.stringify(change(JSON.parse(row.json))));
  };
