import { mkdir, mkdtemp, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { build } from "../../scripts/build.mjs";
import { prepareArchive } from "../../scripts/serve.mjs";

declare module "vitest" {
  interface ProvidedContext {
    /** A folder in which nothing but the archive's tables has been made: services start from a copy of it. */
    emptyState: string;
  }
}

/** Once a run: the tests meet the same bundle that `npm start` serves. What they write stands in one folder and goes with them. */
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

/** In memory, where it has room for all that tests write: then none of them waits for a disk. */
async function quickFolder(): Promise<string> {
  const memory = "/dev/shm";
  const room = await statfs(memory).catch(() => ({ bavail: 0, bsize: 0 }));
  return room.bavail * room.bsize > 2 * 1024 ** 3 ? memory : tmpdir();
}
