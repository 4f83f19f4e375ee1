import type { AggregateBinding } from "./registered.ts";

/** The bindings of `wrangler.toml`. Vars that are not set are absent, and everything works without them. */
export interface Env extends Record<AggregateBinding, DurableObjectNamespace> {
  CLAIMS: DurableObjectNamespace;
  ARCHIVE: D1Database;
  FILES: R2Bucket;
  CHANGES: Queue<Job>;
  WORK: Queue<Job>;
  ASSETS: Fetcher;
  /** Reads the words on pictures (`workers/ocr`), when the deployment has it. */
  OCR?: Fetcher;
  /** How many pages OCR reads at the same time, 1 when not set: more where it runs on several cores. */
  OCR_AT_ONCE?: string;
  /** Public address of this deployment, for links in webhooks. */
  BASE_URL?: string;
  /** JSON, key → company id. Local use only. */
  LOCAL_KEYS?: string;
  /** Who may create companies. */
  OPERATOR_KEY?: string;
  /** Keys that seal what is secret at rest, each an id, a colon and 32 bytes in base64: the first seals, all of them open. */
  SEAL_KEYS?: string;
  /** A key without an id, 32 bytes in base64: the last of them, or the only one. */
  SEAL_KEY?: string;
  /** "true" lets calls out reach http and private addresses, and looks no name up. Local use only. */
  ALLOW_PRIVATE_WEBHOOKS?: string;
  /** Who looks up the names that are called: DNS over HTTPS, in its JSON form. Cloudflare's when not set. */
  DNS_RESOLVER?: string;
  /** Milliseconds a call out may take, 15000 when not set and at most. */
  WEBHOOK_TIMEOUT_MS?: string;
  /** Workers AI: the language model that is a second reading engine, when the deployment has it. */
  AI?: Pick<Ai, "run">;
  /** The same at any address that speaks chat completions; it goes before the binding. */
  LLM_URL?: string;
  /** Which model; of Workers AI one that answers by a schema. An address may have one of its own. */
  LLM_MODEL?: string;
  /** Bearer token of the address. */
  LLM_KEY?: string;
  /** Milliseconds a model has for one file, 30000 when not set, 45000 at most. */
  LLM_TIMEOUT_MS?: string;
  /** Where reference rates of currencies are fetched from, in the XML of the European Central Bank; none are when not set. */
  EXCHANGE_RATES_URL?: string;
  /** Sends mail, when the deployment has it. */
  EMAIL?: SendEmail;
  /** Who mails come from: an address of a domain that is set up for sending. */
  MAIL_FROM?: string;
  /** Where mails to companies go, when it is not the domain of MAIL_FROM. */
  MAIL_DOMAIN?: string;
  /** "true" keeps mails in an outbox shown at `/dev/mail`. Local use only. */
  LOCAL_MAIL?: string;
  /** Failures in a row, and seconds they must go on, before a webhook is disabled: 20 and a day when not said. */
  FAILURE_LIMIT?: string;
  FAILURE_MIN_AGE_S?: string;
  /** Milliseconds an erasure or an export goes on at one time, 20000 when not set, or retention, 10000 then. */
  PRIVACY_STRETCH_MS?: string;
  /** Milliseconds after its request at which the last round of an erasure begins at the earliest, 120000 when not set. */
  PRIVACY_SETTLE_MS?: string;
  /** Origins that browsers may call from, comma-separated, or "*". */
  CORS_ORIGINS?: string;
  /** Requests a second that each key may make, when its company has no figure of its own. */
  RATE_LIMIT_PER_SECOND?: string;
  /** The most that a company may choose for its keys, 1000 when not set. */
  RATE_LIMIT_CEILING_PER_SECOND?: string;
  /** Wrong keys and links that one address may send in a minute, 60 when not set. */
  WRONG_KEYS_PER_MINUTE?: string;
}

/** What a queue carries: which object waits for which work. Everything else the object knows. */
export interface Job {
  binding: AggregateBinding;
  company: string;
  id: string;
  work: string;
}
