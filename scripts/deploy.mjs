import { execFileSync } from "node:child_process";

/** Who brings the archive what it follows. */
const queue = "lorry-changes";

// From before a migration until the Worker that knows of it is there, nothing is written into the archive, and changes wait in
// their queue: the Worker before it would leave out what is new, and lists would leave out what it wrote. What it was handed
// last comes to its end while the Worker that reads scans is deployed.
wrangler("queues", "pause-delivery", queue);
try {
  wrangler("deploy", "--config", "workers/ocr/wrangler.toml");
  wrangler("d1", "migrations", "apply", "lorry", "--remote");
  wrangler("deploy");
} catch {
  console.error(`The deployment broke off. Lists stand still until it is done: run it again, or go on with what is
deployed by \`wrangler queues resume-delivery ${queue}\` if no migration was applied.`);
  process.exit(1);
}
wrangler("queues", "resume-delivery", queue);

function wrangler(...args) {
  execFileSync("wrangler", args, { stdio: "inherit" });
}
