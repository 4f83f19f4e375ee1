import type { AggregateBinding } from "./registered.ts";

/** The bindings of `wrangler.toml`. Vars that are not set are absent, and everything works without them. */
export interface Env extends Record<AggregateBinding, DurableObjectNamespace> {
  CLAIMS: DurableObjectNamespace;
  ARCHIVE: D1Database;
  FILES: R2Bucket;
  CHANGES: Queue<Job>;
  WORK: Queue<Job>;
  ASSETS: Fetcher;
  /** The OCR Worker (`workers/ocr`), if it is deployed. */
  OCR?: Fetcher;
  /** Pages that OCR processes concurrently, default 1; more if it runs on several cores. */
  OCR_AT_ONCE?: string;
  /** Public address of this deployment, for links in webhooks. */
  BASE_URL?: string;
  /** JSON, key → company id. Local use only. */
  LOCAL_KEYS?: string;
  /** The key of the operator, who may create companies. */
  OPERATOR_KEY?: string;
  /** Keys that encrypt secrets at rest, each an id, a colon and 32 bytes in base64: the first encrypts, all decrypt. */
  SEAL_KEYS?: string;
  /** A key without an id, 32 bytes in base64: the last of the keys, or the only one. */
  SEAL_KEY?: string;
  /** "true" allows calls to http and private addresses, without a lookup. Local use only. */
  ALLOW_PRIVATE_WEBHOOKS?: string;
  /** Resolver for the names of other systems: DNS over HTTPS in JSON; default Cloudflare's. */
  DNS_RESOLVER?: string;
  /** Time limit of a call to another system, in milliseconds; default and maximum 15000. */
  WEBHOOK_TIMEOUT_MS?: string;
  /** Workers AI, the language model that assists extraction, if the deployment has it. */
  AI?: Pick<Ai, "run">;
  /** A language model behind a chat completions API; takes precedence over the binding. */
  LLM_URL?: string;
  /** The model; one of Workers AI must support JSON schemas. A URL may have its own default. */
  LLM_MODEL?: string;
  /** Bearer token of `LLM_URL`. */
  LLM_KEY?: string;
  /** Time limit of the model for one file, in milliseconds; default 30000, maximum 45000. */
  LLM_TIMEOUT_MS?: string;
  /** URL of exchange rates in the XML of the European Central Bank; without it there are none. */
  EXCHANGE_RATES_URL?: string;
  /** Sends mail, if the deployment has it. */
  EMAIL?: SendEmail;
  /** The sender of mails: an address of a domain that is configured for sending. */
  MAIL_FROM?: string;
  /** Domain of the incoming addresses of companies; default the domain of MAIL_FROM. */
  MAIL_DOMAIN?: string;
  /** "true" keeps mails in an outbox shown at `/dev/mail`. Local use only. */
  LOCAL_MAIL?: string;
  /** Consecutive failures, and their duration in seconds, before a webhook is disabled; default 20 and one day. */
  FAILURE_LIMIT?: string;
  FAILURE_MIN_AGE_S?: string;
  /** Time budget of one run in milliseconds: of an erasure or export, default 20000; of retention, default 10000. */
  PRIVACY_STRETCH_MS?: string;
  /** Earliest start of the last round of an erasure, in milliseconds after its request; default 120000. */
  PRIVACY_SETTLE_MS?: string;
  /** Allowed CORS origins, comma-separated, or "*". */
  CORS_ORIGINS?: string;
  /** Requests per second of each key, unless its company has set a limit. */
  RATE_LIMIT_PER_SECOND?: string;
  /** Highest limit that a company may set for its keys; default 1000. */
  RATE_LIMIT_CEILING_PER_SECOND?: string;
  /** Invalid keys and links that one address may send per minute; default 60. */
  WRONG_KEYS_PER_MINUTE?: string;
}

/** A queue message: an aggregate and the name of its job. The aggregate has all other data. */
export interface Job {
  binding: AggregateBinding;
  company: string;
  id: string;
  work: string;
}
