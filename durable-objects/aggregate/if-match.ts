/** Whether an `If-Match` names this version. An ETag may carry a digest behind a dash; only the version is compared. */
export const matchesVersion = (header: string, version: number) =>
  header
    .split(",")
    .some((one) => one.trim() === "*" || /^"?(\d+)(?:-[^"]*)?"?$/.exec(one.trim())?.[1] === `${version}`);
