import type { Health, Transition } from "./health.ts";

/** What a mail is about. Nothing secret: not the path of the address, nor what is sent there. */
export interface About {
  host: string;
  description?: string;
  subscriptionId: string;
  /** The address that ends these mails. */
  end: string;
}

type Run = Pick<Health, "failures" | "disabled">;

interface Wording {
  subject: string;
  text: string;
}

const words: Record<Transition, (host: string, run: Run) => Wording> = {
  Failing: (host, { failures }) => ({
    subject: `Webhook to ${host} is failing`,
    text: `The last ${failures} deliveries to ${host} have failed, for ten minutes or longer. Nothing is lost: each is tried again for three days.`,
  }),
  HalfWay: (host, { failures }) => ({
    subject: `Webhook to ${host} will be disabled`,
    text: `Deliveries to ${host} have failed ${failures} times in a row. If that goes on the webhook will be disabled; what it would have got is then kept until it is reset, for 14 days.`,
  }),
  Disabled: (host, { disabled, failures }) => ({
    subject: `Webhook to ${host} is disabled`,
    text: `${disabled === "Gone" ? `${host} has answered 410, that it is gone` : `${failures} deliveries in a row have failed`}. Nothing is sent to ${host} any more. What happens is kept for 14 days and goes out in its order when the webhook is reset: PUT /api/v1/webhooks/{subscriptionId}/reset.`,
  }),
  Recovered: (host) => ({
    subject: `Webhook to ${host} is well again`,
    text: `Deliveries to ${host} arrive again. What had failed is being sent in its order.`,
  }),
};

/** The mail that tells of a change for better or worse. */
export function warning(transition: Transition, about: About, run: Run): Wording {
  const { subject, text } = words[transition](about.host, run);
  return { subject, text: framed(text, about) };
}

/** The first mail to a new address. */
export const greeting = (about: About): Wording => ({
  subject: `You will hear when the webhook to ${about.host} fails`,
  text: framed("This address was entered as one that is told when a webhook of Lorry fails.", about),
});

const framed = (text: string, { description, subscriptionId, end }: About) =>
  `${text}

Webhook: ${description ? `${description}, ` : ""}${subscriptionId}

No more of these mails: ${end}
`;
