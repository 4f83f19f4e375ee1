import type { Env } from "./env.ts";

/** A plain-text mail to one recipient. The only secret that it may contain is a link for this recipient. */
export interface Mail {
  /** Unchanged when the mail is sent again after an unknown outcome. Ids sort by time. */
  id: string;
  to: string;
  subject: string;
  text: string;
  headers?: Record<string, string>;
}

/** A mail in the local outbox. */
export interface StoredMail extends Mail {
  /** ISO 8601, UTC. */
  at: string;
}

/**
 * Sends a mail with the e-mail binding of Cloudflare. A local deployment stores it in an outbox that is shown at
 * `/dev/mail`.
 * @returns whether this deployment can send mail
 * @throws Error if the binding refuses the mail; sending may be repeated
 */
export async function sendMail(env: Env, mail: Mail): Promise<boolean> {
  if (hasLocalMail(env)) {
    const stored: StoredMail = { ...mail, at: new Date().toISOString() };
    await env.FILES.put(`${outbox}${mail.id}.json`, JSON.stringify(stored));
    return true;
  }
  if (!env.EMAIL || !env.MAIL_FROM) return false;
  const { to, subject, text, headers } = mail;
  await env.EMAIL.send({ from: env.MAIL_FROM, to, subject, text, ...(headers && { headers }) });
  return true;
}

/** Whether this deployment can send mail. */
export const canSendMail = (env: Env): boolean => hasLocalMail(env) || Boolean(env.EMAIL && env.MAIL_FROM);

/** Returns up to 100 mails of the local outbox, newest first; undefined if this is not a local deployment. */
export async function listLocalOutbox(env: Env): Promise<StoredMail[] | undefined> {
  if (!hasLocalMail(env)) return undefined;
  const { objects } = await env.FILES.list({ prefix: outbox });
  const newest = objects
    .map(({ key }) => key)
    .sort()
    .toReversed()
    .slice(0, 100);
  const mails = await Promise.all(newest.map(async (key) => (await env.FILES.get(key))?.json<StoredMail>()));
  return mails.filter((mail) => mail !== undefined);
}

/** Whether mails are stored in the local outbox instead of being sent. */
export const hasLocalMail = ({ LOCAL_MAIL }: Env): boolean => LOCAL_MAIL === "true";

const outbox = "dev/mail/";
