import type { Email } from "postal-mime";
import { sha256 } from "../platform/ids.ts";
import { contentOf } from "../extraction/formats/mail.ts";

// Identifies mails. Programs reuse a Message-ID for different mails, and the same mail may be delivered twice, each time with
// other transport headers (Received, DKIM-Signature, ARC-Seal) or another transfer encoding.

/** The id of a mail in a company: derived from its Message-ID, or else its date, and from its content. */
export async function mailIdOf(company: string, mail: Email): Promise<string> {
  return uuidOf(
    await sha256(JSON.stringify([company, messageIdOf(mail) ?? { date: mail.date }, await digestOf(mail)])),
  );
}

/**
 * The id in earlier releases: derived from the Message-ID alone, or else from the bytes.
 * @param digest SHA-256 of its bytes
 */
export async function earlierMailIdOf(company: string, mail: Email, digest: string): Promise<string> {
  return uuidOf(await sha256(`${company}/${messageIdOf(mail) ?? digest}`));
}

/** Whether two mails with the same Message-ID, or the same bytes, have the same content. */
export const isSameMail = async (one: Email, other: Email): Promise<boolean> =>
  (await digestOf(one)) === (await digestOf(other));

const messageIdOf = (mail: Email): string | undefined => mail.messageId?.trim() || undefined;

/** Digest of the sender's content, without headers that mail servers add or rewrite. */
async function digestOf({ from, subject, text, html, attachments }: Email): Promise<string> {
  const files = await Promise.all(
    attachments.map(async (attachment) => [attachment.filename ?? "", await sha256(contentOf(attachment))]),
  );
  const sender = from?.address?.toLowerCase() ?? "";
  return sha256(JSON.stringify([sender, plain(subject), plain(text), plain(html), files]));
}

/** Mail servers change line breaks and the end of bodies. */
const plain = (text = "") => text.replace(/\r\n?/g, "\n").trimEnd();

/** The first 32 digits of a digest as an id. */
const uuidOf = (hex: string) => hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
