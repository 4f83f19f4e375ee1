import { appendFileSync, mkdirSync, renameSync, statSync } from "node:fs";
import { dirname } from "node:path";

const largestBytes = 16 * 1024 * 1024;

/**
 * Opens a file of JSON lines for the running Worker's messages. Past 16 MiB the file is renamed to `.1` and a new one is begun.
 * Without a path the messages are discarded.
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

/** A Worker's message is one or more lines of JSON; other output is wrapped in JSON. */
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
