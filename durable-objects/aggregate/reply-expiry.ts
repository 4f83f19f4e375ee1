/** How long replies are stored by idempotency key. */
export const replyLifetimeMilliseconds = 24 * 60 * 60 * 1000;

/** Expired replies are purged at most once in this interval. */
const purgeIntervalMilliseconds = 60_000;

/** When replies that expire at a time are purged; both in milliseconds since 1970. */
export const purgeTimeOf = (expiry: number): number =>
  Math.ceil(expiry / purgeIntervalMilliseconds) * purgeIntervalMilliseconds;
