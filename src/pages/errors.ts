import { reasons } from "../platform/problem.ts";
import type { ReadingReason } from "../extraction/problem.ts";

type UploadReason = "file_empty" | "file_encrypted" | "unsupported_file_type" | "file_unreadable";

/** Codes that a `Failed` record carries: what happened and what to do about it. */
const failures: Record<
  Exclude<ReadingReason, UploadReason> | "engine_unavailable",
  readonly [title: string, remedy: string]
> = {
  input_not_freight: [
    "No transport order was found in the file.",
    "Check that it is the right file; a mail should have its attachments with it.",
  ],
  input_not_a_document_of_this_kind: [
    "The file is no document of the kind it was sent as.",
    "Send it with another `type`, or with none: then the kind is found out.",
  ],
  no_text_found: [
    "The file holds no text that can be read.",
    "Send the original instead of a scan or a photo of it, or a sharper one.",
  ],
  file_corrupted: ["The file is damaged.", "Send the original; opening and saving it anew often helps."],
  too_many_pages: ["The file has more pages than are read at once.", "Send the pages that hold the order."],
  engine_timeout: [
    "Reading took too long.",
    "Send the pages that hold the order, or the same content in a simpler file.",
  ],
  engine_unavailable: ["Something broke on our side again and again.", "Tell us the id of the record."],
};

/** The page that explains every code, written when the product is built. Links lead to its parts: `/docs/errors#not_found`. */
export const errorsPage = (): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>Errors · Lorry API</title>
    <link rel="icon" href="/docs/lorry.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="/docs/docs.css" />
  </head>
  <body>
    <header>
      <a class="name" href="/docs"><img src="/docs/lorry.svg" alt="" width="28" height="28" />Lorry</a>
      <nav aria-label="Contract">
        <a href="/docs">Operations</a>
        <a href="/openapi.json">OpenAPI 3.1</a>
      </nav>
    </header>
    <main class="errors">
      <h1>Errors</h1>
      <p>Every refusal is a problem by RFC 9457 with an <code>errorCode</code> for programs, a <code>detail</code> for people and the <code>requestId</code> to ask about. <code>errors</code> names every wrong field.</p>
${Object.entries(reasons)
  .map(([code, { status, title, remedy }]) => section(code, String(status), title, remedy))
  .join("\n")}
      <h1>Files that were not turned into data</h1>
      <p>These are no refusals: the record is there, its status is <code>Failed</code>, and it carries one of these codes.</p>
${Object.entries(failures)
  .map(([code, [title, remedy]]) => section(code, "Failed", title, remedy))
  .join("\n")}
    </main>
  </body>
</html>
`;

const section = (code: string, status: string, title: string, remedy: string) => `      <section id="${code}">
        <h2><a href="#${code}">${code}</a> <small>${status}</small></h2>
        <p>${inHtml(title)}</p>
        <p class="remedy">${inHtml(remedy)}</p>
      </section>`;

const inHtml = (text: string) =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replace(/`([^`]+)`/g, "<code>$1</code>");
