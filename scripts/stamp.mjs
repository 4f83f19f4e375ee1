import { createHash } from "node:crypto";
import { existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";

/**
 * Runs a build step only if its inputs have changed since the last run.
 *
 * @param {object} step
 * @param {string} step.name the name of the file that records the last run, `dist/.stamps/<name>`
 * @param {string[]} step.inputs glob patterns; a change of name, size or modification time counts
 * @param {unknown} [step.settings] other values that the result depends on
 * @param {string} step.output the path of the result; if it is missing, the step runs again
 * @param {() => unknown} step.make
 * @returns {Promise<boolean>} whether the step ran
 */
export async function makeWhenChanged({ name, inputs, settings, output, make }) {
  const path = `dist/.stamps/${name}`;
  const now = fingerprint(inputs, settings);
  if (existsSync(output) && stampAt(path) === now) return false;
  await make();
  mkdirSync("dist/.stamps", { recursive: true });
  writeFileSync(path, now);
  return true;
}

function fingerprint(inputs, settings) {
  const hash = createHash("sha256").update(JSON.stringify(settings ?? null));
  for (const path of globSync(inputs).sort()) {
    const { size, mtimeMs } = statSync(path);
    hash.update(`${path}\0${size}\0${mtimeMs}\n`);
  }
  return hash.digest("hex");
}

function stampAt(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
