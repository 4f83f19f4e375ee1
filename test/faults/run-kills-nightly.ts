// `npm run test:kill:nightly [kills] [seed]` delivers webhooks while processes are killed with SIGKILL. First it kills
// the runtime `kills` times (1000 by default). Then it kills all processes of `npm start`, `kills` / 50 times. It
// prints a line of figures for each of the two runs.
import { execFileSync } from "node:child_process";
import process from "node:process";
import { build } from "../../scripts/build.mjs";
import { productRuntime, wholeService } from "./service-processes.ts";
import { deliverWebhooksUnderKills, type WebhookKillScenario } from "./webhooks-under-kills.ts";

const [kills = 1000, seed = 1] = process.argv.slice(2).map(Number);
await build();
const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim();
const lines = [
  await line("the runtime", { open: productRuntime, kills }),
  await line("`npm start`", { open: wholeService, kills: Math.ceil(kills / 50) }),
];
console.log(lines.join("\n"));

function counts(soFar: number): void {
  if (soFar % 100 === 0) console.log(`${soFar} kills`);
}

async function line(what: string, ordeal: Pick<WebhookKillScenario, "open" | "kills">): Promise<string> {
  const { told: _, ...outcome } = await deliverWebhooksUnderKills({ ...ordeal, seed, patience: 1_800_000, counts });
  console.log(JSON.stringify(outcome, undefined, 2));
  const { required, lost, undone, repeated, underTwoIds, strangers, late, milliseconds } = outcome;
  if ([lost, undone, underTwoIds, strangers, late].some((wrong) => wrong.length > 0)) process.exitCode = 1;
  const minutes = ((milliseconds.killing + milliseconds.draining) / 60_000).toFixed(1);
  const today = new Date().toISOString().slice(0, 10);
  const wrong = [lost, undone, underTwoIds, late].map(({ length }) => length);
  return `| ${[today, commit, what, outcome.kills, minutes, required, ...wrong, repeated].join(" | ")} |`;
}
