/**
 * `npm run patterns` judges the patterns that are not in `verdicts.json`. It adds the verdicts on patterns that pass, and removes
 * the verdicts on patterns that no longer exist. It can be interrupted and resumed.
 */
import process from "node:process";
import { judge, readVerdicts, writeVerdicts } from "./judge.ts";
import { allPatterns } from "./patterns.ts";

const { patterns } = await allPatterns();
const verdicts = Object.fromEntries(Object.entries(readVerdicts()).filter(([key]) => patterns.has(key)));
writeVerdicts(verdicts);
for (const [key, pattern] of patterns) {
  if (verdicts[key] !== undefined) continue;
  const verdict = await judge(pattern);
  if (typeof verdict === "string") writeVerdicts(Object.assign(verdicts, { [key]: verdict }));
  else {
    console.error(`${pattern.place}: ${verdict.fault}: ${key}`);
    process.exitCode = 1;
  }
}
console.log(`${Object.keys(verdicts).length} of ${patterns.size} patterns pass.`);
// Without this, the process of the checker would keep this process alive.
process.exit();
