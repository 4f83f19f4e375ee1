/** One JSON line for each request and each background step. Fields are chosen by the caller: no bodies, no secrets. */
export function log(line: { what: string; [field: string]: string | number | boolean | undefined }): void {
  console.log(JSON.stringify({ at: new Date().toISOString(), ...line }));
}

/** A fault of ours, with its cause for the operator. */
export function logFault(what: string, error: unknown, more: Record<string, string | number | undefined> = {}): void {
  const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
  console.error(
    JSON.stringify({ at: new Date().toISOString(), level: "error", what, ...more, cause: cause.slice(0, 2000) }),
  );
}
