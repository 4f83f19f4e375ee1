import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assertFree, portFrom } from "./address.mjs";
import { build } from "./build.mjs";
import { dataDirectory, localVars } from "./local.mjs";
import { quietWrangler } from "./quiet.mjs";

const host = process.env.HOST || "127.0.0.1";
const state = join(dataDirectory, "dev");
const vars = join(dataDirectory, "dev.env");
const cronEverySeconds = 60;

quietWrangler();
const port = await prepared().catch((error) => {
  console.error(error.message);
  process.exit(1);
});

// `test-scheduled` suppresses wrangler's warning that it does not fire crons.
const options = {
  ip: host,
  port,
  "persist-to": state,
  "env-file": vars,
  "show-interactive-dev-session": "false",
  "test-scheduled": "true",
};
const configs = ["wrangler.toml", "workers/ocr/wrangler.toml"].flatMap((path) => ["--config", path]);
const wrangler = spawn(
  "wrangler",
  ["dev", ...configs, ...Object.entries(options).map(([name, value]) => `--${name}=${value}`)],
  {
    stdio: "inherit",
  },
);
let isTold = false;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
  process.on(signal, () => {
    isTold = true;
    wrangler.kill(signal);
  });
// A requested stop is a success, although wrangler then exits with another code.
wrangler.on("exit", (code) => process.exit(isTold ? 0 : (code ?? 1)));
setInterval(tick, cronEverySeconds * 1000).unref();

/** Builds what wrangler needs, and returns a free port. */
async function prepared() {
  const number = portFrom(process.env.PORT || "8787");
  await assertFree(host, number);
  await build({ only: "assets" });
  mkdirSync(state, { recursive: true });
  writeFileSync(vars, lines(localVars()), { mode: 0o600 });
  execFileSync("wrangler", ["d1", "migrations", "apply", "lorry", "--local", "--persist-to", state], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  return number;
}

/** Fires the Worker's cron, because `wrangler dev` does not. */
function tick() {
  fetch(`http://${host}:${port}/cdn-cgi/local/scheduled?cron=${encodeURIComponent("* * * * *")}`).catch(() => {});
}

function lines(variables) {
  return Object.entries(variables)
    .map(([name, value]) => `${name}='${value}'\n`)
    .join("");
}
