import type { Mail as Letter } from "../../platform/mail.ts";
import type { Mail } from "./mail.ts";
import type { Template } from "./shapes.ts";

/** What a template may speak of. */
export interface Known {
  company: string;
  label: string;
}

/** The answer to a mail's sender, in the words of the company. It says of itself that a program sends it. */
export function answerTo(mail: Mail, { subject, text }: Template, known: Known): Omit<Letter, "id" | "to"> {
  const said: Record<string, string> = {
    subject: mail.subject ?? "",
    from: mail.from ?? "",
    company: known.company,
    label: known.label,
    ids: mail.routed.flatMap(({ id }) => id ?? []).join(", "),
    files: mail.routed.flatMap(({ attachment }) => attachment ?? []).join(", "),
  };
  const filled = (template: string) =>
    template.replace(/\{\{\s*(\w+)\s*\}\}/g, (whole, name: string) => said[name] ?? whole);
  const { messageId } = mail;
  return {
    subject: oneLine(subject ? filled(subject) : `Re: ${mail.subject ?? ""}`),
    text: filled(text),
    headers: {
      "Auto-Submitted": "auto-replied",
      "X-Auto-Response-Suppress": "All",
      ...(messageId && { "In-Reply-To": messageId, References: messageId }),
    },
  };
}

const oneLine = (text: string) => text.replace(/\s+/g, " ").trim().slice(0, 300);
