/** Fields must not hold bodies or secrets. */
export interface Line {
  what: string;
  [field: string]: string | number | boolean | undefined;
}

/** Lines that wait to be written together, and since when, in milliseconds since 1970. */
const gathered: string[] = [];
let gatheredSince = 0;
const gatherMilliseconds = 50;
const mostGathered = 64;

/** Writes one JSON line. */
export function log(line: Line): void {
  console.log(written(line));
}

/**
 * One JSON line of what happens often: a request, a delivery. Writing costs the runtime as much as a small request, so the
 * lines of one moment go out in one message, a line each.
 * @param context of a request, which waits for them when it is the first; an object lives long enough by itself
 */
export function logSoon(line: Line, context?: Pick<ExecutionContext, "waitUntil">): void {
  if (gathered.push(written(line)) === 1) {
    gatheredSince = Date.now();
    const flushed = new Promise<void>((passed) => setTimeout(passed, gatherMilliseconds)).then(flush);
    context?.waitUntil(flushed);
  }
  // The first request may be cut off while it waits.
  else if (gathered.length >= mostGathered || Date.now() - gatheredSince > 2 * gatherMilliseconds) flush();
}

function flush(): void {
  if (gathered.length > 0) console.log(gathered.splice(0).join("\n"));
}

const written = (line: Line) => JSON.stringify({ at: new Date().toISOString(), ...line });

/** Logs an internal error with its cause, for the operator. */
export function logFault(what: string, error: unknown, more: Record<string, string | number | undefined> = {}): void {
  const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
  console.error(
    JSON.stringify({ at: new Date().toISOString(), level: "error", what, ...more, cause: cause.slice(0, 2000) }),
  );
}
