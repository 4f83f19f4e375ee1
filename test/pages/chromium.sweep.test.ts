import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runsInCi } from "../../scripts/quiet.mjs";
import { outcomeOf } from "../../scripts/test-outcome.mjs";
import { unpacked } from "../support/chromium-package.ts";

// Browser tests must either run or fail. So the browser must be complete before it is used, and in CI a skipped test is
// a failure.

let home: string;
let packed: string;
let folder: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "lorry-chromium-"));
  packed = join(home, "packed");
  folder = join(home, "chromium");
  await mkdir(packed);
  await pack("chromium.br", `#!/bin/sh\necho run >> ${home}/runs\n`);
  for (const name of ["al2023.tar.br", "fonts.tar.br"]) await pack(name, tarOf("lib/a.txt", "whole"));
});

afterEach(() => rm(home, { recursive: true, force: true }));

const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
const pack = (name: string, content: string | Uint8Array) =>
  writeFile(join(packed, name), brotliCompressSync(content, quick));
const runs = async () => (await readFile(join(home, "runs"), "utf8")).trim().split("\n").length;

/** Makes a tar archive of one file, followed by more padding than a pipe can hold. */
function tarOf(name: string, text: string): Uint8Array {
  const head = Buffer.alloc(512);
  const octal = (value: number, length: number) => value.toString(8).padStart(length - 1, "0");
  head.write(name, 0);
  head.write(octal(0o644, 8), 100);
  head.write(octal(text.length, 12), 124);
  head.write(octal(0, 12), 136);
  head.write("        0", 148);
  head.write("ustar\u000000", 257);
  let checksum = 0;
  for (const byte of head) checksum += byte;
  head.write(octal(checksum, 7), 148);
  const body = Buffer.alloc(512);
  body.write(text);
  return Buffer.concat([head, body, Buffer.alloc(16 * 1024 * 1024)]);
}

// npm provides a browser only for Linux.
describe.runIf(process.platform === "linux")("the browser from npm", () => {
  test("is unpacked completely, even if much padding follows the end of its archives", async () => {
    const { path } = await unpacked(packed, folder);
    expect(path).toBe(join(folder, "chromium"));
    for (const part of ["al2023", "fonts"])
      expect(await readFile(join(folder, part, "lib", "a.txt"), "utf8")).toBe("whole");
    expect((await readdir(folder)).toSorted()).toEqual(["al2023", "chromium", "fonts", "fonts.conf"]);
    expect(await readFile(join(folder, "fonts.conf"), "utf8")).toContain(`<dir>${folder}/fonts</dir>`);
  });

  test("is unpacked by one of several processes, and all can use it", async () => {
    const script = `import { unpacked } from "${import.meta.dirname}/../support/chromium-package.ts"; await unpacked("${packed}", "${folder}");`;
    const workers = Array.from({ length: 3 }, () =>
      spawn(process.execPath, ["--input-type=module", "--eval", script], { stdio: "inherit" }),
    );
    expect(await Promise.all(workers.map(async (worker) => (await once(worker, "exit"))[0] as number))).toEqual([
      0, 0, 0,
    ]);
    expect(await runs()).toBe(1);
    expect((await readdir(home)).toSorted()).toEqual(["chromium", "packed", "runs"]);
  });

  test("is unpacked again if it does not run at first", async () => {
    await pack("chromium.br", `#!/bin/sh\necho run >> ${home}/runs\n[ $(wc -l < ${home}/runs) -gt 1 ]\n`);
    await unpacked(packed, folder);
    expect(await runs()).toBe(2);
  });

  test("is not installed if its archive is truncated", async () => {
    const whole = await readFile(join(packed, "chromium.br"));
    await writeFile(join(packed, "chromium.br"), whole.subarray(0, whole.length - 5));
    await expect(unpacked(packed, folder)).rejects.toThrow("unexpected end of file");
    expect(await readdir(home)).toEqual(["packed"]);
  });
});

test.each([
  [{ CI: "true" }, true],
  [{ CI: "1", RUNS_IN_CI: "false" }, false],
  [{ CI: "false" }, false],
  [{}, false],
])("%o is CI: %s", (env, isCi) => {
  expect(runsInCi(env)).toBe(isCi);
});

test.each([
  ["passed", { passed: 9, failed: 0, skipped: 0 }, true, "9 passed, 0 failed", 0],
  ["skipped on a developer's machine", { passed: 9, failed: 0, skipped: 2 }, false, "9 passed, 0 failed, 2 skipped", 0],
  [
    "skipped in CI",
    { passed: 9, failed: 0, skipped: 2 },
    true,
    "9 passed, 0 failed, 2 skipped, which is a failure in CI",
    1,
  ],
  ["failed", { passed: 8, failed: 1, skipped: 0 }, false, "8 passed, 1 failed", 1],
])("the last line of a run says when a test %s", (_, total, isCi, line, exitCode) => {
  expect(outcomeOf(total, isCi)).toEqual({ line, exitCode });
});
