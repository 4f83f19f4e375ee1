/** An attachment of a mail. */
export interface Attachment {
  name: string;
  type: string;
  bytes: Uint8Array;
}

export interface Mail {
  from: { name: string; address: string };
  to: { name: string; address: string };
  subject: string;
  /** ISO day. */
  day: string;
  text?: string;
  html?: string;
  attachment?: Attachment;
}

const BOUNDARY = "=_part_of_the_mail";

/** Formats a mail according to RFC 5322. Texts are encoded in base64, so that they can be in any language. */
export function mailBytes({ from, to, subject, day, text, html, attachment }: Mail): Uint8Array {
  const parts = [
    text !== undefined && part("text/plain; charset=utf-8", new TextEncoder().encode(text)),
    html !== undefined && part("text/html; charset=utf-8", new TextEncoder().encode(html)),
    attachment &&
      part(
        `${attachment.type}; name="${attachment.name}"`,
        attachment.bytes,
        `attachment; filename="${attachment.name}"`,
      ),
  ].filter((one) => typeof one === "string");
  const head = [
    `From: ${person(from)}`,
    `To: ${person(to)}`,
    `Subject: ${word(subject)}`,
    `Date: ${new Date(`${day}T09:14:00Z`).toUTCString().replace("GMT", "+0000")}`,
    `Message-ID: <${day}.order@mail.example>`,
    "MIME-Version: 1.0",
    `Content-Type: multipart/${attachment ? "mixed" : "alternative"}; boundary="${BOUNDARY}"`,
  ];
  return new TextEncoder().encode(
    [...head, "", ...parts.map((one) => `--${BOUNDARY}\r\n${one}`), `--${BOUNDARY}--`, ""].join("\r\n"),
  );
}

function part(type: string, bytes: Uint8Array, disposition?: string): string {
  const lines = Buffer.from(bytes).toString("base64").replaceAll(/.{76}/g, "$&\r\n");
  const head = [
    `Content-Type: ${type}`,
    "Content-Transfer-Encoding: base64",
    ...(disposition ? [`Content-Disposition: ${disposition}`] : []),
  ];
  return [...head, "", lines].join("\r\n");
}

const person = ({ name, address }: Mail["from"]): string => `${word(name)} <${address}>`;

/** Encodes a header value that is not ASCII according to RFC 2047, which limits the length of each part. */
function word(text: string): string {
  if (/^[\u0020-\u007e]*$/.test(text)) return text;
  const pieces = text.match(/.{1,12}/gsu) ?? [];
  return pieces.map((piece) => `=?utf-8?B?${Buffer.from(piece).toString("base64")}?=`).join("\r\n ");
}
