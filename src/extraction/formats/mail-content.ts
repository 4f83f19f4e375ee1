import type { Email } from "postal-mime";
import type { Block } from "./blocks.ts";
import { attachmentsIn, bodyBlocks, headOf, parseMail } from "./mail.ts";
import type { InputFile, ReaderContext } from "./reader.ts";

/** A mail as lines of text, for classification. */
export interface MailContent {
  subject: string;
  /** The sender's address. */
  from: string;
  /** ISO date on which the mail was sent, in the sender's time zone. */
  day?: string | undefined;
  /** Lines of the newest mail. */
  own: string[];
  /** Lines of the quoted older mails. */
  quoted: string[];
  /** Whether a program sent the mail, according to its headers. */
  automatic: boolean;
  /** Whether the mail was sent to a mailing list, according to its headers. */
  bulk: boolean;
  attachments: InputFile[];
}

/** A mail that was submitted as separate fields. */
export interface MailParts {
  subject?: string | undefined;
  /** The sender, as written in the `From` header. */
  from?: string | undefined;
  text?: string | undefined;
  html?: string | undefined;
  files: InputFile[];
}

/**
 * Opens a mail, given raw (RFC 5322) or parsed.
 * @param body with "PlainText", the HTML body is ignored, because its conversion may take long
 * @throws ExtractionProblem `file_corrupted`, `engine_timeout`
 */
export async function openMailContent(
  raw: Uint8Array | Email,
  context: ReaderContext,
  body?: "PlainText",
): Promise<MailContent> {
  const mail = raw instanceof Uint8Array ? await parseMail(raw) : raw;
  const html = body === "PlainText" ? "" : mail.html;
  const { subject, day } = headOf(mail);
  return {
    ...mailContentOf({ subject, from: mail.from?.address, text: mail.text, html, files: attachmentsIn(mail) }, context),
    day,
    automatic: isAutomatic(mail),
    bulk: isBulk(mail),
  };
}

/** Builds a mail from its fields. It has no headers, so only the sender's address shows whether a program sent it. */
export function mailContentOf(
  { subject = "", from, text, html, files }: MailParts,
  context: ReaderContext,
): MailContent {
  const { own, quoted } = bodyBlocks({ text, html }, context);
  const address = (from ?? "").replace(/^.*<|>.*$/g, "");
  return {
    subject,
    from: address,
    own: linesOf(own),
    quoted: linesOf(quoted),
    automatic: senders.test(address),
    bulk: false,
    attachments: files,
  };
}

function linesOf(blocks: readonly Block[]): string[] {
  return blocks.flatMap((block) => {
    if (block.kind === "Paragraph")
      return block.runs
        .map(({ text }) => text)
        .join("")
        .split("\n");
    if (block.kind === "Table") return block.rows.map((row) => row.flatMap((cell) => linesOf(cell.blocks)).join("  "));
    return [];
  });
}

const senders = /^(?:mailer-daemon|postmaster|no-?reply-?autoresponder)@/i;

function isAutomatic(mail: Email): boolean {
  return (
    /^auto/i.test(headingOf(mail, "auto-submitted")) ||
    /auto_?reply/i.test(headingOf(mail, "precedence")) ||
    headingOf(mail, "x-autoreply") !== "" ||
    headingOf(mail, "x-autorespond") !== "" ||
    /^multipart\/report/i.test(headingOf(mail, "content-type")) ||
    senders.test(mail.from?.address ?? "")
  );
}

function isBulk(mail: Email): boolean {
  return (
    /bulk|list|junk/i.test(headingOf(mail, "precedence")) ||
    headingOf(mail, "list-unsubscribe") !== "" ||
    headingOf(mail, "list-id") !== ""
  );
}

const headingOf = ({ headers }: Email, name: string): string =>
  headers.find(({ key }) => key === name)?.value.trim() ?? "";
