import type { AggregateBinding } from "./registered.ts";

/** Bindings and variables of `wrangler.toml`. Variables are optional. */
export interface Env extends Record<AggregateBinding, DurableObjectNamespace> {
  CLAIMS: DurableObjectNamespace;
  ARCHIVE: D1Database;
  FILES: R2Bucket;
  CHANGES: Queue<Job>;
  WORK: Queue<Job>;
  ASSETS: Fetcher;
  /** The OCR Worker (`workers/ocr`), if it is deployed. */
  OCR?: Fetcher;
  /** Number of pages that OCR processes concurrently; default 1. Use more if OCR runs on several cores. */
  OCR_AT_ONCE?: string;
  /** Public base URL of this deployment, for links in webhooks. */
  BASE_URL?: string;
  /** JSON object of keys and their company ids. Local use only. */
  LOCAL_KEYS?: string;
  /** The key of the operator, who may create companies. */
  OPERATOR_KEY?: string;
  /**
   * Keys that encrypt secrets at rest. Each is an id, a colon and 32 bytes in base64. The first key encrypts, all keys
   * decrypt.
   */
  SEAL_KEYS?: string;
  /** A key without an id: 32 bytes in base64. It follows the keys of `SEAL_KEYS`, or is the only key. */
  SEAL_KEY?: string;
  /** "true" allows calls to http and to private addresses, without a DNS lookup. Local use only. */
  ALLOW_PRIVATE_WEBHOOKS?: string;
  /**
   * URL of the resolver for the host names of other systems: DNS over HTTPS in the JSON format. Default: Cloudflare's.
   */
  DNS_RESOLVER?: string;
  /** Timeout of a call to another system, in milliseconds; default and maximum 15000. */
  WEBHOOK_TIMEOUT_MS?: string;
  /** Workers AI, a language model that assists extraction. */
  AI?: Pick<Ai, "run">;
  /** URL of a language model with a chat completions API. It takes precedence over `AI`. */
  LLM_URL?: string;
  /**
   * Name of the model. A model of Workers AI must support JSON schemas. The server of `LLM_URL` may have its own
   * default.
   */
  LLM_MODEL?: string;
  /** Bearer token for `LLM_URL`. */
  LLM_KEY?: string;
  /** Timeout of the language model for one file, in milliseconds; default 30000, maximum 45000. */
  LLM_TIMEOUT_MS?: string;
  /** URL of exchange rates in the XML format of the European Central Bank. Without it, no rates are fetched. */
  EXCHANGE_RATES_URL?: string;
  /** The binding that sends mail. */
  EMAIL?: SendEmail;
  /** Sender of mails: an address in a domain that is configured for sending. */
  MAIL_FROM?: string;
  /** Domain of the addresses at which companies receive mail; default the domain of `MAIL_FROM`. */
  MAIL_DOMAIN?: string;
  /** "true" stores mails in a local outbox that is shown at `/dev/mail`. Local use only. */
  LOCAL_MAIL?: string;
  /**
   * Number of consecutive failures, and their minimum duration in seconds, before a webhook is disabled; default 20 and
   * one day.
   */
  FAILURE_LIMIT?: string;
  FAILURE_MIN_AGE_S?: string;
  /**
   * Time budget of one run of a privacy or retention job, in milliseconds: default 20000 for an erasure or export,
   * 10000 for retention.
   */
  PRIVACY_STRETCH_MS?: string;
  /** Minimum time from the request of an erasure to its last round, in milliseconds; default 120000. */
  PRIVACY_SETTLE_MS?: string;
  /** Allowed CORS origins, separated by commas, or "*". */
  CORS_ORIGINS?: string;
  /** Requests per second for each key whose company has not set a limit. */
  RATE_LIMIT_PER_SECOND?: string;
  /** Maximum limit that a company may set for its keys; default 1000. */
  RATE_LIMIT_CEILING_PER_SECOND?: string;
  /** Wrong keys and links that one IP address may send per minute; default 60. */
  WRONG_KEYS_PER_MINUTE?: string;
}

/** A queue message: an aggregate and the name of its job. All other data is in the aggregate. */
export interface Job {
  binding: AggregateBinding;
  company: string;
  id: string;
  work: string;
}
