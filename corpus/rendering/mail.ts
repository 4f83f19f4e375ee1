import { Buffer } from "node:buffer";

interface Attachment {
  name: string;
  bytes: Uint8Array;
}

const types: Record<string, string> = {
  pdf: "application/pdf",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  csv: "text/csv",
  txt: "text/plain",
  eml: "message/rfc822",
};
const boundary = "=_corpus_0";

/**
 * A MIME message of a typed mail: its headers encoded, its body in base64, and the documents that `X-Attach` headers name
 * as attachments.
 */
export async function mailOf(source: string, attachmentOf: (id: string) => Promise<Attachment>): Promise<Uint8Array> {
  const [, head = "", body = ""] = /^(.*?)\r?\n\r?\n(.*)$/s.exec(source) ?? [];
  const lines = head.replaceAll(/\r?\n[ \t]+/g, " ").split(/\r?\n/);
  const ids = lines.flatMap((line) => /^X-Attach: *(\d+)/i.exec(line)?.[1] ?? []);
  const type = lines.find((line) => /^Content-Type:/i.test(line)) ?? "Content-Type: text/plain; charset=utf-8";
  const kept = lines.filter((line) => !/^(X-Attach|Content-|MIME-Version)/i.test(line)).map(encoded);
  const text = [type, "Content-Transfer-Encoding: base64", "", base64(Buffer.from(body))];
  if (ids.length === 0) return message([...kept, "MIME-Version: 1.0", ...text]);
  const parts = await Promise.all(ids.map(attachmentOf));
  return message([
    ...kept,
    "MIME-Version: 1.0",
    `Content-Type: multipart/mixed; boundary="${boundary}"`,
    "",
    `--${boundary}`,
    ...text,
    ...parts.flatMap(partOf),
    `--${boundary}--`,
  ]);
}

function partOf({ name, bytes }: Attachment): string[] {
  const type = types[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream";
  return [
    `--${boundary}`,
    `Content-Type: ${type}; name="${name}"`,
    `Content-Disposition: attachment; filename="${name}"`,
    "Content-Transfer-Encoding: base64",
    "",
    base64(bytes),
  ];
}

const message = (lines: string[]) => new TextEncoder().encode(`${lines.join("\r\n")}\r\n`);

const base64 = (bytes: Uint8Array) =>
  Buffer.from(bytes)
    .toString("base64")
    .replaceAll(/(.{76})/g, "$1\r\n");

/** RFC 2047: each word with letters beyond ASCII in base64. */
const encoded = (line: string) =>
  line.replaceAll(
    /[^\s<>@,"]*[\u0080-\u{10FFFF}][^\s<>@,"]*(?: +[^\s<>@,"]*[\u0080-\u{10FFFF}][^\s<>@,"]*)*/gu,
    (word) => `=?utf-8?B?${Buffer.from(word).toString("base64")}?=`,
  );
