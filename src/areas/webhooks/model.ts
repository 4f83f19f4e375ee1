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

// State. Deliveries are stored in tables of their own.

export interface Subscription {
  eventTypes: string[];
  /** Absent for AWS receivers. */
  callbackUrl?: string;
  /** Absent means none. */
  authentication?: SealedAuthentication;
  payload: "Thin" | "Full";
  description?: string;
  /** Encrypted; all that have not expired sign, newest first. */
  secrets: SealedSecret[];
  /** Incremented by each reset: attempts begun before it no longer count. */
  epoch: number;
  emails?: Recipient[];
  /** When addresses were added in the last day. */
  added?: string[];
  /** Base address of this deployment, for links in mails. */
  address: string;
  /** A replay in progress: events after this position of the log, and since this time. */
  replay?: { after: number; since: string };
  /** Account of the key that created it, if any. */
  accountId?: string;
  /** Whether its account is blocked, since the last change: while it is, nothing is sent. */
  standing?: { turn: number; isBlocked: boolean };
  /** Whether its company is suspended, as of the last suspension or resumption: while it is, nothing is sent. */
  hold?: { turn: number; isHeld: boolean };
  createdAt: string;
  /** Absent for webhooks of earlier releases that were not changed since. */
  updatedAt?: string;
  deletedAt?: string;
  metadata?: undefined;
}

export interface SealedSecret {
  sealed: string;
  createdAt: string;
  /** When it stops signing. */
  expiresAt?: string;
}

export interface Recipient {
  email: string;
  addedAt: string;
}

/** Whether its account is blocked or its company suspended: only deliveries requested by hand are sent. */
export const isPaused = ({ standing, hold }: Subscription): boolean =>
  standing?.isBlocked === true || hold?.isHeld === true;

/** Contexts to which its signing secrets and its credentials are bound by encryption. */
export const sealsOf = (company: string, subscriptionId: string) => ({
  secret: `${company}/webhooks/${subscriptionId}/secret`,
  authentication: `${company}/webhooks/${subscriptionId}/authentication`,
});

/** The subscription with its secrets encrypted with the current key. */
export function resealed(env: Env, company: string, id: string, subscription: Subscription): Subscription {
  const about = sealsOf(company, id);
  const { secrets, authentication } = subscription;
  return {
    ...subscription,
    secrets: secrets.map((one) => ({ ...one, sealed: resealedSecret(env, about.secret, one.sealed) })),
    ...(authentication && { authentication: resealAuthentication(env, about.authentication, authentication) }),
  };
}

/** Context of the secret in the link that ends mails to an address. */
export const aboutMail = (email: string) => `mail/${email.toLowerCase()}`;

export const noAuthentication: SealedAuthentication = { sealed: { type: "None" } };
