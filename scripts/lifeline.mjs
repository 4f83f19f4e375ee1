import { spawn } from "node:child_process";
import { subscribe } from "node:diagnostics_channel";
import { basename } from "node:path";

let isWatching = false;

/**
 * Does the work and makes sure that every runtime this process starts, by it or later (one that died is started again), ends
 * with this process, even when that is killed outright: an orphan would keep the port and the files.
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

/** A shell holds the other end of a pipe and kills the runtime when the pipe closes. */
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

/** Calls back once when the parent process has ended. */
export function whenOrphaned(stop) {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    stop();
  }, 500);
  timer.unref();
}
