import { execFile } from "node:child_process";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "lorry-deploy-"));
});

afterAll(() => rm(folder, { recursive: true }));

interface Deployed {
  asked: string[];
  isDone: boolean;
  said: string;
}

/**
 * Runs the deployment with a fake wrangler. Returns the commands in order, the exit code and the output. The command
 * `failing` fails `times` times. The command `endless` does not end, so that a signal must stop the deployment.
 */
async function deployed({ failing = "none", times = 9, endless = "none" } = {}): Promise<Deployed> {
  const log = join(folder, "asked");
  await writeFile(log, "");
  const program = [
    "#!/bin/sh",
    `echo "$*" >> "${log}"`,
    `[ "$*" = "${endless}" ] && exec sleep 600`,
    `[ "$*" != "${failing}" ] || [ "$(grep -c "^${failing}$" "${log}")" -gt ${times} ]`,
  ];
  await writeFile(join(folder, "wrangler"), program.join("\n"));
  await chmod(join(folder, "wrangler"), 0o755);
  const asked = async () => (await readFile(log, "utf8")).trim().split("\n");
  const env = { ...process.env, PATH: `${folder}${delimiter}${process.env["PATH"]}` };
  const ending = new Promise<Omit<Deployed, "asked">>((ended) => {
    const deployment = execFile(process.execPath, ["scripts/deploy.mjs"], { env }, (error, _, said) =>
      ended({ isDone: !error, said }),
    );
    if (endless !== "none")
      void vi
        .waitUntil(async () => (await asked()).includes(endless), { timeout: 60_000, interval: 20 })
        .finally(() => deployment.kill("SIGTERM"));
  });
  return { ...(await ending), asked: await asked() };
}

const steps = [
  "queues pause-delivery lorry-changes",
  "deploy --config workers/ocr/wrangler.toml",
  "d1 migrations apply lorry --remote",
  "deploy",
  "queues resume-delivery lorry-changes",
];

test("nothing is written into the archive between a migration and the deployment of its Worker", async () => {
  expect(await deployed()).toMatchObject({ asked: steps, isDone: true });
});

test.each([{ failing: "deploy" }, { endless: "deploy" }])(
  "a deployment that fails at or after the migration leaves the queue paused and says so: %o",
  async (broken) => {
    const { asked, isDone, said } = await deployed(broken);
    expect(asked).toEqual(steps.slice(0, -1));
    expect(isDone).toBe(false);
    for (const command of ["queues resume-delivery lorry-changes", "d1 migrations list lorry --remote"])
      expect(said).toContain(`\`wrangler ${command}\``);
  },
);

test.each([{ failing: steps[1]! }, { endless: steps[1]! }])(
  "a deployment that fails before the migration resumes the queue: %o",
  async (broken) => {
    const { asked, isDone, said } = await deployed(broken);
    expect(asked).toEqual([...steps.slice(0, 2), steps.at(-1)]);
    expect(isDone).toBe(false);
    expect(said).toContain("Lists are updated as before");
  },
);

test("resuming the queue is tried twice, and its command is printed if it still fails", async () => {
  const failing = steps.at(-1)!;
  expect(await deployed({ failing, times: 1 })).toMatchObject({ asked: [...steps, failing], isDone: true, said: "" });
  const { asked, isDone, said } = await deployed({ failing });
  expect(asked).toEqual([...steps, failing]);
  expect(isDone).toBe(false);
  expect(said).toContain(`\`wrangler ${failing}\``);
});
