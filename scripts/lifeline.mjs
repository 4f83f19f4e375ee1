import { spawn } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { basename } from "node:path";

/**
 * Does the work and makes sure that a runtime it started ends with this process, even one killed outright: an orphan would
 * keep the port and the files. A shell holds the other end of a pipe and ends the runtime when the pipe closes.
 *
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLifeline(work) {
  const started = [];
  const note = ({ process: child }) => started.push(child);
  subscribe("child_process", note);
  try {
    return await work();
  } finally {
    unsubscribe("child_process", note);
    const pids = started.filter((child) => basename(child.spawnfile) === "workerd").map(({ pid }) => pid);
    if (pids.length && process.platform !== "win32") hold(pids);
  }
}

function hold(pids) {
  const shell = spawn("sh", ["-c", 'cat > /dev/null; kill -9 "$@" 2> /dev/null', "lifeline", ...pids.map(String)], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  shell.unref();
  shell.stdin.unref();
}

/** Calls back once when the process that started this one is gone. */
export function whenOrphaned(stop) {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    stop();
  }, 500);
  timer.unref();
}
