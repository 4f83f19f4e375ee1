// npm run test:kill:nightly [kills] [minutes] [seed]: webhooks under kill -9, a thousand times; ends with a line of figures.
import { execFileSync } from "node:child_process";
import process from "node:process";
import { build } from "../../scripts/build.mjs";
import { withstand } from "./webhooks.ts";

const [kills = 1000, minutes = 90, seed = 1] = process.argv.slice(2).map(Number);
await build();
const { told: _, ...withstood } = await withstand({ kills, within: minutes * 60_000, seed, patience: 900_000 });
console.log(JSON.stringify(withstood, undefined, 2));
const { required, lost, repeated, underTwoIds, strangers, late } = withstood;
const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim();
console.log(
  `| ${[new Date().toISOString().slice(0, 10), commit, withstood.kills, required, lost.length, repeated, underTwoIds.length].join(" | ")} |`,
);
process.exitCode = [lost, underTwoIds, strangers, late].some((wrong) => wrong.length > 0) ? 1 : 0;
