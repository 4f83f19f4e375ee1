import { execFile } from "node:child_process";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "lorry-deploy-"));
});

afterAll(() => rm(folder, { recursive: true }));

/** What is asked of wrangler, in its order, when one of its commands fails or none, and how the deployment ends. */
async function deployed(failing = "none"): Promise<{ asked: string[]; isDone: boolean; said: string }> {
  const log = join(folder, "asked");
  await writeFile(log, "");
  await writeFile(join(folder, "wrangler"), `#!/bin/sh\necho "$*" >> "${log}"\n[ "$*" != "${failing}" ]\n`);
  await chmod(join(folder, "wrangler"), 0o755);
  const env = { ...process.env, PATH: `${folder}${delimiter}${process.env["PATH"]}` };
  const { isDone, said } = await new Promise<{ isDone: boolean; said: string }>((ended) =>
    execFile(process.execPath, ["scripts/deploy.mjs"], { env }, (error, _, complaint) =>
      ended({ isDone: !error, said: complaint }),
    ),
  );
  return { asked: (await readFile(log, "utf8")).trim().split("\n"), isDone, said };
}

const steps = [
  "queues pause-delivery lorry-changes",
  "deploy --config workers/ocr/wrangler.toml",
  "d1 migrations apply lorry --remote",
  "deploy",
  "queues resume-delivery lorry-changes",
];

test("nothing is written into the archive between its migration and the Worker that knows of it", async () => {
  expect(await deployed()).toMatchObject({ asked: steps, isDone: true });
});

test("a deployment that breaks off leaves changes waiting, and says so", async () => {
  const { asked, isDone, said } = await deployed("deploy");
  expect(asked).toEqual(steps.slice(0, -1));
  expect(isDone).toBe(false);
  expect(said).toContain("resume-delivery lorry-changes");
});
