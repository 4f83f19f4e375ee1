import type { Email } from "postal-mime";

const headingsOf = (mail: Email) => (name: string) => mail.headers.find(({ key }) => key === name)?.value.trim() ?? "";

/** Whether a program answers with it: a bounce, an absence note. What it carries was somebody else's mail. */
export function isAnswer(mail: Email, envelopeFrom: string): boolean {
  const said = headingsOf(mail);
  return (
    envelopeFrom === "" ||
    /^(?:mailer-daemon|postmaster)(?:[+.-][^@]*)?@/i.test(envelopeFrom) ||
    /^auto-replied\b/i.test(said("auto-submitted")) ||
    /auto_?reply/i.test(said("precedence")) ||
    /^multipart\/report/i.test(said("content-type")) ||
    said("return-path") === "<>" ||
    ["x-autoreply", "x-autorespond"].some((name) => said(name) !== "")
  );
}

/** Whether a program sent it: a bounce, an absence note, a list. Such mails are not answered (RFC 3834). */
export function isAutomatic(mail: Email, envelopeFrom: string): boolean {
  const said = headingsOf(mail);
  const submitted = said("auto-submitted");
  return (
    isAnswer(mail, envelopeFrom) ||
    /^(?:no-?reply|bounces?)(?:[+.-][^@]*)?@/i.test(envelopeFrom) ||
    (submitted !== "" && !/^no\b/i.test(submitted)) ||
    /bulk|list|junk/i.test(said("precedence")) ||
    /\b(?:all|oof|autoreply)\b/i.test(said("x-auto-response-suppress")) ||
    ["list-id", "list-unsubscribe", "feedback-id"].some((name) => said(name) !== "")
  );
}
