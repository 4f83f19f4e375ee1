/** Fields must not hold bodies or secrets. */
export interface LogLine {
  what: string;
  [field: string]: string | number | boolean | undefined;
}

/** Lines that wait to be written together, and since when, in milliseconds since 1970. */
const buffered: string[] = [];
let bufferedSince = 0;
const bufferMilliseconds = 50;
const maxBuffered = 64;

/** Writes one JSON line. */
export function log(line: LogLine): void {
  console.log(toJson(line));
}

/**
 * One JSON line of what happens often: a request, a delivery. Writing costs the runtime as much as a small request, so the
 * lines of one moment go out in one message, a line each.
 * @param context of a request, which waits for them when it is the first; an object lives long enough by itself
 */
export function logBuffered(line: LogLine, context?: Pick<ExecutionContext, "waitUntil">): void {
  if (buffered.push(toJson(line)) === 1) {
    bufferedSince = Date.now();
    const flushed = new Promise<void>((passed) => setTimeout(passed, bufferMilliseconds)).then(flush);
    context?.waitUntil(flushed);
  }
  // The first request may be cut off while it waits.
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
