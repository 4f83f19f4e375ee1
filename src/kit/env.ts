/** The bindings of `wrangler.toml`. Vars that are not set are absent, and everything works without them. */
export interface Env {
  COMPANIES: DurableObjectNamespace;
  ORDERS: DurableObjectNamespace;
  SUBSCRIPTIONS: DurableObjectNamespace;
  CLAIMS: DurableObjectNamespace;
  ARCHIVE: D1Database;
  FILES: R2Bucket;
  CHANGES: Queue<Job>;
  WORK: Queue<Job>;
  ASSETS: Fetcher;
  /** Public address of this deployment, for links in webhooks. */
  BASE_URL?: string;
  /** JSON, key → company id. Local use only. */
  LOCAL_KEYS?: string;
  /** Who may create companies. */
  OPERATOR_KEY?: string;
  /** 32 bytes in base64: seals what is secret at rest. */
  SEAL_KEY?: string;
  /** "true" lets webhooks reach http and private addresses. Local use only. */
  ALLOW_PRIVATE_WEBHOOKS?: string;
  /** Origins that browsers may call from, comma-separated, or "*". */
  CORS_ORIGINS?: string;
  /** Requests a second that each key may make, when its company has no figure of its own. */
  RATE_LIMIT_PER_SECOND?: string;
}

/** Objects that own a thing and decide about it. */
export type OwnerBinding = "COMPANIES" | "ORDERS" | "SUBSCRIPTIONS";

/** What a queue carries: which object waits for which work. Everything else the object knows. */
export interface Job {
  binding: OwnerBinding;
  company: string;
  id: string;
  work: string;
}
