import { spawn } from "node:child_process";

/** The queue whose consumer writes the archive. */
const queue = "lorry-changes";

// The archive is not written between a migration and the deployment of the matching Worker, because the old Worker would leave the
// new columns empty, and lists would then lack its rows. Meanwhile, changes wait in their queue. When the queue is paused, the
// consumer may still be writing a batch; it finishes while the OCR Worker is deployed.
const steps = [
  ["queues", "pause-delivery", queue],
  ["deploy", "--config", "workers/ocr/wrangler.toml"],
  ["d1", "migrations", "apply", "lorry", "--remote"],
  ["deploy"],
];
const migration = 2;
const resume = ["queues", "resume-delivery", queue];
const byHand = `\`wrangler ${resume.join(" ")}\``;

let running;
let isStopped = false;
// Passes a signal on to the child process. Afterwards the queue is resumed, or a message says what to do manually.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
  process.on(signal, () => {
    isStopped = true;
    running.kill(signal);
  });

let done = 0;
while (done < steps.length && !isStopped && (await succeeds(steps[done]))) done++;
const isDeployed = done === steps.length;
if (!isDeployed && done >= migration)
  fail(`The deployment failed, and lists are not updated until it succeeds. Run it again. If no migration was applied
(\`wrangler d1 migrations list lorry --remote\` names the pending ones), ${byHand}
resumes the updates with the deployed version.`);
// A first failure is usually a network error, so the command is tried twice.
else if (!(await succeeds(resume)) && !(await succeeds(resume)))
  fail(
    `The deployment ${isDeployed ? "succeeded" : "failed"}, but lists are not updated. To resume the updates, run ${byHand}`,
  );
else if (!isDeployed) fail("The deployment failed before a migration was applied. Lists are updated as before.");

function succeeds(command) {
  return new Promise((ended) => {
    running = spawn("wrangler", command, { stdio: "inherit" });
    running.on("error", () => ended(false));
    running.on("close", (code) => ended(code === 0));
  });
}

function fail(why) {
  console.error(why);
  process.exitCode = 1;
}
