import type { UploadedFile } from "../../platform/files.ts";
import { acceptFile } from "../../http/uploads/uploads.ts";

interface RequestText {
  inputText?: string | undefined;
  html?: string | undefined;
  subject?: string | undefined;
  /** `name@company.example` or `Name <name@company.example>`. */
  from?: string | undefined;
}

const bytes = (text: string) => new TextEncoder().encode(text);
const base64 = (text: string) => bytes(text).toBase64();

/** Converts the text of a request to a file: a mail if its subject or sender is known, otherwise plain text or HTML. */
export function textFile({ inputText, html, subject, from }: RequestText): Promise<UploadedFile> {
  const text = html ?? inputText ?? "";
  const kind = html === undefined ? "txt" : "html";
  if (subject === undefined && from === undefined) return acceptFile(`request.${kind}`, bytes(text));
  const lines = [
    ...(from === undefined ? [] : [`From: ${mailbox(from)}`]),
    ...(subject === undefined ? [] : [`Subject: ${encoded(subject)}`]),
    "MIME-Version: 1.0",
    `Content-Type: text/${html === undefined ? "plain" : "html"}; charset=utf-8`,
    "Content-Transfer-Encoding: base64",
    "",
    ...(base64(text).match(/.{1,76}/g) ?? []),
    "",
  ];
  return acceptFile("request.eml", bytes(lines.join("\r\n")));
}

/** Encoded words of RFC 2047 contain at most 45 bytes of text. */
function encoded(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text;
  const words: string[] = [];
  let word = "";
  for (const letter of text) {
    if (bytes(word + letter).length > 45) {
      words.push(word);
      word = "";
    }
    word += letter;
  }
  return [...words, word].map((part) => `=?utf-8?B?${base64(part)}?=`).join("\r\n ");
}

function mailbox(from: string): string {
  const [, name, address] = /^"?([^"<>]*)"?\s*<([^<>\s]+)>$/.exec(from.trim()) ?? [];
  if (!address) return encoded(from.trim());
  return name?.trim() ? `${encoded(name.trim())} <${encoded(address)}>` : `<${encoded(address)}>`;
}
