import type { Email } from "postal-mime";
import { sha256 } from "../platform/ids.ts";
import { contentOf } from "../extraction/formats/mail.ts";

// Identifies mails. Programs reuse a Message-ID for different mails. The same mail may also be delivered twice, with
// other transport headers (Received, DKIM-Signature, ARC-Seal) or another transfer encoding.

/** Computes the id of a mail in a company, from its content and its Message-ID or, without one, its date. */
export async function mailIdOf(company: string, mail: Email): Promise<string> {
  return uuidOf(
    await sha256(JSON.stringify([company, messageIdOf(mail) ?? { date: mail.date }, await digestOf(mail)])),
  );
}

/**
 * Computes the id that earlier releases gave a mail, from its Message-ID or, without one, its bytes.
 * @param digest SHA-256 of the bytes
 */
export async function earlierMailIdOf(company: string, mail: Email, digest: string): Promise<string> {
  return uuidOf(await sha256(`${company}/${messageIdOf(mail) ?? digest}`));
}

/** Whether two mails have the same content. */
export const isSameMail = async (one: Email, other: Email): Promise<boolean> =>
  (await digestOf(one)) === (await digestOf(other));

const messageIdOf = (mail: Email): string | undefined => mail.messageId?.trim() || undefined;

/** Leaves out the headers that mail servers add or rewrite. */
async function digestOf({ from, subject, text, html, attachments }: Email): Promise<string> {
  const files = await Promise.all(
    attachments.map(async (attachment) => [attachment.filename ?? "", await sha256(contentOf(attachment))]),
  );
  const sender = from?.address?.toLowerCase() ?? "";
  return sha256(JSON.stringify([sender, plain(subject), plain(text), plain(html), files]));
}

/** Mail servers change line breaks and the end of a text. */
const plain = (text = "") => text.replace(/\r\n?/g, "\n").trimEnd();

const uuidOf = (hex: string) => hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
