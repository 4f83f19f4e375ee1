import { spawn } from "node:child_process";
import { subscribe } from "node:diagnostics_channel";
import { basename } from "node:path";

let isWatching = false;

/**
 * Runs `work`. From then on, each Workers runtime that this process starts ends together with this process, even if the process is
 * killed with SIGKILL. An orphaned runtime would keep the port and the files open.
 *
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export function withLifeline(work) {
  if (!isWatching && process.platform !== "win32")
    subscribe("child_process", ({ process: child }) => process.nextTick(holdRuntime, child));
  isWatching = true;
  return work();
}

/** Starts a shell that reads from a pipe of this process and kills the runtime when the pipe closes. */
function holdRuntime(child) {
  if (child.pid === undefined || basename(child.spawnfile) !== "workerd") return;
  const shell = spawn("sh", ["-c", 'read -r _; kill -9 "$1" 2> /dev/null', "lifeline", String(child.pid)], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  shell.unref();
  shell.stdin.unref();
  child.once("exit", () => shell.kill("SIGKILL"));
}

/** Calls `stop` once when the parent process has ended. */
export function whenOrphaned(stop) {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    stop();
  }, 500);
  timer.unref();
}
