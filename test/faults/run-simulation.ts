// `npm run test:faults` runs the fault sweeps with the same few seeds as `npm run test:full`; `npm run test:faults --
// --full` runs all seeds.
import { spawnSync } from "node:child_process";
import process from "node:process";

const full = process.argv.includes("--full");
const rows = [
  "test/faults/receivers.sweep.test.ts",
  "test/faults/platform.sweep.test.ts",
  "test/faults/resets.sweep.test.ts",
  "test/faults/cleaning.sweep.test.ts",
  "test/http/bad-input-fuzz.sweep.test.ts",
];
const began = performance.now();
const time = full ? ["--testTimeout=86400000"] : [];
const { status } = spawnSync("vitest", ["run", "--reporter=verbose", ...time, ...rows], {
  stdio: "inherit",
  shell: process.platform === "win32",
  env: { ...process.env, ...(full && { FAULTS: "full" }) },
});
console.log(`${full ? "All" : "Few"} seeds, ${Math.round((performance.now() - began) / 1000)} s`);
process.exitCode = status ?? 1;
