import type { Email } from "postal-mime";

/** Whether a program sent it: a bounce, an absence note, a list. Such mails are not answered (RFC 3834). */
export function isAutomatic(mail: Email, envelopeFrom: string): boolean {
  const said = (name: string) => mail.headers.find(({ key }) => key === name)?.value.trim() ?? "";
  const submitted = said("auto-submitted");
  return (
    envelopeFrom === "" ||
    /^(?:mailer-daemon|postmaster|no-?reply|bounces?)(?:[+.-][^@]*)?@/i.test(envelopeFrom) ||
    (submitted !== "" && !/^no\b/i.test(submitted)) ||
    /bulk|list|junk|auto_?reply/i.test(said("precedence")) ||
    /\b(?:all|oof|autoreply)\b/i.test(said("x-auto-response-suppress")) ||
    /^multipart\/report/i.test(said("content-type")) ||
    said("return-path") === "<>" ||
    ["x-autoreply", "x-autorespond", "list-id", "list-unsubscribe", "feedback-id"].some((name) => said(name) !== "")
  );
}
