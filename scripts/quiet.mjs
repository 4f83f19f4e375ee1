/** Environment variables that disable wrangler's and miniflare's prompts, announcements and telemetry. */
const quiet = {
  CI: "1",
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  DO_NOT_TRACK: "1",
  WRANGLER_HIDE_BANNER: "true",
  WRANGLER_SEND_ERROR_REPORTS: "false",
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_WRITE_LOGS: "false",
  X_LOCAL_EXPLORER: "false",
  X_LOCAL_OBSERVABILITY: "false",
  NODE_NO_WARNINGS: "1",
};

/** Sets these variables for this process and its children. Call this before importing wrangler. */
export function quietWrangler() {
  process.env.RUNS_IN_CI = String(runsInCi());
  Object.assign(process.env, quiet);
}

/** Whether this is CI (`CI=true`). `quietWrangler` sets `CI` itself, so it first records the answer in `RUNS_IN_CI`. */
export const runsInCi = ({ RUNS_IN_CI, CI } = process.env) => /^(true|1)$/i.test(RUNS_IN_CI ?? CI ?? "");
