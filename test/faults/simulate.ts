// npm run test:faults            the rows of faults as `npm test` has them
// npm run test:faults -- --full  all of their seeds
import { spawnSync } from "node:child_process";
import process from "node:process";

const full = process.argv.includes("--full");
const rows = ["faults/receivers", "faults/platform", "faults/resets", "faults/cleaning", "bad-input-fuzz"].map(
  (name) => `test/${name}.test.ts`,
);
const began = performance.now();
const time = full ? ["--testTimeout=86400000"] : [];
const { status } = spawnSync("vitest", ["run", "--reporter=verbose", ...time, ...rows], {
  stdio: "inherit",
  shell: process.platform === "win32",
  env: { ...process.env, ...(full && { FAULTS: "full" }) },
});
console.log(`${full ? "All" : "Few"} seeds, ${Math.round((performance.now() - began) / 1000)} s`);
process.exitCode = status ?? 1;
