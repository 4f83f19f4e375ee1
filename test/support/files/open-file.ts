import type { OpenedDocument, Page, Token } from "../../../src/extraction/document/document.ts";
import { defaultLimits, openDocument, type OpenLimits } from "../../../src/extraction/formats/open.ts";
import { Budget, ExtractionProblem } from "../../../src/extraction/problem.ts";

export type Content = string | Uint8Array;

export const bytesOf = (content: Content) =>
  typeof content === "string" ? new TextEncoder().encode(content) : content;

export function openFile(
  content: Content,
  name = "file",
  limits: Partial<OpenLimits> = {},
  budget = 10_000,
): Promise<OpenedDocument> {
  return openDocument({ bytes: bytesOf(content), name }, { ...defaultLimits, ...limits }, new Budget(budget));
}

/** Returns the reason why the extraction fails, or `none` if it succeeds. */
export async function reasonOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "none",
    (cause: unknown) => (cause instanceof ExtractionProblem ? cause.reason : `threw ${String(cause)}`),
  );
}

/** Returns the lines of a page. A bar marks a wide gap. */
export function linesOf(page: Page): string[] {
  const rows = new Map<number, Token[]>();
  for (const token of page.tokens) {
    const row = Math.round(token.y0 / 6);
    rows.set(row, [...(rows.get(row) ?? []), token]);
  }
  return [...rows].toSorted(([a], [b]) => a - b).map(([, tokens]) => joined(tokens.toSorted((a, b) => a.x0 - b.x0)));
}

function joined(tokens: Token[]): string {
  return tokens.reduce((text, token, index) => {
    const last = tokens[index - 1];
    if (!last) return token.text;
    return text + (token.x0 - last.x1 > token.size ? " | " : " ") + token.text;
  }, "");
}

/** Opens a file and returns its lines, without quoted mails. */
export async function read(content: Content, name?: string): Promise<string[]> {
  const document = await openFile(content, name);
  return document.parts.filter((part) => !part.quoted).flatMap((part) => part.pages.flatMap(linesOf));
}

/** Makes a mail with a single part. */
export const mail = (body: string, head = "") =>
  `From: Anna <Anna@Spedition.example>\r\nTo: dispo@carrier.example\r\nSubject: Order 17\r\nDate: Fri, 20 Nov 2026 10:00:00 +0100\r\nMIME-Version: 1.0\r\n${head}\r\n${body}`;

export const htmlMail = (html: string) => mail(html, "Content-Type: text/html; charset=utf-8\r\n");

/** Makes a mail with attachments. */
export function mailWith(files: { name: string; type: string; content: Content }[]): string {
  const parts = files.map(
    ({ name, type, content }) =>
      `--b\r\nContent-Type: ${type}; name="${name}"\r\nContent-Disposition: attachment; filename="${name}"\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(bytesOf(content)).toString("base64")}\r\n`,
  );
  return mail(
    `--b\r\nContent-Type: text/plain\r\n\r\nSee attached.\r\n${parts.join("")}--b--\r\n`,
    'Content-Type: multipart/mixed; boundary="b"\r\n',
  );
}
