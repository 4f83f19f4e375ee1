import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { quietWrangler, runsInCi } from "./quiet.mjs";
import { outcomeOf } from "./test-outcome.mjs";

// Fast steps run first. `--checks` omits everything that needs the built Worker; `--full` adds the sweeps.
const checks = [
  { name: "types", run: ["tsc", "--noEmit", "--project", "."] },
  { name: "lint, import cycles and import directions", run: ["oxlint"] },
  { name: "lint: banned words", run: ["node", "scripts/banned-words.mjs"] },
  { name: "format", run: ["oxfmt", "--check"] },
];
// Tests mostly wait for the service. Sweeps keep the number of workers of vitest.config.ts, because some measure memory.
const tests = [vitest("tests", "--maxWorkers=6")];
const sweeps = [vitest("sweeps")];

quietWrangler();
const wanted = (option) => process.argv.includes(option);
const steps = [...checks, ...(wanted("--checks") ? [] : tests), ...(wanted("--full") ? sweeps : [])];
const total = { passed: 0, failed: 0, skipped: 0 };
for (const step of steps) for (const [outcome, count] of Object.entries(taken(step))) total[outcome] += count;

const { line, exitCode } = outcomeOf(total, runsInCi());
console.log(line);
process.exitCode = exitCode;

/** Runs a step and shows its output. Returns how many of its tests passed, failed and were skipped. */
function taken({ name, run: [command, ...args], figures = () => ({ passed: 0, failed: 0 }) }) {
  console.log(`\n${name}: ${[command, ...args].join(" ")}`);
  const started = performance.now();
  const { status, error } = spawnSync(command, args, { stdio: "inherit" });
  if (error) console.error(error.message);
  console.log(
    `${name}: ${status === 0 ? "passed" : "failed"} in ${((performance.now() - started) / 1000).toFixed(1)} s`,
  );
  return verdict(status === 0, figures());
}

/** Counts a step without tests as one test. If a step fails although none of its tests failed, that counts as one failure. */
function verdict(succeeded, { passed, failed, skipped = 0 }) {
  if (!passed && !failed) return { passed: Number(succeeded), failed: Number(!succeeded), skipped };
  return { passed, failed: failed || Number(!succeeded), skipped };
}

/** Makes the step that runs one project of vitest.config.ts and counts its tests from vitest's JSON report. */
function vitest(project, ...options) {
  const report = `dist/${project}.json`;
  rmSync(report, { force: true });
  return {
    name: project,
    run: [
      "vitest",
      "run",
      "--project",
      project,
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${report}`,
      ...options,
    ],
    figures: () => figuresIn(report),
  };
}

function figuresIn(path) {
  try {
    const report = JSON.parse(readFileSync(path, "utf8"));
    return {
      passed: report.numPassedTests,
      failed: report.numFailedTests,
      skipped: report.numPendingTests + report.numTodoTests,
    };
  } catch {
    return { passed: 0, failed: 1 };
  }
}
