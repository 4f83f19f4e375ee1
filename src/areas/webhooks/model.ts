import * as z from "zod";
import type { Env } from "../../platform/env.ts";
import { resealAuthentication, type SealedAuthentication } from "../../platform/receivers/index.ts";
import { reseal as resealedSecret } from "../../platform/seal.ts";

/** What happens around webhooks themselves. */
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
  /** Not with receivers of AWS. */
  callbackUrl?: string;
  /** None when it is not there. */
  authentication?: SealedAuthentication;
  payload: "Thin" | "Full";
  description?: string;
  /** Sealed; all of them sign, newest first. */
  secrets: SealedSecret[];
  /** Rises with each reset: what began before it no longer counts. */
  epoch: number;
  emails?: Recipient[];
  /** When addresses were added of late. */
  added?: string[];
  /** Where this deployment is reached, for links in mails. */
  address: string;
  /** What is to be sent once more: events after this position of the log, and not before this moment. */
  replay?: { after: number; since: string };
  /** Whose key made it, when it is somebody's. */
  accountId?: string;
  /** How the account stands, as of the last time it was blocked or unblocked: while it is, nothing is sent. */
  standing?: { turn: number; isBlocked: boolean };
  /** Whether its company is suspended, as of the last suspension or resumption: while it is, nothing is sent. */
  hold?: { turn: number; isHeld: boolean };
  createdAt: string;
  /** Not with those of earlier releases that nothing was decided about since. */
  updatedAt?: string;
  deletedAt?: string;
  metadata?: undefined;
}

export interface SealedSecret {
  sealed: string;
  createdAt: string;
  /** It signs no longer. */
  expiresAt?: string;
}

export interface Recipient {
  email: string;
  addedAt: string;
}

/** Whether whoever made it is blocked, or its company suspended: nothing goes out but what is asked for by hand. */
export const isPaused = ({ standing, hold }: Subscription): boolean =>
  standing?.isBlocked === true || hold?.isHeld === true;

/** What the secrets that sign, and those that prove who we are, are bound to. */
export const sealsOf = (company: string, subscriptionId: string) => ({
  secret: `${company}/webhooks/${subscriptionId}/secret`,
  authentication: `${company}/webhooks/${subscriptionId}/authentication`,
});

/** The same, its secrets sealed with the key that seals now. */
export function resealed(env: Env, company: string, id: string, subscription: Subscription): Subscription {
  const about = sealsOf(company, id);
  const { secrets, authentication } = subscription;
  return {
    ...subscription,
    secrets: secrets.map((one) => ({ ...one, sealed: resealedSecret(env, about.secret, one.sealed) })),
    ...(authentication && { authentication: resealAuthentication(env, about.authentication, authentication) }),
  };
}

/** What the link that ends mails to an address is made from. */
export const aboutMail = (email: string) => `mail/${email.toLowerCase()}`;

export const noAuthentication: SealedAuthentication = { sealed: { type: "None" } };
