import * as z from "zod";
import type { Env } from "../../platform/env.ts";
import { resealAuthentication, type SealedAuthentication } from "../../platform/receivers/index.ts";
import { reseal as resealedSecret } from "../../platform/seal.ts";

/** Events about webhooks themselves. */
export const events = {
  Test: z.object({ message: z.string() }).meta({
    id: "Test",
    description: "Sent on request to test a receiver.",
    examples: [{ message: "Hello from Lorry." }],
  }),
};

// Deliveries are stored in separate tables.

export interface Subscription {
  eventTypes: string[];
  /** Absent for AWS receivers. */
  callbackUrl?: string;
  authentication?: SealedAuthentication;
  payload: "Thin" | "Full";
  description?: string;
  /** Sealed signing secrets, newest first. All secrets that have not expired sign deliveries. */
  secrets: SealedSecret[];
  /** Incremented by each reset and change of the receiver. Attempts that began in an earlier epoch do not count. */
  epoch: number;
  emails?: Recipient[];
  /** When mail addresses were added during the last day: one timestamp per address. */
  added?: string[];
  /** Base URL of this deployment, for links in mails. */
  address: string;
  /** The replay in progress: of events after the position `after` of the event log, and not older than `since`. */
  replay?: { after: number; since: string };
  accountId?: string;
  /** Whether its account is blocked, as of the change with the sequence number `turn`. */
  standing?: { turn: number; isBlocked: boolean };
  /** Whether its company is suspended, as of the change with the sequence number `turn`. */
  hold?: { turn: number; isHeld: boolean };
  createdAt: string;
  /** Absent for webhooks of earlier releases that were not changed since then. */
  updatedAt?: string;
  deletedAt?: string;
  metadata?: undefined;
}

export interface SealedSecret {
  sealed: string;
  createdAt: string;
  /** When the secret stops signing. Absent for the current secret. */
  expiresAt?: string;
}

export interface Recipient {
  email: string;
  addedAt: string;
}

/**
 * Whether the account of the webhook is blocked or its company suspended. Then only deliveries that a request resends
 * are sent.
 */
export const isPaused = ({ standing, hold }: Subscription): boolean =>
  standing?.isBlocked === true || hold?.isHeld === true;

/** Returns the purposes for which the secrets of a webhook are sealed: each can be unsealed only for its own. */
export const sealsOf = (company: string, subscriptionId: string) => ({
  secret: `${company}/webhooks/${subscriptionId}/secret`,
  authentication: `${company}/webhooks/${subscriptionId}/authentication`,
});

/** Seals the secrets of a subscription again with the current key. */
export function resealed(env: Env, company: string, id: string, subscription: Subscription): Subscription {
  const about = sealsOf(company, id);
  const { secrets, authentication } = subscription;
  return {
    ...subscription,
    secrets: secrets.map((one) => ({ ...one, sealed: resealedSecret(env, about.secret, one.sealed) })),
    ...(authentication && { authentication: resealAuthentication(env, about.authentication, authentication) }),
  };
}

/** Returns the purpose of the secret in the link that unsubscribes a mail address. */
export const aboutMail = (email: string) => `mail/${email.toLowerCase()}`;

export const noAuthentication: SealedAuthentication = { sealed: { type: "None" } };
