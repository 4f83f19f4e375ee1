/** What keeps wrangler and miniflare from asking, announcing, measuring and reaching for a network. */
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

/** Quiets wrangler in this process and in those it starts; call before importing it. */
export function quietWrangler() {
  process.env.RUNS_IN_CI = String(runsInCi());
  Object.assign(process.env, quiet);
}

/** Whether this is CI, which says so by `CI=true`. Wrangler is told the same everywhere, so that it is remembered beside that. */
export const runsInCi = ({ RUNS_IN_CI, CI } = process.env) => /^(true|1)$/i.test(RUNS_IN_CI ?? CI ?? "");
