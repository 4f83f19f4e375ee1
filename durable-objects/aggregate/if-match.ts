/** Whether an `If-Match` names this version. What follows a dash in an ETag is a digest of what else was shown; only the version is ours to compare. */
export const matches = (header: string, version: number) =>
  header
    .split(",")
    .some((one) => one.trim() === "*" || /^"?(\d+)(?:-[^"]*)?"?$/.exec(one.trim())?.[1] === `${version}`);
