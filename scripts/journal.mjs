import { appendFileSync, mkdirSync, renameSync, statSync } from "node:fs";
import { dirname } from "node:path";

const largestBytes = 16 * 1024 * 1024;

/**
 * A file of JSON lines that the running Worker's messages go to. Past 16 MiB it is kept once as `.1` and begun anew.
 * Without a path nothing is kept.
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

/** Lines of the Worker are JSON, several in one message; other output is wrapped in JSON. */
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
