import { Buffer } from "node:buffer";

interface Part {
  type: string;
  name?: string;
  content: string | Uint8Array;
}

const head = (subject: string) =>
  [
    "From: Dispatch <dispatch@beispiel-spedition.example>",
    "To: orders@vzorova-doprava.example",
    `Subject: ${subject}`,
    "Date: Wed, 18 Nov 2026 09:12:00 +0100",
    "MIME-Version: 1.0",
  ].join("\r\n");

/** Makes a mail with one text. */
export const plainMail = (subject: string, text: string): string =>
  `${head(subject)}\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${text.replaceAll("\n", "\r\n")}\r\n`;

/** Makes a mail of several parts. A part with a name is an attachment; the others are bodies. */
export function mail(subject: string, parts: Part[]): string {
  const boundary = "=_between_the_parts";
  const body = parts.map((part) => `--${boundary}\r\n${partOf(part)}\r\n`).join("");
  return `${head(subject)}\r\nContent-Type: multipart/mixed; boundary="${boundary}"\r\n\r\n${body}--${boundary}--\r\n`;
}

/** Forwards a mail as an attachment, `depth` times. */
export function nestedMail(innermost: string, depth: number): string {
  let message = innermost;
  for (let level = 0; level < depth; level++) {
    const boundary = `=_level_${level}`;
    message = `${head(`Fwd ${level}`)}\r\nContent-Type: multipart/mixed; boundary="${boundary}"\r\n\r\n--${boundary}\r\nContent-Type: message/rfc822\r\nContent-Disposition: attachment; filename="mail.eml"\r\n\r\n${message}\r\n--${boundary}--\r\n`;
  }
  return message;
}

function partOf({ type, name, content }: Part): string {
  const disposition = name === undefined ? "" : `Content-Disposition: attachment; filename="${name}"\r\n`;
  const lines = Buffer.from(content).toString("base64").replace(/.{76}/g, "$&\r\n");
  return `Content-Type: ${type}\r\n${disposition}Content-Transfer-Encoding: base64\r\n\r\n${lines}`;
}
