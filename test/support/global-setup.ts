import { mkdir, mkdtemp, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { build } from "../../scripts/build.mjs";
import { prepareArchive } from "../../scripts/serve.mjs";

declare module "vitest" {
  interface ProvidedContext {
    /** A folder that contains only the empty tables of the archive. Services start from a copy of it. */
    emptyState: string;
  }
}

/**
 * Runs once before all tests: builds the bundle that `npm start` serves, and creates the folder for all temporary
 * files, which is deleted at the end.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await build();
  const folder = await mkdtemp(join(await quickFolder(), "lorry-tests-"));
  process.env["TMPDIR"] = folder;
  const emptyState = join(folder, "empty");
  await mkdir(emptyState);
  await prepareArchive(emptyState);
  project.provide("emptyState", emptyState);
  return () => rm(folder, { recursive: true });
}

/** Chooses a folder in memory if it has enough free space, so that tests do not wait for a disk. */
async function quickFolder(): Promise<string> {
  const memory = "/dev/shm";
  const room = await statfs(memory).catch(() => ({ bavail: 0, bsize: 0 }));
  return room.bavail * room.bsize > 2 * 1024 ** 3 ? memory : tmpdir();
}
