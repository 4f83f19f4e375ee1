import type { Email } from "postal-mime";
import type { Mail as OutgoingMail } from "../../platform/mail.ts";
import type { Mail, Template } from "./model.ts";

// Builds replies to the senders of mails, and decides which mails get no reply.

/** Values of placeholders that are not taken from the mail. */
interface ReplyContext {
  company: string;
  label: string;
}

/** Fills a template of the company with the values of a mail. The headers of the reply mark it as automatic. */
export function replyTo(
  mail: Mail,
  { subject, text }: Template,
  { company, label }: ReplyContext,
): Omit<OutgoingMail, "id" | "to"> {
  const placeholders: Record<string, string> = {
    subject: mail.subject ?? "",
    from: mail.from ?? "",
    company,
    label,
    ids: mail.routed.flatMap(({ id }) => id ?? []).join(", "),
    files: mail.routed.flatMap(({ attachment }) => attachment ?? []).join(", "),
  };
  const fill = (template: string) =>
    template.replace(/\{\{\s*(\w+)\s*\}\}/g, (whole, name: string) =>
      Object.hasOwn(placeholders, name) ? placeholders[name]! : whole,
    );
  const { messageId } = mail;
  return {
    subject: oneLine(subject ? fill(subject) : `Re: ${mail.subject ?? ""}`),
    text: fill(text),
    headers: {
      "Auto-Submitted": "auto-replied",
      "X-Auto-Response-Suppress": "All",
      ...(messageId && { "In-Reply-To": messageId, References: messageId }),
    },
  };
}

const oneLine = (text: string) => text.replace(/\s+/g, " ").trim().slice(0, 300);

const headersOf = (mail: Email) => (name: string) => mail.headers.find(({ key }) => key === name)?.value.trim() ?? "";

/** Whether a mail is an automatic reply, such as a bounce or an out-of-office reply. */
export function isAutomaticReply(mail: Email, envelopeFrom: string): boolean {
  const header = headersOf(mail);
  return (
    envelopeFrom === "" ||
    /^(?:mailer-daemon|postmaster)(?:[+.-][^@]*)?@/i.test(envelopeFrom) ||
    /^auto-replied\b/i.test(header("auto-submitted")) ||
    /auto_?reply/i.test(header("precedence")) ||
    /^multipart\/report/i.test(header("content-type")) ||
    header("return-path") === "<>" ||
    ["x-autoreply", "x-autorespond"].some((name) => header(name) !== "")
  );
}

/**
 * Whether a mail was sent by a program: an automatic reply, a newsletter or a mail of a mailing list. Such mails get no
 * reply (RFC 3834).
 */
export function isAutomatic(mail: Email, envelopeFrom: string): boolean {
  const header = headersOf(mail);
  const submitted = header("auto-submitted");
  return (
    isAutomaticReply(mail, envelopeFrom) ||
    /^(?:no-?reply|bounces?)(?:[+.-][^@]*)?@/i.test(envelopeFrom) ||
    (submitted !== "" && !/^no\b/i.test(submitted)) ||
    /bulk|list|junk/i.test(header("precedence")) ||
    /\b(?:all|oof|autoreply)\b/i.test(header("x-auto-response-suppress")) ||
    ["list-id", "list-unsubscribe", "feedback-id"].some((name) => header(name) !== "")
  );
}
