import type { Env } from "./env.ts";

/** A plain-text mail to one person. The only secret it may hold is a link made for its recipient. */
export interface Mail {
  /** Stays the same when the mail is sent again after an unknown outcome; ids sort by time. */
  id: string;
  to: string;
  subject: string;
  text: string;
  /** Headings beside those that every mail has. */
  headers?: Record<string, string>;
}

/** A mail as the local outbox keeps it. */
export interface StoredMail extends Mail {
  /** ISO 8601, UTC. */
  at: string;
}

/**
 * Sends a mail: by Cloudflare's e-mail binding, or on a developer's machine into an outbox that is shown at `/dev/mail`.
 * The outbox takes a mail once, however often it is sent.
 * @returns whether this deployment sends mail at all
 * @throws when the binding does not take it; it may be tried again
 */
export async function sendMail(env: Env, mail: Mail): Promise<boolean> {
  if (isLocal(env)) {
    const kept: StoredMail = { ...mail, at: new Date().toISOString() };
    await env.FILES.put(`${outbox}${mail.id}.json`, JSON.stringify(kept));
    return true;
  }
  if (!env.EMAIL || !env.MAIL_FROM) return false;
  const { to, subject, text, headers } = mail;
  await env.EMAIL.send({ from: env.MAIL_FROM, to, subject, text, ...(headers && { headers }) });
  return true;
}

/** Whether this deployment sends mail at all. */
export const canSendMail = (env: Env): boolean => isLocal(env) || Boolean(env.EMAIL && env.MAIL_FROM);

/** Whether this is a developer's machine, where mails come in and go out without leaving it. */
export const hasLocalMail = (env: Env): boolean => isLocal(env);

/** The outbox of a developer's machine, newest first; nothing on any other. */
export async function listLocalOutbox(env: Env): Promise<StoredMail[] | undefined> {
  if (!isLocal(env)) return undefined;
  const { objects } = await env.FILES.list({ prefix: outbox });
  const newest = objects
    .map(({ key }) => key)
    .sort()
    .toReversed()
    .slice(0, 100);
  const mails = await Promise.all(newest.map(async (key) => (await env.FILES.get(key))?.json<StoredMail>()));
  return mails.filter((mail) => mail !== undefined);
}

const isLocal = ({ LOCAL_MAIL }: Env) => LOCAL_MAIL === "true";

const outbox = "dev/mail/";
