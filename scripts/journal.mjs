import { appendFileSync, mkdirSync, renameSync, statSync } from "node:fs";
import { dirname } from "node:path";

const largestBytes = 16 * 1024 * 1024;

/**
 * Opens a file of JSON lines for the running Worker's messages. When the file is larger than 16 MiB, `.1` is appended to its name
 * and a new file is begun. Without a path, the messages are discarded.
 */
export function openJournal(path) {
  if (!path) return { write: () => {}, close: () => {} };
  mkdirSync(dirname(path), { recursive: true });
  let waiting = [];
  const flush = () => {
    if (!waiting.length) return;
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > largestBytes) renameSync(path, `${path}.1`);
    appendFileSync(path, waiting.join(""));
    waiting = [];
  };
  const timer = setInterval(flush, 250);
  timer.unref();
  process.once("exit", flush);
  return {
    write: (entry) => waiting.push(linesOf(entry)),
    close: () => {
      clearInterval(timer);
      process.off("exit", flush);
      flush();
    },
  };
}

/** Returns a message unchanged if all its lines are JSON, as the Worker's messages are. Wraps other output in JSON. */
const linesOf = ({ level, message, at }) =>
  message.startsWith("{") && message.split("\n").every(isJson)
    ? `${message}\n`
    : `${JSON.stringify({ at: new Date(at).toISOString(), level, message })}\n`;

function isJson(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
