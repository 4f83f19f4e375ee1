import type { Health, Transition } from "./health.ts";

/** The webhook that a mail is about. No secrets: neither the path of the callback URL nor data of deliveries. */
export interface About {
  host: string;
  description?: string;
  subscriptionId: string;
  unsubscribeUrl: string;
}

type Run = Pick<Health, "failures" | "disabled">;

interface Wording {
  subject: string;
  text: string;
}

const words: Record<Transition, (host: string, run: Run) => Wording> = {
  Failing: (host, { failures }) => ({
    subject: `Webhook to ${host} is failing`,
    text: `The last ${failures} deliveries to ${host} have failed, for at least ten minutes. No event is lost: each delivery is retried for three days.`,
  }),
  HalfWay: (host, { failures }) => ({
    subject: `Webhook to ${host} will be disabled`,
    text: `Deliveries to ${host} have failed ${failures} times in a row. If they continue to fail, the webhook will be disabled. Its events are then kept for 14 days or until it is reset.`,
  }),
  Disabled: (host, { disabled, failures }) => ({
    subject: `Webhook to ${host} is disabled`,
    text: `${disabled === "Gone" ? `${host} has answered 410 (Gone)` : `${failures} deliveries in a row have failed`}. No more events are sent to ${host}. They are kept for 14 days and are sent in order when the webhook is reset: PUT /api/v1/webhooks/{subscriptionId}/reset.`,
  }),
  Recovered: (host) => ({
    subject: `Webhook to ${host} has recovered`,
    text: `Deliveries to ${host} succeed again. Failed deliveries are being sent in order.`,
  }),
};

/** Writes the mail about a change of the webhook's health. */
export function warning(transition: Transition, about: About, run: Run): Wording {
  const { subject, text } = words[transition](about.host, run);
  return { subject, text: framed(text, about) };
}

/** Writes the first mail to a new address. */
export const greeting = (about: About): Wording => ({
  subject: `You will be notified when the webhook to ${about.host} fails`,
  text: framed("This address was registered to be notified when a webhook of Lorry fails.", about),
});

const framed = (text: string, { description, subscriptionId, unsubscribeUrl: end }: About) =>
  `${text}

Webhook: ${description ? `${description}, ` : ""}${subscriptionId}

No more of these mails: ${end}
`;
