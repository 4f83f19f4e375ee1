/** A line of the log. It must not contain bodies or secrets. */
export interface LogLine {
  what: string;
  [field: string]: string | number | boolean | undefined;
}

/** These lines are not written yet. */
const buffered: string[] = [];
let bufferedSince = 0;
const bufferMilliseconds = 50;
const maxBuffered = 64;

/** Writes one JSON line. */
export function log(line: LogLine): void {
  console.log(toJson(line));
}

/**
 * Logs a frequent event, such as a request or a delivery. Lines within 50 ms are written as one message, because
 * writing a line costs as much as a small request.
 * @param context keeps the request alive until the lines are written; not needed in a Durable Object
 */
export function logBuffered(line: LogLine, context?: Pick<ExecutionContext, "waitUntil">): void {
  if (buffered.push(toJson(line)) === 1) {
    bufferedSince = Date.now();
    const flushed = new Promise<void>((resolve) => setTimeout(resolve, bufferMilliseconds)).then(flush);
    context?.waitUntil(flushed);
  }
  // The request that set the timer may be terminated before the timer fires, so a later line also flushes.
  else if (buffered.length >= maxBuffered || Date.now() - bufferedSince > 2 * bufferMilliseconds) flush();
}

function flush(): void {
  if (buffered.length > 0) console.log(buffered.splice(0).join("\n"));
}

const toJson = (line: LogLine) => JSON.stringify({ at: new Date().toISOString(), ...line });

/** Logs an internal error with its cause, for the operator. */
export function logFault(what: string, error: unknown, more: Record<string, string | number | undefined> = {}): void {
  const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
  console.error(
    JSON.stringify({ at: new Date().toISOString(), level: "error", what, ...more, cause: cause.slice(0, 2000) }),
  );
}
